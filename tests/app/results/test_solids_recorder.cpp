#include "app/results/solids_recorder.hpp"

#include "app/results/force_table.hpp"
#include "app/results/read_solids.hpp"
#include "app/results/read_vtk.hpp"
#include "app/results/solid_forces.hpp"
#include "app/results/solid_surfaces.hpp"
#include "app/run/run_case.hpp"
#include "tests/support/case_run.hpp"
#include "tests/support/temporary_folder.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <vtkCellData.h>
#include <vtkPointData.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <set>
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

/// What a frame says of each of its points or cells.
struct Rows {
  vtkSmartPointer<vtkPolyData> frame;
  vtkDataSetAttributes* data;

  vtkIdType count() const { return data->GetNumberOfTuples(); }
  double number(const char* name, vtkIdType row) const { return array(name)->GetTuple1(row); }
  Vector3d vector(const char* name, vtkIdType row) const {
    return Eigen::Map<const Vector3d>(array(name)->GetTuple3(row));
  }
  vtkDataArray* array(const char* name) const {
    vtkDataArray* found = data->GetArray(name);
    REQUIRE(found);
    return found;
  }
};

Rows points_of(const std::filesystem::path& file) {
  const auto frame = app::read_vtp(file);
  return {frame, frame->GetPointData()};
}

Rows cells_of(const std::filesystem::path& file) {
  const auto frame = app::read_vtp(file);
  return {frame, frame->GetCellData()};
}

/// The row of a body after a step.
std::size_t row_of(const app::Columns& columns, int step, int body) {
  for (std::size_t i = 0; i < columns.at("step").size(); ++i)
    if (columns.at("step")[i] == step && columns.at("body")[i] == body) return i;
  FAIL("no row");
  return 0;
}

/// A foot, a plate on it and a block on that, {0} off the middle along x.
constexpr const char* scale = R"([gravity]
z = -9.81

[[shape]]
name = "foot"
kind = "box"
size = [0.5, 1, 1]

[[shape]]
name = "plate"
kind = "box"
size = [1, 1, 0.2]
density = 10

[[shape]]
name = "block"
kind = "box"
size = [0.5, 0.5, 0.4]
density = 100

[[body]]
name = "foot"
shape = "foot"
fixed = true

[[body]]
name = "plate"
shape = "plate"
at = [0, 0, 0.6]

[[body]]
name = "block"
shape = "block"
at = [{0}, 0.1, 0.9]

[[contact]]
friction = 0.5

[time]
step = 1e-3
end = 3e-3

[output]
frames_every = 3
)";

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

TEST_CASE(
    "app/results/solid_frames: forces of contact points add up to forces.csv, their works to the "
    "step's ledger") {
  const TemporaryFolder folder;
  run("kaplas", {"output.frames_every=20", "output.forces_every=1"}, folder / "out", 40);
  const app::RunResults results(folder / "out");
  const app::ForceTable forces = app::read_forces(results);
  const SolidsRun tower("kaplas", {});
  const double h = tower.c.first_step();
  const int table = tower.body("table");
  for (const int step : {20, 40}) {
    const Rows points = points_of(results.frame_file("contact", step));
    Vector3d on_table = Vector3d::Zero();
    double of_table = 0.0, of_planks = 0.0, normal = 0.0, tangential = 0.0;
    for (vtkIdType i = 0; i < points.count(); ++i) {
      const bool touches_table = points.number("body_A", i) == table;
      const Vector3d force = points.vector("force", i);
      (touches_table ? of_table : of_planks) += points.number("impulse_normal", i) / h;
      CHECK(std::abs(force.dot(points.vector("normal", i)) * h -
                     points.number("impulse_normal", i)) <= 1e-15);
      if (touches_table) on_table += force;
      normal += points.number("work_normal", i);
      tangential += points.number("work_tangential", i);
    }
    const auto row = static_cast<std::size_t>(step);
    const Vector3d holding = force_in(forces, "table", row - 1);
    CHECK((on_table + holding).norm() <= 1e-12 * holding.norm());
    const double F_table = forces.column("table-planks.F_N")[row - 1],
                 F_planks = forces.column("planks-planks.F_N")[row - 1];
    CHECK(std::abs(of_table - F_table) <= 1e-12 * F_table);
    CHECK(std::abs(of_planks - F_planks) <= 1e-12 * F_planks);
    const auto in_step = [&](const std::string& work) {
      return results.ledger(work)[row] - results.ledger(work)[row - 1];
    };
    CHECK(tangential < 0.0);
    CHECK(std::abs(normal - in_step("contact_normal_work")) <= 1e-12 * std::abs(tangential));
    CHECK(std::abs(tangential - in_step("contact_tangential_work")) <=
          1e-12 * std::abs(tangential));
  }
}

TEST_CASE("app/results/solid_frames: what a frame says of bodies is what bodies.csv says") {
  const TemporaryFolder folder;
  // The first one spins askew, so that its frame is not that of space.
  run("domino", {"output.frames_every=40", "body[1].spin=[20, 5, 30]"}, folder / "out", 80);
  const app::RunResults results(folder / "out");
  const SolidsRun row("domino", {});
  const app::Columns columns = results.columns_of("bodies.csv");
  for (const int step : {40, 80}) {
    const Rows cells = cells_of(results.frame_file("frames", step).replace_extension("vtp"));
    std::set<int> seen;
    for (vtkIdType i = 0; i < cells.count(); ++i) {
      const int body = static_cast<int>(cells.number("id", i));
      const dynamics::Solid& solid = row.model.solids().bodies[static_cast<std::size_t>(body)];
      CHECK(cells.number("group", i) == solid.collider.group);
      if (solid.kind == dynamics::Solid::Kind::fixed) continue;  // its row is that of the start
      seen.insert(body);
      const std::size_t at = row_of(columns, step, body);
      const auto value = [&](const std::string& name) { return columns.at(name)[at]; };
      const Vector3d velocity(value("v_x"), value("v_y"), value("v_z")),
          spin(value("spin_1"), value("spin_2"), value("spin_3"));
      const Eigen::Quaterniond attitude(value("q_w"), value("q_x"), value("q_y"), value("q_z"));
      CHECK(cells.vector("velocity", i) == velocity);
      CHECK((cells.vector("spin", i) - attitude * spin).norm() <= 1e-14 * spin.norm());
      CHECK(cells.number("kinetic_energy", i) == value("kinetic"));
    }
    CHECK(seen.size() == 13);
  }
}

TEST_CASE("app/results/joints: pressure has its centre under the weight, until a block tips over") {
  // A plate of 2 on a foot that is 0.5 wide, and a block of 10 on the plate, off the middle.
  const TemporaryFolder folder;
  const auto joints_with = [&](double off) {
    const auto file = folder.write("scale.toml", fmt::format(scale, off));
    app::RunOptions options;
    options.case_file = file.string();
    options.out = (folder / "out").string();
    options.force = true;
    options.quiet = true;
    REQUIRE(app::run_case(options) == app::success);
    return app::RunResults(folder / "out").columns_of("joints.csv");
  };
  // Three corners can carry what lies within, or four: forces of joints are not unique.
  const auto check = [](const app::Columns& joints, std::size_t at, double x) {
    CAPTURE(x);
    CHECK(std::abs(joints.at("x")[at] - x) <= 1e-9);
    CHECK(std::abs(joints.at("y")[at] - 0.5 * x) <= 1e-9);
    CHECK(joints.at("compressed")[at] >= 0.75);
  };
  const app::Columns rest = joints_with(0.2);
  REQUIRE(rest.at("x").size() == 2);
  check(rest, 0, 0.2 * 10.0 / 12.0);
  check(rest, 1, 0.2);
  CHECK(rest.at("F_N")[0] == doctest::Approx(12.0 * 9.81).epsilon(1e-9));
  CHECK(rest.at("F_N")[1] == doctest::Approx(10.0 * 9.81).epsilon(1e-9));
  const app::Columns tips = joints_with(0.4);
  REQUIRE(tips.at("x").size() == 2);
  CHECK(std::abs(tips.at("x")[0] - 0.25) <= 1e-9);
  CHECK(tips.at("points")[0] == 4);
  CHECK(tips.at("compressed")[0] == 0.5);
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
