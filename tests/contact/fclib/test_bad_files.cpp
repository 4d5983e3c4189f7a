#include "contact/fclib/fclib.hpp"
#include "contact/fclib/layout.hpp"
#include "contact/fclib/read_problem.hpp"
#include "files/new_file.hpp"
#include "tests/contact/fclib/mutations.hpp"
#include "tests/contact/fclib/odd_files.hpp"
#include "tests/support/allocation_counter.hpp"

#include <doctest/doctest.h>
#include <hdf5.h>

#include <fstream>
#include <random>
#include <string>

namespace slipwave::contact::tests {

namespace fs = std::filesystem;

namespace {

/// What reading all of a file in this process says.
std::string complaint_here(const fs::path& file) {
  return complaint([&] {
    const FclibFile in(file);
    const Layout layout = layout_of(in);
    if (layout.has_local) (void)local_problem_in(in);
    if (layout.has_global) (void)global_problem_in(in);
    (void)solution_in(in);
  });
}

}  // namespace

TEST_CASE(
    "contact/fclib: every spoilt file is refused with its name, and those they are made from are "
    "not") {
  const TemporaryFolder folder;
  const std::vector<Mutation> all = mutations();
  CHECK(all.size() > 100);
  for (const Mutation& mutation : all) {
    CAPTURE(mutation.name);
    const fs::path file = folder / "p.hdf5";
    fs::remove(file);
    mutation.write(file);
    CHECK(complaint_about(file).starts_with(file.string() + ": "));
    CHECK(complaint_here(file) == complaint_about(file));
    CHECK(H5Fget_obj_count(H5F_OBJ_ALL, H5F_OBJ_ALL) == 0);  // nothing is left open
  }
  for (void (*const write)(const fs::path&) : {write_local, write_global, write_both}) {
    write(folder / "good.hdf5");
    CHECK(complaint_about(folder / "good.hdf5") == "");
  }
}

TEST_CASE("contact/fclib: no file makes its reader ask for more than 16 times its bytes") {
  if (!counting_allocations()) return;
  constexpr std::size_t of_the_library = 1 << 20;  // what HDF5 asks for whatever it reads
  const TemporaryFolder folder;
  for (const Mutation& mutation : mutations()) {
    CAPTURE(mutation.name);
    const fs::path file = folder / "p.hdf5";
    fs::remove(file);
    mutation.write(file);
    (void)largest_allocation();
    (void)complaint_here(file);
    CHECK(largest_allocation() <= of_the_library + 16 * fs::file_size(file));
  }
}

TEST_CASE("contact/fclib: a file with other bytes in it is read or refused") {
  const TemporaryFolder folder;
  const fs::path file = folder / "p.hdf5";
  std::mt19937_64 generator(1);
  int refused = 0, count = 0;
  for (void (*const write)(const fs::path&) : {write_local, write_global, write_both}) {
    write(file);
    const std::string whole = files::text_of(file);
    for (int k = 0; k < 200; ++k, ++count) {
      std::string bytes = whole;
      for (unsigned long flips = 1 + generator() % 4; flips > 0; --flips)
        bytes[generator() % (generator() % 2 == 0 ? bytes.size() : 4096)] =
            static_cast<char>(generator());
      std::ofstream(file, std::ios::binary) << bytes;
      CAPTURE(k);
      std::string said;
      CHECK_NOTHROW(said = complaint_about(file));
      refused += said.empty() ? 0 : 1;
    }
  }
  CHECK(refused > count / 10);
  CHECK(refused < count);
}

}  // namespace slipwave::contact::tests
