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
template <class AnyProblem>
std::vector<Eigen::Index> active_rows(const AnyProblem& problem) {
  const Eigen::Index dimension = problem.dimension();
  std::vector<Eigen::Index> rows;
  for (const int a : problem.active)
    for (Eigen::Index i = 0; i < dimension; ++i) rows.push_back(dimension * a + i);
  return rows;
}

/// M of bodies, and Hᵀ of the active contacts.
template <int d>
void set_matrices(const BodyProblem& problem, StoredGlobalProblem& part) {
  constexpr int s = BodyDelassus::velocities(d);
  const BodyDelassus& W = problem.W;
  std::vector<Eigen::Triplet<double>> M, H;
  for (int i = 0; i < W.body_count(); ++i)
    for (int j = 0; j < s * s; ++j)
      M.emplace_back(s * i + j % s, s * i + j / s, W.M<d>(i)(j % s, j / s));
  int column = 0;
  for (const int a : problem.active) {
    const auto bodies = W.bodies(a);
    for (std::size_t k = 0; k < bodies.size(); ++k)
      for (int j = 0; j < d * s; ++j)
        H.emplace_back(s * bodies[k] + j / d, column + j % d,
                       W.H<d>(a, static_cast<int>(k))(j % d, j / d));
    column += d;
  }
  part.M.setFromTriplets(M.begin(), M.end());
  part.H.setFromTriplets(H.begin(), H.end());
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

StoredGlobalProblem active_part(const BodyProblem& problem) {
  const std::vector<Eigen::Index> rows = active_rows(problem);
  const int n = problem.W.motion_size();
  StoredGlobalProblem part;
  part.dimension = problem.dimension();
  part.M.resize(n, n);
  part.H.resize(n, static_cast<Eigen::Index>(rows.size()));
  if (problem.dimension() == 2) set_matrices<2>(problem, part);
  if (problem.dimension() == 3) set_matrices<3>(problem, part);
  part.M.prune(0.0, 0.0);
  part.H.prune(0.0, 0.0);
  part.f = Eigen::VectorXd::Zero(n);
  part.w = problem.b(rows);
  part.mu = problem.mu(problem.active);
  return part;
}

StoredSolution active_part(const BodyProblem& problem, const Solution& solution) {
  const std::vector<Eigen::Index> rows = active_rows(problem);
  return {solution.p(rows), solution.w(rows), solution.x};
}

StoredSolution active_part(const Problem& problem, const Solution& solution) {
  const std::vector<Eigen::Index> rows = active_rows(problem);
  return {solution.p(rows), solution.w(rows), {}};
}

}  // namespace slipwave::contact
