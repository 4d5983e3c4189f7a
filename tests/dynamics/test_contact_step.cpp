#include "dynamics/contact_step.hpp"

#include "tests/support/random_system.hpp"

#include <doctest/doctest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <random>
#include <stdexcept>

using namespace slipwave;
using dynamics::ContactStep;
using dynamics::StepContact;
using Eigen::Vector2d;

namespace {

constexpr double h = 0.01;

/// A symmetric W_v of so many contacts that the first k rows do not depend on how many there are.
Eigen::MatrixXd delassus(int contacts, int d) {
  return Eigen::MatrixXd::NullaryExpr(d * contacts, d * contacts,
                                      [](Eigen::Index i, Eigen::Index j) {
                                        return i == j ? 1.0 : 0.1 / (1.0 + std::abs(double(i - j)));
                                      });
}

std::vector<StepContact> contacts_with(const std::vector<contact::Key>& keys,
                                       const contact::FrictionLaw& friction, double e = 0.5) {
  std::vector<StepContact> contacts;
  for (const contact::Key key : keys) {
    StepContact contact;
    contact.key = key;
    contact.law.friction = friction;
    contact.law.restitution = e;
    contact.law.activation = dynamics::Activation::gap_and_velocity;
    contacts.push_back(contact);
  }
  return contacts;
}

/// One step in which contact a comes with velocity u(a).
template <class Velocity>
void advance(ContactStep& step, const Velocity& u) {
  const auto touching = [](int) { return 0.0; };
  step.begin(touching, u, h);
  step.form_problem([](int) { return contact::LocalVector(0.0, 0.0, 0.0); });
  REQUIRE(step.solve().converged);
  step.finish(touching, [&](int a) { return Vector2d(step.solution().w.segment<2>(2 * a)); });
}

}  // namespace

TEST_CASE("dynamics/contact_step: what is remembered travels by key to another list of contacts") {
  const contact::FrictionLaw law = contact::StaticDynamic(0.5, 0.1, 10.0);
  const auto incoming = [](int a) {
    return a == 0 ? Vector2d(1.0, 0.0) : Vector2d(-1.0 - a, a == 2 ? 40.0 : 0.01);
  };
  ContactStep step(contacts_with({13, 7, 3, 11}, law), delassus(4, 2), {1.0, 0.5}, {});
  advance(step, incoming);
  const contact::Solution before = step.solution();
  const dynamics::ContactMemory memory = step.memory();
  REQUIRE(before.status[2] != contact::Status::sticking);                  // 3 slid
  REQUIRE(memory.activation.was_closed == std::vector<char>{0, 1, 1, 1});  // 13 left
  CHECK(memory.keys == std::vector<contact::Key>{13, 7, 3, 11});

  step.replace(contacts_with({3, 20, 7, 13}, law), delassus(4, 2));
  const dynamics::ContactMemory after = step.memory();
  CHECK(after.keys == std::vector<contact::Key>{3, 20, 7, 13});
  CHECK(after.sequence.solution.p.segment<2>(0) == before.p.segment<2>(4));
  CHECK(after.sequence.solution.p.segment<2>(2).isZero(0.0));
  CHECK(after.sequence.solution.p.segment<2>(4) == before.p.segment<2>(2));
  CHECK(after.sequence.solution.w.segment<2>(0) == before.w.segment<2>(4));
  CHECK(after.sequence.solution.status[0] == before.status[2]);
  CHECK(after.sequence.solution.status[1] == contact::Status::open);
  CHECK(after.activation.u_N[0] == memory.activation.u_N[2]);
  CHECK(after.activation.was_closed == std::vector<char>{1, 0, 1, 0});
  CHECK(after.laws.at("static-dynamic.rest")[0] == 0.0);
  CHECK(std::isinf(after.laws.at("static-dynamic.rest")[1]));

  step.begin([](int) { return 0.0; }, incoming, h);
  CHECK(step.problem().mu == Eigen::Vector4d(0.1, 0.5, 0.5, 0.5));
  advance(step, incoming);  // and goes on
}

TEST_CASE("dynamics/contact_step: the same contacts in another order do the same") {
  const auto u_of = [](contact::Key key) {
    return Eigen::Vector2d(-1.0 - 0.1 * double(key), 0.2 * double(key));
  };
  const contact::FrictionLaw law = contact::StaticDynamic(0.7, 0.1, 10.0);
  const std::vector<contact::Key> keys{4, 9}, swapped{9, 4};
  const Eigen::MatrixXd W = delassus(2, 2);
  Eigen::MatrixXd W_swapped(4, 4);
  W_swapped << W.bottomRightCorner(2, 2), W.bottomLeftCorner(2, 2), W.topRightCorner(2, 2),
      W.topLeftCorner(2, 2);
  const contact::SolverOptions solver{.tolerance = 1e-14};
  ContactStep one(contacts_with(keys, law, 0.0), W, {1.0, 0.5}, solver);
  ContactStep other(contacts_with(swapped, law, 0.0), W_swapped, {1.0, 0.5}, solver);
  const auto along = [&](const std::vector<contact::Key>& order) {
    return [&u_of, order](int a) { return u_of(order[static_cast<std::size_t>(a)]); };
  };
  advance(one, along(keys));
  REQUIRE(one.solution().status[0] == contact::Status::sticking);
  REQUIRE(one.solution().status[1] == contact::Status::sliding_forward);
  other.restore(one.memory());
  advance(one, along(keys));
  advance(other, along(swapped));
  CHECK(one.solution().p[0] > 1.0);
  CHECK(one.solution().p[2] > 1.0);
  CHECK((one.solution().p.segment<2>(0) - other.solution().p.segment<2>(2)).norm() <= 1e-12);
  CHECK((one.solution().p.segment<2>(2) - other.solution().p.segment<2>(0)).norm() <= 1e-12);
}

TEST_CASE("dynamics/contact_step: a ball bounces and slides in three dimensions") {
  // A unit mass on the plane z = 0, with a leaning frame: normal z, tangents turned about it.
  const double angle = 0.4, mu = 0.2, e = 0.5;
  Eigen::Matrix3d frame;
  frame << 0.0, 0.0, 1.0, std::cos(angle), std::sin(angle), 0.0, -std::sin(angle), std::cos(angle),
      0.0;
  dynamics::System system;
  system.M = Eigen::MatrixXd::Identity(3, 3).sparseView();
  system.H = contact::Jacobian(3);
  dynamics::ContactPoint point;
  point.law.friction = mu;
  point.law.restitution = e;
  system.add_contact(point, {{0, frame}});
  ContactStep step(system, system.H.times_transposed(Eigen::Matrix3d::Identity()), {1.0, 0.5},
                   {.method = contact::Method::nsgs, .tolerance = 1e-14});
  dynamics::State state;
  state.q = Eigen::Vector3d::Zero();
  state.v = Eigen::Vector3d(3.0, 4.0, -2.0);
  const Eigen::Vector3d before = state.v;
  step.begin(system, state, h);
  step.form_problem(system, Eigen::Vector3d::Zero());
  REQUIRE(step.solve().converged);
  Eigen::VectorXd dv = Eigen::VectorXd::Zero(3);
  step.add_impulses(system.H, dv);
  state.v += dv;
  step.finish(system, state, dv, 0.5);
  // Newton: v_z = e 2; Coulomb: p_T = mu p_N against the slip, along (3, 4).
  const double p_N = (1.0 + e) * 2.0;
  CHECK(state.v[2] == doctest::Approx(e * 2.0).epsilon(1e-12));
  CHECK((state.v.head<2>() - (5.0 - mu * p_N) / 5.0 * before.head<2>()).norm() <= 1e-11);
  CHECK(step.figures().sliding == 1);
  double normal = 0.0, tangential = 0.0;
  step.add_works(normal, tangential);
  const double change = 0.5 * (state.v.squaredNorm() - before.squaredNorm());
  CHECK(std::abs(normal + tangential - change) <= 1e-12 * std::abs(change));
  CHECK(tangential < 0.0);
}

TEST_CASE(
    "dynamics/contact_step: contacts without rows of H, or the other way round, are refused") {
  std::mt19937 random(3);
  dynamics::System system =
      tests::random_system(random, 0.0, dynamics::Activation::dissipative).system;
  system.contacts.pop_back();
  CHECK_THROWS_WITH_AS((void)dynamics::step_contacts(system), doctest::Contains("add_contact"),
                       std::invalid_argument);
}
