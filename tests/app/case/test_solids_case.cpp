#include "app/case/case_file.hpp"
#include "app/messages/user_error.hpp"
#include "tests/support/temporary_folder.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cmath>
#include <string>

namespace slipwave::app {

namespace {

using Eigen::Vector3d;

/// Two bodies, a ground, and whatever is added.
const std::string scene = R"([[shape]]
name = "ground"
kind = "half-space"

[[shape]]
name = "block"
kind = "box"
size = [1, 2, 4]
density = 3

[[body]]
name = "ground"
shape = "ground"
group = "ground"

[[body]]
name = "block"
shape = "block"
at = [0, 0, 2]

[[contact]]
friction = 0.5

[time]
step = 1e-3
end = 1
)";

Case read(const std::string& text) {
  const tests::TemporaryFolder folder;
  return read_case(folder.write("scene.toml", text).string(), {});
}

SolidsCase scene_of(const std::string& text) { return read(text).solids.value(); }

}  // namespace

TEST_CASE("app/case/solids_case: a box weighs what its density says, a half-space is fixed") {
  const SolidsCase found = scene_of(scene);
  REQUIRE(found.bodies.size() == 2);
  CHECK(found.bodies[0].fixed);
  const BodyEntry& block = found.bodies[1];
  CHECK(found.is_free(block));
  CHECK(block.group == "bodies");
  CHECK(block.mass == doctest::Approx(24.0).epsilon(1e-14));
  const Vector3d J = 24.0 / 12.0 * Vector3d(4.0 + 16.0, 1.0 + 16.0, 1.0 + 4.0);
  CHECK((block.inertia - J.asDiagonal().toDenseMatrix()).norm() < 1e-12 * J.norm());
  CHECK(found.size == 1.0);
  CHECK(found.alert == 1e-3);
  CHECK(found.contacts[0].law->gap_tolerance == 1e-6);
  CHECK(found.groups == std::vector<std::string>{"ground", "bodies"});
}

TEST_CASE("app/case/solids_case: mass alone scales the inertia, and both may be given") {
  const SolidsCase found = scene_of(scene +
                                    "[[body]]\nname = \"a\"\nshape = \"block\"\nmass = 48\n"
                                    "[[body]]\nname = \"b\"\nshape = \"block\"\n"
                                    "inertia = [2, 3, 4, 0.1, 0.2, 0.3]\n");
  CHECK(found.bodies[2].inertia.isApprox(2.0 * found.bodies[1].inertia, 1e-14));
  Eigen::Matrix3d J;
  J << 2.0, 0.1, 0.2, 0.1, 3.0, 0.3, 0.2, 0.3, 4.0;
  CHECK(found.bodies[3].inertia == J);
  CHECK(found.bodies[3].mass == found.bodies[1].mass);
}

TEST_CASE("app/case/solids_case: a hull moves to its centre of mass, or to the one given") {
  const std::string hull =
      "[[shape]]\nname = \"wedge\"\nkind = \"hull\"\n"
      "points = [[4, 0, 0], [0, 4, 0], [0, 0, 4], [0, 0, 0]]\n";
  const SolidsCase uniform = scene_of(scene + hull + "density = 1\n");
  CHECK((uniform.shapes[2].properties.centre - Vector3d::Ones()).norm() < 1e-14);
  const auto& shape = std::get<collision::Convex>(uniform.shapes[2].shape);
  CHECK((shape.vertices[3] + Vector3d::Ones()).norm() < 1e-14);
  const SolidsCase given = scene_of(scene + hull + "centre = [0.5, 0, 0]\n");
  CHECK(std::get<collision::Convex>(given.shapes[2].shape).vertices[3] == Vector3d(-0.5, 0.0, 0.0));
}

TEST_CASE("app/case/solids_case: rotations by axis and angle, and by quaternion") {
  const SolidsCase found = scene_of(
      scene +
      "[[body]]\nname = \"a\"\nshape = \"block\"\nrotation = { axis = [0, 0, 2], angle = 90 }\n"
      "[[body]]\nname = \"b\"\nshape = \"block\"\nquaternion = [3, 0, 0, 3]\n");
  for (const std::size_t i : {2U, 3U})
    CHECK((found.bodies[i].attitude * Vector3d::UnitX() - Vector3d::UnitY()).norm() < 1e-15);
}

TEST_CASE("app/case/solids_case: the contact that names more groups holds, of those the last") {
  SolidsCase found;
  found.groups = {"a", "b", "c"};
  const auto add = [&](const char* first, const char* second, double restitution) {
    found.contacts.push_back({{first, second}, dynamics::ContactLaw{}});
    found.contacts.back().law->restitution = restitution;
  };
  const auto between = [&](const char* first, const char* second) {
    return found.contact_between(first, second)->law->restitution;
  };
  CHECK(found.contact_between("a", "b") == nullptr);
  add("a", "b", 0.1);
  add("*", "a", 0.2);
  add("*", "*", 0.3);
  add("c", "*", 0.4);
  CHECK(between("a", "b") == 0.1);
  CHECK(between("b", "a") == 0.1);
  CHECK(between("a", "a") == 0.2);
  CHECK(between("a", "c") == 0.4);
  CHECK(between("b", "b") == 0.3);
  add("*", "*", 0.5);
  CHECK(between("b", "b") == 0.5);
}

TEST_CASE("app/case/solids_case: driven bodies need no mass, and their formulas are of t") {
  const SolidsCase found =
      scene_of(scene +
               "[[shape]]\nname = \"table\"\nkind = \"box\"\nsize = [9, 9, 1]\n"
               "[[body]]\nname = \"table\"\nshape = \"table\"\ngroup = \"table\"\n"
               "[[drive]]\non = \"table\"\nvelocity = [\"2*t\", 0, 1]\n");
  CHECK_FALSE(found.is_free(found.bodies[2]));
  CHECK(found.drives[0].velocity[0]->value(3.0) == 6.0);
  CHECK(found.drives[0].velocity[2]->value(3.0) == 1.0);
  CHECK_FALSE(found.drives[0].spin[0]);
}

TEST_CASE("app/case/solids_case: an OBJ file gives a body per group, turned about its origin") {
  const tests::TemporaryFolder folder;
  std::string blocks;
  for (int k = 0; k < 2; ++k) {
    for (int corner = 0; corner < 8; ++corner)
      blocks += "v " + std::to_string(2 * k + corner / 4) + " " + std::to_string(corner / 2 % 2) +
                " " + std::to_string(corner % 2) + "\n";
    blocks += k == 0 ? "g low\nf 1 2 3 4 5 6 7 8\n" : "g high\nf 9 10 11 12 13 14 15 16\n";
  }
  folder.write("blocks.obj", blocks);
  const Case c =
      read_case(folder
                    .write("scene.toml",
                           scene + "[[body]]\nname = \"wall\"\nfile = \"blocks.obj\"\ndensity = 2\n"
                                   "at = [10, 0, 0]\nrotation = { axis = [0, 0, 1], angle = 90 }\n")
                    .string(),
                {});
  const SolidsCase& found = *c.solids;
  REQUIRE(found.bodies.size() == 4);
  CHECK(found.bodies[3].name == "wall.high");
  CHECK(found.bodies[3].mass == doctest::Approx(2.0).epsilon(1e-14));
  CHECK((found.bodies[3].place - Vector3d(9.5, 2.5, 0.5)).norm() < 1e-14);
  CHECK(c.resolved.find((folder / "blocks.obj").string()) != std::string::npos);
}

TEST_CASE("app/case/solids_case: what is resolved reads as the same scene") {
  const std::string more =
      "[[pattern]]\nname = \"wall\"\nkind = \"running-bond\"\nblock = [1, 2, 1]\ncourses = 2\n"
      "blocks = 3\ndensity = 5\ncopies = 2\nshift = [3, 0, 0]\nat = [20, 0, 0]\n"
      "[[drive]]\non = \"ground\"\nspin = [0, 0, \"sin(t)\"]\n"
      "[[shape]]\nname = \"wedge\"\nkind = \"hull\"\npoints = [[4, 0, 0], [0, 4, 0], [0, 0, 4], "
      "[0, 0, "
      "0]]\n";
  std::string text = scene + more;
  const Case first = read(text);
  const Case second = read(first.resolved);
  CHECK(first.resolved == second.resolved);
  REQUIRE(second.solids->bodies.size() == first.solids->bodies.size());
  for (std::size_t i = 0; i < first.solids->bodies.size(); ++i)
    CHECK(first.solids->bodies[i].place == second.solids->bodies[i].place);
  CHECK(second.solids->alert == first.solids->alert);
}

TEST_CASE(
    "app/case/solids_scatter: as far as it says, the same for the same seed, as it is for 0") {
  const auto thrown = [](const std::string& scatter) {
    std::string text = scene;
    text.replace(text.find("at = [0, 0, 2]"), 14, "at = [0, 0, 2]\nscatter = { " + scatter + " }");
    return scene_of(text).bodies[1];
  };
  const std::string most = "at = [1, 2, 0.5], velocity = [3, 0, 1], spin = [0, 0, 2]";
  const BodyEntry still = thrown("seed = 0, " + most + ", turn = [5, 5, 5]");
  CHECK(still.place == Vector3d(0, 0, 2));
  CHECK(still.attitude.coeffs() == Eigen::Quaterniond::Identity().coeffs());
  Vector3d farthest = Vector3d::Zero(), sum = farthest;
  for (int seed = 1; seed <= 400; ++seed) {
    const BodyEntry body = thrown(fmt::format("seed = {}, {}", seed, most));
    const Vector3d shift = body.place - Vector3d(0, 0, 2);
    farthest = farthest.cwiseMax(shift.cwiseAbs());
    sum += shift;
    CHECK(body.velocity[1] == 0.0);
    CHECK(std::abs(body.velocity[0]) <= 3.0);
    CHECK(body.spin.head<2>().isZero(0.0));
  }
  for (int i = 0; i < 3; ++i) {
    const double width = Vector3d(1, 2, 0.5)[i];
    CHECK(farthest[i] <= width);
    CHECK(farthest[i] > 0.98 * width);
    CHECK(std::abs(sum[i]) < 400 * 0.15 * width);  // 5 standard errors of the mean
  }
  // Another key changes none of the others.
  const BodyEntry one = thrown("seed = 7, at = [1, 2, 0.5]"),
                  other = thrown("seed = 7, at = [1, 2, 0.5], spin = [1, 1, 1], turn = [0, 0, 9]");
  CHECK(one.place == other.place);
  CHECK(other.attitude.z() != 0.0);
  CHECK(std::abs(other.attitude.z()) <= std::sin(0.5 * 9.0 * std::acos(-1.0) / 180.0));
  CHECK_THROWS_WITH_AS(thrown("seed = -1"), doctest::Contains("seed = -1"), UserError);
  CHECK_THROWS_WITH_AS(thrown("seed = 1, at = [-1, 0, 0]"), doctest::Contains("not be negative"),
                       UserError);
}

}  // namespace slipwave::app
