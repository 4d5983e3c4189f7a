#include "contact/fclib/fclib.hpp"

#include "contact/fclib/fclib_file.hpp"
#include "contact/fclib/layout.hpp"
#include "contact/fclib/packed.hpp"
#include "contact/fclib/read_problem.hpp"
#include "contact/fclib/reader_process.hpp"

namespace slipwave::contact {

namespace fs = std::filesystem;

namespace {

/// What read() makes of a file, in a process of its own.
template <class Value>
Value apart(const fs::path& file, Value (*read)(const FclibFile&)) {
  return unpack<Value>(bytes_from_child(file, [&] { return pack(read(FclibFile(file))); }));
}

}  // namespace

StoredForm stored_form(const fs::path& file) {
  const Layout layout = apart(file, layout_of);
  if (layout.has_local && layout.has_global) return StoredForm::both;
  return layout.has_local ? StoredForm::local : StoredForm::global;
}

StoredProblem read_local_problem(const fs::path& file) { return apart(file, local_problem_in); }

StoredGlobalProblem read_global_problem(const fs::path& file) {
  return apart(file, global_problem_in);
}

std::optional<StoredSolution> read_solution(const fs::path& file) {
  return apart(file, solution_in);
}

}  // namespace slipwave::contact
