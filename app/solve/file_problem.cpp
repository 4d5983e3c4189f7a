#include "app/solve/file_problem.hpp"

#include "contact/solvers/solver.hpp"
#include "contact/solvers/solver_on.hpp"

#include <fmt/format.h>
#include <Eigen/SparseCholesky>

#include <chrono>
#include <numeric>
#include <set>
#include <stdexcept>
#include <utility>
#include <vector>

namespace slipwave::app {

namespace {

using SparseMatrix = Eigen::SparseMatrix<double>;

/// The largest difference between a matrix and its transpose that counts as round-off.
constexpr double round_off = 1e-10;
/// From this share of entries on a plane W is full.
constexpr double full = 0.3;
/// More rows than this are not kept as a dense matrix.
constexpr int most_dense_rows = 8000;
/// Pivots of W below this part of its diagonal are none.
constexpr double no_pivot = 1e-9;

std::vector<int> all_of(int count) {
  std::vector<int> all(static_cast<std::size_t>(count));
  std::iota(all.begin(), all.end(), 0);
  return all;
}

/// The rank of a W that is singular, 0 where it is not: pivots of its symmetric part, which for a
/// nonnegative matrix vanish in any order as often as its rank is short.
int rank_if_singular(const SparseMatrix& W) {
  SparseMatrix sum = 0.5 * (W + SparseMatrix(W.transpose()));
  Eigen::VectorXd diagonal = sum.diagonal();
  for (int i = 0; i < sum.rows(); ++i) sum.coeffRef(i, i) *= 1.0 + 1e-3 * no_pivot;
  const Eigen::SimplicialLDLT<SparseMatrix> factor(sum);
  if (factor.info() != Eigen::Success) return 0;
  diagonal = (factor.permutationP() * diagonal).eval();
  const auto rank =
      static_cast<int>((factor.vectorD().array() > no_pivot * diagonal.array()).count());
  return rank < sum.rows() ? rank : 0;
}

bool is_full(const SparseMatrix& W) {
  return static_cast<double>(W.nonZeros()) >=
         full * static_cast<double>(W.rows()) * static_cast<double>(W.cols());
}

/// W as a dense band; symmetric to the last bit where it is so to round-off.
contact::Problem banded(contact::StoredProblem stored, double skewness) {
  if (stored.W.rows() > most_dense_rows)
    throw std::invalid_argument(fmt::format(
        "newton wants W as a full matrix, which of {} rows would take {:.1f} GB; take another "
        "--method",
        stored.W.rows(), 8e-9 * static_cast<double>(stored.W.rows() * stored.W.rows())));
  if (skewness <= round_off)
    stored.W = (0.5 * (stored.W + SparseMatrix(stored.W.transpose()))).eval();
  return contact::problem_of(stored);
}

void take_local(const contact::StoredProblem& local, contact::Method method, FileProblem& result) {
  result.scaling = Scaling(local);
  const contact::StoredProblem scaled = result.scaling.scaled(local);
  const bool symmetric = result.skewness <= round_off;
  if (method == contact::Method::newton || (local.dimension == 2 && symmetric && is_full(local.W) &&
                                            local.W.rows() <= most_dense_rows)) {
    result.problem.emplace<contact::Problem>(banded(scaled, result.skewness));
    return;
  }
  result.problem.emplace<contact::SparseProblem>(
      contact::SparseProblem{contact::BlockSparse(scaled.W, scaled.dimension), scaled.b, scaled.mu,
                             all_of(scaled.contact_count())});
  result.rank = rank_if_singular(scaled.W);
}

/// Whether it was a problem of bodies.
bool take_bodies(FileProblem& result) {
  const contact::StoredGlobalProblem& global = *result.global;
  auto W = contact::BodyDelassus::from(global.M, global.H, global.dimension);
  if (!W) return false;
  const Eigen::VectorXd b = global.H.transpose() * result.mass->solve(global.f) + global.w;
  if (Scaling({global.dimension, SparseMatrix(global.H.transpose() * global.H), b, {}, {}, {}})
          .is_needed())
    return false;
  std::set<Eigen::Index> touched;
  for (int j = 0; j < global.H.outerSize(); ++j)
    for (SparseMatrix::InnerIterator entry(global.H, j); entry; ++entry)
      touched.insert(entry.row());
  const auto velocities = static_cast<int>(touched.size());
  result.rank = velocities < global.H.cols() ? velocities : 0;
  result.problem.emplace<contact::BodyProblem>(
      contact::BodyProblem{std::move(*W), b, global.mu, all_of(global.contact_count())});
  return true;
}

/// Solves with whatever goes with this W.
contact::SolverReport run(const contact::Problem& problem, const contact::SolverOptions& options,
                          contact::Solution& solution) {
  return contact::Solver(problem.W, options).solve(problem, solution);
}

template <class Operator>
contact::SolverReport run(const contact::ProblemOn<Operator>& problem,
                          const contact::SolverOptions& options, contact::Solution& solution) {
  return contact::SolverOn<Operator>(problem.W, options).solve(problem, solution);
}

}  // namespace

int FileProblem::dimension() const {
  return std::visit([](const auto& of) { return of.dimension(); }, problem);
}

int FileProblem::contact_count() const {
  return std::visit([](const auto& of) { return of.W.contact_count(); }, problem);
}

FileProblem read_problem(const std::filesystem::path& file, contact::Method method, bool with_v) {
  const contact::StoredForm form = contact::stored_form(file);
  const bool has_local = form != contact::StoredForm::global;
  FileProblem result{
      .file = file,
      .title = {},
      .form = form,
      .scaling = {},
      .problem = contact::SparseProblem{contact::BlockSparse(SparseMatrix(), 2), {}, {}, {}},
      .stored = contact::read_solution(file),
      .global = {},
      .mass = {}};
  if (!has_local || (form == contact::StoredForm::both && with_v)) {
    result.global = contact::read_global_problem(file);
    result.unknowns = static_cast<int>(result.global->M.rows());
    result.mass.emplace(*result.global);
  }
  if (has_local) {
    const contact::StoredProblem local = contact::read_local_problem(file);
    result.title = local.title;
    result.skewness = contact::skewness(local.W);
    take_local(local, method, result);
    return result;
  }
  result.title = result.global->title;
  result.skewness = contact::skewness(result.global->M);
  if (method == contact::Method::newton || !take_bodies(result))
    take_local(result.mass->condensed(*result.global), method, result);
  return result;
}

Solved solve(const FileProblem& problem, const contact::SolverOptions& options) {
  Solved solved{{}, contact::Solution(problem.contact_count(), problem.dimension()), 0.0};
  const auto start = std::chrono::steady_clock::now();
  solved.report = std::visit([&](const auto& of) { return run(of, options, solved.solution); },
                             problem.problem);
  solved.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return solved;
}

contact::Residual residual_of(const FileProblem& problem, const Eigen::VectorXd& p) {
  contact::Solution theirs(problem.contact_count(), problem.dimension());
  theirs.p = problem.scaling.scaled_p(p);
  return std::visit([&](const auto& of) { return contact::certify(of, 0.0, theirs); },
                    problem.problem);
}

}  // namespace slipwave::app
