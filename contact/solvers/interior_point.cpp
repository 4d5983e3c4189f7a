#include "contact/solvers/interior_point.hpp"

#include "contact/solvers/statuses.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstddef>
#include <limits>

namespace slipwave::contact {

namespace {

constexpr double to_boundary = 0.99;  // of the longest step
constexpr int most_refinements = 3;   // of a linear solution
constexpr double refined = 1e-12;     // what they may leave, relative
constexpr int most_idle = 3;          // steps in a row that bring nothing

/// The algebra of the Lorentz cone, in which y ∘ z = (y·z, y_N z_T + z_N y_T). Where a contact has
/// no friction only the normal numbers count, and the cone is a half-line.
template <int d>
struct Cone {
  using Vector = Eigen::Matrix<double, d, 1>;
  using Block = Eigen::Matrix<double, d, d>;

  static double determinant(const Vector& a) {
    const double norm_T = a.template tail<d - 1>().norm();
    return (a[0] - norm_T) * (a[0] + norm_T);
  }
  static Vector product(const Vector& a, const Vector& b) {
    Vector result;
    result[0] = a.dot(b);
    result.template tail<d - 1>() =
        a[0] * b.template tail<d - 1>() + b[0] * a.template tail<d - 1>();
    return result;
  }
  /// The c with a ∘ c = b.
  static Vector quotient(const Vector& a, const Vector& b) {
    Vector c;
    c[0] = (a[0] * b[0] - a.template tail<d - 1>().dot(b.template tail<d - 1>())) / determinant(a);
    c.template tail<d - 1>() = (b.template tail<d - 1>() - c[0] * a.template tail<d - 1>()) / a[0];
    return c;
  }
  /// The largest t with a + t da in the cone; a is inside.
  static double longest(const Vector& a, const Vector& da) {
    const double A = da[0] * da[0] - da.template tail<d - 1>().squaredNorm();
    const double B = a[0] * da[0] - a.template tail<d - 1>().dot(da.template tail<d - 1>());
    const double C = determinant(a), square = B * B - A * C;
    double t = da[0] < 0.0 ? -a[0] / da[0] : 1e300;
    if (square < 0.0) return t;
    const double q = -(B + std::copysign(std::sqrt(square), B));
    for (const double root : {A != 0.0 ? q / A : -1.0, q != 0.0 ? C / q : -1.0})
      if (root > 0.0) t = std::min(t, root);
    return t;
  }
};

}  // namespace

template <Delassus W, int d>
InteriorPoint<W, d>::InteriorPoint(const W& operation, NewtonMatrix<W, d>& matrix)
    : matrix_(&matrix),
      D_(static_cast<std::size_t>(operation.contact_count()), Block::Zero()),
      scaled_(D_.size()),
      slope_(D_),
      z_(Eigen::VectorXd::Zero(d * operation.contact_count())),
      y_(z_),
      dz_(z_),
      dy_(z_),
      g_(z_),
      defect_y_(z_),
      p_(z_),
      best_(z_),
      x_(Eigen::VectorXd::Zero(Motion<W, d>::size(operation))),
      dx_(x_),
      defect_x_(x_),
      right_(x_),
      left_(x_) {}

/// The middle of both cones, of the size of the velocities that there are.
template <Delassus W, int d>
void InteriorPoint<W, d>::begin(const ProblemOn<W>& problem) {
  double speed = 0.0;
  for (const int a : problem.active)
    speed = std::max(speed, problem.b.template segment<d>(d * a).norm());
  speed = speed > 0.0 ? speed : 1.0;
  for (Block& D : D_) D.setZero();
  p_.setZero();
  z_.setZero();
  y_.setZero();
  x_.setZero();
  for (const int a : problem.active) {
    y_[d * a] = speed;
    z_[d * a] = speed * problem.W.rho(a);
  }
}

/// S = diag(1/μ, 1); without friction the identity.
inline double normal_scale(double mu) { return mu > 0.0 ? 1.0 / mu : 1.0; }

/// What is left of x − Y S z and of y − S w − |w_T| n, and how the latter changes with w.
template <Delassus W, int d>
void InteriorPoint<W, d>::find_defects(const ProblemOn<W>& problem) {
  for (const int a : problem.active) {
    p_.segment<d>(d * a) = z_.segment<d>(d * a);
    p_[d * a] *= normal_scale(problem.mu[a]);
  }
  Motion<W, d>::from(problem.W, p_, defect_x_);
  defect_x_ = x_ - defect_x_;
  for (const int a : problem.active) {
    const Vector w = problem.b.template segment<d>(d * a) + Motion<W, d>::at(problem.W, a, x_);
    const double norm_T = w.template tail<d - 1>().norm();
    const bool rubs = problem.mu[a] > 0.0;
    Block& slope = slope_[static_cast<std::size_t>(a)];
    slope.setZero();
    slope(0, 0) = normal_scale(problem.mu[a]);
    if (rubs) slope.template bottomRightCorner<d - 1, d - 1>().setIdentity();
    if (rubs && norm_T > 0.0)
      slope.template topRightCorner<1, d - 1>() = w.template tail<d - 1>().transpose() / norm_T;
    Vector velocity = Vector::Zero();
    velocity[0] = slope(0, 0) * w[0] + (rubs ? norm_T : 0.0);
    if (rubs) velocity.template tail<d - 1>() = w.template tail<d - 1>();
    defect_y_.segment<d>(d * a) = y_.segment<d>(d * a) - velocity;
  }
}

template <Delassus W, int d>
void InteriorPoint<W, d>::find_scaling(const ProblemOn<W>& problem) {
  for (const int a : problem.active) {
    const Vector y = y_.segment<d>(d * a), z = z_.segment<d>(d * a);
    Scaled& s = scaled_[static_cast<std::size_t>(a)];
    if (problem.mu[a] > 0.0) {
      const double det_y = std::sqrt(Cone<d>::determinant(y)),
                   det_z = std::sqrt(Cone<d>::determinant(z));
      Vector v = y / det_y;
      v[0] += z[0] / det_z;
      v.template tail<d - 1>() -= z.template tail<d - 1>() / det_z;
      v /= std::sqrt(2.0 * (1.0 + y.dot(z) / (det_y * det_z)));
      const double size = std::sqrt(det_y / det_z);
      const Eigen::Matrix<double, d - 1, 1> v_T = v.template tail<d - 1>();
      s.Q(0, 0) = v[0];
      s.Q.template topRightCorner<1, d - 1>() = v_T.transpose();
      s.Q.template bottomLeftCorner<d - 1, 1>() = v_T;
      s.Q.template bottomRightCorner<d - 1, d - 1>() =
          Eigen::Matrix<double, d - 1, d - 1>::Identity() + v_T * v_T.transpose() / (v[0] + 1.0);
      s.inverse = s.Q / size;
      s.inverse.template topRightCorner<1, d - 1>() *= -1.0;
      s.inverse.template bottomLeftCorner<d - 1, 1>() *= -1.0;
      s.Q *= size;
    } else {
      s.Q.setZero();
      s.inverse.setZero();
      s.Q(0, 0) = std::sqrt(y[0] / z[0]);
      s.inverse(0, 0) = 1.0 / s.Q(0, 0);
    }
    s.lambda.noalias() = s.Q * z;
    Block& D = D_[static_cast<std::size_t>(a)];
    D.noalias() = s.inverse * s.inverse * slope_[static_cast<std::size_t>(a)];
    D.row(0) *= normal_scale(problem.mu[a]);
  }
}

/// y·z per contact after a step.
template <Delassus W, int d>
double InteriorPoint<W, d>::gap(const ProblemOn<W>& problem, double length) const {
  double sum = 0.0;
  for (const int a : problem.active)
    sum += (y_.segment<d>(d * a) + length * dy_.segment<d>(d * a))
               .dot(z_.segment<d>(d * a) + length * dz_.segment<d>(d * a));
  return sum / static_cast<double>(problem.active.size());
}

/// dx = (I + Y D H)⁻¹ dx. D grows without bound at contacts that carry: what the factors leave is
/// solved for again.
template <Delassus W, int d>
void InteriorPoint<W, d>::solve_refined(const ProblemOn<W>& problem) {
  right_ = dx_;
  const double size = Motion<W, d>::norm2(problem.W, right_);
  matrix_->solve(problem.W, dx_);
  for (int again = 0; again < most_refinements; ++again) {
    for (const int a : problem.active)
      p_.segment<d>(d * a) = D_[static_cast<std::size_t>(a)] * Motion<W, d>::at(problem.W, a, dx_);
    Motion<W, d>::from(problem.W, p_, left_);
    left_ = right_ - dx_ - left_;
    if (!(Motion<W, d>::norm2(problem.W, left_) > refined * refined * size)) return;
    matrix_->solve(problem.W, left_);
    dx_ += left_;
  }
}

/// Newton's direction for λ ∘ (Q⁻¹dy + Q dz) = λ ∘ g, with this part of the defects taken away:
///     dz = Q⁻²(Q g + defect_y − (S + n tᵀ) H dx),   dx + Y D H dx = −defect_x + Y S Q⁻²(Q g +
///     ...).
template <Delassus W, int d>
void InteriorPoint<W, d>::find_direction(const ProblemOn<W>& problem, double part) {
  const auto pushed = [&](int a) -> Vector {
    const Scaled& s = scaled_[static_cast<std::size_t>(a)];
    return s.inverse * (g_.segment<d>(d * a) + s.inverse * (part * defect_y_.segment<d>(d * a)));
  };
  for (const int a : problem.active) {
    p_.segment<d>(d * a) = pushed(a);
    p_[d * a] *= normal_scale(problem.mu[a]);
  }
  Motion<W, d>::from(problem.W, p_, dx_);
  dx_ -= part * defect_x_;
  solve_refined(problem);
  for (const int a : problem.active) {
    const Scaled& s = scaled_[static_cast<std::size_t>(a)];
    const Vector seen = slope_[static_cast<std::size_t>(a)] * Motion<W, d>::at(problem.W, a, dx_);
    dz_.segment<d>(d * a) = pushed(a) - s.inverse * (s.inverse * seen);
    dy_.segment<d>(d * a) = seen - part * defect_y_.segment<d>(d * a);
  }
}

template <Delassus W, int d>
double InteriorPoint<W, d>::longest_step(const ProblemOn<W>& problem) const {
  double step = 1e300;
  for (const int a : problem.active) {
    step = std::min(step, Cone<d>::longest(y_.segment<d>(d * a), dy_.segment<d>(d * a)));
    step = std::min(step, Cone<d>::longest(z_.segment<d>(d * a), dz_.segment<d>(d * a)));
  }
  return step;
}

/// Mehrotra: g with the second-order term of the first direction, towards y ∘ z = centre.
template <Delassus W, int d>
void InteriorPoint<W, d>::correct(const ProblemOn<W>& problem, double centre) {
  for (const int a : problem.active) {
    const Scaled& s = scaled_[static_cast<std::size_t>(a)];
    const Vector dy = s.inverse * dy_.segment<d>(d * a), dz = s.Q * dz_.segment<d>(d * a);
    Vector target = -Cone<d>::product(s.lambda, s.lambda) - Cone<d>::product(dy, dz);
    target[0] += centre;
    g_.segment<d>(d * a) = Cone<d>::quotient(s.lambda, target);
  }
}

template <Delassus W, int d>
void InteriorPoint<W, d>::take(const ProblemOn<W>& problem, double length) {
  x_ += length * dx_;
  for (const int a : problem.active) {
    y_.segment<d>(d * a) += length * dy_.segment<d>(d * a);
    z_.segment<d>(d * a) += length * dz_.segment<d>(d * a);
  }
}

/// Predicts, centres and corrects. False where numbers are not finite.
template <Delassus W, int d>
bool InteriorPoint<W, d>::step(const ProblemOn<W>& problem) {
  find_defects(problem);
  find_scaling(problem);
  if (!matrix_->factorise(problem.W, D_)) return false;
  for (const int a : problem.active)
    g_.segment<d>(d * a) = -scaled_[static_cast<std::size_t>(a)].lambda;
  find_direction(problem, 1.0);
  const double now = gap(problem, 0.0);
  const double predicted = gap(problem, std::min(1.0, longest_step(problem)));
  const double centring = std::pow(std::clamp(predicted / now, 0.0, 1.0), 3);
  correct(problem, centring * now);
  find_direction(problem, 1.0 - centring);
  const double length = std::min(1.0, to_boundary * longest_step(problem));
  if (!std::isfinite(length) || !dx_.allFinite()) return false;
  take(problem, length);
  return true;
}

/// Certifies p = S z, and keeps it if none was better.
template <Delassus W, int d>
bool InteriorPoint<W, d>::is_better(const ProblemOn<W>& problem, double tolerance,
                                    Solution& solution, SolverReport& report) {
  for (const int a : problem.active) {
    solution.p.segment<d>(d * a) = z_.segment<d>(d * a);
    solution.p[d * a] *= normal_scale(problem.mu[a]);
  }
  const Residual residual = certify(problem, tolerance, solution);
  if (!(residual.worst() < report.residual.worst())) return false;
  best_ = solution.p;
  report.residual = residual;
  report.converged = residual.worst() <= tolerance;
  return true;
}

template <Delassus W, int d>
SolverReport InteriorPoint<W, d>::solve(const ProblemOn<W>& problem, const SolverOptions& options,
                                        Solution& solution) {
  assert(problem.is_consistent() && solution.fits(problem) && problem.dimension() == d);
  SolverReport report;
  report.finished_by = Method::interior_point;
  report.residual.raw = std::numeric_limits<double>::max();
  best_ = solution.p;
  begin(problem);
  int idle = 0;
  while (!report.converged && report.iterations < options.max_iterations && idle < most_idle) {
    ++report.iterations;
    if (!step(problem)) break;
    idle = is_better(problem, options.tolerance, solution, report) ? 0 : idle + 1;
  }
  solution.p = best_;
  report.residual = certify(problem, options.tolerance, solution);
  read_statuses<d>(problem, solution);
  return report;
}

template class InteriorPoint<BlockSparse, 2>;
template class InteriorPoint<BlockSparse, 3>;
template class InteriorPoint<BodyDelassus, 2>;
template class InteriorPoint<BodyDelassus, 3>;

}  // namespace slipwave::contact
