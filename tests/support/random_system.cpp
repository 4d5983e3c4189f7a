#include "tests/support/random_system.hpp"

#include "contact/frames.hpp"

#include <cmath>

namespace slipwave::tests {

namespace {

/// Block-tridiagonal A^T A of random blocks: symmetric positive semi-definite, coupled like a
/// chain.
Eigen::MatrixXd random_chain(std::mt19937& random, int nodes) {
  std::normal_distribution<double> normal;
  Eigen::MatrixXd A = Eigen::MatrixXd::Zero(2 * (nodes - 1), 2 * nodes);
  for (int k = 0; k + 1 < nodes; ++k)
    for (int i = 0; i < 2; ++i)
      for (int j = 0; j < 4; ++j) A(2 * k + i, 2 * k + j) = normal(random);
  return A.transpose() * A;
}

}  // namespace

RandomSystem random_system(std::mt19937& random, double restitution,
                           dynamics::Activation activation, int nodes, int contacts) {
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  const int n = 2 * nodes;
  RandomSystem result;
  dynamics::System& system = result.system;
  system.M = Eigen::MatrixXd(0.2 * random_chain(random, nodes) + Eigen::MatrixXd::Identity(n, n))
                 .sparseView();
  system.K = Eigen::MatrixXd(50.0 * random_chain(random, nodes)).sparseView();
  system.C = Eigen::MatrixXd(0.5 * random_chain(random, nodes)).sparseView();
  Eigen::VectorXd direction = Eigen::VectorXd::NullaryExpr(n, [&] { return uniform(random); });
  system.loads.push_back(
      {direction.sparseView(), [](double t) { return 20.0 * std::sin(30.0 * t) - 5.0; }});
  for (int a = 0; a < contacts; ++a) {
    const double angle = 3.0 * uniform(random);
    dynamics::ContactPoint contact;
    contact.initial_gap = 0.02 * std::abs(uniform(random));
    contact.law.friction = 0.3 + 0.2 * uniform(random);
    contact.law.restitution = restitution;
    contact.law.gap_tolerance = 1e-12;
    contact.law.activation = activation;
    // The last node moves as told; the first contact slides along x as told.
    const Eigen::Vector2d normal =
        a == 0 ? Eigen::Vector2d(0.0, 1.0) : Eigen::Vector2d(std::sin(angle), std::cos(angle));
    system.add_contact(contact, {{2 * a, contact::local_frame({{0.0, 0.0}, normal})}});
  }
  using Kind = dynamics::PrescribedMotion::Kind;
  system.prescribed.push_back(
      {{n - 1, 0}, Kind::velocity, [](double t) { return 0.3 * std::cos(20.0 * t); }});
  system.prescribed.push_back(
      {{n - 2}, Kind::displacement, [](double t) { return 0.05 * std::sin(25.0 * t); }});
  result.state.q = Eigen::VectorXd::Zero(n);
  result.state.v = Eigen::VectorXd::NullaryExpr(n, [&] { return uniform(random); });
  return result;
}

void bring_to_rest(RandomSystem& drawn) {
  for (dynamics::PrescribedMotion& motion : drawn.system.prescribed) {
    motion.value = [](double) { return 0.0; };
    for (const int dof : motion.dofs) drawn.state.v[dof] = 0.0;
  }
}

}  // namespace slipwave::tests
