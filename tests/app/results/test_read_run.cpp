#include "app/messages/user_error.hpp"
#include "app/results/read_run.hpp"
#include "tests/support/temporary_folder.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <filesystem>
#include <string>

using namespace slipwave::app;
using slipwave::tests::TemporaryFolder;

TEST_CASE(
    "app/results/read_run: columns are read bit for bit, a row that is being written is left out") {
  const TemporaryFolder folder;
  folder.write("energy.csv", "t,work\n0,-0\n0.1,1.7748990010617403e-300\n0.2,nan\n0.3,5.");
  const Columns columns = read_columns(folder / "energy.csv");
  REQUIRE(columns.size() == 2);
  CHECK(columns.at("t") == std::vector<double>{0.0, 0.1, 0.2});
  CHECK(columns.at("work")[1] == 1.7748990010617403e-300);
  CHECK(std::isnan(columns.at("work")[2]));
}

TEST_CASE("app/results/read_run: broken tables are refused with their line") {
  const TemporaryFolder folder;
  const std::string file = (folder / "energy.csv").string();
  folder.write("energy.csv", "t,work\n0,0\n1\n");
  CHECK_THROWS_WITH_AS((void)read_columns(file), (file + ":3: expected 2 numbers").c_str(),
                       UserError);
  folder.write("energy.csv", "t,work\n0,x\n");
  CHECK_THROWS_WITH_AS((void)read_columns(file), (file + ":2: expected 2 numbers").c_str(),
                       UserError);
  folder.write("energy.csv", "");
  CHECK_THROWS_WITH_AS((void)read_columns(file),
                       (file + ": has no row of names, or cannot be read").c_str(), UserError);
}

TEST_CASE("app/results/read_run: a folder has its ledger, units and frames") {
  const TemporaryFolder folder;
  CHECK_THROWS_AS(RunResults{folder.path()}, UserError);
  CHECK_THROWS_AS(RunResults{folder / "none"}, UserError);
  folder.write("energy.csv", "t,work\n0,0\n1,2\n2,4\n");
  folder.write("case.toml", "[units]\nlength = 'mm'\ntime = 'ms'\n");
  folder.write("frames.pvd",
               "<VTKFile>\n"
               "<DataSet timestep=\"0\" part=\"0\" file=\"frames/frames_0000000.vtu\"/>\n"
               "<DataSet timestep=\"1e-05\" part=\"0\" file=\"frames/frames_0000010.vtu\"/>\n"
               "</VTKFile>\n");
  std::filesystem::create_directories(folder / "frames");
  for (const char* frame : {"frames/frames_0000000.vtu", "frames/frames_0000010.vtu"})
    folder.write(frame, "");
  const RunResults results(folder.path());
  CHECK(results.row_at(1.5) == 1);
  CHECK(results.row_at(2.0) == 2);
  CHECK(results.row_at(-1.0) == 0);
  CHECK_THROWS_WITH_AS((void)results.ledger("heat"),
                       "no column \"heat\" in energy.csv; it has t, work", UserError);
  CHECK(results.units() == std::map<std::string, std::string>{{"length", "mm"}, {"time", "ms"}});
  const std::vector<FrameEntry> frames = results.frames();
  REQUIRE(frames.size() == 2);
  CHECK(frames[1].step == 10);
  CHECK(frames[1].t == 1e-5);
  CHECK(frames[1].file == results.frame_file("frames", 10));
  CHECK(results.frames("contact").empty());
  CHECK(results.summary().empty());
  std::filesystem::remove(frames[1].file);
  const std::string missing = frames[1].file.string() + ": this frame is missing";
  CHECK_THROWS_WITH_AS((void)read_body_frame(frames[1].file), missing.c_str(), UserError);
}
