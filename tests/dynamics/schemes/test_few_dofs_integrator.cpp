#include "dynamics/schemes/few_dofs_integrator.hpp"

#include "dynamics/systems/rigid_body.hpp"

#include <doctest/doctest.h>
#include <Eigen/LU>
#include <cmath>
#include <random>

using namespace slipwave;
using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

/// Four dofs and three contacts with everything a smooth function of q and t, drawn at random.
/// Its inertial force is any force: the energy identity does not ask where it comes from.
class WavySystem : public dynamics::FewDofsSystem {
 public:
  explicit WavySystem(unsigned seed) : random_(seed) {
    for (VectorXd* phase : {&phase_M_, &phase_H_, &phase_F_})
      *phase = VectorXd::NullaryExpr(64, [&] { return 6.0 * drawn(); });
    for (int a = 0; a < 3; ++a) {
      dynamics::ContactLaw law;
      law.friction = drawn();
      law.restitution = drawn();
      law.activation = dynamics::Activation::gap;
      law.impact = a == 0   ? dynamics::ImpactLaw::of_scheme
                   : a == 1 ? dynamics::ImpactLaw::newton
                            : dynamics::ImpactLaw::fremond;
      laws_.push_back(law);
    }
  }
  int dof_count() const override { return 4; }
  const std::vector<dynamics::ContactLaw>& contacts() const override { return laws_; }
  void inertia(const VectorXd& q, MatrixXd& M) const override {
    MatrixXd A(4, 4);
    for (int i = 0; i < 16; ++i) A(i) = std::sin(phase_M_[i] + q[i % 4]);
    M = MatrixXd::Identity(4, 4) + A * A.transpose();
  }
  void applied_force(double t, const VectorXd& q, VectorXd& F) const override {
    for (int i = 0; i < 4; ++i) F[i] = 3.0 * std::cos(phase_F_[i] + t + q[i]) - q[i];
  }
  void inertial_force(const VectorXd& q, const VectorXd& v, VectorXd& f) const override {
    for (int i = 0; i < 4; ++i) f[i] = std::sin(phase_F_[4 + i] + q[i]) * v[i] * v[3 - i];
  }
  void gaps(const VectorXd& q, VectorXd& g) const override {
    for (int a = 0; a < 3; ++a) g[a] = 0.1 * std::sin(phase_H_[a] + q[a]);
  }
  void directions(const VectorXd& q, MatrixXd& H) const override {
    for (int i = 0; i < 24; ++i) H(i) = std::sin(phase_H_[i + 3] + q[i % 4]);
  }
  double friction(int contact, const VectorXd& q) const override {
    return largest_friction(laws_[static_cast<std::size_t>(contact)].friction) *
           (1.0 + 0.5 * std::sin(q[0]));
  }
  double drawn() { return std::uniform_real_distribution<double>(0.0, 1.0)(random_); }

 private:
  std::mt19937 random_;
  VectorXd phase_M_, phase_H_, phase_F_;
  std::vector<dynamics::ContactLaw> laws_;
};

dynamics::RigidBodyData rod(bool placed_by_end) {
  dynamics::RigidBodyData data = dynamics::stick(2.0, 1.5, placed_by_end);
  data.gravity = {0.5, -10.0};
  data.laws.resize(1);
  data.laws[0].friction = 0.3;
  return data;
}

VectorXd three(double x, double y, double z) { return Eigen::Vector3d(x, y, z); }

/// The end-placed rod's q or v of the same motion.
void place_by_end(VectorXd& q, VectorXd& v) {
  const Eigen::Vector2d arm = Eigen::Vector2d(std::sin(q[2]), -std::cos(q[2])) * 0.75;
  q.head<2>() += arm;
  v.head<2>() += v[2] * Eigen::Vector2d(-arm[1], arm[0]);
}

}  // namespace

TEST_CASE(
    "dynamics/few_dofs_integrator: the energy balance closes to round-off with M(q), H(q), F(t, "
    "q)") {
  for (unsigned seed = 0; seed < 100; ++seed) {
    WavySystem system(seed);
    const double theta = 0.5 + 0.5 * system.drawn();
    for (const auto scheme : {dynamics::moreau_jean(theta), dynamics::moreau_jean_fremond(theta)}) {
      dynamics::FewDofsIntegrator integrator(system, scheme, 1e-2, {});
      dynamics::State state;
      state.q = VectorXd::NullaryExpr(4, [&] { return system.drawn() - 0.5; });
      state.v = VectorXd::NullaryExpr(4, [&] { return system.drawn() - 0.5; });
      double energy = integrator.energy(state).total();
      for (int k = 0; k < 20; ++k) {
        const dynamics::StepReport report = integrator.advance(state);
        // Several solutions may exist with this H; the identity holds for any impulse.
        const double size = energy + report.energy.works.sum_of_magnitudes() + 1.0;
        CHECK(std::abs(report.energy.residual()) <= 1e-13 * size);
        CHECK(std::abs(energy + report.energy.change - integrator.energy(state).total()) <=
              1e-13 * size);
        energy = integrator.energy(state).total();
      }
    }
  }
}

TEST_CASE(
    "dynamics/rigid_body: H is the velocity of the contact, M the one of the kinetic energy") {
  std::mt19937 random(5);
  std::uniform_real_distribution<double> draw(-1.0, 1.0);
  for (const bool placed_by_end : {false, true}) {
    const dynamics::RigidBody body(rod(placed_by_end));
    for (int trial = 0; trial < 100; ++trial) {
      const VectorXd q = three(draw(random), draw(random), 3.0 * draw(random));
      const VectorXd v = three(draw(random), draw(random), draw(random));
      const double step = 1e-6;
      const auto velocity = [&](const Eigen::Vector2d& r) -> Eigen::Vector2d {
        return (dynamics::RigidBody::place(q + step * v, r) -
                dynamics::RigidBody::place(q - step * v, r)) /
               (2.0 * step);
      };
      MatrixXd H(2, 3), M(3, 3);
      body.directions(q, H);
      body.inertia(q, M);
      const Eigen::Vector2d at_contact = velocity(body.data().contact_positions[0]);
      CHECK((H * v)[0] == doctest::Approx(at_contact[1]).epsilon(1e-8));
      CHECK((H * v)[1] == doctest::Approx(-at_contact[0]).epsilon(1e-8));
      const double kinetic = 0.5 * body.data().mass * velocity(body.data().centre).squaredNorm() +
                             0.5 * body.data().inertia * v[2] * v[2];
      CHECK(0.5 * v.dot(M * v) == doctest::Approx(kinetic).epsilon(1e-8));
    }
  }
}

TEST_CASE("dynamics/rigid_body: placed by its end a rod in flight moves as placed by its centre") {
  // Of first order with M(q): halving the step halves the difference.
  const dynamics::RigidBody by_centre(rod(false)), by_end(rod(true));
  const auto difference = [&](double h) {
    dynamics::State centre, end;
    centre.q = three(0.0, 5.0, 0.4);
    centre.v = three(0.2, 1.0, 3.0);
    end.q = centre.q;
    end.v = centre.v;
    place_by_end(end.q, end.v);
    dynamics::FewDofsIntegrator of_centre(by_centre, dynamics::moreau_jean(0.5), h, {});
    dynamics::FewDofsIntegrator of_end(by_end, dynamics::moreau_jean(0.5), h, {});
    while (centre.step < std::lround(0.5 / h)) {
      (void)of_centre.advance(centre);
      (void)of_end.advance(end);
    }
    place_by_end(centre.q, centre.v);
    return (centre.q - end.q).norm() + (centre.v - end.v).norm();
  };
  const double coarse = difference(1e-3), fine = difference(5e-4);
  CHECK(fine < 1e-2);
  CHECK(coarse / fine == doctest::Approx(2.0).epsilon(0.05));
}
