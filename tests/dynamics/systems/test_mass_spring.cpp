#include "dynamics/systems/mass_spring.hpp"

#include "dynamics/theorems/mass_spring_motion.hpp"
#include "tests/support/mass_spring_cells.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

using namespace slipwave;
using dynamics::MassSpring;
using dynamics::Motion;
using Eigen::Vector2d;

namespace {

/// A model with equilibria in contact, and the one with R_t = 0.
struct Pressed {
  MassSpring model = tests::plain_cell(1, -1);
  Vector2d U{model.F_t / model.K_t, 0.0};
  double r = model.F_n - model.W * U[0];
};

std::string complaint(const MassSpring& model) {
  try {
    (void)dynamics::make_system(model);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE(
    "dynamics/mass_spring: the system has the matrices, the loads and the frame of the model") {
  MassSpring model = tests::plain_cell(1, -1);
  model.epsilon = 0.3;
  model.xi_t = [](double t) { return t; };
  const dynamics::System system = dynamics::make_system(model);
  CHECK(Eigen::Matrix2d(system.M) == 1.3 * Eigen::Matrix2d::Identity());
  CHECK(Eigen::Matrix2d(system.K) == model.K());
  Eigen::VectorXd F(2);
  dynamics::external_force(system, 2.0, F);
  CHECK(F[0] == doctest::Approx(0.5 + 0.3 * 2.0));
  CHECK(F[1] == model.F_n);
  REQUIRE(system.contact_count() == 1);
  CHECK(system.gap(0, Vector2d(7.0, -0.25)) == 0.25);
  CHECK(system.H.times(0, Vector2d(3.0, -2.0)).head<2>() == Vector2d(2.0, 3.0));
}

TEST_CASE(
    "dynamics/mass_spring: the reaction at rest is that of (7), pointing out of the obstacle") {
  const Pressed p;
  Motion motion(p.model, dynamics::moreau_jean(0.5), 0.01, p.U + Vector2d(0.1, 0.0), {0.0, 0.0});
  (void)motion.advance();
  CHECK(motion.R()[0] == doctest::Approx(p.model.K_t * 0.1));
  CHECK(motion.R()[1] == doctest::Approx(-(p.r - p.model.W * 0.1)));
}

TEST_CASE("dynamics/mass_spring: an equilibrium stays at rest for 100 000 steps, to round-off") {
  const Pressed p;
  for (const double theta : {0.5, 0.7, 1.0}) {
    Motion motion(p.model, dynamics::moreau_jean(theta), 0.01, p.U, {0.0, 0.0});
    for (int k = 0; k < 100000; ++k) (void)motion.advance();
    CHECK((motion.U() - p.U).norm() <= 1e-13);
    CHECK(motion.rests(1e-15));
  }
}

TEST_CASE("dynamics/mass_spring: a disturbed mass comes to rest with Newton's law, not Frémond's") {
  for (const bool fremond : {false, true}) {
    Pressed p;
    if (fremond) p.model.impact = dynamics::ImpactLaw::fremond;
    Motion motion(p.model, dynamics::moreau_jean(0.5), 0.01, p.U, {0.05, -0.03});
    for (int k = 0; k < 5000; ++k) (void)motion.advance();
    CHECK(motion.rests(1e-12) == !fremond);
    if (fremond) CHECK(motion.V().norm() > 1e-6);
  }
}

TEST_CASE("dynamics/mass_spring: projection takes the mass back to the obstacle's surface") {
  for (const bool projection : {false, true}) {
    Pressed p;
    p.model.projection = projection;
    Motion motion(p.model, dynamics::moreau_jean(0.5), 0.01, p.U, {0.0, -0.1});
    for (int k = 0; k < 2000; ++k) (void)motion.advance();
    CHECK((std::abs(motion.U()[1]) <= 1e-12) == projection);
  }
}

TEST_CASE("dynamics/mass_spring: steps of another size go on at the same time and place") {
  const Pressed p;
  Motion motion(p.model, dynamics::moreau_jean(0.5), 0.01, p.U, {0.05, 0.0});
  for (int k = 0; k < 3; ++k) (void)motion.advance();
  const Vector2d U = motion.U();
  motion.change_step(0.02);
  CHECK(motion.U() == U);
  CHECK(motion.time() == doctest::Approx(0.03));
  (void)motion.advance();
  CHECK(motion.time() == doctest::Approx(0.05));
}

TEST_CASE("dynamics/mass_spring: its frequencies are those of the springs") {
  MassSpring model;
  model.mass = 2.0;
  model.K_t = 8.0;
  model.K_n = 18.0;
  CHECK(model.lowest_frequency() == doctest::Approx(2.0));
  CHECK(model.highest_frequency() == doctest::Approx(3.0));
}

TEST_CASE("dynamics/mass_spring: values out of range are refused by name") {
  const auto with = [](double MassSpring::*member, double value) {
    MassSpring model = tests::plain_cell(1, -1);
    model.*member = value;
    return complaint(model);
  };
  CHECK(with(&MassSpring::W, 2.0) ==
        "W = 2: must be below sqrt(K_t K_n) in size, for a positive definite stiffness");
  CHECK(with(&MassSpring::mass, 0.0) == "mass = 0: must be positive");
  CHECK(with(&MassSpring::K_t, -1.0) == "K_t = -1: must be positive");
  CHECK(with(&MassSpring::friction, -0.1) == "friction = -0.1: must be at least 0");
  CHECK(with(&MassSpring::restitution, 1.5) == "restitution = 1.5: must be in [0, 1]");
  CHECK(with(&MassSpring::F_n, std::numeric_limits<double>::quiet_NaN()) ==
        "F_n = nan: must be finite");
  CHECK(with(&MassSpring::W, -1.9) == "");
}
