#include "linear/factor.hpp"

#include <cholmod.h>
#include <fmt/format.h>
#include <sys/mman.h>

#include <Eigen/SparseCore>
#include <algorithm>
#include <cassert>
#include <new>

// Present when the system's BLAS is OpenBLAS, null otherwise.
extern "C" void openblas_set_num_threads(int count) __attribute__((weak));
extern "C" char* openblas_get_config() __attribute__((weak));
// Present when CHOLMOD is compiled with OpenMP.
extern "C" void omp_set_max_active_levels(int levels) __attribute__((weak));

namespace slipwave::linear {

namespace {

/// Above this many last unknowns their clique would dominate the graph that is ordered.
constexpr int largest_clique = 4000;

using LowerMatrix = Eigen::SparseMatrix<double, Eigen::ColMajor, int>;

cholmod_sparse view(LowerMatrix& A) {
  cholmod_sparse result{};
  result.nrow = static_cast<std::size_t>(A.rows());
  result.ncol = static_cast<std::size_t>(A.cols());
  result.nzmax = static_cast<std::size_t>(A.nonZeros());
  result.p = A.outerIndexPtr();
  result.i = A.innerIndexPtr();
  result.x = A.valuePtr();
  result.stype = -1;
  result.itype = CHOLMOD_INT;
  result.xtype = CHOLMOD_REAL;
  result.dtype = CHOLMOD_DOUBLE;
  result.sorted = 1;
  result.packed = 1;
  return result;
}

/// The lower triangle of A, with explicit zeros that join the last unknowns to each other.
LowerMatrix with_clique(const LowerMatrix& lower, const std::vector<int>& last) {
  if (static_cast<int>(last.size()) > largest_clique) return lower;
  std::vector<Eigen::Triplet<double>> entries;
  for (const int i : last)
    for (const int j : last)
      if (i > j) entries.emplace_back(i, j, 0.0);
  LowerMatrix clique(lower.rows(), lower.cols());
  clique.setFromTriplets(entries.begin(), entries.end());
  return lower + clique;
}

/// `order` without the last unknowns, and then these.
std::vector<int> moved_last(const std::vector<int>& order, const std::vector<int>& last) {
  std::vector<bool> is_last(order.size(), false);
  for (const int i : last) is_last[static_cast<std::size_t>(i)] = true;
  std::vector<int> result;
  result.reserve(order.size());
  for (const int i : order)
    if (!is_last[static_cast<std::size_t>(i)]) result.push_back(i);
  result.insert(result.end(), last.begin(), last.end());
  return result;
}

void check(int ok, const cholmod_common& common, const char* what) {
  if (ok && common.status >= CHOLMOD_OK) return;
  if (common.status == CHOLMOD_OUT_OF_MEMORY) throw std::bad_alloc();
  throw std::runtime_error(fmt::format("CHOLMOD could not {} (status {})", what, common.status));
}

/// OpenBLAS takes 128 MB for itself with its first product, and where the address space is limited
/// (`ulimit -v`) it asks for them for ever. So all that the factorisation will take is asked for
/// before. Throws std::bad_alloc.
void require_room_for(const cholmod_factor& L) {
  constexpr std::size_t of_openblas = std::size_t{128} << 20;
  const std::size_t bytes = sizeof(double) * (L.xsize + L.maxcsize) + of_openblas;
  void* const place = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (place == MAP_FAILED) throw std::bad_alloc();
  munmap(place, bytes);
}

/// METIS's order with the last unknowns moved to the end, then postordered so that supernodes are
/// contiguous. CHOLMOD's own postordering would mix the last unknowns of separate bodies with the
/// others; dropping them from its postorder and appending them keeps every subtree contiguous and
/// the fill unchanged.
std::vector<int> contact_last_order(LowerMatrix& lower, const std::vector<int>& last,
                                    cholmod_common& common) {
  const auto n = static_cast<std::size_t>(lower.rows());
  LowerMatrix graph = with_clique(lower, last);
  cholmod_sparse graph_view = view(graph);
  std::vector<int> order(n);
  check(cholmod_metis(&graph_view, nullptr, 0, 1, order.data(), &common), common,
        "order with METIS");
  order = moved_last(order, last);

  std::vector<int> parent(n), post(n), count(n), first(n), level(n);
  cholmod_sparse lower_view = view(lower);
  check(
      cholmod_analyze_ordering(&lower_view, CHOLMOD_GIVEN, order.data(), nullptr, 0, parent.data(),
                               post.data(), count.data(), first.data(), level.data(), &common),
      common, "analyse the ordering");
  std::vector<int> postordered(n);
  std::transform(post.begin(), post.end(), postordered.begin(),
                 [&](int k) { return order[static_cast<std::size_t>(k)]; });
  return moved_last(postordered, last);
}

/// CHOLMOD asks OpenMP for four threads, whatever the machine; BLAS for all processors.
void keep_to_one_thread() {
  if (openblas_set_num_threads) openblas_set_num_threads(1);
  if (omp_set_max_active_levels) omp_set_max_active_levels(0);
}

/// CHOLMOD's state, and the factor it makes.
struct Cholmod {
  Cholmod() {
    cholmod_start(&common);
    common.print = 0;
    common.nmethods = 1;
    common.method[0].ordering = CHOLMOD_GIVEN;
    common.postorder = 0;
    common.supernodal = CHOLMOD_SUPERNODAL;
    common.final_asis = 1;
    // The solves are run thousands of times and every stored zero costs there: merge small
    // supernodes only, whose indices cost more. Measured at 1e3 to 1e5 nodes.
    common.nrelax[0] = 6;
    common.nrelax[1] = 12;
    common.nrelax[2] = 32;
    common.zrelax[0] = 0.3;
    common.zrelax[1] = 0.05;
    common.zrelax[2] = 0.01;
  }
  Cholmod(const Cholmod&) = delete;
  Cholmod& operator=(const Cholmod&) = delete;
  ~Cholmod() {
    if (L) cholmod_free_factor(&L, &common);
    cholmod_finish(&common);
  }
  SupernodalView view() const {
    return {static_cast<int>(L->nsuper),    static_cast<const int*>(L->super),
            static_cast<const int*>(L->pi), static_cast<const int*>(L->s),
            static_cast<const int*>(L->px), static_cast<const double*>(L->x)};
  }

  cholmod_common common{};
  cholmod_factor* L = nullptr;
};

}  // namespace

NotPositiveDefinite::NotPositiveDefinite(int row_)
    : std::runtime_error(fmt::format("the matrix is not positive definite (row {})", row_)),
      row(row_) {}

ContactLastFactor::ContactLastFactor(const fem::SparseMatrix& A, const std::vector<int>& last) {
  const int n = static_cast<int>(A.rows());
  assert(A.cols() == n);
  assert(std::all_of(last.begin(), last.end(), [n](int i) { return i >= 0 && i < n; }));
  if (n == 0) return;
  keep_to_one_thread();
  Cholmod cholmod;
  cholmod_common& common = cholmod.common;
  LowerMatrix lower = LowerMatrix(A).triangularView<Eigen::Lower>();
  std::vector<int> order = contact_last_order(lower, last, common);
  cholmod_sparse lower_view = view(lower);
  cholmod.L = cholmod_analyze_p(&lower_view, order.data(), nullptr, 0, &common);
  check(cholmod.L != nullptr, common, "analyse the matrix");
  require_room_for(*cholmod.L);
  check(cholmod_factorize(&lower_view, cholmod.L, &common), common, "factorise the matrix");
  const auto* permutation = static_cast<const int*>(cholmod.L->Perm);
  if (common.status == CHOLMOD_NOT_POSDEF) throw NotPositiveDefinite(permutation[cholmod.L->minor]);
  if (!std::equal(order.begin(), order.end(), permutation))
    throw std::logic_error("CHOLMOD changed the given order");

  position_.resize(static_cast<std::size_t>(n));
  for (int k = 0; k < n; ++k) position_[static_cast<std::size_t>(permutation[k])] = k;
  L_ = SupernodalTriangle(cholmod.view(), n - static_cast<int>(last.size()));
}

Eigen::MatrixXd ContactLastFactor::inverse_on_last() const {
  Eigen::MatrixXd inverse = Eigen::MatrixXd::Identity(last_count(), last_count());
  L_.last_block().triangularView<Eigen::Lower>().solveInPlace(inverse);
  Eigen::MatrixXd result = Eigen::MatrixXd::Zero(last_count(), last_count());
  result.selfadjointView<Eigen::Lower>().rankUpdate(inverse.transpose());
  return result.selfadjointView<Eigen::Lower>();
}

Eigen::VectorXd ContactLastFactor::solve(const Eigen::VectorXd& x) const {
  assert(x.size() == size());
  Eigen::VectorXd y(L_.work_size());
  for (int i = 0; i < size(); ++i) y[position_[static_cast<std::size_t>(i)]] = x[i];
  L_.forward(y);
  L_.backward(y);
  Eigen::VectorXd result(size());
  for (int i = 0; i < size(); ++i) result[i] = y[position_[static_cast<std::size_t>(i)]];
  return result;
}

std::string cholmod_version_string() {
  return fmt::format("{}.{}.{}", CHOLMOD_MAIN_VERSION, CHOLMOD_SUB_VERSION, CHOLMOD_SUBSUB_VERSION);
}

std::string blas_version_string() {
  if (!openblas_get_config) return "unknown";
  const std::string text = openblas_get_config();  // "OpenBLAS 0.3.21 NO_LAPACKE DYNAMIC_ARCH ..."
  return text.substr(0, text.find(' ', text.find(' ') + 1));
}

}  // namespace slipwave::linear
