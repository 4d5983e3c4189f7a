#include "bench/siconos.hpp"

#include "contact/fclib/stored_problem.hpp"

#include <FrictionContactProblem.h>
#include <Friction_cst.h>
#include <NonSmoothDrivers.h>
#include <NumericsMatrix.h>
#include <NumericsVerbose.h>
#include <SolverOptions.h>
#include <SparseBlockMatrix.h>

#include <array>
#include <chrono>
#include <cstdlib>

namespace slipwave::bench {

namespace {

constexpr std::array methods_2d = {
    SiconosMethod{"siconos_nsgs", SICONOS_FRICTION_2D_NSGS, SiconosStorage::dense},
    SiconosMethod{"siconos_nsgs_blocks", SICONOS_FRICTION_2D_NSGS, SiconosStorage::blocks},
    SiconosMethod{"siconos_lemke", SICONOS_FRICTION_2D_LEMKE, SiconosStorage::dense},
    SiconosMethod{"siconos_cpg", SICONOS_FRICTION_2D_CPG, SiconosStorage::dense}};

constexpr std::array methods_3d = {
    SiconosMethod{"siconos_nsgs", SICONOS_FRICTION_3D_NSGS, SiconosStorage::dense},
    SiconosMethod{"siconos_nsgs_blocks", SICONOS_FRICTION_3D_NSGS, SiconosStorage::blocks},
    SiconosMethod{"siconos_newton", SICONOS_FRICTION_3D_NSN_AC, SiconosStorage::columns}};

/// Siconos frees what it holds with free().
NumericsMatrix* dense_matrix(const Eigen::MatrixXd& W) {
  const int rows = static_cast<int>(W.rows());
  NumericsMatrix* matrix = NM_create(NM_DENSE, rows, rows);
  Eigen::Map<Eigen::MatrixXd>(matrix->matrix0, rows, rows) = W;
  return matrix;
}

/// Zero in the far blocks of the whole W, of which `active` are left.
Eigen::MatrixXd near_part(const contact::Problem& problem, Eigen::MatrixXd W) {
  const int d = problem.dimension(), n = static_cast<int>(problem.active.size());
  const auto contact = [&](int a) { return problem.active[static_cast<std::size_t>(a)]; };
  for (int a = 0; a < n; ++a)
    for (int b = 0; b < n; ++b)
      if (std::abs(contact(a) - contact(b)) > problem.W.half_bandwidth())
        W.block(d * a, d * b, d, d).setZero();
  return W;
}

NumericsMatrix* column_matrix(const Eigen::MatrixXd& W) {
  NumericsMatrix* dense = dense_matrix(W);
  NumericsMatrix* matrix = NM_create(NM_SPARSE, dense->size0, dense->size1);
  NM_copy_to_sparse(dense, matrix, 0.0);
  NM_free(dense);
  return matrix;
}

NumericsMatrix* block_matrix(const Eigen::MatrixXd& W, int d) {
  NumericsMatrix* columns = column_matrix(W);
  SparseBlockStructuredMatrix* blocks = SBM_new();
  SBM_from_csparse(d, NM_csc(columns), blocks);
  NumericsMatrix* matrix = NM_new_SBM(columns->size0, columns->size1, blocks);
  NM_free(columns);
  return matrix;
}

}  // namespace

std::span<const SiconosMethod> siconos_methods(int dimension) {
  if (dimension == 2) return methods_2d;
  return methods_3d;
}

SiconosMatrix::SiconosMatrix(const contact::Problem& problem, SiconosStorage storage) {
  const Eigen::MatrixXd W = contact::active_part(problem).W;
  if (storage == SiconosStorage::dense) matrix_.reset(dense_matrix(W));
  if (storage == SiconosStorage::blocks)
    matrix_.reset(block_matrix(near_part(problem, W), problem.dimension()));
  if (storage == SiconosStorage::columns) matrix_.reset(column_matrix(near_part(problem, W)));
}

void SiconosMatrix::Free::operator()(NumericsMatrix* matrix) const { NM_free(matrix); }

SiconosSolver::SiconosSolver(const SiconosMethod& method, int max_iterations)
    : options_(solver_options_create(method.id)) {
  numerics_set_verbose(0);
  options_->iparam[SICONOS_IPARAM_MAX_ITER] = max_iterations;
}

void SiconosSolver::Free::operator()(SolverOptions* options) const {
  solver_options_delete(options);
  std::free(options);
}

SiconosReport SiconosSolver::solve(const contact::Problem& problem, const SiconosMatrix& W,
                                   double tolerance, contact::Solution& solution) {
  const int d = problem.dimension();
  contact::StoredSolution part = contact::active_part(problem, solution);
  Eigen::VectorXd q(part.r.size()), mu = problem.mu(problem.active);
  for (int k = 0; k < mu.size(); ++k)
    q.segment(d * k, d) = problem.b.segment(d * problem.active[static_cast<std::size_t>(k)], d);
  FrictionContactProblem stated{d, static_cast<int>(mu.size()), W.get(), q.data(), mu.data()};
  options_->dparam[SICONOS_DPARAM_TOL] = tolerance;
  const auto start = std::chrono::steady_clock::now();
  (d == 2 ? fc2d_driver : fc3d_driver)(&stated, part.r.data(), part.u.data(), options_.get());
  const std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
  solution.p.setZero();
  for (int k = 0; k < mu.size(); ++k)
    solution.p.segment(d * problem.active[static_cast<std::size_t>(k)], d) =
        part.r.segment(d * k, d);
  return {time.count(), options_->iparam[SICONOS_IPARAM_ITER_DONE]};
}

}  // namespace slipwave::bench
