#include "dynamics/active_set.hpp"

#include "contact/frames.hpp"

#include <doctest/doctest.h>

using namespace slipwave;
using dynamics::Activation;

namespace {

/// A single node above a floor at y = 0.
struct OneNode {
  explicit OneNode(Activation activation, double restitution = 0.0) {
    system.M.resize(2, 2);
    dynamics::ContactPoint contact;
    contact.law.restitution = restitution;
    contact.law.gap_tolerance = 1e-12;
    contact.law.activation = activation;
    system.add_contact(contact, {{0, contact::local_frame({})}});
    state.q = state.v = Eigen::VectorXd::Zero(2);
  }
  bool is_active(double gap, double u_N, double h = 0.1) {
    state.q[1] = gap;
    state.v[1] = u_N;
    dynamics::ActiveSet set({system.contacts[0].law});
    set.update(system, state, h);
    law_u_N = set.law_u_N()[0];
    return !set.active().empty();
  }
  dynamics::System system;
  dynamics::State state;
  double law_u_N = 0.0;
};

}  // namespace

TEST_CASE(
    "dynamics/active_set: `dissipative` looks at the gap alone and never lets an outward velocity "
    "shift b") {
  OneNode node(Activation::dissipative);
  CHECK(node.is_active(0.0, 1.0));
  CHECK(node.law_u_N == 0.0);
  CHECK(node.is_active(-0.1, -1.0));
  CHECK(node.law_u_N == -1.0);
  CHECK(node.is_active(1e-13, 0.0));
  CHECK_FALSE(node.is_active(1e-11, -1.0));
}

TEST_CASE("dynamics/active_set: `gap-and-velocity` also asks for an approaching velocity") {
  OneNode node(Activation::gap_and_velocity);
  CHECK(node.is_active(0.0, 0.0));
  CHECK(node.is_active(-0.1, -1.0));
  CHECK_FALSE(node.is_active(-0.1, 1e-17));
  CHECK_FALSE(node.is_active(0.1, -10.0));
}

TEST_CASE("dynamics/active_set: `predicted-gap-and-velocity` looks one step ahead") {
  OneNode node(Activation::predicted_gap_and_velocity);
  CHECK(node.is_active(0.1, -1.0, 0.1));
  CHECK_FALSE(node.is_active(0.1, -1.0, 0.05));
  CHECK_FALSE(node.is_active(0.0, 1.0, 0.1));
}

TEST_CASE("dynamics/active_set: `gap` takes the velocity as it is and has no tolerance") {
  OneNode node(Activation::gap);
  CHECK(node.is_active(0.0, 2.0));
  CHECK(node.law_u_N == 2.0);
  CHECK_FALSE(node.is_active(1e-13, -1.0));
}

TEST_CASE(
    "dynamics/active_set: after a closed step the law's own velocity decides, not the rounded "
    "one") {
  OneNode node(Activation::gap_and_velocity, 0.0);
  dynamics::ActiveSet set({node.system.contacts[0].law});
  node.state.v[1] = -1.0;
  set.update(node.system, node.state, 0.1);
  set.remember(Eigen::Vector2d(0.7, 0.0));  // it pushed
  node.state.v[1] = 1e-17;                  // what round-off leaves of 0
  set.update(node.system, node.state, 0.1);
  CHECK(set.active().size() == 1);
  CHECK(set.law_u_N()[0] == 0.0);

  set.remember(Eigen::Vector2d(0.0, 0.0));  // it did not push: H v counts again
  set.update(node.system, node.state, 0.1);
  CHECK(set.active().empty());
}

TEST_CASE("dynamics/active_set: a bouncing contact remembers -e u_N") {
  OneNode node(Activation::gap_and_velocity, 0.5);
  dynamics::ActiveSet set({node.system.contacts[0].law});
  node.state.v[1] = -2.0;
  set.update(node.system, node.state, 0.1);
  set.remember(Eigen::Vector2d(1.0, 0.0));
  node.state.v[1] = 1.0 + 1e-16;
  set.update(node.system, node.state, 0.1);
  CHECK(set.law_u_N()[0] == 1.0);
  CHECK(set.active().empty());
}
