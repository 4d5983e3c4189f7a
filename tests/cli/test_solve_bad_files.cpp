#include "contact/fclib/fclib.hpp"
#include "tests/cli/program.hpp"
#include "tests/contact/fclib/mutations.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <string>

namespace slipwave::cli_tests {

TEST_CASE("cli/solve: every spoilt file gives one line with its name and exit code 2") {
  const TemporaryFolder folder;
  for (const contact::tests::Mutation& mutation : contact::tests::mutations()) {
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
