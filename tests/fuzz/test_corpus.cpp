#include "tests/contact/fclib/mutations.hpp"
#include "tests/fuzz/targets.hpp"
#include "tests/support/temporary_folder.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace slipwave::fuzz {

namespace {

/// Gives every file of a folder to a target; an exception that leaves it fails the test.
void run_over(const std::string& folder, void (*target)(const std::string&)) {
  int count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (!entry.is_regular_file()) continue;
    CAPTURE(entry.path());
    std::ifstream file(entry.path(), std::ios::binary);
    CHECK_NOTHROW(target({std::istreambuf_iterator<char>(file), {}}));
    ++count;
  }
  CHECK(count > 0);
}

}  // namespace

TEST_CASE("fuzz/corpus: every case file is read or refused") {
  run_over(SLIPWAVE_ROOT "/tests/corpus/case_file", case_file);
  run_over(SLIPWAVE_ROOT "/cases", case_file);
}

TEST_CASE("fuzz/corpus: every formula is evaluated or refused") {
  run_over(SLIPWAVE_ROOT "/tests/corpus/expression", expression);
}

TEST_CASE("fuzz/corpus: every contact problem is read or refused, and so is every spoilt one") {
  run_over(SLIPWAVE_ROOT "/tests/corpus/fclib", fclib);
  run_over(SLIPWAVE_TEST_DATA "/fclib", fclib);
  const tests::TemporaryFolder folder;
  int count = 0;
  for (const contact::tests::Mutation& mutation : contact::tests::mutations())
    mutation.write(folder / (std::to_string(++count) + ".hdf5"));
  run_over(folder.path(), fclib);
}

TEST_CASE("fuzz/corpus: every mesh file is read or refused") {
  run_over(SLIPWAVE_ROOT "/tests/corpus/mesh", mesh);
}

TEST_CASE("fuzz/corpus: every checkpoint is read or refused, and refused with another byte in it") {
  run_over(SLIPWAVE_ROOT "/tests/corpus/checkpoint", checkpoint);
}

}  // namespace slipwave::fuzz
