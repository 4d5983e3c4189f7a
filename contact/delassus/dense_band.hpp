#pragma once

#include <Eigen/Core>
#include "contact/delassus/delassus.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace slipwave::contact {

/// The Delassus operator W of contacts along a line, in the local frames (normal, then tangents),
/// `dimension` rows per contact. Dense: (d n)^2 doubles, so 2000 contacts in 2D cost 128 MB.
/// Symmetric but for the Newmark family with damping, where a transposed copy is kept.
///
/// W decays away from its diagonal, because a step moves information only so far (docs/theory.md
/// section 10). Block (a, b) is far if |a − b| exceeds the half-bandwidth, the smallest one with
///     |W_ij| <= 1e-16 sqrt(W_NN,a W_NN,b)    in every far block:
/// less than the round-off of the diagonal's own product. Sweeps read a packed copy of the near
/// blocks, d n (2 half_bandwidth + 1) d doubles; certificates account for the far ones through
/// far_norm(). A W that does not decay is all near.
class DenseBand {
 public:
  /// Throws std::invalid_argument naming the first contact with W_NN <= 0 or W_TT < 0.
  explicit DenseBand(Eigen::MatrixXd W, int dimension = 2);
  /// Another W of the same size; throws the same. Allocates nothing if its band is as wide.
  void assign(const Eigen::MatrixXd& W);

  int dimension() const { return dimension_; }  ///< components per contact, 2 or 3
  int contact_count() const { return static_cast<int>(W_.rows()) / dimension_; }
  const Eigen::MatrixXd& matrix() const { return W_; }
  bool symmetric() const { return transposed_.size() == 0; }
  /// Row i of W.
  auto row(int i) const { return (symmetric() ? W_ : transposed_).col(i); }
  int half_bandwidth() const { return half_bandwidth_; }  ///< in contacts
  /// Frobenius norm of the far blocks: ‖W_far p‖ <= far_norm() ‖p‖.
  double far_norm() const { return far_norm_; }
  /// The impulse per velocity of a contact, ρ = d / trace of its block: scales residuals and steps.
  double rho(int contact) const { return rho_[contact]; }
  /// Largest ρ.
  double max_rho() const { return max_rho_; }
  /// First contact of the near blocks of a contact's rows.
  int first_near(int contact) const { return std::max(contact - half_bandwidth_, 0); }

  /// The diagonal block of a contact in 2D.
  Eigen::Matrix2d block(int contact) const { return diagonal<2>(contact); }
  /// The diagonal block of a contact, d = dimension().
  template <int d>
  Eigen::Map<const Eigen::Matrix<double, d, d>> diagonal(int contact) const {
    return Eigen::Map<const Eigen::Matrix<double, d, d>>(diagonal_.data() + contact * d * d);
  }

  /// (W p) at one contact, all entries.
  template <int d>
  Eigen::Matrix<double, d, 1> all_times(int contact, const double* p) const;
  /// The d rows of a contact between its near contacts, one after the other, and their length;
  /// zero in the diagonal block.
  std::pair<const double*, int> near_rows(int contact) const {
    const auto a = static_cast<std::size_t>(contact);
    return {near_.data() + start_[a], static_cast<int>(start_[a + 1] - start_[a]) / dimension_};
  }
  /// A column of W, to be read at the rows of near contacts but its own: from the packed rows where
  /// W is symmetric, so that one copy of W stays in the processor's cache.
  const double* near_column(int column) const {
    if (!symmetric()) return &W_(0, column);
    const auto [rows, length] = near_rows(column / dimension_);
    return rows + column % dimension_ * length - dimension_ * first_near(column / dimension_);
  }
  /// Blocks of consecutive contacts at least as long as the band, the even ones of one colour and
  /// the odd ones of the other; one block where a sweep is too short to share.
  Colours colours() const;
  /// (W p) at one contact from its near blocks without the diagonal one.
  template <int d>
  Eigen::Matrix<double, d, 1> off_diagonal_times(int contact, const double* p) const;

 private:
  void prepare();
  void find_band();
  void pack();

  Eigen::MatrixXd W_, transposed_;  // the latter only where it differs
  int dimension_;
  int half_bandwidth_ = 0;
  double far_norm_ = 0.0, max_rho_ = 0.0;
  Eigen::VectorXd rho_;
  std::vector<double> diagonal_;    // d x d per contact
  std::vector<double> near_;        // the d rows of each contact one after the other
  std::vector<std::size_t> start_;  // of each contact in near_
};

/// Both halves of two rows at a time: four independent sums, so that the processor does not wait.
inline void dot_pair(const double* row, const double* next, const double* x, int length,
                     double& row_x, double& next_x) {
  const int half = length / 2;
  double a = 0.0, b = 0.0, c = 0.0, d = 0.0;
#pragma omp simd reduction(+ : a, b, c, d)
  for (int k = 0; k < half; ++k) {
    a += row[k] * x[k];
    b += next[k] * x[k];
    c += row[k + half] * x[k + half];
    d += next[k + half] * x[k + half];
  }
  if (length % 2 == 1) {
    a += row[length - 1] * x[length - 1];
    b += next[length - 1] * x[length - 1];
  }
  row_x = a + c;
  next_x = b + d;
}

template <int d>
Eigen::Matrix<double, d, 1> DenseBand::all_times(int contact, const double* p) const {
  const Eigen::Map<const Eigen::VectorXd> x(p, W_.rows());
  Eigen::Matrix<double, d, 1> result;
  for (int i = 0; i < d; ++i) result[i] = row(d * contact + i).dot(x);
  return result;
}

template <int d>
Eigen::Matrix<double, d, 1> DenseBand::off_diagonal_times(int contact, const double* p) const {
  const std::size_t a = static_cast<std::size_t>(contact);
  const int length = static_cast<int>(start_[a + 1] - start_[a]) / d;
  const double* row = near_.data() + start_[a];
  const double* x = p + d * first_near(contact);
  Eigen::Matrix<double, d, 1> result;
  dot_pair(row, row + length, x, length, result[0], result[1]);
  if constexpr (d == 3)
    result[2] = Eigen::Map<const Eigen::VectorXd>(row + 2 * length, length)
                    .dot(Eigen::Map<const Eigen::VectorXd>(x, length));
  return result;
}

static_assert(RowDelassus<DenseBand>);

}  // namespace slipwave::contact
