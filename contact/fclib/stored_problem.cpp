#include "contact/fclib/stored_problem.hpp"

#include <cassert>
#include <cstddef>
#include <numeric>
#include <utility>
#include <vector>

namespace slipwave::contact {

namespace {

using ColumnMatrix = Eigen::SparseMatrix<double>;

/// The rows of the active contacts.
std::vector<Eigen::Index> active_rows(const Problem& problem) {
  const Eigen::Index dimension = problem.dimension();
  std::vector<Eigen::Index> rows;
  for (const int a : problem.active)
    for (Eigen::Index i = 0; i < dimension; ++i) rows.push_back(dimension * a + i);
  return rows;
}

}  // namespace

double skewness(const ColumnMatrix& A) {
  assert(A.rows() == A.cols());
  ColumnMatrix scaled = A;
  scaled.makeCompressed();
  const double largest = scaled.nonZeros() > 0 ? scaled.coeffs().abs().maxCoeff() : 0.0;
  if (largest == 0.0) return 0.0;
  scaled.coeffs() /= largest;
  return ColumnMatrix(scaled - ColumnMatrix(scaled.transpose())).norm() / scaled.norm();
}

Problem problem_of(const StoredProblem& stored) {
  std::vector<int> all(static_cast<std::size_t>(stored.contact_count()));
  std::iota(all.begin(), all.end(), 0);
  return {DenseBand(Eigen::MatrixXd(stored.W), stored.dimension), stored.b, stored.mu,
          std::move(all)};
}

StoredProblem active_part(const Problem& problem) {
  const std::vector<Eigen::Index> rows = active_rows(problem);
  StoredProblem part;
  part.dimension = problem.dimension();
  part.W = Eigen::MatrixXd(problem.W.matrix()(rows, rows)).sparseView(0.0, 0.0);
  part.b = problem.b(rows);
  part.mu = problem.mu(problem.active);
  return part;
}

StoredSolution active_part(const Problem& problem, const Solution& solution) {
  const std::vector<Eigen::Index> rows = active_rows(problem);
  return {solution.p(rows), solution.w(rows), {}};
}

}  // namespace slipwave::contact
