#include "contact/fclib/fclib.hpp"

#include <FrictionContactProblem.h>
#include <Friction_cst.h>
#include <NonSmoothDrivers.h>
#include <NumericsMatrix.h>
#include <NumericsSparseMatrix.h>
#include <NumericsVerbose.h>
#include <SolverOptions.h>
#include <SparseBlockMatrix.h>
#include <Eigen/SparseCholesky>
#include <Eigen/SparseLU>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

/// Solves a file with a solver of Siconos, for `slipwave solve --compare`.
///     slipwave_siconos FILE                         prints the names of those that suit the file
///     slipwave_siconos FILE NAME TOLERANCE ANSWER   solves
/// ANSWER becomes doubles in this machine's form: the solver's own seconds, the least of three
/// where the first took at most two; 1 where Siconos says that it reached its tolerance, 0 where
/// not; r.
namespace {

using namespace slipwave::contact;
using SparseMatrix = Eigen::SparseMatrix<double>;
using Matrix = std::unique_ptr<NumericsMatrix, void (*)(NumericsMatrix*)>;

/// How a solver is given W.
enum class Storage { dense, blocks, columns };

/// A solver, and the largest problem that it is asked to solve: enumeration takes 3^contacts.
struct Method {
  const char* name;
  int dimension;
  int id;
  Storage storage;
  int most_contacts = std::numeric_limits<int>::max();
};

constexpr Method methods[] = {
    {"nsgs", 2, SICONOS_FRICTION_2D_NSGS, Storage::blocks},
    {"cpg", 2, SICONOS_FRICTION_2D_CPG, Storage::dense, 2000},
    {"lemke", 2, SICONOS_FRICTION_2D_LEMKE, Storage::dense, 2000},
    {"enum", 2, SICONOS_FRICTION_2D_ENUM, Storage::dense, 6},
    {"nsgs", 3, SICONOS_FRICTION_3D_NSGS, Storage::blocks},
    {"admm", 3, SICONOS_FRICTION_3D_ADMM, Storage::columns},
    {"nsn-ac", 3, SICONOS_FRICTION_3D_NSN_AC, Storage::columns},
    {"nsn-fb", 3, SICONOS_FRICTION_3D_NSN_FB, Storage::columns},
    {"prox", 3, SICONOS_FRICTION_3D_PROX, Storage::columns},
};

void free_matrix(NumericsMatrix* matrix) { NM_free(matrix); }

/// W = Hᵀ M⁻¹ H, b = Hᵀ M⁻¹ f + w. Bodies' M⁻¹ H is as sparse as H.
template <class Factor>
StoredProblem condensed(const StoredGlobalProblem& global) {
  const SparseMatrix M = global.M;
  const Factor factor(M);
  if (factor.info() != Eigen::Success) throw std::runtime_error("M cannot be factored");
  StoredProblem local;
  local.dimension = global.dimension;
  const SparseMatrix moved = factor.solve(global.H);
  local.W = global.H.transpose() * moved;
  local.b = global.H.transpose() * Eigen::VectorXd(factor.solve(global.f)) + global.w;
  local.mu = global.mu;
  return local;
}

StoredProblem local_form(const std::string& file) {
  if (stored_form(file) != StoredForm::global) return read_local_problem(file);
  const StoredGlobalProblem global = read_global_problem(file);
  constexpr double round_off = 1e-10;
  if (skewness(global.M) <= round_off)
    return condensed<Eigen::SimplicialLDLT<SparseMatrix>>(global);
  return condensed<Eigen::SparseLU<SparseMatrix>>(global);
}

Matrix dense_matrix(const SparseMatrix& W) {
  const int rows = static_cast<int>(W.rows());
  Matrix matrix(NM_create(NM_DENSE, rows, rows), free_matrix);
  Eigen::Map<Eigen::MatrixXd>(matrix->matrix0, rows, rows) = W;
  return matrix;
}

Matrix column_matrix(const SparseMatrix& W) {
  const int rows = static_cast<int>(W.rows());
  Matrix matrix(NM_create(NM_SPARSE, rows, rows), free_matrix);
  NM_triplet_alloc(matrix.get(), W.nonZeros());
  for (int j = 0; j < W.outerSize(); ++j)
    for (SparseMatrix::InnerIterator entry(W, j); entry; ++entry)
      NM_entry(matrix.get(), static_cast<int>(entry.row()), j, entry.value());
  NM_csc(matrix.get());
  return matrix;
}

Matrix block_matrix(const SparseMatrix& W, int d) {
  const Matrix columns = column_matrix(W);
  SparseBlockStructuredMatrix* blocks = SBM_new();
  SBM_from_csparse(static_cast<unsigned>(d), NM_csc(columns.get()), blocks);
  return Matrix(NM_new_SBM(columns->size0, columns->size1, blocks), free_matrix);
}

Matrix matrix_of(const StoredProblem& problem, Storage storage) {
  if (storage == Storage::dense) return dense_matrix(problem.W);
  if (storage == Storage::columns) return column_matrix(problem.W);
  return block_matrix(problem.W, problem.dimension);
}

/// Seconds, whether it reached its tolerance, and r.
std::vector<double> solved_once(StoredProblem& problem, const Method& method, double tolerance) {
  const Matrix W = matrix_of(problem, method.storage);
  FrictionContactProblem stated{problem.dimension, problem.contact_count(), W.get(),
                                problem.b.data(), problem.mu.data()};
  SolverOptions* options = solver_options_create(method.id);
  options->dparam[SICONOS_DPARAM_TOL] = tolerance;
  options->iparam[SICONOS_IPARAM_MAX_ITER] =
      std::max(options->iparam[SICONOS_IPARAM_MAX_ITER], 100000);
  Eigen::VectorXd r = Eigen::VectorXd::Zero(problem.b.size()), u = r;
  const auto start = std::chrono::steady_clock::now();
  const int info =
      (problem.dimension == 2 ? fc2d_driver : fc3d_driver)(&stated, r.data(), u.data(), options);
  const std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
  solver_options_delete(options);
  std::free(options);
  std::vector<double> answer{time.count(), info == 0 ? 1.0 : 0.0};
  answer.insert(answer.end(), r.begin(), r.end());
  return answer;
}

std::vector<double> solved(StoredProblem& problem, const Method& method, double tolerance) {
  constexpr double long_time = 2.0;  // s
  std::vector<double> answer = solved_once(problem, method, tolerance);
  if (answer[0] > long_time) return answer;
  for (int again = 0; again < 2; ++again)
    answer[0] = std::min(answer[0], solved_once(problem, method, tolerance)[0]);
  return answer;
}

bool suits(const Method& method, const StoredProblem& problem) {
  return method.dimension == problem.dimension && problem.contact_count() <= method.most_contacts;
}

int run(const std::vector<std::string>& words) {
  if (words.size() != 1 && words.size() != 4) {
    std::fputs("usage: slipwave_siconos FILE [NAME TOLERANCE ANSWER]\n", stderr);
    return 2;
  }
  StoredProblem problem = local_form(words[0]);
  numerics_set_verbose(0);
  for (const Method& method : methods) {
    if (!suits(method, problem)) continue;
    if (words.size() == 1) std::puts(method.name);
    if (words.size() == 1 || words[1] != method.name) continue;
    const std::vector<double> answer = solved(problem, method, std::stod(words[2]));
    std::ofstream out(words[3], std::ios::binary);
    out.write(reinterpret_cast<const char*>(answer.data()),
              static_cast<std::streamsize>(answer.size() * sizeof(double)));
    return out.flush() ? 0 : 4;
  }
  return words.size() == 1 ? 0 : 2;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run({argv + 1, argv + argc});
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 2;
  }
}
