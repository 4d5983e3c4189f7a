#pragma once

#include "contact/delassus/block_sparse.hpp"

#include <Eigen/Core>
#include <Eigen/LU>
#include <array>
#include <cstddef>
#include <optional>
#include <vector>

namespace slipwave::contact {

/// Contacts between the same two bodies are a joint: whatever their number, they see the s = 3 or 6
/// velocities of one body relative to the other. So W = E R Eᵀ, where R is W at s rows of each
/// joint and E, s columns per joint, gives the others from these.
template <int d>
class Joints {
 public:
  static constexpr int s = d == 3 ? 6 : 3;
  using Across = Eigen::Matrix<double, s, s>;

  /// Nothing where W is not of this form to round-off, or where joints have so few contacts that
  /// nothing is gained.
  static std::optional<Joints> in(const BlockSparse& W);

  int count() const { return static_cast<int>(rows_.size()); }
  int of(int contact) const { return group_[static_cast<std::size_t>(contact)]; }
  /// A contact's part of E.
  const Eigen::Matrix<double, d, s>& E(int contact) const {
    return E_[static_cast<std::size_t>(contact)];
  }
  /// The joints that a joint sees, itself among them; increasing.
  const std::vector<int>& seen(int joint) const { return seen_[static_cast<std::size_t>(joint)]; }
  /// R between a joint and the k-th that it sees.
  const Across& R(int joint, int k) const {
    return R_[static_cast<std::size_t>(joint)][static_cast<std::size_t>(k)];
  }
  /// A vector in the range of E at a joint's rows of R.
  Eigen::Matrix<double, s, 1> at_rows(int joint, const Eigen::VectorXd& x) const {
    Eigen::Matrix<double, s, 1> part;
    for (int i = 0; i < s; ++i) {
      const int row = rows_[static_cast<std::size_t>(joint)][static_cast<std::size_t>(i)];
      part[i] = row < 0 ? 0.0 : x[row];
    }
    return part;
  }

 private:
  using Rows = std::array<int, s>;  // of W; -1 where a joint needs fewer
  void find_groups(const BlockSparse& W);
  bool find_rows(const BlockSparse& W, const std::vector<int>& contacts);
  void find_seen(const BlockSparse& W);
  template <class Visit>
  void for_each_block(const BlockSparse& W, const Visit& visit) const;
  bool find_blocks(const BlockSparse& W);

  std::vector<int> group_;
  std::vector<Rows> rows_;
  std::vector<Eigen::Matrix<double, d, s>> E_;
  std::vector<std::vector<int>> seen_;
  std::vector<std::vector<Across>> R_;
};

}  // namespace slipwave::contact
