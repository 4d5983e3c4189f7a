#include "app/results/interface_file.hpp"
#include "tests/cli/program.hpp"

#include <doctest/doctest.h>
#include <vtkDataArray.h>
#include <vtkNew.h>
#include <vtkPointData.h>
#include <vtkPolyData.h>
#include <vtkXMLPolyDataReader.h>

#include <filesystem>
#include <string>
#include <vector>

namespace slipwave::cli_tests {

namespace {

app::InterfaceHistory run_and_read(const TemporaryFolder& folder,
                                   const std::vector<std::string>& more = {}) {
  std::vector<std::string> arguments{"run",   SLIPWAVE_ROOT "/cases/sliding_block.toml",
                                     "--out", "out",
                                     "--set", "mesh.size=4",
                                     "--set", "time.step=1e-3",
                                     "--set", "time.end=0.3",
                                     "--set", "output.frames_every=50"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  const ProgramResult result = slipwave(arguments, folder.path());
  CAPTURE(result.err);
  REQUIRE(result.exit_code == 0);
  return app::read_interface_history(folder / "out/interface.h5");
}

}  // namespace

TEST_CASE("cli/interface.h5: has every step, and the same values as the frames of the contacts") {
  const TemporaryFolder folder;
  const app::InterfaceHistory history = run_and_read(folder);
  REQUIRE(history.t.size() == 300);
  REQUIRE(history.lines.size() == 1);
  const app::LineHistory& line = history.lines[0];
  CHECK(line.name == "bottom");
  CHECK(line.friction == 0.5);
  CHECK(line.speeds.rayleigh == doctest::Approx(1239.7).epsilon(1e-4));
  REQUIRE(line.node_count() == 11);
  int open = 0, closed = 0;
  for (const int step : {50, 100, 150, 200, 250, 300}) {
    CAPTURE(step);
    CHECK(history.step[step - 1] == step);
    CHECK(history.t[step - 1] == step * 1e-3);
    vtkNew<vtkXMLPolyDataReader> reader;
    const std::string number = std::to_string(step);
    const std::string name = "contact_" + std::string(7 - number.size(), '0') + number + ".vtp";
    reader->SetFileName((folder / "out/contact" / name).c_str());
    reader->Update();
    vtkPolyData* frame = reader->GetOutput();
    const auto value = [&](const char* array, int i) {
      return frame->GetPointData()->GetArray(array)->GetTuple1(i);
    };
    for (int i = 0; i < 11; ++i) {
      CHECK(line.x[i] == frame->GetPoint(i)[0]);
      CHECK(line.status(step - 1, i) == value("status", i));
      CHECK(line.pressure(step - 1, i) == static_cast<float>(value("pressure", i)));
      CHECK(line.shear(step - 1, i) == static_cast<float>(value("shear_traction", i)));
      CHECK(line.slip_velocity(step - 1, i) == static_cast<float>(value("tangential_velocity", i)));
      CHECK(line.gap(step - 1, i) == static_cast<float>(value("gap", i)));
      (line.status(step - 1, i) == 0 ? open : closed) += 1;
    }
  }
  CHECK(open > 0);
  CHECK(closed > 0);
}

TEST_CASE("cli/interface.h5: the slip is the sum of the slip velocities") {
  const TemporaryFolder folder;
  const app::LineHistory line = run_and_read(folder).lines[0];
  for (int i = 0; i < line.node_count(); ++i) {
    double slip = 0.0, largest = 0.0;
    for (int k = 0; k < 300; ++k) {
      slip += 1e-3 * static_cast<double>(line.slip_velocity(k, i));
      largest = std::max(largest, std::abs(slip));
      CHECK(std::abs(static_cast<double>(line.slip(k, i)) - slip) <= 1e-5 * largest + 1e-12);
    }
  }
}

TEST_CASE("cli/interface.h5: interface_every keeps the same rows and the last; 0 writes none") {
  const TemporaryFolder every, some, none;
  const app::InterfaceHistory all = run_and_read(every);
  const app::InterfaceHistory seventh = run_and_read(some, {"--set", "output.interface_every=7"});
  REQUIRE(seventh.t.size() == 43);
  for (int k = 0; k < 43; ++k) {
    const int step = k < 42 ? 7 * (k + 1) : 300;
    CHECK(seventh.step[k] == step);
    CHECK(seventh.lines[0].pressure.row(k) == all.lines[0].pressure.row(step - 1));
  }
  const ProgramResult result =
      slipwave({"run", SLIPWAVE_ROOT "/cases/sliding_block.toml", "--out", "out", "--steps", "3",
                "--set", "output.interface_every=0"},
               none.path());
  CHECK(result.exit_code == 0);
  CHECK(!std::filesystem::exists(none / "out/interface.h5"));
}

TEST_CASE("cli/interface.h5: a system of a few degrees of freedom has none, and no key for it") {
  const TemporaryFolder folder;
  const ProgramResult result = slipwave(
      {"run", SLIPWAVE_ROOT "/cases/bouncing_ball.toml", "--set", "output.interface_every=1"},
      folder.path());
  CHECK(result.exit_code == 2);
  CHECK(result.err.find("output.interface_every: unknown key") != std::string::npos);
}

}  // namespace slipwave::cli_tests
