#include "contact/delassus/dense_band.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <stdexcept>
#include <utility>

namespace slipwave::contact {

namespace {

constexpr double negligible = 1e-16;
/// Below this many products a sweep is too short to share: about 100 microseconds.
constexpr double sequential_work = 3e5;

/// Half-bandwidth of one contact: the farthest block with an entry that is not negligible.
int reach(const Eigen::MatrixXd& W, int d, int a) {
  const int n = static_cast<int>(W.rows()) / d;
  const auto counts = [&](int b) {
    const double size = W.block(d * b, d * a, d, d).cwiseAbs().maxCoeff();
    return !(size <= negligible * std::sqrt(W(d * a, d * a) * W(d * b, d * b)));
  };
  for (int distance = n - 1; distance > 0; --distance)
    if ((a >= distance && counts(a - distance)) || (a + distance < n && counts(a + distance)))
      return distance;
  return 0;
}

}  // namespace

DenseBand::DenseBand(Eigen::MatrixXd W, int dimension)
    : W_(std::move(W)), dimension_(dimension), rho_(W_.rows() / dimension) {
  assert((dimension == 2 || dimension == 3) && W_.rows() % dimension == 0);
  assert(W_.rows() == W_.cols());
  prepare();
}

void DenseBand::assign(const Eigen::MatrixXd& W) {
  assert(W.rows() == W_.rows() && W.cols() == W_.cols());
  W_ = W;
  prepare();
}

Colours DenseBand::colours() const {
  const int n = contact_count(), d = dimension_, band = 2 * half_bandwidth_ + 1;
  const bool sequential = static_cast<double>(n) * band * d * d < sequential_work;
  const int length = sequential ? std::max(n, 1) : std::max(half_bandwidth_, 16);
  const int count = (n + length - 1) / length;
  Colours result;
  for (int a = 0; a < n; ++a) result.group.push_back(a / length);
  result.colours.resize(static_cast<std::size_t>(std::min(count, 2)));
  for (int block = 0; block < count; ++block)
    result.colours[static_cast<std::size_t>(block % 2)].push_back(block);
  return result;
}

void DenseBand::prepare() {
  for (int a = 0; a < contact_count(); ++a) {
    const auto D = W_.block(dimension_ * a, dimension_ * a, dimension_, dimension_).diagonal();
    // W_TT = 0 is allowed: the tangential motion of that node is prescribed.
    if (D[0] > 0.0 && D.tail(dimension_ - 1).minCoeff() >= 0.0) continue;
    throw std::invalid_argument(
        fmt::format("contact {}: its diagonal block of W has W_NN = {:g}, W_TT = {:g}; its normal "
                    "motion must be free",
                    a, D[0], D.tail(dimension_ - 1).minCoeff()));
  }
  const bool is_symmetric = W_.isApprox(W_.transpose(), 1e-14);
  transposed_.resize(0, 0);
  if (!is_symmetric) transposed_ = W_.transpose();
  find_band();
  pack();
}

void DenseBand::find_band() {
  const int d = dimension_;
  half_bandwidth_ = 0;
  far_norm_ = 0.0;
  for (int a = 0; a < contact_count(); ++a)
    half_bandwidth_ = std::max(half_bandwidth_, reach(W_, d, a));
  for (int a = 0; a < contact_count(); ++a)
    for (int b = 0; b < contact_count(); ++b)
      if (std::abs(a - b) > half_bandwidth_)
        far_norm_ += W_.block(d * b, d * a, d, d).squaredNorm();
  far_norm_ = std::sqrt(far_norm_);
}

void DenseBand::pack() {
  const int d = dimension_;
  near_.clear();
  diagonal_.clear();
  start_.assign(1, 0);
  max_rho_ = 0.0;
  for (int a = 0; a < contact_count(); ++a) {
    const int first = first_near(a);
    const int last = std::min(a + half_bandwidth_ + 1, contact_count());
    for (int i = d * a; i < d * (a + 1); ++i)
      for (int j = d * first; j < d * last; ++j) near_.push_back(j / d == a ? 0.0 : row(i)[j]);
    start_.push_back(near_.size());
    const auto D = W_.block(d * a, d * a, d, d);
    for (int j = 0; j < d; ++j)
      for (int i = 0; i < d; ++i) diagonal_.push_back(D(i, j));
    rho_[a] = d / D.trace();
    max_rho_ = std::max(max_rho_, rho_[a]);
  }
}

}  // namespace slipwave::contact
