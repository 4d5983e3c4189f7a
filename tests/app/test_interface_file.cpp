#include "app/user_error.hpp"
#include "app/waves/interface_file.hpp"

#include <doctest/doctest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

using namespace slipwave::app;

namespace {

/// A file name of its own that is removed at the end.
struct TemporaryFile {
  std::filesystem::path path = std::filesystem::temp_directory_path() /
                               ("slipwave_interface_" + std::to_string(getpid()) + ".h5");
  ~TemporaryFile() { std::filesystem::remove(path); }
};

LineHistory line(const std::string& name, int nodes) {
  LineHistory result;
  result.name = name;
  result.place = Eigen::Matrix2Xd::Random(2, nodes);
  result.tangent = Eigen::Matrix2Xd::Random(2, nodes);
  result.x = Eigen::VectorXd::LinSpaced(nodes, 0.0, 1.0);
  result.area = Eigen::VectorXd::Random(nodes);
  result.piece = Eigen::VectorXi::Zero(nodes);
  result.node = Eigen::VectorXi::LinSpaced(nodes, 3, 3 + nodes - 1);
  result.friction = 0.3;
  result.speeds = {3.0, 2.0, 1.0};
  return result;
}

/// Steps first .. first + rows - 1 of made-up values.
void fill(InterfaceHistory& history, int first, int rows) {
  history.resize(rows);
  for (int k = 0; k < rows; ++k) {
    history.step[k] = first + k;
    history.t[k] = 0.1 * (first + k);
    for (LineHistory& l : history.lines)
      for (int i = 0; i < l.node_count(); ++i) {
        l.status(k, i) = static_cast<std::uint8_t>((first + k + i) % 4);
        for (const LineField& field : line_fields())
          (l.*field.values)(k, i) = static_cast<float>(field.name[0] * (first + k) + i);
      }
  }
}

void check_rows(const InterfaceHistory& read, const InterfaceHistory& lines, int rows) {
  InterfaceHistory expected = lines;
  fill(expected, 1, rows);
  CHECK(read.t == expected.t);
  CHECK(read.step == expected.step);
  REQUIRE(read.lines.size() == expected.lines.size());
  for (std::size_t k = 0; k < read.lines.size(); ++k) {
    const LineHistory &a = read.lines[k], &b = expected.lines[k];
    CHECK(a.name == b.name);
    CHECK(a.place == b.place);
    CHECK(a.tangent == b.tangent);
    CHECK(a.x == b.x);
    CHECK(a.area == b.area);
    CHECK(a.piece == b.piece);
    CHECK(a.node == b.node);
    CHECK(a.friction == b.friction);
    CHECK(a.speeds.rayleigh == b.speeds.rayleigh);
    CHECK(a.status == b.status);
    for (const LineField& field : line_fields()) CHECK(a.*field.values == b.*field.values);
  }
}

}  // namespace

TEST_CASE("app/interface_file: what is read is what was written, also while it is written") {
  const TemporaryFile file;
  InterfaceHistory lines;
  lines.lines = {line("bottom", 7), line("wall", 3)};
  {
    InterfaceFile writer(file.path, lines, {{"length", "mm"}, {"time", "ms"}}, 4);
    check_rows(read_interface_history(file.path), lines, 0);
    int written = 0;
    for (const int rows : {4, 1, 6, 2}) {
      InterfaceHistory block = lines;
      fill(block, 1 + written, rows);
      writer.append(block, rows);
      written += rows;
      check_rows(read_interface_history(file.path), lines, written);
    }
  }
  check_rows(read_interface_history(file.path), lines, 13);
}

TEST_CASE("app/interface_file: a missing, foreign or cut file is a message that names it") {
  const TemporaryFile file;
  CHECK_THROWS_AS(read_interface_history(file.path), UserError);
  std::ofstream(file.path) << "not HDF5";
  CHECK_THROWS_WITH_AS(read_interface_history(file.path),
                       (file.path.string() + ": is not an HDF5 file, or damaged").c_str(),
                       UserError);
  InterfaceHistory lines;
  lines.lines = {line("bottom", 50)};
  { InterfaceFile(file.path, lines, {}, 4); }
  std::filesystem::resize_file(file.path, std::filesystem::file_size(file.path) / 2);
  CHECK_THROWS_AS(read_interface_history(file.path), UserError);
}
