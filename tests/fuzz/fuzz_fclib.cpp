#include "contact/fclib/fclib.hpp"
#include "tests/fuzz/input_file.hpp"
#include "tests/fuzz/targets.hpp"

#include <filesystem>
#include <stdexcept>

namespace slipwave::fuzz {

namespace {

void require(bool holds, const char* what) {
  if (!holds) throw std::logic_error(what);
}

void read_local(const std::filesystem::path& file) {
  const contact::StoredProblem problem = contact::read_local_problem(file);
  require(problem.W.rows() == problem.b.size() && problem.W.cols() == problem.b.size() &&
              problem.mu.size() * problem.dimension == problem.b.size(),
          "a local problem of several sizes was read");
  require(contact::skewness(problem.W) <= 2.0 + 1e-9, "a matrix has no skewness");
}

void read_global(const std::filesystem::path& file) {
  const contact::StoredGlobalProblem problem = contact::read_global_problem(file);
  require(problem.M.rows() == problem.f.size() && problem.M.cols() == problem.f.size() &&
              problem.H.rows() == problem.f.size() && problem.H.cols() == problem.w.size() &&
              problem.mu.size() * problem.dimension == problem.w.size(),
          "a global problem of several sizes was read");
}

}  // namespace

void fclib(const std::string& bytes) {
  const InputFile input(bytes, ".hdf5");
  try {
    const contact::StoredForm form = contact::stored_form(input.path());
    if (form != contact::StoredForm::global) read_local(input.path());
    if (form != contact::StoredForm::local) read_global(input.path());
    (void)contact::read_solution(input.path());
  } catch (const contact::FclibError&) {
  }
}

}  // namespace slipwave::fuzz
