#include "dynamics/solids/solid_contacts.hpp"
#include "tests/support/solid_scene.hpp"

#include <doctest/doctest.h>

#include <random>

using Eigen::Matrix3d;
using Eigen::Quaterniond;
using Eigen::Vector3d;
using namespace slipwave;
using tests::SolidScene;

namespace {

Vector3d random_vector(std::mt19937_64& generator) {
  std::uniform_real_distribution<double> draw(-1.0, 1.0);
  return {draw(generator), draw(generator), draw(generator)};
}

/// Where a point of a body's frame is.
Vector3d in_space(const Eigen::VectorXd& q, int body, const Vector3d& r) {
  return dynamics::place_in(q, body) + dynamics::attitude_in(q, body) * r;
}

}  // namespace

TEST_CASE("dynamics/solid_contacts: a frame is a right-handed rotation with the normal first") {
  std::mt19937_64 generator(1);
  for (int k = 0; k < 1000; ++k) {
    const Vector3d normal = random_vector(generator).normalized();
    const Matrix3d F = dynamics::frame_from(normal);
    CHECK((F * F.transpose() - Matrix3d::Identity()).norm() <= 1e-15 * 10);
    CHECK(F.determinant() == doctest::Approx(1.0));
    CHECK(Vector3d(F.row(0)) == normal);
  }
}

TEST_CASE("dynamics/solid_contacts: keys differ, and go by bodies first") {
  CHECK(dynamics::key_of(0, 1, 5) < dynamics::key_of(0, 2, 0));
  CHECK(dynamics::key_of(0, 9, 3) < dynamics::key_of(1, 2, 0));
  CHECK(dynamics::key_of(3, 7, 0) < dynamics::key_of(3, 7, 1));
}

TEST_CASE("dynamics/solid_contacts: H v is the rate of the two points of a contact") {
  std::mt19937_64 generator(2);
  SolidScene scene(0.5, 0.0);
  scene.add(collision::box({1.0, 1.0, 1.0}), Vector3d::Zero());
  scene.add(collision::box({1.0, 1.0, 1.0}), {0.2, 0.1, 0.999});
  const dynamics::State state = scene.state();
  Eigen::VectorXd v(12);
  for (int i = 0; i < 4; ++i) v.segment<3>(3 * i) = random_vector(generator);
  dynamics::SolidContacts contacts(scene.solids);
  REQUIRE(contacts.find(state.q, v, 1e-3, {1, 1}).size() == 4);

  // Differences of the places of the bodies' own points over a short time.
  const double dt = 1e-6;
  Eigen::VectorXd later = state.q;
  for (int i = 0; i < 2; ++i) {
    const Vector3d spin = v.segment<3>(6 * i + 3);
    const Quaterniond turned = dynamics::attitude_in(state.q, i) *
                               Quaterniond(Eigen::AngleAxisd(dt * spin.norm(), spin.normalized()));
    later.segment<3>(7 * i) += dt * v.segment<3>(6 * i);
    later.segment<4>(7 * i + 3) << turned.w(), turned.vec();
  }
  for (const dynamics::SolidContact& contact : contacts.list()) {
    const auto moved = [&](int body) -> Vector3d {
      const Vector3d r = dynamics::attitude_in(state.q, body).conjugate() *
                         (contact.point - dynamics::place_in(state.q, body));
      return in_space(later, body, r) - in_space(state.q, body, r);
    };
    const Vector3d u = contact.frame * (moved(contact.A) - moved(contact.B)) / dt;
    CHECK((contact.velocity(v) - u).norm() <= 1e-5);
    CHECK(contact.gap == doctest::Approx(-1e-3));
  }
}

TEST_CASE("dynamics/solid_contacts: groups that do not touch are not looked at, nor the unborn") {
  SolidScene scene(0.5, 0.0);
  scene.add(collision::sphere(1.0), Vector3d::Zero());
  scene.add(collision::sphere(1.0), {0.0, 0.0, 2.0});
  const dynamics::State state = scene.state();
  CHECK(dynamics::SolidContacts(scene.solids).find(state.q, state.v, 1e-3, {1, 1}).size() == 1);
  CHECK(dynamics::SolidContacts(scene.solids).find(state.q, state.v, 1e-3, {1, 0}).empty());
  scene.solids.law_of_groups = {{-1}};
  CHECK(dynamics::SolidContacts(scene.solids).find(state.q, state.v, 1e-3, {1, 1}).empty());
}

TEST_CASE("dynamics/solids: what is wrong with a scene is named") {
  SolidScene scene(0.5, 0.0);
  scene.add(collision::sphere(1.0), Vector3d::Zero());
  CHECK(dynamics::fault_of(scene.solids).empty());
  SolidScene light = scene, flat = scene, foreign = scene, undriven = scene, near = scene;
  light.last().mass = 0.0;
  CHECK(dynamics::fault_of(light.solids) == "body 0: its mass is 0, not positive");
  flat.last().inertia(2, 2) = 0.0;
  CHECK(dynamics::fault_of(flat.solids).find("inertia") != std::string::npos);
  foreign.last().collider.group = 3;
  CHECK(dynamics::fault_of(foreign.solids).find("group 3") != std::string::npos);
  undriven.last().kind = dynamics::Solid::Kind::driven;
  CHECK(dynamics::fault_of(undriven.solids).find("driven") != std::string::npos);
  near.solids.alert = 0.0;
  CHECK(dynamics::fault_of(near.solids).find("alert") != std::string::npos);
}
