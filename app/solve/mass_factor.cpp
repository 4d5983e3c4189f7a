#include "app/solve/mass_factor.hpp"

#include <fmt/format.h>

#include <stdexcept>
#include <vector>

namespace slipwave::app {

namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using SparseMatrix = Eigen::SparseMatrix<double>;

/// The largest difference between a matrix and its transpose that counts as round-off.
constexpr double round_off = 1e-10;

/// The unknowns that H touches.
std::vector<int> touched_rows(const SparseMatrix& H) {
  std::vector<bool> touched(static_cast<std::size_t>(H.rows()), false);
  for (int j = 0; j < H.outerSize(); ++j)
    for (SparseMatrix::InnerIterator entry(H, j); entry; ++entry)
      touched[static_cast<std::size_t>(entry.row())] = true;
  std::vector<int> rows;
  for (std::size_t i = 0; i < touched.size(); ++i)
    if (touched[i]) rows.push_back(static_cast<int>(i));
  return rows;
}

/// Few enough that M⁻¹ on them, dense, costs no more than a solve per column of H.
bool are_few(const std::vector<int>& rows, const SparseMatrix& H) {
  const auto count = static_cast<Eigen::Index>(rows.size());
  return 2 * count <= H.rows() && count <= 2 * H.cols();
}

linear::ContactLastFactor factorise(const contact::StoredGlobalProblem& global) {
  const std::vector<int> rows = touched_rows(global.H);
  try {
    return {fem::SparseMatrix(global.M), are_few(rows, global.H) ? rows : std::vector<int>{}};
  } catch (const linear::NotPositiveDefinite& error) {
    throw std::invalid_argument(fmt::format("M is not positive definite at row {}", error.row));
  }
}

/// Hᵀ M⁻¹ H from M⁻¹ on the rows of H that have entries, which are the factor's last.
MatrixXd delassus_on_last(const linear::ContactLastFactor& factor, const SparseMatrix& H) {
  const int first = factor.size() - factor.last_count();
  std::vector<Eigen::Triplet<double>> entries;
  for (int j = 0; j < H.outerSize(); ++j)
    for (SparseMatrix::InnerIterator entry(H, j); entry; ++entry)
      entries.emplace_back(factor.position()[static_cast<std::size_t>(entry.row())] - first, j,
                           entry.value());
  SparseMatrix H_last(factor.last_count(), H.cols());
  H_last.setFromTriplets(entries.begin(), entries.end());
  const MatrixXd inverse_times_H = factor.inverse_on_last() * H_last;
  return H_last.transpose() * inverse_times_H;
}

}  // namespace

MassFactor::MassFactor(const contact::StoredGlobalProblem& global) {
  if (contact::skewness(global.M) <= round_off) {
    symmetric_.emplace(factorise(global));
    return;
  }
  unsymmetric_ = std::make_unique<Eigen::SparseLU<SparseMatrix>>();
  unsymmetric_->compute(global.M);
  if (unsymmetric_->info() != Eigen::Success) throw std::invalid_argument("M is singular");
}

VectorXd MassFactor::solve(const VectorXd& f) const {
  if (symmetric_) return symmetric_->solve(f);
  return unsymmetric_->solve(f);
}

MatrixXd MassFactor::delassus(const SparseMatrix& H) const {
  if (symmetric_ && symmetric_->last_count() > 0) return delassus_on_last(*symmetric_, H);
  MatrixXd W(H.cols(), H.cols());
  for (int j = 0; j < H.cols(); ++j) W.col(j) = H.transpose() * solve(VectorXd(H.col(j)));
  return W;
}

contact::StoredProblem MassFactor::condensed(const contact::StoredGlobalProblem& global) const {
  contact::StoredProblem local;
  local.dimension = global.dimension;
  local.W = delassus(global.H).sparseView(0.0, 0.0);
  local.b = global.H.transpose() * solve(global.f) + global.w;
  local.mu = global.mu;
  local.title = global.title;
  local.description = global.description;
  return local;
}

}  // namespace slipwave::app
