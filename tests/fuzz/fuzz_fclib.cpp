#include "contact/fclib/layout.hpp"
#include "contact/fclib/read_problem.hpp"
#include "contact/fclib/reader_process.hpp"
#include "tests/fuzz/input_file.hpp"
#include "tests/fuzz/targets.hpp"

#include <filesystem>
#include <functional>
#include <stdexcept>

namespace slipwave::fuzz {

namespace {

void require(bool holds, const char* what) {
  if (!holds) throw std::logic_error(what);
}

void require_sizes(const contact::StoredProblem& problem) {
  require(problem.W.rows() == problem.b.size() && problem.W.cols() == problem.b.size() &&
              problem.mu.size() * problem.dimension == problem.b.size(),
          "a local problem of several sizes was read");
  require(contact::skewness(problem.W) <= 2.0 + 1e-9, "a matrix has no skewness");
}

void require_sizes(const contact::StoredGlobalProblem& problem) {
  require(problem.M.rows() == problem.f.size() && problem.M.cols() == problem.f.size() &&
              problem.H.rows() == problem.f.size() && problem.H.cols() == problem.w.size() &&
              problem.mu.size() * problem.dimension == problem.w.size(),
          "a global problem of several sizes was read");
}

void read_all(const std::filesystem::path& path) {
  const contact::FclibFile file(path);
  const contact::Layout layout = contact::layout_of(file);
  if (layout.has_local) require_sizes(contact::local_problem_in(file));
  if (layout.has_global) require_sizes(contact::global_problem_in(file));
  (void)contact::solution_in(file);
}

/// Why a file is refused; empty where it is not.
std::string complaint(const std::function<void()>& read) {
  try {
    read();
  } catch (const contact::FclibError& error) {
    return error.what();
  }
  return "";
}

}  // namespace

void fclib(const std::string& bytes) {
  const InputFile input(bytes, ".hdf5");
  const std::string said = complaint([&] {
    (void)contact::bytes_from_child(input.path(), [&] {
      try {
        read_all(input.path());
      } catch (const std::logic_error&) {  // comes again below
      }
      return std::string();
    });
  });
  if (said.ends_with("HDF5 ended while it read it") || said.ends_with("64 times its size")) return;
  // Once more in this process, where the fuzzer sees which way was taken.
  require(said == complaint([&] { read_all(input.path()); }),
          "two processes read a file in two ways");
}

}  // namespace slipwave::fuzz
