#include "dynamics/systems/mass_spring.hpp"

#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

namespace slipwave::dynamics {

namespace {

// Of the length scale: contacts that drift apart by round-off stay closed.
constexpr double relative_gap_tolerance = 1e-12;

void require(bool holds, const char* name, double value, const char* must) {
  if (!holds) throw std::invalid_argument(fmt::format("{} = {:g}: must be {}", name, value, must));
}

Eigen::Vector2d eigenvalues(const MassSpring& model) {
  return Eigen::SelfAdjointEigenSolver<Eigen::Matrix2d>(model.K(), Eigen::EigenvaluesOnly)
      .eigenvalues();
}

Load load(int dof, double constant, double epsilon, const TimeFunction& xi) {
  Load result{Eigen::SparseVector<double>(2), [constant](double) { return constant; }};
  result.direction.insert(dof) = 1.0;
  if (xi) result.amplitude = [=](double t) { return constant + epsilon * xi(t); };
  return result;
}

ContactPoint contact_of(const MassSpring& model) {
  ContactPoint contact;
  contact.law.friction = model.friction;
  contact.law.restitution = model.restitution;
  contact.law.gap_tolerance = relative_gap_tolerance * model.length_scale();
  contact.law.activation = model.activation;
  contact.law.impact = model.impact;
  contact.projection = model.projection;
  return contact;
}

}  // namespace

Eigen::Matrix2d MassSpring::K() const { return (Eigen::Matrix2d() << K_t, W, W, K_n).finished(); }

Eigen::Vector2d MassSpring::xi(double t) const {
  return {xi_t ? xi_t(t) : 0.0, xi_n ? xi_n(t) : 0.0};
}

double MassSpring::force_scale() const {
  const double size = std::max(std::abs(F_t), std::abs(F_n));
  return size > 0.0 ? size : K_t;
}

double MassSpring::length_scale() const { return force_scale() / K_t; }

double MassSpring::lowest_frequency() const { return std::sqrt(eigenvalues(*this)[0] / mass); }

double MassSpring::highest_frequency() const { return std::sqrt(eigenvalues(*this)[1] / mass); }

void require_valid(const MassSpring& model) {
  // Written so that what is not a number fails too.
  require(model.mass > 0.0 && std::isfinite(model.mass), "mass", model.mass, "positive");
  require(model.K_t > 0.0 && std::isfinite(model.K_t), "K_t", model.K_t, "positive");
  require(model.K_n > 0.0 && std::isfinite(model.K_n), "K_n", model.K_n, "positive");
  require(model.W * model.W < model.K_t * model.K_n, "W", model.W,
          "below sqrt(K_t K_n) in size, for a positive definite stiffness");
  require(model.friction >= 0.0 && std::isfinite(model.friction), "friction", model.friction,
          "at least 0");
  require(model.restitution >= 0.0 && model.restitution <= 1.0, "restitution", model.restitution,
          "in [0, 1]");
  require(std::isfinite(model.F_t), "F_t", model.F_t, "finite");
  require(std::isfinite(model.F_n), "F_n", model.F_n, "finite");
  require(std::isfinite(model.epsilon), "epsilon", model.epsilon, "finite");
}

System make_system(const MassSpring& model) {
  require_valid(model);
  System system;
  system.M = Eigen::MatrixXd(model.mass * Eigen::Matrix2d::Identity()).sparseView();
  system.K = Eigen::MatrixXd(model.K()).sparseView();
  system.C.resize(2, 2);
  system.loads = {load(0, model.F_t, model.epsilon, model.xi_t),
                  load(1, model.F_n, model.epsilon, model.xi_n)};
  system.add_contact(contact_of(model), {{0, Eigen::Matrix2d{{0.0, -1.0}, {1.0, 0.0}}}});
  return system;
}

}  // namespace slipwave::dynamics
