#include "app/results/solids_recorder.hpp"

#include "app/results/force_table.hpp"
#include "app/results/read_solids.hpp"
#include "app/results/solid_forces.hpp"
#include "app/results/solid_surfaces.hpp"
#include "app/run/run_case.hpp"
#include "tests/support/case_run.hpp"
#include "tests/support/temporary_folder.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

using namespace slipwave;
using Eigen::Vector3d;
using tests::SolidsRun;
using tests::TemporaryFolder;

namespace {

using Settings = std::vector<std::string>;

void run(const std::string& name, const Settings& set, const std::filesystem::path& out,
         int steps) {
  app::RunOptions options;
  options.case_file = SLIPWAVE_ROOT "/cases/" + name + ".toml";
  options.out = out.string();
  options.set = set;
  options.steps = steps;
  options.quiet = true;
  REQUIRE(app::run_case(options) == app::success);
}

/// Of all free bodies.
Vector3d momentum_of(const dynamics::Solids& solids, const dynamics::State& state) {
  Vector3d sum = Vector3d::Zero();
  for (int i = 0; i < solids.body_count(); ++i) {
    const dynamics::Solid& body = solids.bodies[static_cast<std::size_t>(i)];
    if (body.kind == dynamics::Solid::Kind::free)
      sum += body.mass * state.v.segment<3>(dynamics::v_of(i));
  }
  return sum;
}

double free_mass_of(const dynamics::Solids& solids) {
  double mass = 0.0;
  for (const dynamics::Solid& body : solids.bodies)
    if (body.kind == dynamics::Solid::Kind::free) mass += body.mass;
  return mass;
}

Vector3d force_in(const app::ForceTable& forces, const std::string& group, std::size_t row) {
  return {forces.column(group + ".F_x")[row], forces.column(group + ".F_y")[row],
          forces.column(group + ".F_z")[row]};
}

}  // namespace

TEST_CASE(
    "app/results/solids_recorder: weight and the force of the table change the momentum of the "
    "planks, and do the table's work") {
  const TemporaryFolder folder;
  SolidsRun tower("kaplas", {});
  const dynamics::Solids& solids = tower.model.solids();
  const double h = tower.c.first_step(), weight = 9.81 * free_mass_of(solids);
  std::vector<Vector3d> momentum{momentum_of(solids, tower.state)};
  std::vector<double> works, velocities;
  {
    app::ForcesWriter writer(folder / "forces.csv", app::force_layout(tower.model), 1, {},
                             app::add_impulses_of_solids(tower.model));
    for (int k = 0; k < 60; ++k) {
      const double before = tower.velocity("table")[0];
      works.push_back(tower.advance().energy.works.prescribed);
      velocities.push_back(0.5 * (before + tower.velocity("table")[0]));
      writer.write_step(tower.stepper.integrator(), tower.state, false);
      momentum.push_back(momentum_of(solids, tower.state));
    }
  }
  const app::ForceTable forces = app::read_forces(folder.path());
  REQUIRE(forces.groups() == Settings{"table"});
  REQUIRE(forces.lines() == Settings{"table-planks", "planks-planks"});
  for (std::size_t k = 0; k < works.size(); ++k) {
    const Vector3d force = force_in(forces, "table", k);
    const Vector3d gained = h * (force - Vector3d(0.0, 0.0, weight));
    CHECK((momentum[k + 1] - momentum[k] - gained).norm() <= 1e-12 * h * weight);
    CHECK(std::abs(h * velocities[k] * force[0] - works[k]) <= 1e-12 * h * weight);
    CHECK(force[2] <= forces.column("table-planks.F_N")[k] * (1.0 + 1e-12));
  }
}

TEST_CASE(
    "app/results/solids_recorder: what joints.csv says of the table is what forces.csv says") {
  const TemporaryFolder folder;
  run("kaplas", {"output.frames_every=20"}, folder / "out", 40);
  const app::RunResults results(folder / "out");
  const SolidsRun tower("kaplas", {});
  const std::size_t count = tower.model.scene().bodies.size();
  const auto states = app::read_bodies(results, count, {0, 20, 40});
  REQUIRE(states.size() == 3);
  const auto joints = app::read_joints(results, states, 1000);
  const app::ForceTable forces = app::read_forces(results);
  CHECK(joints[0].empty());
  for (const std::size_t k : {1, 2}) {
    Vector3d on_table = Vector3d::Zero();
    for (const app::JointForce& joint : joints[k]) {
      CHECK(joint.A < joint.B);
      CHECK(std::abs(joint.place[2] / 0.008 - std::round(joint.place[2] / 0.008)) < 1e-3);
      if (joint.A == tower.body("table")) on_table += joint.force;
    }
    const Vector3d of_table = force_in(forces, "table", 20 * k - 1);
    CHECK((on_table + of_table).norm() <= 1e-12 * of_table.norm());
  }
  REQUIRE(app::read_joints(results, states, 3)[1].size() == 3);
  CHECK(app::read_joints(results, states, 3)[1].front().force.norm() ==
        std::max_element(joints[1].begin(), joints[1].end(), [](const auto& a, const auto& b) {
          return a.force.norm() < b.force.norm();
        })->force.norm());
}

TEST_CASE(
    "app/results/solids_recorder: bodies.csv and frames give back bodies where they are, and their "
    "shapes") {
  const TemporaryFolder folder;
  run("domino", {"output.frames_every=30"}, folder / "out", 75);
  const app::RunResults results(folder / "out");
  SolidsRun row("domino", {});
  const std::size_t count = row.model.scene().bodies.size();
  const std::vector<app::SceneBody> bodies = app::read_scene(folder / "out");
  REQUIRE(bodies.size() == count);
  const auto states = app::read_bodies(results, count, {0, 29, 30, 60, 75});
  REQUIRE(states.size() == 4);
  const std::vector<app::Surface> surfaces = app::surfaces_of(row.model);
  for (const app::SceneState& state : states) {
    if (state.step > 0) (void)row.advance(state.step - row.state.step);
    const auto found = app::read_surfaces(
        results.frame_file("frames", state.step).replace_extension("vtp"), state);
    for (std::size_t i = 0; i < count; ++i) {
      const int body = static_cast<int>(i);
      CHECK(bodies[i].name == row.model.scene().bodies[i].name);
      CHECK(state.bodies[i].place == dynamics::place_in(row.state.q, body));
      CHECK(state.bodies[i].attitude.coeffs() == dynamics::attitude_in(row.state.q, body).coeffs());
      REQUIRE(found[i].faces.size() == surfaces[i].faces.size());
      for (std::size_t f = 0; f < surfaces[i].faces.size(); ++f)
        for (std::size_t k = 0; k < surfaces[i].faces[f].size(); ++k)
          CHECK((found[i].points[static_cast<std::size_t>(found[i].faces[f][k])] -
                 surfaces[i].points[static_cast<std::size_t>(surfaces[i].faces[f][k])])
                    .norm() <= 1e-14);
    }
  }
}

TEST_CASE("app/results/solids_recorder: a body that waits to be born has one row, and no speed") {
  const TemporaryFolder folder;
  run("rock_wall", {"output.frames_every=8", "solver.tolerance=1e-3"}, folder / "out", 24);
  const app::Columns columns = app::RunResults(folder / "out").columns_of("bodies.csv");
  const SolidsRun wall("rock_wall", {});
  std::vector<double> steps;
  for (std::size_t i = 0; i < columns.at("body").size(); ++i)
    if (columns.at("body")[i] == wall.body("rock")) steps.push_back(columns.at("step")[i]);
  CHECK(steps == std::vector<double>{0, 24});  // born at step 20
}

TEST_CASE(
    "app/results/solid_surfaces: round bodies are drawn within their radius, and nearly to it") {
  const app::Surface ball = app::surface_of(collision::sphere(2.0));
  CHECK(ball.points.size() == 66);
  for (const Vector3d& point : ball.points) CHECK(std::abs(point.norm() - 2.0) < 1e-12);
  collision::Convex block = collision::box({1.0, 2.0, 3.0});
  block.radius = 0.5;
  const app::Surface rounded = app::surface_of(block);
  CHECK(rounded.points.size() == 24);
  CHECK(rounded.faces.size() == 26);
  Vector3d reach = Vector3d::Zero();
  for (const Vector3d& point : rounded.points) reach = reach.cwiseMax(point.cwiseAbs());
  CHECK((reach - Vector3d(1.0, 1.5, 2.0)).norm() < 1e-12);
}

TEST_CASE(
    "app/results/solid_surfaces: a half-space is a square in its plane, as wide as the scene") {
  const SolidsRun wall("rock_wall", {});
  const app::Surface slope =
      app::surfaces_of(wall.model)[static_cast<std::size_t>(wall.body("slope"))];
  REQUIRE(slope.points.size() == 4);
  const Vector3d normal = Vector3d(-1.0, 0.0, 1.0).normalized(), on_it(29.9646, 0.0, 17.6630);
  for (const Vector3d& point : slope.points) CHECK(std::abs(normal.dot(point - on_it)) < 1e-9);
  CHECK((slope.points[1] - slope.points[0]).norm() > 38.0);
}
