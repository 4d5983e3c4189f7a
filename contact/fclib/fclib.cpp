#include "contact/fclib/fclib.hpp"

#include "files/file_error.hpp"
#include "files/hdf5.hpp"
#include "files/new_file.hpp"

#include <fmt/format.h>
#include <hdf5.h>
extern "C" {
#include <fclib.h>
}

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <limits>
#include <memory>
#include <numeric>
#include <utility>
#include <vector>

namespace slipwave::contact {

namespace fs = std::filesystem;

namespace {

using ColumnMatrix = Eigen::SparseMatrix<double>;
using files::hdf5::Id;
using files::hdf5::Quiet;

[[noreturn]] void fail(const fs::path& file, const std::string& message) {
  throw FclibError(file.string() + ": " + message);
}

/// What HDF5 opened; fails with the message where it is nothing.
Id opened(hid_t id, Id::Close close, const fs::path& file, const std::string& message) {
  if (id < 0) fail(file, message);
  return {id, close, message};
}

/// An HDF5 file, open to look at what libfclib is going to read from it.
class Inspector {
 public:
  explicit Inspector(fs::path file) : file_(std::move(file)), id_(open(file_)) {}

  bool has(const std::string& name) const { return H5Lexists(id_, name.c_str(), H5P_DEFAULT) > 0; }

  /// The names in a group.
  std::vector<std::string> names(const std::string& group) const {
    const Id id = opened(H5Gopen2(id_, group.c_str(), H5P_DEFAULT), H5Gclose, file_,
                         fmt::format("has no group {}, or a damaged one", group));
    std::vector<std::string> all;
    const auto add = [](hid_t, const char* name, const H5L_info_t*, void* list) -> herr_t {
      static_cast<std::vector<std::string>*>(list)->emplace_back(name);
      return 0;
    };
    if (H5Literate(id, H5_INDEX_NAME, H5_ITER_INC, nullptr, add, &all) < 0)
      fail(file_, fmt::format("has a damaged group {}", group));
    return all;
  }

  /// Whether a group lists a data set of this name, as libfclib looks for optional ones: it takes
  /// a longer name that begins so for it.
  bool lists(const std::string& group, const std::string& name) const {
    const std::vector<std::string> all = names(group);
    return std::any_of(all.begin(), all.end(), [&](const auto& n) { return n.starts_with(name); });
  }

  /// A data set of one integer, which must be at least so large.
  int integer(const std::string& name, int least) const {
    const double value = numbers(name, 1, 1)[0];
    if (!(value >= least && value <= std::numeric_limits<int>::max()))
      fail(file_, fmt::format("{} = {:g}: expected at least {}", name, value, least));
    return static_cast<int>(value);
  }

  /// The numbers of a data set; there must be `least` to `most` of them.
  std::vector<double> numbers(const std::string& name, long least, long most) const {
    const Id set = data_set(name), type = type_of(set, name);
    const H5T_class_t kind = H5Tget_class(type);
    if (kind != H5T_INTEGER && kind != H5T_FLOAT) fail(file_, name + " does not hold numbers");
    // HDF5 1.10 itself does not survive a damaged type whose bits do not fill its bytes.
    if (kind == H5T_INTEGER && H5Tget_precision(type) != 8 * H5Tget_size(type))
      fail(file_, name + " does not hold integers of whole bytes");
    const long count = count_of(set);
    if (count < least || count > most)
      fail(file_, fmt::format("{} has {} number(s): expected {}", name, count, least));
    std::vector<double> values(static_cast<std::size_t>(count));
    if (H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) < 0)
      fail(file_, name + " cannot be read: the file is damaged");
    return values;
  }

  /// Bytes of a text, 0 where there is none; libfclib reads only texts of fixed length.
  std::size_t text_size(const std::string& group, const std::string& text_name) const {
    if (!lists(group, text_name)) return 0;
    const std::string name = group + "/" + text_name;
    const Id set = data_set(name), type = type_of(set, name);
    if (H5Tget_class(type) != H5T_STRING || H5Tis_variable_str(type) > 0 || count_of(set) != 1)
      fail(file_, name + " is not a single text of fixed length");
    std::vector<char> text(H5Tget_size(type));
    if (H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, text.data()) < 0)
      fail(file_, name + " cannot be read: the file is damaged");
    return text.size();
  }

  const fs::path& file() const { return file_; }

 private:
  static Id open(const fs::path& file) {
    const char* expected = "expected a frictional contact problem in FCLIB form (HDF5)";
    std::error_code error;
    if (!fs::exists(file, error)) fail(file, fmt::format("no such file; {}", expected));
    if (fs::is_directory(file, error)) fail(file, fmt::format("is a folder; {}", expected));
    if (!std::ifstream(file)) fail(file, "cannot be read: no permission");
    if (H5Fis_hdf5(file.c_str()) <= 0) fail(file, fmt::format("is not HDF5; {}", expected));
    return opened(H5Fopen(file.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose, file,
                  fmt::format("is damaged or truncated; {}", expected));
  }

  Id data_set(const std::string& name) const {
    return opened(H5Dopen2(id_, name.c_str(), H5P_DEFAULT), H5Dclose, file_,
                  fmt::format("has no data set {}, or a damaged one", name));
  }

  Id type_of(hid_t set, const std::string& name) const {
    return opened(H5Dget_type(set), H5Tclose, file_, name + " has a damaged type");
  }

  /// Elements of a data set that is a scalar or a vector; no number of them otherwise.
  long count_of(hid_t set) const {
    const Id space = opened(H5Dget_space(set), H5Sclose, file_, "has a data set of damaged size");
    if (H5Sget_simple_extent_ndims(space) > 1) return -1;
    return static_cast<long>(H5Sget_simple_extent_npoints(space));
  }

  Quiet quiet_;
  fs::path file_;
  Id id_;
};

/// Rows and columns of a matrix.
struct Shape {
  int rows = 0, columns = 0;
};

/// Looks at all of a matrix that libfclib reads.
Shape inspect_matrix(const Inspector& in, const std::string& group) {
  if (!in.has(group)) fail(in.file(), "has no matrix " + group);
  const Shape shape{in.integer(group + "/m", 0), in.integer(group + "/n", 0)};
  const int nz = in.integer(group + "/nz", -2);
  const int nzmax = in.integer(group + "/nzmax", std::max(nz, 0));
  const long entries = nz >= 0 ? nz : nzmax;
  const long pointers = nz >= 0 ? nz : 1L + (nz == -1 ? shape.columns : shape.rows);
  in.numbers(group + "/p", pointers, pointers);
  in.numbers(group + "/i", entries, entries);
  in.numbers(group + "/x", entries, nzmax);
  if (in.lists(group, "conditioning")) {
    in.numbers(group + "/conditioning", 1, 1);
    in.numbers(group + "/determinant", 1, 1);
    in.numbers(group + "/rank", 1, 1);
    in.text_size(group, "comment");
  }
  return shape;
}

/// Lengths of a problem's texts.
struct TextSizes {
  std::size_t title = 0, description = 0;
};

TextSizes inspect_texts(const Inspector& in, const std::string& problem) {
  const std::string info = problem + "/info";
  if (!in.has(info)) return {};
  in.text_size(info, "math_info");
  return {in.text_size(info, "title"), in.text_size(info, "description")};
}

/// The contacts that rows of the dimension make.
int inspect_contacts(const Inspector& in, const std::string& problem, const std::string& matrix,
                     int rows) {
  const int dimension = in.integer(problem + "/spacedim", 2);
  if (dimension > 3)
    fail(in.file(), fmt::format("{}/spacedim = {}: expected 2 or 3", problem, dimension));
  if (rows == 0) fail(in.file(), "has no contacts: " + problem + "/" + matrix + " is empty");
  if (rows % dimension != 0)
    fail(in.file(), fmt::format("{}/{} is of size {}, which is no multiple of {}/spacedim = {}",
                                problem, matrix, rows, problem, dimension));
  in.numbers(problem + "/vectors/mu", rows / dimension, rows / dimension);
  return rows / dimension;
}

void refuse_equations(const Inspector& in, const std::string& matrix, int count) {
  if (count > 0)
    fail(in.file(), fmt::format("is a mixed problem: {} adds {} equation(s) to the contacts; "
                                "expected a problem of contacts alone",
                                matrix, count));
}

/// A file has one problem, which it may have in both forms; a solution has the sizes of both.
void refuse_two_problems(const Inspector& in) {
  if (!in.has("/fclib_local") || !in.has("/fclib_global")) return;
  for (const auto& [local, global] :
       {std::pair("/fclib_local/W/m", "/fclib_global/H/n"),
        std::pair("/fclib_local/spacedim", "/fclib_global/spacedim")}) {
    const int a = in.integer(local, 0), b = in.integer(global, 0);
    if (a != b)
      fail(in.file(), fmt::format("holds two different problems: {} = {} and {} = {}; expected one "
                                  "problem, in one form or in both",
                                  local, a, global, b));
  }
}

TextSizes inspect_local(const Inspector& in) {
  const std::string local = "/fclib_local";
  if (!in.has(local)) fail(in.file(), "has no local problem (no group /fclib_local)");
  refuse_two_problems(in);
  if (in.has(local + "/V") || in.has(local + "/R")) {
    refuse_equations(in, local + "/V", inspect_matrix(in, local + "/V").columns);
    const Shape R = inspect_matrix(in, local + "/R");
    refuse_equations(in, local + "/R", R.columns);
    in.numbers(local + "/vectors/s", R.rows, R.rows);
  }
  const Shape W = inspect_matrix(in, local + "/W");
  if (W.rows != W.columns)
    fail(in.file(), fmt::format("{}/W is {} x {}: expected a square", local, W.rows, W.columns));
  inspect_contacts(in, local, "W", W.rows);
  in.numbers(local + "/vectors/q", W.rows, W.rows);
  return inspect_texts(in, local);
}

TextSizes inspect_global(const Inspector& in) {
  const std::string global = "/fclib_global";
  if (!in.has(global)) fail(in.file(), "has no global problem (no group /fclib_global)");
  refuse_two_problems(in);
  if (in.has(global + "/G")) {
    const Shape G = inspect_matrix(in, global + "/G");
    refuse_equations(in, global + "/G", G.columns);
    in.numbers(global + "/vectors/b", G.columns, G.columns);
  }
  const Shape M = inspect_matrix(in, global + "/M"), H = inspect_matrix(in, global + "/H");
  if (M.rows != M.columns || H.rows != M.rows)
    fail(in.file(),
         fmt::format("{0}/M is {1} x {2} and {0}/H {3} x {4}: expected a square and as many rows",
                     global, M.rows, M.columns, H.rows, H.columns));
  inspect_contacts(in, global, "H", H.columns);
  in.numbers(global + "/vectors/f", M.rows, M.rows);
  in.numbers(global + "/vectors/w", H.columns, H.columns);
  return inspect_texts(in, global);
}

void delete_local(fclib_local* problem) {
  fclib_delete_local(problem);
  std::free(problem);
}

void delete_global(fclib_global* problem) {
  fclib_delete_global(problem);
  std::free(problem);
}

std::string text_of(const char* text, std::size_t size) {
  return text ? std::string(text, strnlen(text, size)) : std::string();
}

Eigen::VectorXd finite_vector(const fs::path& file, const char* name, const double* values,
                              Eigen::Index size) {
  Eigen::VectorXd vector = Eigen::Map<const Eigen::VectorXd>(values, size);
  for (Eigen::Index i = 0; i < size; ++i)
    if (!std::isfinite(vector[i])) fail(file, fmt::format("{}({}) = {}", name, i, vector[i]));
  return vector;
}

Eigen::VectorXd friction(const fs::path& file, const double* values, Eigen::Index size) {
  Eigen::VectorXd mu = finite_vector(file, "mu", values, size);
  for (Eigen::Index a = 0; a < size; ++a)
    if (mu[a] < 0.0) fail(file, fmt::format("mu({}) = {}: must be at least 0", a, mu[a]));
  return mu;
}

/// The entries of a matrix in any of the three storages, with their rows and columns checked.
class Entries {
 public:
  Entries(const fs::path& file, const char* name, const fclib_matrix& matrix)
      : file_(file), name_(name), matrix_(matrix) {
    if (matrix.nz >= 0)
      add_triplets();
    else
      add_compressed(matrix.nz == -1 ? matrix.n : matrix.m);
  }

  ColumnMatrix matrix() const {
    ColumnMatrix result(matrix_.m, matrix_.n);
    result.setFromTriplets(entries_.begin(), entries_.end());
    return result;
  }

 private:
  void add_triplets() {
    for (int k = 0; k < matrix_.nz; ++k) add(matrix_.p[k], matrix_.i[k], matrix_.x[k]);
  }

  void add_compressed(int count) {
    if (matrix_.p[0] < 0) fail(file_, fmt::format("{}/p begins below 0", name_));
    for (int j = 0; j < count; ++j) {
      if (matrix_.p[j + 1] < matrix_.p[j] || matrix_.p[j + 1] > matrix_.nzmax)
        fail(file_, fmt::format("{}/p({}) = {}: must rise to at most {}", name_, j + 1,
                                matrix_.p[j + 1], matrix_.nzmax));
      for (int k = matrix_.p[j]; k < matrix_.p[j + 1]; ++k)
        if (matrix_.nz == -1)
          add(matrix_.i[k], j, matrix_.x[k]);
        else
          add(j, matrix_.i[k], matrix_.x[k]);
    }
  }

  void add(int row, int column, double value) {
    if (row < 0 || row >= matrix_.m || column < 0 || column >= matrix_.n || !std::isfinite(value))
      fail(file_, fmt::format("{} has the entry ({}, {}) = {}: expected a number within {} x {}",
                              name_, row, column, value, matrix_.m, matrix_.n));
    entries_.emplace_back(row, column, value);
  }

  const fs::path& file_;
  const char* name_;
  const fclib_matrix& matrix_;
  std::vector<Eigen::Triplet<double>> entries_;
};

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

/// A matrix where libfclib wants it, compressed by columns: the one storage that its own merit
/// function multiplies with.
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

/// Writes a file of about so many bytes with write(path), under a temporary name. libfclib ends the
/// program where it cannot write, so that there is room is found out before.
template <class Write>
void write_new(const fs::path& file, std::uintmax_t bytes, const Write& write) {
  constexpr std::uintmax_t structure = 1 << 16;
  const Quiet quiet;
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
    fail(named,
         fmt::format("a solution with {} r, {} u and {} v does not fit a problem with {} r "
                     "and {} v",
                     solution.r.size(), solution.u.size(), solution.v.size(), rows, velocities));
  fclib_solution data{solution.v.data(), solution.u.data(), solution.r.data(), nullptr};
  if (fclib_write_solution(&data, file.c_str()) != 1) fail(named, "the solution was not written");
}

/// Takes the solution out of a copy of a file.
void remove_solution(const fs::path& named, const fs::path& file) {
  const Id copy = opened(H5Fopen(file.c_str(), H5F_ACC_RDWR, H5P_DEFAULT), H5Fclose, named,
                         "cannot be written to");
  if (H5Lexists(copy, "/solution", H5P_DEFAULT) > 0) H5Ldelete(copy, "/solution", H5P_DEFAULT);
}

std::uintmax_t bytes_of(Eigen::Index entries, Eigen::Index numbers) {
  return static_cast<std::uintmax_t>(12 * entries + 8 * numbers);
}

/// The rows of the active contacts.
std::vector<Eigen::Index> active_rows(const Problem& problem) {
  const Eigen::Index dimension = problem.dimension();
  std::vector<Eigen::Index> rows;
  for (const int a : problem.active)
    for (Eigen::Index i = 0; i < dimension; ++i) rows.push_back(dimension * a + i);
  return rows;
}

}  // namespace

StoredForm stored_form(const fs::path& file) {
  const Inspector in(file);
  const bool local = in.has("/fclib_local"), global = in.has("/fclib_global");
  refuse_two_problems(in);
  if (local && global) return StoredForm::both;
  if (local) return StoredForm::local;
  if (global) return StoredForm::global;
  const std::vector<std::string> names = in.names("/");
  fail(file,
       fmt::format("has no frictional contact problem in FCLIB form: expected a group "
                   "\"fclib_local\" or \"fclib_global\", found {}",
                   names.empty() ? "nothing" : fmt::format("\"{}\"", fmt::join(names, "\", \""))));
}

StoredProblem read_local_problem(const fs::path& file) {
  const TextSizes sizes = inspect_local(Inspector(file));
  const Quiet quiet;
  const std::unique_ptr<fclib_local, void (*)(fclib_local*)> data(fclib_read_local(file.c_str()),
                                                                  delete_local);
  if (!data) fail(file, "cannot be read");
  StoredProblem problem;
  problem.dimension = data->spacedim;
  problem.W = Entries(file, "W", *data->W).matrix();
  problem.b = finite_vector(file, "q", data->q, data->W->m);
  problem.mu = friction(file, data->mu, data->W->m / data->spacedim);
  if (!data->info) return problem;
  problem.title = text_of(data->info->title, sizes.title);
  problem.description = text_of(data->info->description, sizes.description);
  return problem;
}

StoredGlobalProblem read_global_problem(const fs::path& file) {
  const TextSizes sizes = inspect_global(Inspector(file));
  const Quiet quiet;
  const std::unique_ptr<fclib_global, void (*)(fclib_global*)> data(fclib_read_global(file.c_str()),
                                                                    delete_global);
  if (!data) fail(file, "cannot be read");
  StoredGlobalProblem problem;
  problem.dimension = data->spacedim;
  problem.M = Entries(file, "M", *data->M).matrix();
  problem.H = Entries(file, "H", *data->H).matrix();
  problem.f = finite_vector(file, "f", data->f, data->M->m);
  problem.w = finite_vector(file, "w", data->w, data->H->n);
  problem.mu = friction(file, data->mu, data->H->n / data->spacedim);
  if (!data->info) return problem;
  problem.title = text_of(data->info->title, sizes.title);
  problem.description = text_of(data->info->description, sizes.description);
  return problem;
}

namespace {

/// Sizes that libfclib gives to a solution: those of the global problem, if the file has one.
struct SolutionSizes {
  int rows = 0, velocities = 0, multipliers = 0;
};

SolutionSizes solution_sizes(const Inspector& in) {
  const auto size = [&](const std::string& name) { return in.integer(name, 0); };
  refuse_two_problems(in);
  if (in.has("/fclib_global"))
    return {size("/fclib_global/H/n"), size("/fclib_global/M/n"),
            in.has("/fclib_global/G") ? size("/fclib_global/G/n") : 0};
  if (!in.has("/fclib_local")) fail(in.file(), "has no problem that a solution could belong to");
  return {size("/fclib_local/W/n"), 0, in.has("/fclib_local/R") ? size("/fclib_local/R/n") : 0};
}

}  // namespace

std::optional<StoredSolution> read_solution(const fs::path& file) {
  SolutionSizes sizes;
  {
    const Inspector in(file);
    if (!in.has("/solution")) return std::nullopt;
    sizes = solution_sizes(in);
    if (sizes.rows == 0) fail(file, "has a solution without contacts");
    in.numbers("/solution/r", sizes.rows, sizes.rows);
    in.numbers("/solution/u", sizes.rows, sizes.rows);
    if (sizes.velocities > 0) in.numbers("/solution/v", sizes.velocities, sizes.velocities);
    if (sizes.multipliers > 0) in.numbers("/solution/l", sizes.multipliers, sizes.multipliers);
  }
  const Quiet quiet;
  const std::unique_ptr<fclib_solution, void (*)(fclib_solution*)> data(
      fclib_read_solution(file.c_str()), [](fclib_solution* s) { fclib_delete_solutions(s, 1); });
  if (!data) fail(file, "its solution cannot be read");
  StoredSolution solution;
  solution.r = finite_vector(file, "solution/r", data->r, sizes.rows);
  solution.u = finite_vector(file, "solution/u", data->u, sizes.rows);
  if (sizes.velocities > 0)
    solution.v = finite_vector(file, "solution/v", data->v, sizes.velocities);
  return solution;
}

void write_local_problem(const fs::path& file, const StoredProblem& problem,
                         const std::optional<StoredSolution>& solution) {
  const Eigen::Index rows = problem.W.rows();
  if (rows == 0) fail(file, "a problem without contacts cannot be written in FCLIB form");
  assert(problem.W.cols() == rows && problem.b.size() == rows &&
         problem.mu.size() * problem.dimension == rows);
  ColumnMatrix W = problem.W.sparseView(0.0, 0.0);
  fclib_matrix matrix = view_of(W);
  Eigen::VectorXd b = problem.b, mu = problem.mu;
  Info info(problem.title, problem.description);
  fclib_local data{&matrix,  nullptr, nullptr,           mu.data(),
                   b.data(), nullptr, problem.dimension, info.pointer()};
  write_new(file, bytes_of(W.nonZeros(), 4 * rows), [&](const fs::path& part) {
    if (fclib_write_local(&data, part.c_str()) != 1) fail(file, "was not written");
    if (solution) add_solution(file, part, *solution, rows, 0);
  });
}

void write_global_problem(const fs::path& file, const StoredGlobalProblem& problem,
                          const std::optional<StoredSolution>& solution) {
  const Eigen::Index columns = problem.H.cols(), rows = problem.M.rows();
  if (columns == 0) fail(file, "a problem without contacts cannot be written in FCLIB form");
  assert(problem.M.cols() == rows && problem.H.rows() == rows && problem.f.size() == rows &&
         problem.w.size() == columns && problem.mu.size() * problem.dimension == columns);
  ColumnMatrix M = problem.M, H = problem.H;
  fclib_matrix matrix_M = view_of(M), matrix_H = view_of(H);
  Eigen::VectorXd f = problem.f, w = problem.w, mu = problem.mu;
  Info info(problem.title, problem.description);
  fclib_global data{&matrix_M, &matrix_H, nullptr,           mu.data(),     f.data(),
                    nullptr,   w.data(),  problem.dimension, info.pointer()};
  const std::uintmax_t bytes = bytes_of(M.nonZeros() + H.nonZeros(), 2 * rows + 4 * columns);
  write_new(file, bytes, [&](const fs::path& part) {
    if (fclib_write_global(&data, part.c_str()) != 1) fail(file, "was not written");
    if (solution) add_solution(file, part, *solution, columns, rows);
  });
}

void write_solution(const fs::path& file, const StoredSolution& solution) {
  const SolutionSizes sizes = solution_sizes(Inspector(file));
  if (sizes.multipliers > 0) refuse_equations(Inspector(file), "G or R", sizes.multipliers);
  const std::uintmax_t bytes = bytes_of(0, 2 * sizes.rows + sizes.velocities);
  // A link stays, and what it leads to is replaced.
  write_new(fs::canonical(file), fs::file_size(file) + bytes, [&](const fs::path& part) {
    fs::copy_file(file, part);
    remove_solution(file, part);
    add_solution(file, part, solution, sizes.rows, sizes.velocities);
  });
}

Problem problem_of(const StoredProblem& stored) {
  std::vector<int> all(static_cast<std::size_t>(stored.contact_count()));
  std::iota(all.begin(), all.end(), 0);
  return {DenseBand(stored.W, stored.dimension), stored.b, stored.mu, std::move(all)};
}

StoredProblem active_part(const Problem& problem) {
  const std::vector<Eigen::Index> rows = active_rows(problem);
  StoredProblem part;
  part.dimension = problem.dimension();
  part.W = problem.W.matrix()(rows, rows);
  part.b = problem.b(rows);
  part.mu = problem.mu(problem.active);
  return part;
}

StoredSolution active_part(const Problem& problem, const Solution& solution) {
  const std::vector<Eigen::Index> rows = active_rows(problem);
  return {solution.p(rows), solution.w(rows), {}};
}

std::string fclib_version() { return SLIPWAVE_FCLIB_VERSION; }

}  // namespace slipwave::contact
