#include "contact/fclib/fclib.hpp"
#include "contact/fclib/write_fclib.hpp"
#include "contact/solvers/solver.hpp"
#include "tests/contact/fclib/odd_files.hpp"

#include <CSparseMatrix.h>
#include <FrictionContactProblem.h>
#include <Friction_cst.h>
#include <GlobalFrictionContactProblem.h>
#include <NonSmoothDrivers.h>
#include <NumericsMatrix.h>
#include <NumericsSparseMatrix.h>
#include <SolverOptions.h>
#include <cs.h>
#include <doctest/doctest.h>
#include <Eigen/Dense>
extern "C" {
#include <fclib.h>
}

#include <cstdlib>
#include <memory>

namespace slipwave::contact::tests {

namespace {

namespace fs = std::filesystem;
using Eigen::MatrixXd;
using Eigen::VectorXd;

using Matrix = std::unique_ptr<NumericsMatrix, void (*)(NumericsMatrix*)>;

void free_matrix(NumericsMatrix* matrix) { NM_free(matrix); }

/// A matrix as Siconos' reader takes it from libfclib: the lists become those of CSparse, letter
/// for letter. Debian's library is built without that reader, so its steps are made here.
Matrix taken(const fclib_matrix& matrix) {
  Matrix result(NM_create(NM_SPARSE, matrix.m, matrix.n), free_matrix);
  const int pointers = matrix.nz >= 0 ? matrix.nz : matrix.n + 1;
  if (matrix.nz >= 0)
    NM_triplet_alloc(result.get(), matrix.nzmax);
  else
    NM_csc_alloc(result.get(), matrix.nzmax);
  CSparseMatrix* lists = matrix.nz >= 0 ? result->matrix2->triplet : result->matrix2->csc;
  std::copy_n(matrix.p, pointers, lists->p);
  std::copy_n(matrix.i, matrix.nzmax, lists->i);
  std::copy_n(matrix.x, matrix.nzmax, lists->x);
  lists->nz = matrix.nz;
  result->matrix2->origin = matrix.nz >= 0 ? NSM_TRIPLET : NSM_CSC;
  return result;
}

MatrixXd dense(NumericsMatrix& matrix) {
  MatrixXd values(matrix.size0, matrix.size1);
  for (int i = 0; i < matrix.size0; ++i)
    for (int j = 0; j < matrix.size1; ++j) values(i, j) = NM_get_value(&matrix, i, j);
  return values;
}

/// r by Siconos' Gauss–Seidel on a dense W.
VectorXd solved(const MatrixXd& W, VectorXd q, VectorXd mu, int dimension) {
  const Matrix matrix(NM_create(NM_DENSE, static_cast<int>(W.rows()), static_cast<int>(W.cols())),
                      free_matrix);
  Eigen::Map<MatrixXd>(matrix->matrix0, W.rows(), W.cols()) = W;
  FrictionContactProblem problem{dimension, static_cast<int>(mu.size()), matrix.get(), q.data(),
                                 mu.data()};
  ::SolverOptions* options =
      solver_options_create(dimension == 2 ? SICONOS_FRICTION_2D_NSGS : SICONOS_FRICTION_3D_NSGS);
  options->dparam[SICONOS_DPARAM_TOL] = 1e-12;
  options->iparam[SICONOS_IPARAM_MAX_ITER] = 100000;
  VectorXd r = VectorXd::Zero(q.size()), u = VectorXd::Zero(q.size());
  (dimension == 2 ? fc2d_driver : fc3d_driver)(&problem, r.data(), u.data(), options);
  solver_options_delete(options);
  std::free(options);
  return r;
}

/// r by our own solver.
VectorXd ours(const StoredProblem& stored) {
  const Problem problem = problem_of(stored);
  Solution solution(stored.contact_count(), stored.dimension);
  REQUIRE(Solver(problem.W, {.tolerance = 1e-12}).solve(problem, solution).converged);
  return solution.p;
}

/// A problem whose contacts are pushed together.
StoredProblem closing_problem(int dimension, std::mt19937_64& generator) {
  StoredProblem problem = random_problem(5, dimension, generator);
  for (int a = 0; a < 5; ++a) problem.b[dimension * a] -= 2.0;
  return problem;
}

}  // namespace

TEST_CASE("extras/siconos: a local file of ours is the same problem there, 2D and 3D") {
  std::mt19937_64 generator(1);
  const TemporaryFolder folder;
  const fs::path file = folder / "p.hdf5";
  for (const int dimension : {2, 3}) {
    const StoredProblem problem = closing_problem(dimension, generator);
    write_local_problem(file, problem);
    fclib_local* data = fclib_read_local(file.c_str());
    REQUIRE(data);
    REQUIRE(data->spacedim == dimension);
    CHECK(data->W->nz == -1);  // its reader makes blocks of columns alone
    const Matrix W = taken(*data->W);
    CHECK(dense(*W) == MatrixXd(problem.W));
    const Eigen::Map<const VectorXd> q(data->q, problem.b.size()), mu(data->mu, 5);
    const VectorXd r = solved(dense(*W), q, mu, dimension), mine = ours(problem);
    CHECK(mine.norm() > 0.1);
    CHECK((r - mine).norm() <= 1e-9 * mine.norm());
    fclib_delete_local(data);
    std::free(data);
  }
}

TEST_CASE("extras/siconos: an unsymmetric W of ours is not turned there") {
  std::mt19937_64 generator(2);
  const TemporaryFolder folder;
  StoredProblem problem = closing_problem(3, generator);
  problem.W = random_matrix(15, 15, generator).sparseView();
  write_local_problem(folder / "p.hdf5", problem);
  fclib_local* data = fclib_read_local((folder / "p.hdf5").c_str());
  REQUIRE(data);
  CHECK(dense(*taken(*data->W)) == MatrixXd(problem.W));
  fclib_delete_local(data);
  std::free(data);
}

TEST_CASE("extras/siconos: a global file of ours is the same problem there, 2D and 3D") {
  std::mt19937_64 generator(3);
  const TemporaryFolder folder;
  const fs::path file = folder / "g.hdf5";
  for (const int dimension : {2, 3}) {
    StoredGlobalProblem problem = random_global(11, 3, dimension, generator);
    problem.H = random_matrix(11, 3 * dimension, generator).sparseView();
    for (int a = 0; a < 3; ++a) problem.w[dimension * a] -= 2.0;
    write_global_problem(file, problem);
    fclib_global* data = fclib_read_global(file.c_str());
    REQUIRE(data);
    REQUIRE(data->spacedim == dimension);
    // Its reader copies nz indices, so it takes triplets alone.
    CHECK(data->M->nz == data->M->nzmax);
    CHECK(data->H->nz == data->H->nzmax);
    const Matrix M = taken(*data->M), H = taken(*data->H);
    CHECK(dense(*M) == MatrixXd(problem.M));
    CHECK(dense(*H) == MatrixXd(problem.H));

    GlobalFrictionContactProblem global{};
    global.dimension = dimension;
    global.numberOfContacts = 3;
    global.M = M.get();
    global.H = H.get();
    global.q = data->f;
    global.b = data->w;
    global.mu = data->mu;
    FrictionContactProblem* local = globalFrictionContact_reformulation_FrictionContact(&global);
    REQUIRE(local);
    StoredProblem condensed;
    condensed.dimension = dimension;
    const MatrixXd inverse = MatrixXd(problem.M).inverse();
    condensed.W = MatrixXd(problem.H.transpose() * inverse * problem.H).sparseView();
    condensed.b = problem.H.transpose() * (inverse * problem.f) + problem.w;
    condensed.mu = problem.mu;
    const Eigen::Map<const VectorXd> q(local->q, 3 * dimension);
    CHECK((dense(*local->M) - MatrixXd(condensed.W)).norm() <= 1e-12 * condensed.W.norm());
    CHECK((q - condensed.b).norm() <= 1e-12 * condensed.b.norm());
    const VectorXd r = solved(dense(*local->M), q, problem.mu, dimension), mine = ours(condensed);
    CHECK(mine.norm() > 0.1);
    CHECK((r - mine).norm() <= 1e-9 * mine.norm());
    frictionContactProblem_free(local);
    fclib_delete_global(data);
    std::free(data);
  }
}

}  // namespace slipwave::contact::tests
