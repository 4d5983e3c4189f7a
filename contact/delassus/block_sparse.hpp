#pragma once

#include "contact/delassus/delassus.hpp"

#include <Eigen/Core>
#include <Eigen/SparseCore>
#include <cstddef>
#include <span>
#include <vector>

namespace slipwave::contact {

/// A Delassus operator given as a sparse matrix, by blocks of d x d: those of a contact one after
/// the other, in the order of their columns. W may be unsymmetric and singular; it is used as it
/// is. No block is left out.
class BlockSparse {
 public:
  /// W of d contact_count() rows and columns. Throws std::invalid_argument where a contact's normal
  /// motion is not free, W_NN <= 0, or a tangential one has W_TT < 0.
  BlockSparse(const Eigen::SparseMatrix<double>& W, int dimension);

  int dimension() const { return dimension_; }  ///< d
  int contact_count() const { return static_cast<int>(rho_.size()); }
  int block_count() const { return static_cast<int>(columns_.size()); }  ///< with the diagonal
  double far_norm() const { return 0.0; }
  double rho(int contact) const { return rho_[contact]; }  ///< d / trace W_aa
  double max_rho() const { return max_rho_; }
  /// Contacts that see the same others are a group; groups that see each other differ in colour.
  /// One group where a sweep is too short to share.
  Colours colours() const;

  /// The contacts that contact sees, itself among them; increasing.
  std::span<const int> columns(int contact) const {
    const auto a = static_cast<std::size_t>(contact);
    return std::span(columns_).subspan(static_cast<std::size_t>(first_[a]),
                                       static_cast<std::size_t>(first_[a + 1] - first_[a]));
  }
  /// The k-th block of a contact.
  template <int d>
  Eigen::Map<const Eigen::Matrix<double, d, d>> block(int contact, int k) const {
    const int place = (first_[static_cast<std::size_t>(contact)] + k) * d * d;
    return Eigen::Map<const Eigen::Matrix<double, d, d>>(blocks_.data() + place);
  }
  /// W_aa.
  template <int d>
  Eigen::Map<const Eigen::Matrix<double, d, d>> diagonal(int contact) const {
    return block<d>(contact, diagonal_[static_cast<std::size_t>(contact)]);
  }
  /// (W p) at one contact.
  template <int d>
  Eigen::Matrix<double, d, 1> all_times(int contact, const double* p) const {
    return times<d>(contact, 0, static_cast<int>(columns(contact).size()), p);
  }
  /// The same without the diagonal block.
  template <int d>
  Eigen::Matrix<double, d, 1> off_diagonal_times(int contact, const double* p) const {
    const int own = diagonal_[static_cast<std::size_t>(contact)];
    return times<d>(contact, 0, own, p) +
           times<d>(contact, own + 1, static_cast<int>(columns(contact).size()), p);
  }

 private:
  template <int d>
  Eigen::Matrix<double, d, 1> times(int contact, int begin, int end, const double* p) const {
    const std::span<const int> seen = columns(contact);
    Eigen::Matrix<double, d, 1> sum = Eigen::Matrix<double, d, 1>::Zero();
    for (int k = begin; k < end; ++k)
      sum += block<d>(contact, k) * Eigen::Map<const Eigen::Matrix<double, d, 1>>(
                                        p + d * seen[static_cast<std::size_t>(k)]);
    return sum;
  }
  void find_blocks(const Eigen::SparseMatrix<double>& W);
  void fill(const Eigen::SparseMatrix<double>& W);
  void prepare();

  int dimension_;
  std::vector<int> first_, columns_;  // of each contact's blocks; the contact of each block
  std::vector<int> diagonal_;         // which of its blocks is W_aa
  std::vector<double> blocks_;        // by columns
  Eigen::VectorXd rho_;
  double max_rho_ = 0.0;
};

static_assert(RowDelassus<BlockSparse>);

}  // namespace slipwave::contact
