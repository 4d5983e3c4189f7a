#include "contact/fclib/read_problem.hpp"

#include "contact/fclib/layout.hpp"
#include "contact/fclib/stored_matrix.hpp"

#include <fmt/format.h>

#include <string>
#include <vector>

namespace slipwave::contact {

namespace {

Eigen::VectorXd vector(const FclibFile& file, const std::string& name, int size) {
  const std::vector<double> values = file.finite_numbers(name, size);
  return Eigen::Map<const Eigen::VectorXd>(values.data(), size);
}

Eigen::VectorXd friction(const FclibFile& file, const std::string& name, int size) {
  Eigen::VectorXd mu = vector(file, name, size);
  for (Eigen::Index a = 0; a < size; ++a)
    if (mu[a] < 0.0)
      throw FclibError(file.path(), fmt::format("{}({}) = {}: must be at least 0", name, a, mu[a]));
  return mu;
}

/// What both forms of a problem have.
template <class Stored>
Stored common_part(const FclibFile& file, const Layout& layout, const std::string& form) {
  Stored problem;
  problem.dimension = layout.dimension;
  problem.mu = friction(file, form + "/vectors/mu", layout.contact_count());
  problem.title = file.text(form + "/info/title");
  problem.description = file.text(form + "/info/description");
  return problem;
}

}  // namespace

StoredProblem local_problem_in(const FclibFile& in) {
  const Layout layout = layout_of(in);
  if (!layout.has_local)
    throw FclibError(in.path(), "has no local problem (no group /fclib_local)");
  StoredProblem problem = common_part<StoredProblem>(in, layout, "/fclib_local");
  problem.b = vector(in, "/fclib_local/vectors/q", layout.rows);
  problem.W = read_matrix(in, "/fclib_local/W");
  return problem;
}

StoredGlobalProblem global_problem_in(const FclibFile& in) {
  const Layout layout = layout_of(in);
  if (!layout.has_global)
    throw FclibError(in.path(), "has no global problem (no group /fclib_global)");
  StoredGlobalProblem problem = common_part<StoredGlobalProblem>(in, layout, "/fclib_global");
  problem.f = vector(in, "/fclib_global/vectors/f", layout.unknowns);
  problem.w = vector(in, "/fclib_global/vectors/w", layout.rows);
  problem.M = read_matrix(in, "/fclib_global/M");
  problem.H = read_matrix(in, "/fclib_global/H");
  return problem;
}

std::optional<StoredSolution> solution_in(const FclibFile& in) {
  const Layout layout = layout_of(in);
  if (!in.has("/solution")) return std::nullopt;
  StoredSolution solution;
  solution.r = vector(in, "/solution/r", layout.rows);
  solution.u = vector(in, "/solution/u", layout.rows);
  if (layout.has_global) solution.v = vector(in, "/solution/v", layout.unknowns);
  return solution;
}

}  // namespace slipwave::contact
