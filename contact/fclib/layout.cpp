#include "contact/fclib/layout.hpp"

#include "contact/fclib/stored_problem.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>

namespace slipwave::contact {

namespace {

/// The numbers of unknowns and of rows of contacts that one form has.
struct Sizes {
  int rows = 0, dimension = 0, unknowns = 0;
};

/// Rows and columns of a matrix.
struct Shape {
  int rows = 0, columns = 0;
};

Shape shape_of(const FclibFile& file, const std::string& matrix) {
  if (!file.has(matrix)) throw FclibError(file.path(), "has no matrix " + matrix);
  return {file.integer(matrix + "/m", 0), file.integer(matrix + "/n", 0)};
}

[[noreturn]] void refuse_rolling(const FclibFile& file, const std::string& what) {
  throw FclibError(file.path(), fmt::format("is a problem with rolling friction ({}), which is not "
                                            "solved here; expected sliding friction in 2D or 3D",
                                            what));
}

void refuse_equations(const FclibFile& file, const std::string& matrix) {
  if (!file.has(matrix)) return;
  const int count = shape_of(file, matrix).columns;
  if (count > 0)
    throw FclibError(file.path(),
                     fmt::format("is a mixed problem: {} adds {} equation(s) to the contacts; "
                                 "expected a problem of contacts alone",
                                 matrix, count));
}

/// Fails unless rows of contacts are whole contacts of the dimension, with a mu each.
int dimension_of(const FclibFile& file, const std::string& form, const std::string& matrix,
                 int rows) {
  const int dimension = file.integer(form + "/spacedim", 0);
  if (dimension == 5) refuse_rolling(file, form + "/spacedim = 5");
  if (file.has(form + "/vectors/mu_r")) refuse_rolling(file, form + "/vectors/mu_r");
  if (dimension != 2 && dimension != 3)
    throw FclibError(file.path(),
                     fmt::format("{}/spacedim = {}: expected 2 or 3", form, dimension));
  if (rows == 0) throw FclibError(file.path(), fmt::format("has no contacts: {} is empty", matrix));
  if (rows % dimension != 0)
    throw FclibError(file.path(),
                     fmt::format("{} is of size {}, which is no multiple of {}/spacedim = {}",
                                 matrix, rows, form, dimension));
  file.require_count(form + "/vectors/mu", rows / dimension);
  return dimension;
}

Sizes local_sizes(const FclibFile& file) {
  const std::string form = "/fclib_local", matrix = form + "/W";
  refuse_equations(file, form + "/V");
  refuse_equations(file, form + "/R");
  const Shape W = shape_of(file, matrix);
  if (W.rows != W.columns)
    throw FclibError(file.path(),
                     fmt::format("{} is {} x {}: expected a square", matrix, W.rows, W.columns));
  const int dimension = dimension_of(file, form, matrix, W.rows);
  file.require_count(form + "/vectors/q", W.rows);
  return {W.rows, dimension, 0};
}

Sizes global_sizes(const FclibFile& file) {
  const std::string form = "/fclib_global", matrix = form + "/H";
  refuse_equations(file, form + "/G");
  const Shape M = shape_of(file, form + "/M"), H = shape_of(file, matrix);
  if (M.rows != M.columns || H.rows != M.rows)
    throw FclibError(
        file.path(),
        fmt::format("{0}/M is {1} x {2} and {0}/H {3} x {4}: expected a square and as many rows",
                    form, M.rows, M.columns, H.rows, H.columns));
  const int dimension = dimension_of(file, form, matrix, H.columns);
  file.require_count(form + "/vectors/f", M.rows);
  file.require_count(form + "/vectors/w", H.columns);
  return {H.columns, dimension, M.rows};
}

/// A file has one problem, which it may have in both forms.
void refuse_two_problems(const FclibFile& file, const Sizes& local, const Sizes& global) {
  const auto refuse = [&](const char* of_local, auto a, const char* of_global, auto b) {
    throw FclibError(file.path(),
                     fmt::format("holds two different problems: {} = {} and {} = {}; expected one "
                                 "problem, in one form or in both",
                                 of_local, a, of_global, b));
  };
  if (local.rows != global.rows)
    refuse("/fclib_local/W/m", local.rows, "/fclib_global/H/n", global.rows);
  if (local.dimension != global.dimension)
    refuse("/fclib_local/spacedim", local.dimension, "/fclib_global/spacedim", global.dimension);
  const int count = local.rows / local.dimension;
  const std::vector<double> a = file.finite_numbers("/fclib_local/vectors/mu", count),
                            b = file.finite_numbers("/fclib_global/vectors/mu", count);
  const auto [mine, other] = std::mismatch(a.begin(), a.end(), b.begin());
  if (mine == a.end()) return;
  const auto contact = mine - a.begin();
  refuse(fmt::format("/fclib_local/vectors/mu({})", contact).c_str(), *mine,
         fmt::format("/fclib_global/vectors/mu({})", contact).c_str(), *other);
}

/// A solution has the sizes of the problem, with v where there is a global form.
void require_solution(const FclibFile& file, const Layout& layout) {
  if (!file.has("/solution")) return;
  file.require_count("/solution/r", layout.rows);
  file.require_count("/solution/u", layout.rows);
  if (layout.has_global) file.require_count("/solution/v", layout.unknowns);
}

[[noreturn]] void refuse_other_file(const FclibFile& file) {
  const std::vector<std::string> names = file.names("/");
  for (const std::string& name : names)
    if (name.starts_with("fclib_") && name.find("rolling") != std::string::npos)
      refuse_rolling(file, fmt::format("group \"{}\"", name));
  throw FclibError(
      file.path(),
      fmt::format("has no frictional contact problem in FCLIB form: expected a group "
                  "\"fclib_local\" or \"fclib_global\", found {}",
                  names.empty() ? "nothing" : fmt::format("\"{}\"", fmt::join(names, "\", \""))));
}

}  // namespace

Layout layout_of(const FclibFile& file) {
  Layout layout{file.has("/fclib_local"), file.has("/fclib_global")};
  if (!layout.has_local && !layout.has_global) refuse_other_file(file);
  Sizes local, global;
  if (layout.has_local) local = local_sizes(file);
  if (layout.has_global) global = global_sizes(file);
  if (layout.has_local && layout.has_global) refuse_two_problems(file, local, global);
  const Sizes& sizes = layout.has_global ? global : local;
  layout.rows = sizes.rows;
  layout.dimension = sizes.dimension;
  layout.unknowns = sizes.unknowns;
  require_solution(file, layout);
  return layout;
}

}  // namespace slipwave::contact
