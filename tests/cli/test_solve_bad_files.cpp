#include "contact/fclib/fclib.hpp"
#include "tests/cli/program.hpp"
#include "tests/contact/fclib/mutations.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

namespace slipwave::cli_tests {

/// The library is given all of them (contact/fclib/test_bad_files.cpp), the program every third: it
/// takes a quarter of a second to start and end on a busy machine.
constexpr std::size_t stride = 3;

TEST_CASE("cli/solve: a hundred spoilt files give one line each with the name and exit code 2") {
  const TemporaryFolder folder;
  const std::vector<contact::tests::Mutation> all = contact::tests::mutations();
  REQUIRE(all.size() >= 100 * stride);
  for (std::size_t i = 0; i < all.size(); i += stride) {
    const contact::tests::Mutation& mutation = all[i];
    CAPTURE(mutation.name);
    std::filesystem::remove(folder / "p.hdf5");
    mutation.write(folder / "p.hdf5");
    const ProgramResult result = slipwave({"solve", "p.hdf5"}, folder.path());
    CAPTURE(result.err);
    CHECK(result.exit_code == 2);
    CHECK(result.out == "");
    CHECK(result.err.starts_with("p.hdf5: "));
    CHECK(result.err.find('\n') == result.err.size() - 1);
  }
}

}  // namespace slipwave::cli_tests
