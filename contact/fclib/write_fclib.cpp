#include "contact/fclib/write_fclib.hpp"

#include "contact/fclib/fclib_file.hpp"
#include "contact/fclib/layout.hpp"
#include "files/file_error.hpp"
#include "files/hdf5.hpp"
#include "files/new_file.hpp"

#include <fmt/format.h>
#include <hdf5.h>
extern "C" {
#include <fclib.h>
}

#include <cassert>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace slipwave::contact {

namespace fs = std::filesystem;

namespace {

using ColumnMatrix = Eigen::SparseMatrix<double>;

/// A problem's texts where libfclib wants them.
struct Info {
  Info(std::string title_text, std::string description_text)
      : title(std::move(title_text)), description(std::move(description_text)) {}

  fclib_info* pointer() {
    info = {title.data(), description.data(), nullptr};
    return &info;
  }

  std::string title, description;
  fclib_info info{};
};

/// A matrix where libfclib wants it, compressed by columns.
fclib_matrix view_of(ColumnMatrix& matrix) {
  matrix.makeCompressed();
  return {static_cast<int>(matrix.nonZeros()),
          static_cast<int>(matrix.rows()),
          static_cast<int>(matrix.cols()),
          matrix.outerIndexPtr(),
          matrix.innerIndexPtr(),
          matrix.valuePtr(),
          -1,
          nullptr};
}

/// A matrix where libfclib wants it, as triplets in the order of CSparse.
struct Triplets {
  explicit Triplets(const ColumnMatrix& matrix)
      : m(static_cast<int>(matrix.rows())), n(static_cast<int>(matrix.cols())) {
    for (int j = 0; j < n; ++j)
      for (ColumnMatrix::InnerIterator entry(matrix, j); entry; ++entry) {
        rows.push_back(static_cast<int>(entry.row()));
        columns.push_back(j);
        values.push_back(entry.value());
      }
  }

  fclib_matrix view() {
    const int count = static_cast<int>(values.size());
    return {count, m, n, columns.data(), rows.data(), values.data(), count, nullptr};
  }

  int m, n;
  std::vector<int> rows, columns;
  std::vector<double> values;
};

/// Writes a file of about so many bytes with write(path), under a temporary name. libfclib ends the
/// program where it cannot write, so that there is room is found out before.
template <class Write>
void write_new(const fs::path& file, std::uintmax_t bytes, const Write& write) {
  constexpr std::uintmax_t structure = 1 << 16;
  const files::hdf5::Quiet quiet;
  try {
    files::NewFile part(file);
    part.leave_to_library(bytes + structure);
    write(part.path());
    part.commit();
  } catch (const files::OutputError& error) {
    throw FclibError(error.what());
  }
}

/// Adds a solution of the right size to a file that has none.
void add_solution(const fs::path& named, const fs::path& file, StoredSolution solution,
                  Eigen::Index rows, Eigen::Index velocities) {
  if (solution.r.size() != rows || solution.u.size() != rows || solution.v.size() != velocities)
    throw FclibError(
        named,
        fmt::format("a solution with {} r, {} u and {} v does not fit a problem with {} r "
                    "and {} v",
                    solution.r.size(), solution.u.size(), solution.v.size(), rows, velocities));
  fclib_solution data{solution.v.data(), solution.u.data(), solution.r.data(), nullptr};
  if (fclib_write_solution(&data, file.c_str()) != 1)
    throw FclibError(named, "the solution was not written");
}

/// Takes the solution out of a copy of a file.
void remove_solution(const fs::path& named, const fs::path& file) {
  const hid_t id = H5Fopen(file.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
  if (id < 0) throw FclibError(named, "cannot be written to");
  const files::hdf5::Id copy(id, H5Fclose, "open a copy");
  if (H5Lexists(copy, "/solution", H5P_DEFAULT) > 0) H5Ldelete(copy, "/solution", H5P_DEFAULT);
}

std::uintmax_t bytes_of(Eigen::Index entries, Eigen::Index numbers) {
  return static_cast<std::uintmax_t>(16 * entries + 8 * numbers);
}

}  // namespace

void write_local_problem(const fs::path& file, const StoredProblem& problem,
                         const std::optional<StoredSolution>& solution) {
  const Eigen::Index rows = problem.W.rows();
  if (rows == 0)
    throw FclibError(file, "a problem without contacts cannot be written in FCLIB form");
  assert(problem.W.cols() == rows && problem.b.size() == rows &&
         problem.mu.size() * problem.dimension == rows);
  ColumnMatrix W = problem.W;
  fclib_matrix matrix = view_of(W);
  Eigen::VectorXd b = problem.b, mu = problem.mu;
  Info info(problem.title, problem.description);
  fclib_local data{&matrix,  nullptr, nullptr,           mu.data(),
                   b.data(), nullptr, problem.dimension, info.pointer()};
  write_new(file, bytes_of(W.nonZeros(), 4 * rows), [&](const fs::path& part) {
    if (fclib_write_local(&data, part.c_str()) != 1) throw FclibError(file, "was not written");
    if (solution) add_solution(file, part, *solution, rows, 0);
  });
}

void write_global_problem(const fs::path& file, const StoredGlobalProblem& problem,
                          const std::optional<StoredSolution>& solution) {
  const Eigen::Index columns = problem.H.cols(), rows = problem.M.rows();
  if (columns == 0)
    throw FclibError(file, "a problem without contacts cannot be written in FCLIB form");
  assert(problem.M.cols() == rows && problem.H.rows() == rows && problem.f.size() == rows &&
         problem.w.size() == columns && problem.mu.size() * problem.dimension == columns);
  Triplets M(problem.M), H(problem.H);
  fclib_matrix matrix_M = M.view(), matrix_H = H.view();
  Eigen::VectorXd f = problem.f, w = problem.w, mu = problem.mu;
  Info info(problem.title, problem.description);
  fclib_global data{&matrix_M, &matrix_H, nullptr,           mu.data(),     f.data(),
                    nullptr,   w.data(),  problem.dimension, info.pointer()};
  const std::uintmax_t bytes =
      bytes_of(problem.M.nonZeros() + problem.H.nonZeros(), 2 * rows + 4 * columns);
  write_new(file, bytes, [&](const fs::path& part) {
    if (fclib_write_global(&data, part.c_str()) != 1) throw FclibError(file, "was not written");
    if (solution) add_solution(file, part, *solution, columns, rows);
  });
}

void write_solution(const fs::path& file, const StoredSolution& solution) {
  const Layout layout = layout_of(FclibFile(file));
  const std::uintmax_t bytes = bytes_of(0, 2 * layout.rows + layout.unknowns);
  // A link stays, and what it leads to is replaced.
  write_new(fs::canonical(file), fs::file_size(file) + bytes, [&](const fs::path& part) {
    fs::copy_file(file, part);
    remove_solution(file, part);
    add_solution(file, part, solution, layout.rows, layout.unknowns);
  });
}

std::string fclib_version() { return SLIPWAVE_FCLIB_VERSION; }

}  // namespace slipwave::contact
