#include "collision/shape.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <functional>
#include <limits>

using namespace slipwave::collision;
using Eigen::Vector3d;

namespace {

/// What is wrong with a unit box after something was done to it.
std::string fault_after(const std::function<void(Convex&)>& change) {
  Convex shape = box({1.0, 1.0, 1.0});
  change(shape);
  return fault_of(shape);
}

}  // namespace

TEST_CASE("collision/shape: boxes, spheres and capsules have no fault") {
  const Convex shape = box({1.0, 2.0, 3.0});
  CHECK(fault_of(shape) == "");
  CHECK(fault_of(sphere(1.0)) == "");
  CHECK(fault_of(capsule(1.0, 0.5)) == "");
  CHECK(shape.vertices[5] == Vector3d(0.5, -1.0, 1.5));
  CHECK(shape.edges.size() == 12);
  for (const std::vector<int>& face : shape.faces) {
    Vector3d middle = Vector3d::Zero();
    for (const int i : face) middle += 0.25 * shape.vertices[static_cast<std::size_t>(i)];
    CHECK(area_vector(shape, face).normalized() == middle.normalized());
  }
}

TEST_CASE("collision/shape: extent is that of the farthest point") {
  CHECK(extent(box({2.0, 4.0, 4.0})) == 3.0);
  CHECK(extent(sphere(0.5)) == 0.5);
  CHECK(extent(capsule(3.0, 0.5)) == 2.0);
}

TEST_CASE("collision/shape: each fault is named") {
  const auto fault_has = [](const std::function<void(Convex&)>& change, const char* text) {
    const std::string fault = fault_after(change);
    CHECK_MESSAGE(fault.find(text) != std::string::npos, fault);
  };
  const double nan = std::numeric_limits<double>::quiet_NaN();
  fault_has([](Convex& s) { s.radius = -0.5; }, "the radius is -0.5");
  fault_has([&](Convex& s) { s.radius = nan; }, "the radius is nan");
  fault_has([&](Convex& s) { s.vertices[3][1] = nan; }, "not finite");
  fault_has([](Convex& s) { s.faces[2][1] = 8; }, "names vertex 8; there are 8");
  fault_has([](Convex& s) { s.vertices.resize(5000, Vector3d::Zero()); }, "at most 4095");
  fault_has([](Convex& s) { s.faces.pop_back(); }, "not closed");
  fault_has([](Convex& s) { std::ranges::reverse(s.faces[0]); }, "in the same direction");
  fault_has([](Convex& s) { s.faces[0] = {0, 1}; }, "less than 3");
  fault_has([](Convex& s) { s.edges.pop_back(); }, "edges are not those");
  fault_has([](Convex& s) { s.vertices.emplace_back(0.0, 0.0, 0.0); }, "in no face");
  fault_has([](Convex& s) { s.vertices[7] += Vector3d(0.1, 0.0, 0.0); }, "not plane");
  fault_has([](Convex& s) { s.vertices[7] = Vector3d(0.1, 0.1, 0.1); }, "not plane");
  fault_has(
      [](Convex& s) {
        for (auto& face : s.faces) std::ranges::reverse(face);
      },
      "in front of face");
  fault_has([](Convex& s) { s.faces.clear(); }, "8 vertices and no face");
  fault_has(
      [](Convex& s) {
        s = capsule(1.0, 0.5);
        s.edges.clear();
      },
      "one edge");
  fault_has([](Convex& s) { s = capsule(0.0, 0.5); }, "are one");
}
