#pragma once

#include "contact/delassus/delassus.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <cassert>
#include <cstddef>
#include <vector>

namespace slipwave::contact::tests {

/// A Delassus operator as lists of blocks, row by row: only those that are not zero, no matrix, no
/// band, and W need not be symmetric. Colours by the first that no neighbour has.
class BlockLists {
 public:
  /// One block of a row.
  struct Block {
    int column;  ///< a contact
    Eigen::MatrixXd values;
  };

  /// From a dense W with `dimension` rows per contact, none of its diagonal blocks zero.
  BlockLists(const Eigen::MatrixXd& W, int dimension)
      : dimension_(dimension), rows_(static_cast<std::size_t>(W.rows() / dimension)) {
    const int n = contact_count(), d = dimension;
    for (int a = 0; a < n; ++a)
      for (int b = 0; b < n; ++b)
        if (a == b || !W.block(d * a, d * b, d, d).isZero(0.0))
          rows_[at(a)].push_back({b, W.block(d * a, d * b, d, d)});
  }

  int dimension() const { return dimension_; }
  int contact_count() const { return static_cast<int>(rows_.size()); }
  double far_norm() const { return 0.0; }
  double rho(int contact) const { return dimension_ / own(contact).trace(); }
  double max_rho() const {
    double largest = 0.0;
    for (int a = 0; a < contact_count(); ++a) largest = std::max(largest, rho(a));
    return largest;
  }
  template <int d>
  Eigen::Matrix<double, d, d> diagonal(int contact) const {
    return own(contact);
  }
  template <int d>
  Eigen::Matrix<double, d, 1> off_diagonal_times(int contact, const double* p) const {
    return sum<d>(contact, p, false);
  }
  template <int d>
  Eigen::Matrix<double, d, 1> all_times(int contact, const double* p) const {
    return sum<d>(contact, p, true);
  }

  /// Every contact a group of its own.
  Colours colours() const {
    Colours result;
    std::vector<int> colour(rows_.size(), -1);
    for (int a = 0; a < contact_count(); ++a) {
      result.group.push_back(a);
      int free = 0;
      while (has_neighbour_of(a, free, colour)) ++free;
      colour[at(a)] = free;
      if (at(free) == result.colours.size()) result.colours.emplace_back();
      result.colours[at(free)].push_back(a);
    }
    return result;
  }

 private:
  static std::size_t at(int i) { return static_cast<std::size_t>(i); }

  const Eigen::MatrixXd& own(int contact) const {
    const std::vector<Block>& row = rows_[at(contact)];
    const auto found = std::find_if(row.begin(), row.end(),
                                    [&](const Block& block) { return block.column == contact; });
    assert(found != row.end());
    return found->values;
  }
  template <int d>
  Eigen::Matrix<double, d, 1> sum(int contact, const double* p, bool with_own) const {
    Eigen::Matrix<double, d, 1> result = Eigen::Matrix<double, d, 1>::Zero();
    for (const Block& block : rows_[at(contact)])
      if (with_own || block.column != contact)
        result +=
            block.values * Eigen::Map<const Eigen::Matrix<double, d, 1>>(p + d * block.column);
    return result;
  }
  /// Whether one that sees the contact, or is seen by it, has a colour.
  bool has_neighbour_of(int contact, int wanted, const std::vector<int>& colour) const {
    const auto sees = [&](int a, int b) {
      return std::any_of(rows_[at(a)].begin(), rows_[at(a)].end(),
                         [b](const Block& block) { return block.column == b; });
    };
    for (int b = 0; b < contact_count(); ++b)
      if (colour[at(b)] == wanted && (sees(contact, b) || sees(b, contact))) return true;
    return false;
  }

  int dimension_;
  std::vector<std::vector<Block>> rows_;
};

static_assert(Delassus<BlockLists>);

}  // namespace slipwave::contact::tests
