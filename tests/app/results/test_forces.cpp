#include "app/results/force_columns.hpp"
#include "app/results/force_means.hpp"
#include "app/results/force_table.hpp"
#include "app/results/forces_writer.hpp"
#include "app/run/run_case.hpp"
#include "dynamics/schemes/schemes.hpp"
#include "files/new_file.hpp"
#include "tests/support/case_run.hpp"
#include "tests/support/temporary_folder.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <string>
#include <vector>

using namespace slipwave;
using Eigen::Vector2d;
using tests::TemporaryFolder;

namespace {

using Settings = std::vector<std::string>;

Settings operator+(Settings set, const Settings& more) {
  set.insert(set.end(), more.begin(), more.end());
  return set;
}

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

/// Σ over the nodes, along x and along y.
Vector2d resultant(const Eigen::VectorXd& x) {
  return {x(Eigen::seq(0, Eigen::last, 2)).sum(), x(Eigen::seq(1, Eigen::last, 2)).sum()};
}

/// A body with what its forces.csv says and its momentum after every step, that before the first
/// included.
struct Told {
  app::ForceTable forces;
  std::vector<Vector2d> momentum;
  Vector2d loads;  ///< F(0), which is to stay
};

Told tell(const std::string& name, const Settings& set, int steps) {
  const TemporaryFolder folder;
  tests::CaseRun body(name, set);
  const dynamics::System& system = body.integrator->system();
  Told told;
  Eigen::VectorXd F = Eigen::VectorXd::Zero(system.dof_count());
  dynamics::external_force(system, 0.0, F);
  told.loads = resultant(F);
  const auto note = [&] { told.momentum.push_back(resultant(system.M * body.state.v)); };
  note();
  {
    app::ForcesWriter writer(folder / "forces.csv", app::force_layout(body.c, body.body, system), 1,
                             {});
    for (int k = 0; k < steps; ++k) {
      (void)body.advance();
      writer.write_step(*body.integrator, body.state, false);
      note();
    }
  }
  told.forces = app::read_forces(folder.path());
  return told;
}

/// By how much ΔP differs from Δt times all forces, at worst, over their magnitudes; `contact` is
/// the force of the contact line in a row.
template <class Contact>
double momentum_error(const Told& told, const Contact& contact) {
  const app::ForceTable& forces = told.forces;
  double worst = 0.0;
  for (std::size_t i = 0; i < forces.t().size(); ++i) {
    const double dt = forces.t()[i] - (i > 0 ? forces.t()[i - 1] : 0.0);
    Vector2d F = told.loads + contact(i);
    double scale = told.loads.norm() + contact(i).norm();
    for (const std::string& group : forces.groups()) {
      const Vector2d pull(forces.column(group + ".F_x")[i], forces.column(group + ".F_y")[i]);
      F += pull;
      scale += pull.norm();
    }
    const Vector2d change = told.momentum[i + 1] - told.momentum[i];
    worst = std::max(worst, (change - dt * F).norm() / (dt * scale + change.norm()));
  }
  return worst;
}

/// On a floor: n = (0, 1), t = (1, 0).
Vector2d on_floor(const app::ForceTable& forces, std::size_t i) {
  return {forces.column("bottom.F_T")[i], forces.column("bottom.F_N")[i]};
}

/// The sliding block with loads that stay, held in two groups that share a corner, and so that a
/// contact's tangential motion is prescribed.
const Settings held_block{
    "mesh.size=5", "time.step=1e-3", "traction.x=1.5",
    "prescribed=[{on=\"top\",velocity_x=0.0,velocity_y=0.0},{on=\"left\",velocity_x=0.0}]"};

}  // namespace

TEST_CASE("app/results/forces: the momentum changes by the forces of forces.csv, in every scheme") {
  for (const dynamics::SchemeEntry& entry : dynamics::schemes()) {
    CAPTURE(entry.name);
    Settings set = held_block + Settings{"time.scheme=" + entry.name};
    if (!entry.name.starts_with("moreau-jean")) set.push_back("time.theta=");
    if (entry.name == "moreau-explicit") set.push_back("time.step=1e-5");
    if (entry.name == "newmark-position") set.push_back("contact.friction=0");
    const Told told = tell("sliding_block", set, 80);
    REQUIRE(told.forces.groups() == std::vector<std::string>{"top", "left"});
    const double error =
        momentum_error(told, [&](std::size_t i) { return on_floor(told.forces, i); });
    MESSAGE(entry.name << ": momentum off by " << error);
    CHECK(error <= 1e-12);
  }
}

TEST_CASE(
    "app/results/forces: on a disc the local frames are summed, and the resultant is the "
    "momentum's") {
  const Told told = tell(
      "verify/hertz",
      {"mesh.size=1", "traction.y=0.5", "contact.friction=0.3", "prescribed.velocity_x=\"0.01*t\""},
      40);
  const app::ForceTable& forces = told.forces;
  const auto resultant_of = [&](std::size_t i) -> Vector2d {
    return {forces.column("contact.resultant_x")[i], forces.column("contact.resultant_y")[i]};
  };
  CHECK(momentum_error(told, resultant_of) <= 1e-12);
  const std::size_t last = forces.t().size() - 1;
  CHECK(forces.column("contact.F_N")[last] > 0.0);
  CHECK(forces.column("contact.F_N")[last] > -resultant_of(last)[1]);
}

TEST_CASE("app/results/forces: a dragged group's force times its velocity is the prescribed work") {
  const TemporaryFolder folder;
  for (const std::string theta : {"0.5", "0.8"}) {
    tests::CaseRun body("schallamach", {"mesh.size=4", "time.step=1e-3", "time.theta=" + theta});
    const dynamics::System& system = body.integrator->system();
    app::ForcesWriter writer(folder / "forces.csv", app::force_layout(body.c, body.body, system), 1,
                             {});
    const int dof = system.prescribed.front().dofs.front();
    std::vector<double> velocity;
    double work = 0.0, magnitude = 0.0;
    for (int k = 0; k < 120; ++k) {
      const double before = body.state.v[dof];
      const double done = body.advance().energy.works.prescribed;
      work += done;
      magnitude += std::abs(done);
      writer.write_step(*body.integrator, body.state, false);
      const double weight = std::stod(theta);
      velocity.push_back((1.0 - weight) * before + weight * body.state.v[dof]);
    }
    writer.file().flush();
    const app::ForceTable forces = app::read_forces(folder.path());
    double told = 0.0;
    for (std::size_t i = 0; i < velocity.size(); ++i)
      told += 1e-3 * forces.column("top.F_x")[i] * velocity[i];
    CAPTURE(theta);
    CHECK(std::abs(told - work) <= 1e-12 * magnitude);
  }
}

TEST_CASE(
    "app/results/forces: of a body that slides as one, F_T times its velocity is the tangential "
    "work") {
  const TemporaryFolder folder;
  const Settings set{"mesh.size=5", "time.step=1e-3", "output.frames_every=0",
                     "prescribed=[{on=\"block\",velocity_x=\"2*cos(40*t)\"},"
                     "{on=\"top\",velocity_y=0.0}]"};
  run("sliding_block", set, folder / "out", 150);
  const app::ForceTable forces = app::read_forces(folder / "out");
  const app::Columns ledger = app::read_columns(folder / "out/energy.csv");
  double work = 0.0;
  for (std::size_t i = 0; i < forces.t().size(); ++i) {
    const double before = i > 0 ? forces.t()[i - 1] : 0.0;
    const double velocity = std::cos(40.0 * before) + std::cos(40.0 * forces.t()[i]);
    work += 1e-3 * forces.column("bottom.F_T")[i] * velocity;
    CHECK(std::abs(work - ledger.at("contact_tangential_work")[i + 1]) <= 1e-12 * std::abs(work));
  }
  CHECK(work < -1.0);
}

TEST_CASE("app/results/forces: a contact's force times its velocity is the ledger's contact work") {
  for (const std::string name : {"bouncing_ball", "impacting_stick"}) {
    const TemporaryFolder folder;
    tests::FewDofsRun body(name, {});
    app::ForcesWriter writer(folder / "forces.csv", app::force_layout(body.model), 1, {});
    REQUIRE(body.model.contact_count() == 1);
    std::vector<Vector2d> velocity;
    Vector2d work(0.0, 0.0);
    double magnitude = 0.0;
    for (int k = 0; k < std::min(body.c.step_count, 3000); ++k) {
      const dynamics::Works works = body.advance().energy.works;
      work += Vector2d(works.contact_normal, works.contact_tangential);
      magnitude += std::abs(works.contact_normal) + std::abs(works.contact_tangential);
      writer.write_step(body.stepper.integrator(), body.state, false);
      velocity.emplace_back(body.contact().u());
    }
    writer.file().flush();
    const app::ForceTable forces = app::read_forces(folder.path());
    Vector2d told(0.0, 0.0);
    for (std::size_t i = 0; i < velocity.size(); ++i)
      told += body.c.first_step() *
              velocity[i].cwiseProduct(
                  Vector2d(forces.column("contact_1.F_N")[i], forces.column("contact_1.F_T")[i]));
    CAPTURE(name);
    REQUIRE(magnitude > 0.0);
    CHECK((told - work).norm() <= 1e-12 * magnitude);
  }
}

TEST_CASE("app/results/forces: a row of several steps is their mean, and the last row is written") {
  const TemporaryFolder folder;
  const Settings set{"mesh.size=5", "output.frames_every=0", "time.step=", "time.end=",
                     "time.steps=[{step=2e-3,until=0.04},{step=1e-3,until=1}]"};
  run("sliding_block", set, folder / "all", 53);
  run("sliding_block", set + Settings{"output.forces_every=7"}, folder / "some", 53);
  const app::ForceTable all = app::read_forces(folder / "all");
  const app::ForceTable some = app::read_forces(folder / "some");
  CHECK(all.t().size() == 53);
  REQUIRE(some.columns.at("step") == std::vector<double>{7, 14, 21, 28, 35, 42, 49, 53});
  for (const std::string column : {"bottom.F_N", "bottom.F_T", "top.F_y"}) {
    std::size_t i = 0;
    for (std::size_t row = 0; row < some.t().size(); ++row) {
      double impulse = 0.0, magnitude = 0.0;
      for (; i < all.t().size() && all.columns.at("step")[i] <= some.columns.at("step")[row]; ++i) {
        const double dt = all.t()[i] - (i > 0 ? all.t()[i - 1] : 0.0);
        impulse += dt * all.column(column)[i];
        magnitude += std::abs(dt * all.column(column)[i]);
      }
      const double dt = some.t()[row] - (row > 0 ? some.t()[row - 1] : 0.0);
      CHECK(std::abs(some.column(column)[row] * dt - impulse) <= 1e-12 * magnitude);
    }
  }
}

TEST_CASE(
    "app/results/forces: apparent friction is |F_T| / F_N, at most mu, and empty without contact") {
  const TemporaryFolder folder;
  // Lifted off by its top.
  run("sliding_block", {"mesh.size=5", "time.step=2e-3", "prescribed.velocity_y=0.2"},
      folder / "lifted", 60);
  const app::ForceTable forces = app::read_forces(folder / "lifted");
  const std::vector<double>& friction = forces.column("bottom.apparent_friction");
  int touching = 0, open = 0;
  for (std::size_t i = 0; i < friction.size(); ++i) {
    const double F_N = forces.column("bottom.F_N")[i], F_T = forces.column("bottom.F_T")[i];
    if (F_N > 0.0) {
      ++touching;
      CHECK(friction[i] == std::abs(F_T) / F_N);
      CHECK(friction[i] <= 0.5 * (1.0 + 1e-9));
    } else {
      ++open;
      CHECK(std::isnan(friction[i]));
    }
  }
  CHECK(touching > 0);
  CHECK(open > 0);
  const std::string text = files::text_of(folder / "lifted/forces.csv");
  CHECK(text.find("nan") == std::string::npos);
  CHECK(text.find(",0,0,,") != std::string::npos);
}

TEST_CASE("app/results/forces: names are those of the curves, made different where they are not") {
  app::Case c = app::read_case(SLIPWAVE_ROOT "/cases/sliding_block.toml", {});
  c.contacts.push_back(c.contacts.front());
  c.contacts.push_back(c.contacts.front());
  c.contacts.back().on = "a,\"b";
  c.contacts.back().obstacle = contact::Circle{};
  CHECK(app::force_columns(c) ==
        std::vector<std::string>{"step", "t", "bottom.F_N", "bottom.F_T",
                                 "bottom.apparent_friction", "bottom_2.F_N", "bottom_2.F_T",
                                 "bottom_2.apparent_friction", "a__b.F_N", "a__b.F_T",
                                 "a__b.apparent_friction", "a__b.resultant_x", "a__b.resultant_y",
                                 "top.F_x", "top.F_y"});
}

TEST_CASE(
    "app/results/forces: the means of the second half are the same row by row and from the table") {
  const TemporaryFolder folder;
  run("sliding_block", {"mesh.size=5", "time.step=2e-3"}, folder / "out", 101);
  const app::ForceTable forces = app::read_forces(folder / "out");
  const app::ForceMeans means = app::force_means(folder / "out", 0.202);
  REQUIRE(means.means.size() == forces.names.size() - 2);
  for (const auto& [column, mean] : means.means)
    CHECK(mean == forces.statistics(column, forces.second_half())->mean);
}

TEST_CASE(
    "app/results/forces: statistics are those of the rows in the window, weighted with their "
    "times") {
  app::ForceTable table;
  table.names = {"step", "t", "a.F_N"};
  table.columns = {{"t", {1.0, 2.0, 4.0, 5.0}}, {"a.F_N", {100.0, 3.0, 6.0, NAN}}};
  const auto figures = table.statistics("a.F_N", {1.0, 5.0});
  REQUIRE(figures);
  CHECK(figures->mean == doctest::Approx(5.0).epsilon(1e-14));  // (1 * 3 + 2 * 6) / 3
  CHECK(figures->minimum == 3.0);
  CHECK(figures->maximum == 6.0);
  CHECK(figures->last == 6.0);
  CHECK(figures->rows == 2);
  CHECK_FALSE(table.statistics("a.F_N", {4.0, 5.0}));
  CHECK_THROWS_WITH_AS(table.column("a.F_x"),
                       "no column \"a.F_x\" in forces.csv; it has step, t, a.F_N",
                       std::runtime_error);
}
