#include "contact/fclib/layout.hpp"

#include "contact/fclib/write_fclib.hpp"
#include "tests/contact/fclib/mutations.hpp"
#include "tests/contact/fclib/odd_files.hpp"

#include <doctest/doctest.h>

#include <optional>
#include <string>

namespace slipwave::contact::tests {

namespace {

namespace fs = std::filesystem;
using Eigen::VectorXd;

/// Sizes of one form of a problem, or of the solution beside it.
struct Part {
  int contacts, dimension;
};

/// A file with a local form, a global form and a solution, as far as they are given.
void write_parts(const fs::path& file, std::optional<Part> local, std::optional<Part> global,
                 std::optional<int> solution_rows) {
  std::mt19937_64 generator(1);
  const fs::path other = file.string() + ".other";
  const auto equal_friction = [](auto problem) {
    problem.mu.setConstant(0.3);
    return problem;
  };
  if (global)
    write_global_problem(
        file, equal_friction(random_global(9, global->contacts, global->dimension, generator)));
  if (local) {
    const fs::path& target = global ? other : file;
    write_local_problem(
        target, equal_friction(random_problem(local->contacts, local->dimension, generator)));
    if (global) copy_group(other, file, "/fclib_local");
  }
  if (!solution_rows) return;
  const auto count = static_cast<std::size_t>(*solution_rows);
  change(file, [&](hid_t id) {
    H5Gclose(H5Gcreate2(id, "/solution", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    put(id, "/solution/r", std::vector<double>(count, 1.0));
    put(id, "/solution/u", std::vector<double>(count, 1.0));
    if (global) put(id, "/solution/v", std::vector<double>(9, 1.0));
  });
}

/// Whether all that was read is of one size.
void check_one_size(const fs::path& file, int rows, int dimension) {
  const StoredForm form = stored_form(file);
  if (form != StoredForm::global) {
    const StoredProblem local = read_local_problem(file);
    CHECK(local.dimension == dimension);
    CHECK(local.W.rows() == rows);
    CHECK(local.W.cols() == rows);
    CHECK(local.b.size() == rows);
    CHECK(local.mu.size() * dimension == rows);
  }
  if (form != StoredForm::local) {
    const StoredGlobalProblem global = read_global_problem(file);
    CHECK(global.dimension == dimension);
    CHECK(global.H.cols() == rows);
    CHECK(global.w.size() == rows);
    CHECK(global.mu.size() * dimension == rows);
  }
  const std::optional<StoredSolution> solution = read_solution(file);
  if (!solution) return;
  CHECK(solution->r.size() == rows);
  CHECK(solution->u.size() == rows);
  CHECK(solution->v.size() == (form == StoredForm::local ? 0 : 9));
}

}  // namespace

TEST_CASE("contact/layout: whatever forms and solution stand together, they are of one size") {
  // 6 rows in two ways, 18 and 4 as well.
  const std::vector<std::optional<Part>> parts{std::nullopt, Part{2, 3}, Part{3, 2}, Part{6, 3},
                                               Part{2, 2}};
  const TemporaryFolder folder;
  int read = 0, refused = 0;
  for (const std::optional<Part>& local : parts)
    for (const std::optional<Part>& global : parts)
      for (const std::optional<int> rows :
           {std::optional<int>(), std::optional(6), std::optional(18), std::optional(4)}) {
        if (!local && !global) continue;
        const fs::path file = folder / "p.hdf5";
        write_parts(file, local, global, rows);
        const Part& one = local ? *local : *global;
        const Part& two = global ? *global : *local;
        const bool fits = one.contacts == two.contacts && one.dimension == two.dimension &&
                          (!rows || *rows == one.contacts * one.dimension);
        CAPTURE(one.contacts);
        CAPTURE(two.contacts);
        CHECK(complaint_about(file).empty() == fits);
        if (fits) check_one_size(file, one.contacts * one.dimension, one.dimension);
        ++(fits ? read : refused);
      }
  CHECK(read == 24);
  CHECK(refused == 72);
}

TEST_CASE("contact/layout: a file in both forms has the sizes of both") {
  const TemporaryFolder folder;
  write_both(folder / "p.hdf5");
  const Layout layout = layout_of(FclibFile(folder / "p.hdf5"));
  CHECK((layout.has_local && layout.has_global));
  CHECK(layout.rows == 6);
  CHECK(layout.dimension == 3);
  CHECK(layout.unknowns == 7);
  CHECK(layout.contact_count() == 2);
}

TEST_CASE("contact/layout: two forms of two sizes are refused with both sizes") {
  const TemporaryFolder folder;
  const fs::path file = folder / "p.hdf5";
  write_parts(file, Part{6, 3}, Part{2, 2}, 4);
  CHECK(complaint_about(file) ==
        file.string() +
            ": holds two different problems: /fclib_local/W/m = 18 and /fclib_global/H/n = 4; "
            "expected one problem, in one form or in both");
}

TEST_CASE("contact/layout: rolling friction is named as what it is") {
  const TemporaryFolder folder;
  const fs::path file = folder / "p.hdf5";
  const auto refusal = [&](const std::string& what) {
    return file.string() + ": is a problem with rolling friction (" + what +
           "), which is not solved here; expected sliding friction in 2D or 3D";
  };
  write_global(file);
  change(file, [](hid_t id) { put(id, "/fclib_global/vectors/mu_r", {0.1, 0.1}); });
  CHECK(complaint_about(file) == refusal("/fclib_global/vectors/mu_r"));
  change(file, [](hid_t id) { put(id, "/fclib_global/spacedim", {5}); });
  CHECK(complaint_about(file) == refusal("/fclib_global/spacedim = 5"));
  change(file, [](hid_t id) {
    H5Lmove(id, "/fclib_global", id, "/fclib_global_rolling", H5P_DEFAULT, H5P_DEFAULT);
  });
  CHECK(complaint_about(file) == refusal("group \"fclib_global_rolling\""));
}

}  // namespace slipwave::contact::tests
