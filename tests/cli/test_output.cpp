#include "app/results/version.hpp"
#include "files/sha256.hpp"
#include "tests/cli/program.hpp"
#include "tests/cli/small_case.hpp"

#include <doctest/doctest.h>
#include <vtkCellData.h>
#include <vtkDataArray.h>
#include <vtkFieldData.h>
#include <vtkPointData.h>
#include <vtkPolyData.h>
#include <vtkSmartPointer.h>
#include <vtkUnstructuredGrid.h>
#include <vtkXMLPolyDataReader.h>
#include <vtkXMLUnstructuredGridReader.h>

#include <cmath>
#include <filesystem>
#include <string>
#include <vector>

namespace slipwave::cli_tests {

namespace fs = std::filesystem;

namespace {

const std::string block = SLIPWAVE_ROOT "/cases/sliding_block.toml";
const std::string header =
    "step,t,kinetic,strain,external_work,damping_work,prescribed_work,numerical_work,contact_"
    "normal_work,"
    "contact_tangential_work,balance_residual,max_tangential_work,min_tangential_work,open,"
    "sticking,sliding,"
    "iterations,contact_residual,algorithmic_energy,projection_work,gyroscopic_work";

/// Fifty steps of the sliding block on a coarse mesh, a frame every ten.
ProgramResult run_block(const TemporaryFolder& folder, const std::vector<std::string>& more = {},
                        const std::string& case_file = block) {
  std::vector<std::string> arguments{
      "run", case_file, "--out",       "out",   "--steps",
      "50",  "--set",   "mesh.size=4", "--set", "output.frames_every=10"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  const ProgramResult result = slipwave(arguments, folder.path());
  CAPTURE(result.err);
  REQUIRE(result.exit_code == 0);
  return result;
}

template <class Reader>
auto read_vtk(const fs::path& file) {
  auto reader = vtkSmartPointer<Reader>::New();
  reader->SetFileName(file.c_str());
  reader->Update();
  return vtkSmartPointer(reader->GetOutput());
}

void check_array(vtkFieldData* data, const char* name, int components, vtkIdType tuples) {
  CAPTURE(name);
  vtkDataArray* array = data->GetArray(name);
  REQUIRE(array != nullptr);
  CHECK(array->GetNumberOfComponents() == components);
  CHECK(array->GetNumberOfTuples() == tuples);
  for (vtkIdType i = 0; i < tuples; ++i)
    for (int k = 0; k < components; ++k) REQUIRE(std::isfinite(array->GetComponent(i, k)));
}

void check_time(vtkFieldData* data, double t) {
  vtkDataArray* time = data->GetArray("TimeValue");
  REQUIRE(time != nullptr);
  CHECK(time->GetDataType() == VTK_DOUBLE);
  REQUIRE(time->GetNumberOfTuples() == 1);
  CHECK(time->GetTuple1(0) == t);
}

std::vector<std::string> file_names(const fs::path& folder) {
  std::vector<std::string> names;
  for (const auto& entry : fs::recursive_directory_iterator(folder))
    names.push_back(fs::relative(entry.path(), folder).string());
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace

TEST_CASE("cli/energy.csv: one row per step, and cumulative works that account for the energy") {
  const TemporaryFolder folder;
  const ProgramResult result = run_block(folder);
  CHECK(result.out.find("sliding_block: 50 steps to t = 0.005 ms\n") != std::string::npos);
  CHECK(result.out.find("results in out\n") != std::string::npos);
  const std::string text = read_text(folder / "out/energy.csv");
  CHECK(text.ends_with("\n"));
  const std::vector<std::string> rows = lines_of(text);
  REQUIRE(rows.size() == 52);
  CHECK(rows[0] == header);
  double initial = 0.0;
  for (std::size_t k = 1; k < rows.size(); ++k) {
    CAPTURE(rows[k]);
    std::vector<double> value;
    for (const std::string& field : fields_of(rows[k])) value.push_back(std::stod(field));
    REQUIRE(value.size() == 21);
    CHECK(value[0] == static_cast<double>(k - 1));
    CHECK(value[1] == static_cast<double>(k - 1) * 1e-4);
    const double total = value[2] + value[3];
    if (k == 1) initial = total;
    const double works = value[4] + value[5] + value[6] + value[7] + value[8] + value[9];
    CHECK(std::abs(total - initial - works) <= 1e-12 * initial);
    CHECK(value[13] + value[14] + value[15] == 11.0);
  }
}

TEST_CASE("cli/energy.csv: ledger_every keeps the same rows, and the last") {
  const TemporaryFolder all, some;
  run_block(all);
  run_block(some, {"--set", "output.ledger_every=7"});
  const std::vector<std::string> every = lines_of(read_text(all / "out/energy.csv"));
  const std::vector<std::string> rows = lines_of(read_text(some / "out/energy.csv"));
  REQUIRE(rows.size() == 10);  // header, 0, 7, ..., 49, 50
  CHECK(rows[0] == header);
  for (std::size_t k = 0; k < 8; ++k) CHECK(rows[k + 1] == every[7 * k + 1]);
  CHECK(rows[9] == every[51]);
}

TEST_CASE("cli/energy.csv: same bytes on one thread and on two") {
  const TemporaryFolder one, two;
  run_block(one, {"--threads", "1"});
  run_block(two, {"--threads", "2"});
  CHECK(read_text(one / "out/energy.csv") == read_text(two / "out/energy.csv"));
  const std::string available = json_value(two / "out/summary.json", "processors_available");
  CHECK(json_value(two / "out/summary.json", "threads_asked") == "2");
  CHECK(json_value(two / "out/summary.json", "threads") == (available == "1" ? "1" : "2"));
}

TEST_CASE("cli/run: threads beyond the processors are not started, and it is said once") {
  const TemporaryFolder one, many;
  run_block(one);
  const ProgramResult run = run_block(many, {"--threads", "1000", "--quiet"});
  const std::string available = json_value(many / "out/summary.json", "processors_available");
  CHECK(run.err == "--threads 1000: " + available + " used, as this process may use " + available +
                       " processor(s); the results do not depend on it\n");
  CHECK(json_value(many / "out/summary.json", "threads_asked") == "1000");
  CHECK(json_value(many / "out/summary.json", "threads") == available);
  CHECK(read_text(many / "out/energy.csv") == read_text(one / "out/energy.csv"));
}

TEST_CASE("cli/frames: the collections list exactly the files that are there") {
  const TemporaryFolder folder;
  run_block(folder);
  for (const std::string name : {"frames", "contact"}) {
    CAPTURE(name);
    const auto files = files_of_collection(folder / ("out/" + name + ".pvd"));
    CHECK(files.size() == 6);
    for (const fs::path& file : files) CHECK(fs::is_regular_file(file));
    CHECK(file_names(folder / ("out/" + name)).size() == files.size());
  }
  CHECK(read_text(folder / "out/frames.pvd")
            .find("timestep=\"0.001\" part=\"0\" file=\"frames/frames_0000010.vtu\"") !=
        std::string::npos);
}

TEST_CASE("cli/frames: the body reads back with its fields") {
  const TemporaryFolder folder;
  run_block(folder);
  const fs::path file = folder / "out/frames/frames_0000050.vtu";
  CHECK(read_text(file).find("compressor=\"vtkZLibDataCompressor\"") != std::string::npos);
  const auto grid = read_vtk<vtkXMLUnstructuredGridReader>(file);
  const vtkIdType points = grid->GetNumberOfPoints(), cells = grid->GetNumberOfCells();
  CHECK(std::to_string(points) == json_value(folder / "out/summary.json", "sizes.nodes"));
  CHECK(std::to_string(cells) == json_value(folder / "out/summary.json", "sizes.triangles"));
  CHECK(grid->GetPoints()->GetDataType() == VTK_DOUBLE);
  for (const char* name : {"displacement", "velocity", "reaction"})
    check_array(grid->GetPointData(), name, 3, points);
  for (const char* name : {"stress", "strain"}) check_array(grid->GetCellData(), name, 6, cells);
  check_array(grid->GetCellData(), "von_mises", 1, cells);
  check_time(grid->GetFieldData(), 50 * 1e-4);
}

TEST_CASE("cli/frames: the contact line reads back in the order of the boundary") {
  const TemporaryFolder folder;
  run_block(folder);
  const fs::path file = folder / "out/contact/contact_0000020.vtp";
  CHECK(read_text(file).find("compressor=\"vtkZLibDataCompressor\"") != std::string::npos);
  const auto line = read_vtk<vtkXMLPolyDataReader>(file);
  REQUIRE(line->GetNumberOfPoints() == 11);
  CHECK(line->GetNumberOfLines() == 1);
  double x = -1.0;
  for (vtkIdType i = 0; i < 11; ++i) {
    CHECK(line->GetPoint(i)[0] > x);
    x = line->GetPoint(i)[0];
  }
  for (const char* name :
       {"gap", "impulse_normal", "impulse_tangential", "pressure", "tangential_velocity", "status"})
    check_array(line->GetPointData(), name, 1, 11);
  check_time(line->GetFieldData(), 20 * 1e-4);
  vtkDataArray* p_N = line->GetPointData()->GetArray("impulse_normal");
  vtkDataArray* p_T = line->GetPointData()->GetArray("impulse_tangential");
  vtkDataArray* status = line->GetPointData()->GetArray("status");
  for (vtkIdType i = 0; i < 11; ++i) {
    CHECK(p_N->GetTuple1(i) >= 0.0);
    CHECK(std::abs(p_T->GetTuple1(i)) <= 0.5 * p_N->GetTuple1(i) + 1e-9);
    CHECK(status->GetTuple1(i) >= 0.0);
    CHECK(status->GetTuple1(i) <= 2.0);
  }
}

TEST_CASE("cli/frames: frames_every = 0 writes none") {
  const TemporaryFolder folder;
  run_block(folder, {"--set", "output.frames_every=0"});
  CHECK(file_names(folder / "out") ==
        std::vector<std::string>{"case.toml", "checkpoint.h5", "energy.csv", "forces.csv",
                                 "interface.h5", "slipwave-files.txt", "summary.json"});
}

TEST_CASE("cli/summary.json: says how the run ended, in which units, with which versions") {
  const TemporaryFolder folder;
  run_block(folder);
  const fs::path file = folder / "out/summary.json";
  CHECK(json_value(file, "exit_reason") == "completed");
  CHECK(json_value(file, "case") == "sliding_block");
  CHECK(json_value(file, "steps") == "50");
  CHECK(json_value(file, "sizes.contacts") == "11");
  CHECK(json_value(file, "counts.failed_steps") == "0");
  CHECK(json_value(file, "units.length") == "mm");
  CHECK(json_value(file, "units.energy") == "N mm");
  CHECK(!json_value(file, "versions.slipwave").empty());
  CHECK(read_text(folder / "out/case.toml").find("length = 'mm'") != std::string::npos);
}

TEST_CASE("cli/summary.json: says from what, with what and on what the results were made") {
  const TemporaryFolder folder;
  write_text(folder / "block.toml", small_case);
  write_text(folder / "block.msh", small_mesh);
  const ProgramResult result = slipwave({"run", "block.toml", "--out", "out"}, folder.path());
  REQUIRE(result.exit_code == 0);
  const fs::path file = folder / "out/summary.json";
  CHECK(json_value(file, "sha256.case_file") == files::sha256_of_text(small_case));
  CHECK(json_value(file, "sha256.resolved_case") ==
        files::sha256_of_file(folder / "out/case.toml"));
  CHECK(json_value(file, "sha256.mesh_file") == files::sha256_of_text(small_mesh));
  CHECK(json_value(file, "sha256.mesh").size() == 64);
  CHECK(json_value(file, "deterministic") == "True");
  CHECK(json_value(file, "build.git_commit") == app::git_state().commit);
  CHECK(json_value(file, "build.compiler") == json_value(file, "versions.compiler"));
  CHECK(json_value(file, "build.flags").find("-O") == 0);
  CHECK(json_value(file, "machine.cpu") != "");
  CHECK(json_value(file, "machine.os").starts_with("Linux "));
  CHECK(json_value(file, "started").size() == std::string("2026-03-01T09:30:00Z").size());
  CHECK(std::stod(json_value(file, "duration")) >=
        std::stod(json_value(file, "seconds.time_loop")));
}

TEST_CASE("cli/summary.json: a .geo meshed differently has the same file and another mesh") {
  const TemporaryFolder folder;
  const auto digest = [&](const std::string& size, const std::string& key) {
    const ProgramResult result =
        slipwave({"run", SLIPWAVE_ROOT "/cases/sliding_block.toml", "--quiet", "--steps", "1",
                  "--force", "--set", "mesh.size=" + size, "--out", "out"},
                 folder.path());
    REQUIRE(result.exit_code == 0);
    return json_value(folder / "out/summary.json", key);
  };
  CHECK(digest("8", "sha256.mesh_file") == digest("9", "sha256.mesh_file"));
  CHECK(digest("8", "sha256.mesh") != digest("9", "sha256.mesh"));
  CHECK(digest("8", "sha256.mesh") == digest("8", "sha256.mesh"));
}

TEST_CASE("cli/case.toml: the resolved case runs again to the same bytes") {
  const TemporaryFolder first, again;
  run_block(first, {"--set", "contact.friction=0.3"});
  const ProgramResult result = slipwave(
      {"run", (first / "out/case.toml").string(), "--out", "again", "--quiet"}, again.path());
  CHECK(result.exit_code == 0);
  CHECK(result.out.empty());
  CHECK(result.err.empty());
  CHECK(read_text(again / "again/energy.csv") == read_text(first / "out/energy.csv"));
  CHECK(read_text(again / "again/case.toml") == read_text(first / "out/case.toml"));
  CHECK(file_names(again / "again") == file_names(first / "out"));
}

TEST_CASE("cli/--force: replaces our files and no others") {
  const TemporaryFolder folder;
  run_block(folder);
  write_text(folder / "out/notes.txt", "mine");
  write_text(folder / "out/frames/movie.avi", "mine too");
  run_block(folder, {"--force", "--set", "output.frames_every=25"});
  CHECK(read_text(folder / "out/notes.txt") == "mine");
  CHECK(read_text(folder / "out/frames/movie.avi") == "mine too");
  CHECK(files_of_collection(folder / "out/frames.pvd").size() == 3);
  CHECK(file_names(folder / "out/frames") ==
        std::vector<std::string>{"frames_0000000.vtu", "frames_0000025.vtu", "frames_0000050.vtu",
                                 "movie.avi"});
}

}  // namespace slipwave::cli_tests
