#include "app/messages/user_error.hpp"
#include "app/results/interface_file.hpp"
#include "tests/support/temporary_folder.hpp"

#include <doctest/doctest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>
#include <string>
#include <vector>

using namespace slipwave::app;

namespace {

/// A file name of its own that is removed at the end.
struct TemporaryFile {
  slipwave::tests::TemporaryFolder folder;
  std::filesystem::path path = folder / "interface.h5";
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

InterfaceHistory two_lines() {
  InterfaceHistory lines;
  lines.lines = {line("wall", 7), line("bottom", 3)};
  return lines;
}

/// Appends rows from `first` on, so many at a time.
void append(InterfaceFile& writer, const InterfaceHistory& lines, int first,
            const std::vector<int>& blocks) {
  for (const int rows : blocks) {
    InterfaceHistory block = lines;
    fill(block, first, rows);
    writer.append(block, rows);
    first += rows;
  }
}

std::string bytes_of(const std::filesystem::path& file) {
  std::ostringstream text;
  text << std::ifstream(file, std::ios::binary).rdbuf();
  return text.str();
}

void put_bytes(const std::filesystem::path& file, const std::string& bytes) {
  std::ofstream(file, std::ios::binary) << bytes;
}

/// Leaves a file as a killed run does: its writer ends without closing it.
void write_and_die(const std::filesystem::path& file, const InterfaceHistory& lines,
                   const std::vector<int>& blocks) {
  const pid_t child = fork();
  if (child == 0) {
    auto* writer = new InterfaceFile(file, lines, {{"length", "mm"}}, 4);
    append(*writer, lines, 1, blocks);
    _exit(0);
  }
  int status = 1;
  REQUIRE(child > 0);
  REQUIRE(waitpid(child, &status, 0) == child);
  REQUIRE(status == 0);
}

/// A byte or some of them changed, or the end gone.
std::string damaged(std::string bytes, std::mt19937& generator) {
  const std::size_t place = generator() % bytes.size();
  const auto kind = generator() % 4;
  if (kind == 0) bytes.resize(place);
  if (kind == 1)
    bytes.replace(place, 512, std::string(std::min<std::size_t>(512, bytes.size() - place), '\0'));
  if (kind > 1) bytes[place] = static_cast<char>(bytes[place] ^ (1 << generator() % 8));
  return bytes;
}

bool same_rows(const InterfaceHistory& a, const InterfaceHistory& b) {
  if (a.step != b.step || a.t != b.t || a.lines.size() != b.lines.size()) return false;
  for (std::size_t k = 0; k < a.lines.size(); ++k) {
    const LineHistory &one = a.lines[k], &other = b.lines[k];
    if (one.x != other.x || one.place != other.place || one.status != other.status) return false;
    for (const LineField& field : line_fields())
      if (one.*field.values != other.*field.values) return false;
  }
  return true;
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

TEST_CASE(
    "app/results/interface_file: what is read is what was written, also while it is written") {
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

TEST_CASE("app/results/interface_file: a missing, foreign or cut file is a message that names it") {
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

TEST_CASE("app/results/interface_file: the bytes of a finished file depend on its rows alone") {
  const TemporaryFile file;
  const InterfaceHistory lines = two_lines();
  std::string first;
  {
    InterfaceFile writer(file.path, lines, {{"length", "mm"}}, 4);
    append(writer, lines, 1, {4, 4, 4, 1});
    writer.finish();
    first = bytes_of(file.path);
  }
  sleep(1);  // a time of day in the file would change
  {
    InterfaceFile writer(file.path, lines, {{"length", "mm"}}, 4);
    append(writer, lines, 1, {1, 1, 3, 2, 6});
    writer.finish();
  }
  CHECK(bytes_of(file.path) == first);
  {
    InterfaceFile writer(file.path, lines, {{"length", "mm"}}, 4, 6);
    append(writer, lines, 7, {3, 4});
    writer.finish();
  }
  CHECK(bytes_of(file.path) == first);
}

TEST_CASE("app/results/interface_file: a file whose writer was killed is finished, once") {
  const TemporaryFile file;
  const InterfaceHistory lines = two_lines();
  {
    InterfaceFile writer(file.path, lines, {{"length", "mm"}}, 4);
    append(writer, lines, 1, {4, 4, 2});
    writer.finish();
  }
  const std::string finished = bytes_of(file.path);
  write_and_die(file.path, lines, {4, 1, 3, 2});
  const std::string killed = bytes_of(file.path);
  constexpr std::size_t flags = 11;  // of the superblock: which writers have the file open
  CHECK(killed[flags] != 0);
  CHECK(finished[flags] == 0);
  finish_interface_file(file.path, {{"length", "mm"}});
  CHECK(bytes_of(file.path) == finished);
  const auto time = std::filesystem::last_write_time(file.path);
  finish_interface_file(file.path, {{"length", "mm"}});
  CHECK(std::filesystem::last_write_time(file.path) == time);
}

TEST_CASE("app/results/interface_file: 600 damages are messages or do not matter, at once") {
  const TemporaryFile file;
  const InterfaceHistory lines = two_lines();
  for (const bool is_killed : {false, true}) {
    CAPTURE(is_killed);
    write_and_die(file.path, lines, {4, 1, 3, 2, 4, 4, 4});
    if (!is_killed) finish_interface_file(file.path, {});
    const std::string whole = bytes_of(file.path);
    const InterfaceHistory rows = read_interface_history(file.path);
    std::mt19937 generator(16);
    int messages = 0;
    for (int trial = 0; trial < 300; ++trial) {
      put_bytes(file.path, damaged(whole, generator));
      try {
        const InterfaceHistory read = read_interface_history(file.path);
        CHECK(same_rows(read, rows));
      } catch (const UserError& error) {
        ++messages;
        CHECK(std::string(error.what()).starts_with(file.path.string() + ": "));
      }
    }
    MESSAGE(messages << " of 300 damages were found, the others hit what is not used");
    CHECK(messages > 50);
  }
}

TEST_CASE("app/results/interface_file: rows of a file of other nodes are not taken over") {
  const TemporaryFile file;
  InterfaceHistory lines = two_lines();
  {
    InterfaceFile writer(file.path, lines, {}, 4);
    append(writer, lines, 1, {4});
  }
  lines.lines[0] = line("wall", 6);
  CHECK_THROWS_AS(InterfaceFile(file.path, lines, {}, 4, 4), UserError);
}
