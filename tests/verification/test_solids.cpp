#include "collision/mass_properties.hpp"
#include "collision/shape.hpp"
#include "tests/collision/rock.hpp"
#include "tests/support/case_run.hpp"
#include "tests/support/solid_scene.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <string>
#include <utility>
#include <variant>
#include <vector>

using namespace slipwave;
using Eigen::Vector3d;
using tests::SolidsRun;

namespace {

/// The spin of a body in space, RJω.
Vector3d spin_in_space(const SolidsRun& run, int body) {
  const dynamics::Solid& solid = run.model.solids().bodies[static_cast<std::size_t>(body)];
  return dynamics::attitude_in(run.state.q, body) *
         (solid.inertia * run.state.v.segment<3>(dynamics::v_of(body) + 3));
}

/// How far the farthest body of a run has come from where it started.
double largest_way(const SolidsRun& run) {
  double way = 0.0;
  for (int i = 0; i < run.model.solids().body_count(); ++i)
    way = std::max(way, (dynamics::place_in(run.state.q, i) -
                         run.model.solids().bodies[static_cast<std::size_t>(i)].place)
                            .norm());
  return way;
}

/// Whether an arch, of its thickness to its radius, comes apart within a second; otherwise it does
/// not move at all.
bool arch_falls(int voussoirs, double thickness, double friction) {
  SolidsRun run("arch", {fmt::format("pattern.voussoirs={}", voussoirs),
                         fmt::format("pattern.thickness={}", thickness),
                         fmt::format("contact.friction={}", friction), "solver.tolerance=1e-9"});
  for (int k = 0; k < 1000; ++k) {
    (void)run.advance();
    if (largest_way(run) > 1e-3) return true;
  }
  CHECK(largest_way(run) < 1e-10);
  return false;
}

/// What bodies that cannot be pushed did to the others in the last step, along z.
double support_of(const SolidsRun& run) {
  double sum = 0.0;
  for (int i = 0; i < run.model.solids().body_count(); ++i)
    if (run.model.solids().bodies[static_cast<std::size_t>(i)].kind != dynamics::Solid::Kind::free)
      sum -= run.integrator().impulses()[dynamics::v_of(i) + 2];
  return sum;
}

double weight_of(const SolidsRun& run) {
  double mass = 0.0;
  for (const dynamics::Solid& body : run.model.solids().bodies)
    if (body.kind == dynamics::Solid::Kind::free && body.birth <= 0.0) mass += body.mass;
  return -mass * run.model.solids().gravity[2];
}

/// The block of cases/rocking_block.toml as the plane system and as a body 0.7 wide in space, whose
/// z is the other's y.
struct BlockTwice {
  BlockTwice(double h, std::vector<std::string> set)
      : plane("rocking_block", with_step(h, std::move(set))),
        space(scene_of(plane), dynamics::moreau_jean_fremond(0.5), h) {}

  /// Whether they hit the ground; both do, or neither.
  bool step() {
    before = places_apart();
    (void)plane.advance();
    const dynamics::StepReport report = space.step();
    CHECK(plane.pushes() == (report.sticking + report.sliding > 0));
    return plane.pushes();
  }
  Vector3d places_apart() const {
    const Eigen::VectorXd& q = plane.state.q;
    const Eigen::Quaterniond turn = space.attitude(1);
    return {space.place(1)[0] - q[0], space.place(1)[2] - q[1],
            std::remainder(2.0 * std::atan2(turn.y(), turn.w()) + q[2], 2.0 * std::numbers::pi)};
  }
  double velocities_apart() const {
    const Eigen::VectorXd& v = plane.state.v;
    return (space.velocity(1) - Vector3d(v[0], 0.0, v[1])).norm() +
           (space.spin(1) + v[2] * Vector3d::UnitY()).norm();
  }

  static std::vector<std::string> with_step(double h, std::vector<std::string> set) {
    set.push_back(fmt::format("time.step={}", h));
    return set;
  }
  static tests::SolidScene scene_of(const tests::FewDofsRun& plane) {
    const Eigen::VectorXd &q = plane.state.q, &v = plane.state.v;
    tests::SolidScene scene(0.1, 1.0, 10.0);
    scene.solids.laws[0].activation = plane.model.rigid_body()->contacts()[0].activation;
    scene.add_ground();
    scene.add(collision::box({1.0, 0.7, 1.0}), {q[0], 0.0, q[1]});
    dynamics::Solid& block = scene.last();
    block.mass = 1.0;
    block.inertia = Vector3d(0.12, 1.0 / 12.0, 0.12).asDiagonal();
    block.attitude = Eigen::AngleAxisd(-q[2], Vector3d::UnitY());
    block.velocity = {v[0], 0.0, v[1]};
    block.spin = {0.0, -v[2], 0.0};
    return scene;
  }

  tests::FewDofsRun plane;
  tests::SolidRun space;
  Vector3d before = Vector3d::Zero();
};

}  // namespace

TEST_CASE("cases/rolling_sphere: slides until it rolls at 5/7 of its velocity, where it must") {
  SolidsRun run("rolling_sphere", {});
  const double mu = 0.2, g = 9.81, rolls_at = 2.0 / (7.0 * mu * g);
  while (run.t() < rolls_at - 1.5e-3) {
    (void)run.advance();
    CHECK(run.velocity("ball")[0] == doctest::Approx(1.0 - mu * g * run.t()).epsilon(1e-9));
  }
  const dynamics::StepReport report = run.advance(200);
  CHECK(report.sticking == 1);
  CHECK(run.velocity("ball")[0] == doctest::Approx(5.0 / 7.0).epsilon(1e-9));
  CHECK(run.state.v[dynamics::v_of(run.body("ball")) + 4] ==
        doctest::Approx(50.0 / 7.0).epsilon(1e-9));
  const double rolled = 12.0 / (49.0 * mu * g) + 5.0 / 7.0 * (run.t() - rolls_at);
  CHECK(run.place("ball")[0] == doctest::Approx(rolled).epsilon(1e-4));
  CHECK(std::abs(run.place("ball")[2] - 0.1) < 1e-12);
}

TEST_CASE("cases/spinning_top: turns over and over, and keeps energy and spin to round-off") {
  SolidsRun run("spinning_top", {});
  const double energy = run.energy();
  const Vector3d spin = spin_in_space(run, 0);
  const double half_period = 0.5 * 41.5092195293;
  double least = 1.0, at = 0.0;
  while (run.t() < 30.0) {
    const double gyroscopic = run.advance().energy.works.gyroscopic;
    CHECK(std::abs(gyroscopic) < 1e-15);
    if (run.state.v[4] < least) {
      least = run.state.v[4];
      at = run.t();
    }
  }
  CHECK(least == doctest::Approx(-1.0).epsilon(1e-3));
  CHECK(std::abs(at - half_period) < 0.05);
  CHECK(std::abs(run.energy() - energy) < 1e-13 * energy);
  CHECK((spin_in_space(run, 0) - spin).norm() < 1e-12 * spin.norm());
}

TEST_CASE("cases/arch: stands a little above the least thickness of its voussoirs, falls below") {
  struct Row {
    int voussoirs;
    double stands, falls;
  };
  // 0.107460 of the radius for ten and twenty voussoirs, 0.102836 for thirteen.
  for (const Row& row : {Row{10, 0.109, 0.106}, {20, 0.109, 0.106}, {13, 0.1044, 0.1013}}) {
    CAPTURE(row.voussoirs);
    CHECK_FALSE(arch_falls(row.voussoirs, row.stands, 0.7));
    CHECK(arch_falls(row.voussoirs, row.falls, 0.7));
  }
}

TEST_CASE("cases/arch: slides apart where friction is less than the line of thrust asks for") {
  // Least frictions of ten voussoirs, by limit analysis with Coulomb's cones: 0.393527 for this
  // thickness, 0.303980 for 0.2, and 0.302995 for any that is thicker.
  for (const double share : {0.998, 1.002}) {
    CAPTURE(share);
    CHECK(arch_falls(10, 0.109, share * 0.393527) == (share < 1.0));
    CHECK(arch_falls(10, 0.2, share * 0.303980) == (share < 1.0));
  }
  CHECK(arch_falls(10, 0.4, 0.30));
  CHECK_FALSE(arch_falls(10, 0.4, 0.32));
  // With that friction the least thickness is 0.181890.
  CHECK(arch_falls(10, 0.1801, 0.32));
  CHECK_FALSE(arch_falls(10, 0.1837, 0.32));
}

TEST_CASE("cases/arch: the ground carries what it weighs") {
  SolidsRun run("arch", {"solver.tolerance=1e-10"});
  (void)run.advance(5);
  CHECK(support_of(run) == doctest::Approx(1e-3 * weight_of(run)).epsilon(1e-8));
}

TEST_CASE("cases/domino: the first one pushes all of them over") {
  SolidsRun run("domino", {});
  const auto leans = [&](const std::string& name) {
    const Vector3d up = dynamics::attitude_in(run.state.q, run.body(name)) * Vector3d::UnitZ();
    return std::acos(std::min(1.0, up[2]));
  };
  CHECK(leans("row.12") < 1e-9);
  const double energy = run.energy();
  while (run.state.step < run.c.step_count) {
    const dynamics::StepReport report = run.advance();
    CHECK(report.max_tangential_work <= 1e-8 * energy);
    CHECK(report.max_normal_work <= 1e-8 * energy);
  }
  for (int k = 1; k <= 12; ++k) {
    CAPTURE(k);
    CHECK(leans(fmt::format("row.{}", k)) > 0.8);
  }
  CHECK(run.energy() < energy);
}

TEST_CASE(
    "solids: a stick that lands obliquely: Moreau-Jean's friction makes energy, Fremond's never") {
  // It leans by 0.6 and comes down with some slip. The impulse wants to throw its foot back,
  // friction holds it and pushes along the slip that there was: its mean over the step is not zero.
  tests::SolidScene scene(1.0, 0.3);
  scene.add_ground();
  scene.add(collision::capsule(1.0, 0.02), {0.0, 0.0, 0.5 * std::cos(0.6) + 0.02});
  scene.last().attitude = Eigen::AngleAxisd(0.6, Vector3d::UnitY());
  scene.last().velocity = {0.5, 0.3, -1.0};
  tests::SolidRun classical(scene, dynamics::moreau_jean(0.5), 1e-3),
      fremond(scene, dynamics::moreau_jean_fremond(0.5), 1e-3);
  const dynamics::StepReport hit = classical.step();
  CHECK(hit.sticking == 1);
  CHECK(hit.max_tangential_work > 0.05 * classical.energy);
  fremond.steps(500);
  CHECK(fremond.contact_work < -0.5 * fremond.energy);
  CHECK(fremond.worst_created <= 1e-12 * fremond.energy);
}

TEST_CASE(
    "cases/rocking_block: a block with width in space flies and lands as the plane system does") {
  // The angle in space grows by 2 atan(hω/2) in a step, that in the plane by hω: apart by h²ω³t/12.
  BlockTwice block(1e-4, {});
  while (!block.step()) {
  }
  CHECK(block.space.state.step == 892);
  CHECK(block.before[2] == doctest::Approx(1e-8 / 12.0 * 0.0891).epsilon(1e-2));
  CHECK(block.before.norm() <= 1e-10);

  // From the ground, where a step begins with its corner there to round-off: an impact, and 0.03 of
  // flight. |ω| is 3.2 after it, so that 1e-10 needs steps of 1e-5.
  const double lean = 0.1, height = 0.5 * (std::sin(lean) + std::cos(lean));
  BlockTwice landed(1e-5, {fmt::format("initial.position=[0, {}, {}]", height, lean),
                           "initial.velocity=[0.3, -1, 0.5]", "contact.activation=dissipative"});
  CHECK(landed.step());
  CHECK(landed.velocities_apart() <= 1e-11);  // impulses are found to 1e-12
  for (int k = 1; k < 3000; ++k) CHECK_FALSE(landed.step());
  CHECK(landed.places_apart()[2] ==
        doctest::Approx(1e-10 / 12.0 * std::pow(landed.plane.state.v[2], 3) * 0.03).epsilon(1e-2));
  CHECK(landed.places_apart().norm() <= 1e-10);
  CHECK(landed.velocities_apart() <= 1e-11);

  // All other impacts find the corner a little in the ground. In space its impulse acts at the
  // middle of the gap, the point of both bodies, and so in this much another way; yet in the same
  // steps.
  int impacts = 1;
  while (block.plane.t() < 0.85) impacts += block.step() ? 1 : 0;
  CHECK(impacts == 9);
  CHECK(block.places_apart().norm() <= 2e-5);
  CHECK(block.velocities_apart() <= 2e-4);
}

TEST_CASE("cases/kaplas: stands on a table at rest, and the table takes it along") {
  SolidsRun still("kaplas", {"drive.velocity=[0, 0, 0]"});
  (void)still.advance(20);
  CHECK(largest_way(still) < 1e-8);
  CHECK(support_of(still) == doctest::Approx(5e-4 * weight_of(still)).epsilon(1e-5));
  SolidsRun run("kaplas", {});
  (void)run.advance(100);
  const double table = run.place("table")[0];
  CHECK(table == doctest::Approx(0.3 / (8.0 * std::numbers::pi) *
                                 (1.0 - std::cos(8.0 * std::numbers::pi * run.t())))
                     .epsilon(1e-3));
  CHECK(run.place("along.1")[0] - run.model.solids().bodies[1].place[0] < 0.9 * table);
}

TEST_CASE("cases/kaplas: planks follow the table as long as friction can take them along") {
  const auto left_behind = [](double velocity) {
    SolidsRun run("kaplas", {fmt::format("drive.velocity=[\"{}*sin(2*pi*4*t)\", 0, 0]", velocity)});
    const auto& bodies = run.model.solids().bodies;
    double way = 0.0;
    while (run.t() < 0.15) {
      (void)run.advance();
      const Vector3d table = run.place("table") - bodies[0].place;
      for (std::size_t i = 1; i < bodies.size(); ++i)
        way = std::max(
            way, (dynamics::place_in(run.state.q, static_cast<int>(i)) - table - bodies[i].place)
                     .norm());
    }
    CHECK(run.place("table")[0] > 0.01);
    return way;
  };
  const double largest = 0.4 * 9.81 / (8.0 * std::numbers::pi);  // 0.156: then it is mu g
  CHECK(left_behind(0.15) < 1e-7);
  CHECK(left_behind(0.99 * largest) < 1e-7);
  CHECK(left_behind(1.02 * largest) > 1e-6);
}

TEST_CASE("cases/rock_wall: the wall stands exactly where it is and weighs what it weighs") {
  SolidsRun run("rock_wall", {"solver.tolerance=1e-10"});
  CHECK(run.model.free_count() == 276);
  const auto contacts = app::contacts_at_start(run.model);
  for (const dynamics::SolidContact& contact : contacts) CHECK(std::abs(contact.gap) < 1e-13);
  const double weight = weight_of(run);
  CHECK(weight == doctest::Approx(1196000.0 * 9.81).epsilon(1e-12));
  for (int step = 0; step < 20; ++step) {  // then the rock is born
    CHECK(run.advance().contact.converged);
    CHECK(support_of(run) == doctest::Approx(5e-4 * weight).epsilon(1e-8));
  }
  double way = 0.0;
  for (int i = 3; i < run.model.solids().body_count(); ++i)
    way = std::max(way, (dynamics::place_in(run.state.q, i) -
                         run.model.solids().bodies[static_cast<std::size_t>(i)].place)
                            .norm());
  CHECK(way < 1e-11);
}

TEST_CASE("cases/rock_wall: the rock hits; the ledger closes, and Fremond's law makes no energy") {
  for (const std::string scheme : {"moreau-jean", "moreau-jean-fremond"}) {
    CAPTURE(scheme);
    SolidsRun run("rock_wall", {"time.scheme=" + scheme, "body[2].birth=0",
                                "body[2].at=[2.58, 0, 8]", "body[2].velocity=[-20, 0, -5]"});
    double exchanged = run.integrator().energy(run.state).kinetic, made = 0.0, taken = 0.0;
    for (int step = 0; step < 12; ++step) {
      const dynamics::StepReport report = run.advance();
      CHECK(report.contact.converged);
      exchanged += std::abs(report.energy.works.external);
      CHECK(std::abs(report.energy.residual()) <= 1e-13 * exchanged);
      CHECK(std::abs(report.energy.works.gyroscopic) <= 1e-15 * exchanged);
      made = std::max({made, report.max_tangential_work, report.max_normal_work});
      taken -= report.energy.works.contact_normal + report.energy.works.contact_tangential;
    }
    CHECK(taken > 1e6);
    if (scheme == "moreau-jean-fremond") CHECK(made < 1e-6 * taken);
  }
}

TEST_CASE("cases/rock_wall: 762 faces of blocks meet, each at four corners") {
  SolidsRun run("rock_wall", {});
  const auto kind = [&](int body) {
    return run.model.scene().bodies[static_cast<std::size_t>(body)].name[0];
  };
  std::map<std::pair<int, int>, int> points;
  for (const dynamics::SolidContact& contact : app::contacts_at_start(run.model))
    ++points[{contact.A, contact.B}];
  std::map<std::string, int> pairs;
  for (const auto& [pair, count] : points) {
    CHECK(count == 4);  // what two blocks share is a rectangle
    std::string kinds{kind(pair.first), kind(pair.second)};
    std::ranges::sort(kinds);
    ++pairs[kinds];
  }
  // The wall's courses of 20, 19, ..., 11 blocks have 19 + ... + 10 = 145 head joints, and each of
  // the 19 + ... + 11 blocks above the first course lies on two: 270 bed joints.
  CHECK(pairs["ww"] == 145 + 270);
  // A pier's course has 4 blocks and 3 head joints, 5 x 6 x 3 = 90; two courses, shifted by half a
  // block, share 4 + 4 - 1 faces, 4 x 6 x 7 = 168.
  CHECK(pairs["bb"] == 90 + 168);
  // Each of 30 courses stands against the wall, and over one of its head joints where there is one
  // within y = -13.9 + 5k ... -12.9 + 5k: at odd y in courses 0, 2, 4 (three piers), at even y in
  // 1, 3 (the three others).
  CHECK(pairs["bw"] == 30 + 3 * 3 + 3 * 2);
  CHECK(pairs["bg"] + pairs["gw"] == 24 + 20);
  CHECK(points.size() == 762);
}

TEST_CASE("cases/rock_wall: the rock has the published vertices, mass, inertia and energy") {
  const SolidsRun run("rock_wall", {"pattern=[]"});
  const dynamics::Solid& rock =
      run.model.solids().bodies[static_cast<std::size_t>(run.body("rock"))];
  // A body's frame has its origin at the centre of mass; the published one to the digits printed.
  const Vector3d centre = collision::mass_properties(collision::hull(tests::rock)).centre;
  const auto& vertices = std::get<collision::Convex>(rock.collider.shape).vertices;
  REQUIRE(vertices.size() == tests::rock.size());
  for (std::size_t i = 0; i < vertices.size(); ++i)
    CHECK((vertices[i] + centre - tests::rock[i]).norm() < 1e-12);
  CHECK(std::abs(rock.mass - 72049.8279) < 1e-9 * rock.mass);
  Eigen::Matrix3d J;
  J << 136844.3495, -9121.347782, 3144.907444, -9121.347782, 147071.1894, -18336.503, 3144.907444,
      -18336.503, 98845.50989;
  CHECK((rock.inertia - J).norm() < 1e-7 * J.norm());
  const double kinetic = run.stepper.integrator().energy(run.state).total();
  CHECK(std::abs(kinetic - 5.5040e7) < 1e-4 * kinetic);
}

TEST_CASE(
    "cases/rock_wall: the rock's vertex 7 hits the slope when, where and as fast as it must") {
  SolidsRun run("rock_wall", {"pattern=[]"});
  // Free flight by Runge and Kutta's method, with steps of 2e-6.
  const double h = run.c.first_step(), meets_at = 0.5205196;
  const contact::Key seventh = dynamics::key_of(run.body("slope"), run.body("rock"), 7);
  struct Meeting {
    double gap = 0.0;
    Vector3d u, point;
  } before, after;  // of vertex 7, where the last step without impulse begins and where it ends
  dynamics::StepReport report;
  while (report.sticking + report.sliding == 0) {
    const Eigen::VectorXd v = run.state.v;
    report = run.advance();
    before = std::exchange(after, {});
    const auto& contacts = run.integrator().contacts();
    const auto found = std::ranges::find(contacts, seventh, &dynamics::SolidContact::key);
    if (found != contacts.end()) after = {found->gap, found->velocity(v), found->point};
  }
  CHECK(report.sticking + report.sliding == 1);
  REQUIRE(before.gap > 0.0);
  REQUIRE(after.gap < 0.0);  // contacts are found where a step begins: it is met in the one before
  const double begin = run.t() - 2.0 * h, share = before.gap / (before.gap - after.gap);
  CHECK(begin <= meets_at);
  CHECK(meets_at <= begin + h);
  CHECK(std::abs(begin + share * h - meets_at) < 1e-6);
  const Vector3d u = before.u + share * (after.u - before.u),
                 point = before.point + share * (after.point - before.point);
  CHECK(std::abs(u[0] + 26.238) < 1e-3 * 26.238);
  CHECK(std::abs(u.tail<2>().norm() - 60.205) < 1e-3 * 60.205);
  CHECK((point - Vector3d(26.8615, -1.4234, 14.5599)).norm() < 1e-3);
}

TEST_CASE("cases/rock_wall_published: blocks begin as far inside each other as published") {
  SolidsRun run("rock_wall_published", {});
  CHECK(run.model.free_count() == 276);
  double least = 0.0;
  for (const dynamics::SolidContact& contact : app::contacts_at_start(run.model))
    least = std::min(least, contact.gap);
  CHECK(least == doctest::Approx(-0.035).epsilon(1e-9));
  (void)run.advance(2);
}
