#include "bench/plain_solve.hpp"

#include "linear/submatrix.hpp"

#include <cholmod.h>

#include <Eigen/SparseCore>
#include <stdexcept>

// Present when the system's BLAS is OpenBLAS, null otherwise.
extern "C" void openblas_set_num_threads(int count) __attribute__((weak));

namespace slipwave::bench {

using dynamics::SparseMatrix;

SparseMatrix free_iteration_matrix(const dynamics::System& system, double theta, double h) {
  const std::vector<bool> is_prescribed = dynamics::prescribed_dofs(system);
  std::vector<int> index(is_prescribed.size(), -1);
  int free = 0;
  for (std::size_t i = 0; i < index.size(); ++i)
    if (!is_prescribed[i]) index[i] = free++;
  const SparseMatrix M_hat = system.M + (h * h * theta * theta) * system.K;
  return linear::submatrix(M_hat, index, free, index, free);
}

struct PlainSolve::Cholmod {
  Cholmod() {
    cholmod_start(&common);
    common.print = 0;
    common.nmethods = 1;
    common.method[0].ordering = CHOLMOD_METIS;
    common.supernodal = CHOLMOD_SUPERNODAL;
  }
  Cholmod(const Cholmod&) = delete;
  Cholmod& operator=(const Cholmod&) = delete;
  ~Cholmod() {
    for (cholmod_dense** vector : {&right_hand_side, &solution, &work, &more_work})
      cholmod_free_dense(vector, &common);
    cholmod_free_factor(&L, &common);
    cholmod_finish(&common);
  }

  cholmod_common common{};
  cholmod_factor* L = nullptr;
  cholmod_dense *right_hand_side = nullptr, *solution = nullptr, *work = nullptr,
                *more_work = nullptr;
};

PlainSolve::PlainSolve(const SparseMatrix& A) : cholmod_(std::make_unique<Cholmod>()) {
  if (openblas_set_num_threads) openblas_set_num_threads(1);
  using Columns = Eigen::SparseMatrix<double, Eigen::ColMajor, int>;
  Columns lower = Columns(A).triangularView<Eigen::Lower>();
  cholmod_sparse view{};
  view.nrow = view.ncol = static_cast<std::size_t>(lower.rows());
  view.nzmax = static_cast<std::size_t>(lower.nonZeros());
  view.p = lower.outerIndexPtr();
  view.i = lower.innerIndexPtr();
  view.x = lower.valuePtr();
  view.stype = -1;
  view.itype = CHOLMOD_INT;
  view.xtype = CHOLMOD_REAL;
  view.dtype = CHOLMOD_DOUBLE;
  view.sorted = view.packed = 1;
  cholmod_common& common = cholmod_->common;
  cholmod_->L = cholmod_analyze(&view, &common);
  if (!cholmod_->L || !cholmod_factorize(&view, cholmod_->L, &common))
    throw std::runtime_error("CHOLMOD could not factorise the matrix");
  cholmod_->right_hand_side = cholmod_ones(view.nrow, 1, CHOLMOD_REAL, &common);
}

PlainSolve::~PlainSolve() = default;

void PlainSolve::solve() {
  cholmod_solve2(CHOLMOD_A, cholmod_->L, cholmod_->right_hand_side, nullptr, &cholmod_->solution,
                 nullptr, &cholmod_->work, &cholmod_->more_work, &cholmod_->common);
}

std::size_t PlainSolve::stored_values() const { return cholmod_->L->xsize; }

}  // namespace slipwave::bench
