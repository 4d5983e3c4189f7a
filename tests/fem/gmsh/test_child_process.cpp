#include "fem/gmsh/child_process.hpp"
#include "tests/fem/fixtures.hpp"

#include <doctest/doctest.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <new>

namespace slipwave::fem {

namespace {

std::size_t length_of(const std::filesystem::path& file) {
  return static_cast<std::size_t>(std::filesystem::file_size(file));
}

}  // namespace

TEST_CASE("fem/child_process: the output comes through, byte for byte") {
  std::string bytes(10'000'000, '\0');
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<char>(i % 251);
  CHECK(run_in_child([&] { return bytes; }).output == bytes);
  CHECK(run_in_child([] { return std::string(); }).output == "");
}

TEST_CASE("fem/child_process: a child that ends before its work has no output") {
  const ChildResult killed = run_in_child([]() -> std::string {
    std::raise(SIGKILL);
    return "alive";
  });
  CHECK(!killed.output);
  CHECK(killed.signal == SIGKILL);
  const ChildResult gone = run_in_child([]() -> std::string { std::exit(0); });
  CHECK(!gone.output);
  CHECK(gone.signal == 0);
  CHECK(!run_in_child([]() -> std::string { throw std::string("thrown"); }).output);
}

TEST_CASE("fem/child_process: exit in the child does not run what the parent registered") {
  static const TemporaryFile file("registered.txt", "");
  static const auto parent = getpid();
  std::atexit([] {
    if (getpid() != parent) std::ofstream(file.path()) << "the child was here";
  });
  CHECK(!run_in_child([]() -> std::string { std::exit(0); }).output);
  CHECK(length_of(file.path()) == 0);
}

TEST_CASE("fem/child_process: a loop ends with the seconds it was given") {
  const ChildResult result = run_in_child(
      []() -> std::string {
        volatile bool forever = true;
        while (forever) continue;
        return "done";
      },
      {.seconds = 1});
  CHECK(!result.output);
  CHECK(result.signal != 0);
}

TEST_CASE("fem/child_process: memory beyond the limit is refused to the child, and to it alone") {
  const auto takes = [](std::size_t bytes) {
    return [bytes]() -> std::string {
      const std::string room(bytes, 'x');
      return room.substr(0, 3);
    };
  };
  const ChildLimits limits{.bytes = std::size_t{1} << 28};
  CHECK(run_in_child(takes(std::size_t{1} << 20), limits).output == "xxx");
  CHECK(!run_in_child(takes(std::size_t{1} << 29), limits).output);
  CHECK(takes(std::size_t{1} << 29)() == "xxx");
}

}  // namespace slipwave::fem
