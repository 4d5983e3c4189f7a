#pragma once

#include "linear/task_tree.hpp"

#include <Eigen/Core>
#include <cstddef>
#include <vector>

namespace slipwave::linear {

/// A lower triangular matrix in supernodes, as a sparse Cholesky factorisation leaves it. Supernode
/// k has the columns first_column[k] to first_column[k + 1] and the rows rows[row_start[k]] to
/// rows[row_start[k + 1]], its own columns first; the rows below them belong to its ancestors in
/// the elimination tree. Its values stand from value_start[k] on, one column after the other.
struct SupernodalView {
  int supernodes;
  const int* first_column;
  const int* row_start;
  const int* rows;
  const int* value_start;
  const double* values;
};

/// L laid out for solving with it thousands of times, with the same bits for any number of threads.
///
/// Four columns of a supernode are stored as one stream of tiles of four rows, the rows padded with
/// zeros to a multiple of four, the tiles on the diagonal inverted.
///
/// Supernodes are gathered into tasks. What a task adds to the rows of its ancestors it keeps in a
/// buffer of its own, which its parent collects: so the order of every sum is fixed, and tasks that
/// are not ancestors of each other may run at the same time. The buffers stand behind the unknowns
/// in the vector that is solved for, which therefore has work_size() entries.
class SupernodalTriangle {
 public:
  SupernodalTriangle() = default;
  /// The columns from first_last on are the last unknowns.
  SupernodalTriangle(const SupernodalView& L, int first_last);

  int size() const { return size_; }
  int last_count() const { return size_ - first_last_; }
  Eigen::Index work_size() const { return work_size_; }
  /// Doubles stored, padding included.
  std::size_t stored_values() const { return static_cast<std::size_t>(values_.size()); }
  /// A cheap estimate of the reciprocal condition number of L L^T: (smallest / largest diagonal
  /// entry)^2.
  double reciprocal_condition() const;

  /// y := L^-1 y on the first size() entries of y; the others are overwritten.
  void forward(Eigen::VectorXd& y) const;
  /// y := L^-T y.
  void backward(Eigen::VectorXd& y) const;
  /// The same with the trailing block of the last unknowns only: entries before them are neither
  /// used nor meaningful after.
  void forward_last(Eigen::VectorXd& y) const;
  void backward_last(Eigen::VectorXd& y) const;
  /// That block, dense.
  Eigen::MatrixXd last_block() const;

 private:
  struct Supernode {
    int first_column, columns;
    int rows_below;
    std::size_t values;  // where its tiles start, in values_
    std::size_t rows;    // where the places of the rows below start, in rows_

    int row_count() const { return columns + rows_below; }
  };
  /// Where a task keeps what it adds to its ancestors, in the vector solved for.
  struct Buffer {
    int start, size;
    std::size_t collect;   // where its places in the parent's columns or buffer start, in collect_
    Eigen::Index scratch;  // where the task's scratch starts, in scratch_
  };

  void copy_values(const SupernodalView& L);
  void cut(const SupernodalView& L);
  std::vector<int> rows_outside(const Task& task) const;
  int longest_supernode(const Task& task) const;
  int end_of(const Task& task) const;
  void place_rows(std::size_t t, const std::vector<std::vector<int>>& outside);
  double entry(const Supernode& s, int row, int column) const;
  static std::size_t index(const Supernode& s, int row, int column);
  void forward_task(int t, double* y) const;
  void backward_task(int t, double* y) const;
  void forward_supernode(const Supernode& s, double* y, double* x) const;
  void backward_supernode(const Supernode& s, double* y, double* x) const;
  bool shares_work() const;

  int size_ = 0, first_last_ = 0;
  Eigen::Index work_size_ = 0;
  std::vector<Supernode> supernodes_;
  TaskTree tree_;
  std::vector<Buffer> buffers_;  // per task
  std::vector<int> rows_, collect_;
  Eigen::VectorXd values_;
  mutable Eigen::VectorXd scratch_;  // per task the rows of its longest supernode
};

}  // namespace slipwave::linear
