#include "contact/fclib/write_fclib.hpp"
#include "tests/cli/program.hpp"
#include "tests/contact/fclib/odd_files.hpp"

#include <doctest/doctest.h>

#include <map>
#include <random>

namespace slipwave::cli_tests {

namespace {

/// Whether any solver of Siconos was certified, by file; rows of ours are counted too.
std::map<std::string, int> certified_by_siconos(const std::filesystem::path& csv) {
  std::map<std::string, int> counts;
  for (const std::string& row : lines_of(read_text(csv))) {
    const std::vector<std::string> fields = fields_of(row);
    REQUIRE(fields.size() == 10);
    if (fields[3].starts_with("siconos-") && fields[7] == "yes") ++counts[fields[0]];
  }
  return counts;
}

}  // namespace

TEST_CASE("extras/compare: solvers of Siconos are certified on local and global files, 2D and 3D") {
  const TemporaryFolder folder;
  std::mt19937_64 generator(4);
  std::vector<std::string> words{"solve", "--compare", "--tolerance", "1e-8", "--out", "out"};
  for (const int dimension : {2, 3}) {
    contact::StoredProblem local = contact::tests::random_problem(5, dimension, generator);
    for (int a = 0; a < 5; ++a) local.b[dimension * a] -= 2.0;
    contact::StoredGlobalProblem global =
        contact::tests::random_global(20, 4, dimension, generator);
    global.H = contact::tests::random_matrix(20, 4 * dimension, generator).sparseView();
    for (int a = 0; a < 4; ++a) global.w[dimension * a] -= 2.0;
    const std::string name = std::to_string(dimension) + ".hdf5";
    contact::write_local_problem(folder / ("local" + name), local);
    contact::write_global_problem(folder / ("global" + name), global);
    words.insert(words.end(), {"local" + name, "global" + name});
  }
  const ProgramResult result = slipwave(words, folder.path());
  CAPTURE(result.out);
  CHECK(result.exit_code == 0);
  CHECK(result.out.find("\nfastest of Siconos / auto\n") != std::string::npos);
  CHECK(result.out.find("  median of 4 file(s)\n") != std::string::npos);
  const auto counts = certified_by_siconos(folder / "out/compare.csv");
  for (const char* file : {"local2", "global2", "local3", "global3"})
    CHECK(counts.contains("\"" + std::string(file) + ".hdf5\""));
}

}  // namespace slipwave::cli_tests
