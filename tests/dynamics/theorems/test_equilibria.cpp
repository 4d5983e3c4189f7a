#include "dynamics/theorems/equilibria.hpp"

#include "tests/support/mass_spring_cells.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>

using namespace slipwave;
using dynamics::Balance;
using dynamics::Equilibrium;
using dynamics::MassSpring;
using Kind = dynamics::EquilibriumKind;
using dynamics::Stability;

namespace {

constexpr int trials = 200;

/// What [BLP05, (1) and (5)] say of a balance, with the size of its forces as unit.
struct Residual {
  double force, cone;  ///< of (5), and |R_t| − μ |R_n|
  bool signs;          ///< U_n ≤ 0, R_n ≤ 0, U_n R_n = 0
};

Residual residual(const MassSpring& model, const Balance& b) {
  const Eigen::Vector2d F(model.F_t, model.F_n);
  const double size = F.norm() + (model.K() * b.U).norm() + b.R.norm();
  return {(model.K() * b.U - F - b.R).norm() / size,
          (std::abs(b.R[0]) - model.friction * std::abs(b.R[1])) / size,
          b.U[1] <= 0.0 && b.R[1] <= 0.0 && b.U[1] * b.R[1] == 0.0};
}

bool within(const dynamics::Interval& interval, double x) {
  return interval.lower <= x && x <= interval.upper;
}

/// Whether a balance in contact at U_t is in the list.
bool listed(const std::vector<Equilibrium>& members, double U_t) {
  return std::any_of(members.begin(), members.end(), [&](const Equilibrium& e) {
    return e.kind != Kind::without_contact && within(e.U_t, U_t);
  });
}

/// Distance of U_t to the nearest end of a listed interval.
double distance_to_ends(const std::vector<Equilibrium>& members, double U_t) {
  double nearest = std::numeric_limits<double>::infinity();
  for (const Equilibrium& e : members)
    for (const double end : {e.U_t.lower, e.U_t.upper})
      nearest = std::min(nearest, std::abs(end - U_t));
  return nearest;
}

/// Every listed one satisfies (1) and (5).
void check_sound(const MassSpring& model, const std::vector<Equilibrium>& members) {
  for (const Equilibrium& e : members)
    for (const Balance& b : dynamics::sample(model, e)) {
      const Residual found = residual(model, b);
      CHECK(found.force <= 1e-14);
      CHECK(found.cone <= 1e-12);
      CHECK(found.signs);
      const bool edge =
          e.kind == Kind::impending_positive_slip || e.kind == Kind::impending_negative_slip;
      if (edge) CHECK(std::abs(found.cone) <= 1e-12);
      if (e.kind == Kind::impending_positive_slip) CHECK(b.R[0] < 0.0);
      if (e.kind == Kind::impending_negative_slip) CHECK(b.R[0] > 0.0);
      if (e.kind == Kind::strictly_stuck) CHECK(found.cone < -1e-6);
      CHECK(within(e.R_t, b.R[0]));
      CHECK(within(e.R_n, b.R[1]));
    }
}

/// Every U_t at which (7) and the cone hold is listed, and no other, over a fine grid of U_t.
void check_complete(const MassSpring& model, const std::vector<Equilibrium>& members) {
  int inside = 0;
  for (double U_t = -40.0; U_t <= 40.0; U_t += 0.0137) {
    if (distance_to_ends(members, U_t) < 1e-9) continue;
    const double r = model.F_n - model.W * U_t, R_t = model.K_t * U_t - model.F_t;
    const bool holds = r >= 0.0 && std::abs(R_t) <= model.friction * r + 1e-12 * (1.0 + r);
    CHECK(holds == listed(members, U_t));
    inside += holds ? 1 : 0;
  }
  const bool continuum = std::any_of(members.begin(), members.end(),
                                     [](const Equilibrium& e) { return e.is_continuum(); });
  if (!continuum) CHECK(inside == 0);
}

/// The equilibrium without contact is listed if and only if (6) has U_n < 0.
void check_free(const MassSpring& model, const std::vector<Equilibrium>& members) {
  const double determinant = model.K_t * model.K_n - model.W * model.W;
  const double U_n = (model.K_t * model.F_n - model.W * model.F_t) / determinant;
  const bool free = std::any_of(members.begin(), members.end(), [](const Equilibrium& e) {
    return e.kind == Kind::without_contact;
  });
  CHECK(free == (U_n < -1e-12));
}

struct Expected {
  Kind kind;
  bool continuum;
  Stability stability;
  int statement;
};

/// Soundness, completeness and the entries of one cell, with W > 0.
void check_cell(int sign_of_A, int sign_of_friction, const std::vector<Expected>& expected) {
  std::mt19937 random(static_cast<unsigned>(10 * sign_of_A + sign_of_friction + 50));
  for (int trial = 0; trial < trials; ++trial) {
    const MassSpring model = tests::random_cell(random, sign_of_A, sign_of_friction);
    const dynamics::EquilibriumSet set = dynamics::equilibria(model);
    CHECK(set.sign_of_A == sign_of_A);
    CHECK(set.sign_of_friction == sign_of_friction);
    check_sound(model, set.members);
    check_free(model, set.members);
    if (trial < 10) check_complete(model, set.members);
    REQUIRE(set.members.size() == expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i) {
      CHECK(set.members[i].kind == expected[i].kind);
      CHECK(set.members[i].is_continuum() == expected[i].continuum);
      CHECK(set.members[i].stability == expected[i].stability);
      CHECK(set.members[i].statement == expected[i].statement);
    }
  }
}

constexpr auto lyapunov = Stability::lyapunov_stable;

}  // namespace

TEST_CASE("dynamics/equilibria: A < 0, mu < K_t/W: one without contact") {
  check_cell(-1, -1, {{Kind::without_contact, false, lyapunov, 0}});
}

TEST_CASE("dynamics/equilibria: A < 0, mu = K_t/W: one without contact") {
  check_cell(-1, 0, {{Kind::without_contact, false, lyapunov, 0}});
}

TEST_CASE(
    "dynamics/equilibria: A < 0, mu > K_t/W: one without contact, one in impending positive slip, "
    "and the stuck ones that Table 1 leaves out") {
  check_cell(-1, 1,
             {{Kind::without_contact, false, lyapunov, 0},
              {Kind::impending_positive_slip, false, Stability::unstable, 1},
              {Kind::strictly_stuck, true, lyapunov, 3}});
}

TEST_CASE("dynamics/equilibria: A = 0, mu < K_t/W: grazing") {
  check_cell(0, -1, {{Kind::grazing, false, Stability::asymptotically_stable, 4}});
}

TEST_CASE("dynamics/equilibria: A = 0, mu = K_t/W: grazing, and an edge of the cone") {
  check_cell(0, 0,
             {{Kind::grazing, false, lyapunov, 2},
              {Kind::impending_positive_slip, true, Stability::unstable, 2}});
}

TEST_CASE("dynamics/equilibria: A = 0, mu > K_t/W: grazing, and infinitely many stuck") {
  check_cell(0, 1,
             {{Kind::grazing, false, lyapunov, 3}, {Kind::strictly_stuck, true, lyapunov, 3}});
}

TEST_CASE("dynamics/equilibria: A > 0, mu < K_t/W: both impending slips and what is between them") {
  check_cell(1, -1,
             {{Kind::impending_negative_slip, false, lyapunov, 3},
              {Kind::impending_positive_slip, false, lyapunov, 3},
              {Kind::strictly_stuck, true, lyapunov, 3}});
}

TEST_CASE("dynamics/equilibria: A > 0, mu = K_t/W: impending negative slip, and stuck beyond it") {
  check_cell(1, 0,
             {{Kind::impending_negative_slip, false, lyapunov, 3},
              {Kind::strictly_stuck, true, lyapunov, 3}});
}

TEST_CASE("dynamics/equilibria: A > 0, mu > K_t/W: impending negative slip, and stuck beyond it") {
  check_cell(1, 1,
             {{Kind::impending_negative_slip, false, lyapunov, 3},
              {Kind::strictly_stuck, true, lyapunov, 3}});
}

TEST_CASE("dynamics/equilibria: for W < 0 they are those of the mirrored model, mirrored") {
  std::mt19937 random(4);
  for (int A = -1; A <= 1; ++A)
    for (int friction = -1; friction <= 1; ++friction) {
      const MassSpring model = tests::random_cell(random, A, friction, -1);
      MassSpring mirror = model;
      mirror.W = -model.W;
      mirror.F_t = -model.F_t;
      const dynamics::EquilibriumSet set = dynamics::equilibria(model);
      const dynamics::EquilibriumSet other = dynamics::equilibria(mirror);
      CHECK(set.mirrored);
      REQUIRE(set.members.size() == other.members.size());
      for (std::size_t i = 0; i < set.members.size(); ++i) {
        CHECK(set.members[i].U_t.lower == -other.members[i].U_t.upper);
        CHECK(set.members[i].R_t.upper == -other.members[i].R_t.lower);
        CHECK(set.members[i].R_n.lower == other.members[i].R_n.lower);
        CHECK(set.members[i].stability == other.members[i].stability);
      }
      check_sound(model, set.members);
      check_complete(model, set.members);
      check_free(model, set.members);
    }
}

TEST_CASE("dynamics/equilibria: without coupling R_n is one value and R_t any within the cone") {
  std::mt19937 random(5);
  MassSpring model = tests::random_cell(random, 1, -1, 0);
  const dynamics::EquilibriumSet set = dynamics::equilibria(model);
  REQUIRE(set.members.size() == 3);
  CHECK(set.members[2].R_n.lower == -model.F_n);
  CHECK(set.members[2].R_n.upper == -model.F_n);
  CHECK(set.members[2].R_t.upper == doctest::Approx(model.friction * model.F_n));
  check_sound(model, set.members);
  check_complete(model, set.members);
  model.F_n = 0.0;  // nothing damps the tangential motion: not statement 4
  REQUIRE(dynamics::equilibria(model).members.size() == 1);
  CHECK(dynamics::equilibria(model).members.front().stability == lyapunov);
}

TEST_CASE("dynamics/equilibria: without friction there is one in contact for A > 0") {
  MassSpring model = tests::plain_cell(1, -1);
  model.friction = 0.0;
  const dynamics::EquilibriumSet set = dynamics::equilibria(model);
  REQUIRE(set.members.size() == 1);
  CHECK(set.members.front().kind == Kind::frictionless);
  CHECK(set.members.front().R_t.lower == 0.0);
  check_sound(model, set.members);
}

TEST_CASE("dynamics/equilibria: A and mu - K_t/W count as 0 within 1e-12 of their terms") {
  for (const double off : {-1e-13, 1e-13, -1e-11, 1e-11}) {
    const int sign = std::abs(off) < 1e-12 ? 0 : off < 0.0 ? -1 : 1;
    MassSpring model = tests::plain_cell(0, 0);
    model.friction *= 1.0 + off;
    CHECK(dynamics::equilibria(model).sign_of_friction == sign);
    model = tests::plain_cell(0, 0);
    model.F_n *= 1.0 + 2.0 * off;
    CHECK(dynamics::equilibria(model).sign_of_A == sign);
  }
}

TEST_CASE("dynamics/equilibria: an indefinite stiffness is refused") {
  MassSpring model = tests::plain_cell(1, -1);
  model.K_n = 1.5;
  CHECK_THROWS_AS((void)dynamics::equilibria(model), std::invalid_argument);
}
