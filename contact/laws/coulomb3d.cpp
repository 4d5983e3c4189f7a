#include "contact/laws/coulomb3d.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

namespace slipwave::contact {

namespace {

using Eigen::Matrix2d;
using Eigen::Matrix3d;
using Eigen::Vector2d;
using Eigen::Vector3d;

/// The impulse as a function of κ, in the principal axes of S where (S + κ I)⁻¹ is two divisions.
struct SlidingPath {
  double mu, W_NN, c_N;
  Vector2d W_NT, c_T;  // in the principal axes; c_T without the part that c_N causes
  Vector2d sigma;      // eigenvalues of S
  Vector2d axis;       // the first principal axis; the second is it turned by a right angle

  SlidingPath(const Matrix3d& W, const Vector3d& c, double friction)
      : mu(friction), W_NN(W(0, 0)), c_N(c[0]) {
    const Vector2d W_TN = W.block<2, 1>(1, 0);
    const Matrix2d S = W.block<2, 2>(1, 1) - W_TN * W_TN.transpose() / W_NN;
    const double middle = 0.5 * (S(0, 0) + S(1, 1)), half = 0.5 * (S(0, 0) - S(1, 1));
    const double spread = std::hypot(half, S(0, 1));
    axis = half >= 0.0 ? Vector2d(spread + half, S(0, 1)) : Vector2d(S(0, 1), spread - half);
    axis = spread > 0.0 ? Vector2d(axis / axis.norm()) : Vector2d::UnitX();
    sigma = {middle + spread, std::max(middle - spread, 0.0)};
    W_NT = to_axes(W_TN);
    c_T = to_axes(c.tail<2>() - W_TN * (c_N / W_NN));
  }

  Vector2d to_axes(const Vector2d& x) const {
    return {axis.dot(x), axis[0] * x[1] - axis[1] * x[0]};
  }
  Vector2d p_T(double kappa) const {  // an axis without load carries none, whatever its stiffness
    const auto part = [&](int i) { return c_T[i] == 0.0 ? 0.0 : -c_T[i] / (sigma[i] + kappa); };
    return {part(0), part(1)};
  }
  double p_N(const Vector2d& p_T_) const { return -(c_N + W_NT.dot(p_T_)) / W_NN; }

  /// g and its derivative: p_T' = −p_T / (σ + κ).
  double g(double kappa, double& slope) const {
    const Vector2d p = p_T(kappa);
    const Vector2d dp = -(p.array() / (sigma.array() + kappa)).matrix();
    const double norm = p.norm(), normal = p_N(p);
    slope = mu * (-W_NT.dot(dp) / W_NN - normal * p.dot(dp) / (norm * norm)) / norm;
    return mu * normal / norm - 1.0;
  }
  /// Where Newton's method begins to look for the root.
  double first_kappa() const { return sigma[0] + c_T.norm() * W_NN / -c_N; }
  /// Whether S has no inverse for the load that there is.
  bool is_singular() const { return (sigma.array() == 0.0 && c_T.array() != 0.0).any(); }
  Vector2d from_axes(const Vector2d& x) const {
    return {axis[0] * x[0] - axis[1] * x[1], axis[1] * x[0] + axis[0] * x[1]};
  }
};

/// The same for a block that is not symmetric, where S has no principal axes.
struct UnsymmetricPath {
  double mu, W_NN, c_N;
  Vector2d W_NT, c_T;
  Matrix2d S;

  UnsymmetricPath(const Matrix3d& W, const Vector3d& c, double friction)
      : mu(friction),
        W_NN(W(0, 0)),
        c_N(c[0]),
        W_NT(W.block<1, 2>(0, 1).transpose()),
        c_T(c.tail<2>() - W.block<2, 1>(1, 0) * (c[0] / W(0, 0))),
        S(W.block<2, 2>(1, 1) - W.block<2, 1>(1, 0) * W.block<1, 2>(0, 1) / W(0, 0)) {}

  /// (S + κ I)⁻¹ x.
  Vector2d divided(const Vector2d& x, double kappa) const {
    const double a = S(0, 0) + kappa, d = S(1, 1) + kappa, b = S(0, 1), c = S(1, 0);
    return Vector2d(d * x[0] - b * x[1], a * x[1] - c * x[0]) / (a * d - b * c);
  }
  Vector2d p_T(double kappa) const {
    return c_T.isZero(0.0) ? Vector2d(Vector2d::Zero()) : Vector2d(-divided(c_T, kappa));
  }
  double p_N(const Vector2d& p_T_) const { return -(c_N + W_NT.dot(p_T_)) / W_NN; }
  double g(double kappa, double& slope) const {
    const Vector2d p = p_T(kappa), dp = -divided(p, kappa);
    const double norm = p.norm(), normal = p_N(p);
    slope = mu * (-W_NT.dot(dp) / W_NN - normal * p.dot(dp) / (norm * norm)) / norm;
    return mu * normal / norm - 1.0;
  }
  double first_kappa() const { return S.norm() + c_T.norm() * W_NN / -c_N; }
  bool is_singular() const { return !(S(0, 0) * S(1, 1) > S(0, 1) * S(1, 0)) && !c_T.isZero(0.0); }
  Vector2d from_axes(const Vector2d& x) const { return x; }
};

/// On the edge of the cone to the last bit: p_T from p_N and its own direction.
template <class Path>
Vector3d impulse(const Path& path, double kappa) {
  const Vector2d p = path.p_T(kappa);
  const double normal = std::max(path.p_N(p), 0.0);
  const Vector2d t = path.from_axes((path.mu * normal / p.norm()) * p);
  return {normal, t[0], t[1]};
}

/// Root of g in (0, ∞): Newton's method, halving a bracket where that leaves it.
template <class Path>
double sliding_root(const Path& path) {
  double low = 0.0, high = std::numeric_limits<double>::infinity(), slope = 0.0;
  double kappa = path.first_kappa();
  for (int iteration = 0; iteration < 200; ++iteration) {
    const double value = path.g(kappa, slope);
    (value < 0.0 ? low : high) = kappa;
    double next = kappa - value / slope;
    if (!(next > low && next < high)) next = std::isinf(high) ? 4.0 * kappa : 0.5 * (low + high);
    if (!(std::abs(next - kappa) > 2e-16 * kappa) || kappa == 0.0) return next;
    kappa = next;
  }
  return kappa;
}

/// p = −W⁻¹c by elimination of the normal part; κ = 0 of the path.
template <class Path>
bool sticks(const Path& path, Vector2d& p_T, double& p_N) {
  if (path.is_singular()) return false;
  p_T = path.p_T(0.0);
  p_N = path.p_N(p_T);
  return p_T.norm() <= path.mu * p_N;
}

/// A contact that closes: it sticks or slides.
template <class Path>
void solve_closing(const Path& path, LocalSolution3& result) {
  Vector2d p_T;
  double p_N = 0.0;
  if (sticks(path, p_T, p_N)) {
    result.status = Status::sticking;
    const Vector2d t = path.from_axes(p_T);
    result.p << p_N, t[0], t[1];
  } else {
    result.status = Status::sliding_forward;
    result.p = path.mu > 0.0 ? impulse(path, sliding_root(path))
                             : Vector3d(-path.c_N / path.W_NN, 0.0, 0.0);
  }
}

/// Whether a block is its transpose to round-off.
bool is_symmetric(const Matrix3d& W) {
  return (W - W.transpose()).cwiseAbs().maxCoeff() <= 1e-14 * W.diagonal().maxCoeff();
}

}  // namespace

LocalSolution3 solve_local_3d(const Matrix3d& W, const Vector3d& c, double mu) {
  assert(mu >= 0.0);
  LocalSolution3 result;
  result.unique = mu * W.block<1, 2>(0, 1).norm() < W(0, 0);
  if (c[0] >= 0.0) return result;
  if (is_symmetric(W))
    solve_closing(SlidingPath(W, c, mu), result);
  else
    solve_closing(UnsymmetricPath(W, c, mu), result);
  result.solved = result.p.allFinite();
  return result;
}

}  // namespace slipwave::contact
