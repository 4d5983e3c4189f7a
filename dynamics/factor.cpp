#include "dynamics/factor.hpp"

#include <cholmod.h>
#include <fmt/format.h>

#include <Eigen/SparseCore>
#include <algorithm>

// Present when the system's BLAS is OpenBLAS, null otherwise.
extern "C" void openblas_set_num_threads(int count) __attribute__((weak));

namespace slipwave::dynamics {

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

/// A supernode: `columns` consecutive columns of L that share the row structure `rows` (the first
/// `columns` of which are their own), stored as a dense trapezoid with `row_count` doubles per
/// column.
struct Supernode {
  int first_column;
  int columns;
  int row_count;
  const int* rows;
  const double* values;
};

Supernode supernode(const cholmod_factor& L, int k) {
  const auto* super = static_cast<const int*>(L.super);
  const auto* pi = static_cast<const int*>(L.pi);
  const auto* px = static_cast<const int*>(L.px);
  return {super[k], super[k + 1] - super[k], pi[k + 1] - pi[k],
          static_cast<const int*>(L.s) + pi[k], static_cast<const double*>(L.x) + px[k]};
}

/// Two columns at a time: each pass over the rows below then does four flops for two loads of L.
void forward_supernode(const Supernode& s, double* y, double* below) {
  double* own = y + s.first_column;
  const int rows_below = s.row_count - s.columns;
  std::fill_n(below, rows_below, 0.0);
  int j = 0;
  for (; j + 1 < s.columns; j += 2) {
    const double* a = s.values + static_cast<std::ptrdiff_t>(j) * s.row_count;
    const double* b = a + s.row_count;
    const double y_a = own[j] /= a[j];
    const double y_b = own[j + 1] = (own[j + 1] - a[j + 1] * y_a) / b[j + 1];
    for (int i = j + 2; i < s.columns; ++i) own[i] -= a[i] * y_a + b[i] * y_b;
    for (int i = 0; i < rows_below; ++i)
      below[i] += a[s.columns + i] * y_a + b[s.columns + i] * y_b;
  }
  if (j < s.columns) {
    const double* a = s.values + static_cast<std::ptrdiff_t>(j) * s.row_count;
    const double y_a = own[j] /= a[j];
    for (int i = 0; i < rows_below; ++i) below[i] += a[s.columns + i] * y_a;
  }
  for (int i = 0; i < rows_below; ++i) y[s.rows[s.columns + i]] -= below[i];
}

void backward_supernode(const Supernode& s, double* y, double* below) {
  double* own = y + s.first_column;
  const int rows_below = s.row_count - s.columns;
  for (int i = 0; i < rows_below; ++i) below[i] = y[s.rows[s.columns + i]];
  int j = s.columns - 1;
  for (; j >= 1; j -= 2) {
    const double* b = s.values + static_cast<std::ptrdiff_t>(j) * s.row_count;
    const double* a = b - s.row_count;
    double sum_a = 0.0, sum_b = 0.0;
#pragma omp simd reduction(+ : sum_a, sum_b)
    for (int i = 0; i < rows_below; ++i) {
      sum_a += a[s.columns + i] * below[i];
      sum_b += b[s.columns + i] * below[i];
    }
    for (int i = j + 1; i < s.columns; ++i) {
      sum_a += a[i] * own[i];
      sum_b += b[i] * own[i];
    }
    own[j] = (own[j] - sum_b) / b[j];
    own[j - 1] = (own[j - 1] - sum_a - a[j] * own[j]) / a[j - 1];
  }
  if (j == 0) {
    const double* a = s.values;
    double sum_a = 0.0;
#pragma omp simd reduction(+ : sum_a)
    for (int i = 0; i < rows_below; ++i) sum_a += a[s.columns + i] * below[i];
    for (int i = 1; i < s.columns; ++i) sum_a += a[i] * own[i];
    own[0] = (own[0] - sum_a) / a[0];
  }
}

}  // namespace

NotPositiveDefinite::NotPositiveDefinite(int row_)
    : std::runtime_error(fmt::format("the matrix is not positive definite (row {})", row_)),
      row(row_) {}

struct ContactLastFactor::Cholmod {
  Cholmod() {
    cholmod_start(&common);
    common.print = 0;
    common.nmethods = 1;
    common.method[0].ordering = CHOLMOD_GIVEN;
    common.postorder = 0;
    common.supernodal = CHOLMOD_SUPERNODAL;
    common.final_asis = 1;
    // Merge fewer supernodes than the default: the solves are run thousands of times and stored
    // zeros cost there.
    common.zrelax[0] = 0.08;
    common.zrelax[1] = 0.01;
    common.zrelax[2] = 0.005;
  }
  Cholmod(const Cholmod&) = delete;
  Cholmod& operator=(const Cholmod&) = delete;
  ~Cholmod() {
    if (L) cholmod_free_factor(&L, &common);
    cholmod_finish(&common);
  }
  int supernodes() const { return static_cast<int>(L->nsuper); }

  cholmod_common common{};
  cholmod_factor* L = nullptr;
};

ContactLastFactor::ContactLastFactor(const fem::SparseMatrix& A, const std::vector<int>& last)
    : cholmod_(std::make_unique<Cholmod>()),
      size_(static_cast<int>(A.rows())),
      last_count_(static_cast<int>(last.size())) {
  if (size_ == 0) return;
  if (openblas_set_num_threads) openblas_set_num_threads(1);
  cholmod_common& common = cholmod_->common;
  LowerMatrix lower = LowerMatrix(A).triangularView<Eigen::Lower>();
  std::vector<int> order = contact_last_order(lower, last, common);
  cholmod_sparse lower_view = view(lower);
  cholmod_->L = cholmod_analyze_p(&lower_view, order.data(), nullptr, 0, &common);
  check(cholmod_->L != nullptr, common, "analyse the matrix");
  check(cholmod_factorize(&lower_view, cholmod_->L, &common), common, "factorise the matrix");
  const cholmod_factor& L = *cholmod_->L;
  const auto* permutation = static_cast<const int*>(L.Perm);
  if (common.status == CHOLMOD_NOT_POSDEF) throw NotPositiveDefinite(permutation[L.minor]);
  if (!std::equal(order.begin(), order.end(), permutation))
    throw std::logic_error("CHOLMOD changed the given order");

  position_.resize(static_cast<std::size_t>(size_));
  for (int k = 0; k < size_; ++k) position_[static_cast<std::size_t>(permutation[k])] = k;
  while (first_last_supernode_ < cholmod_->supernodes() &&
         static_cast<const int*>(L.super)[first_last_supernode_ + 1] <= size_ - last_count_)
    ++first_last_supernode_;
  work_.resize(static_cast<Eigen::Index>(L.maxesize) + 1);
}

ContactLastFactor::~ContactLastFactor() = default;
ContactLastFactor::ContactLastFactor(ContactLastFactor&&) noexcept = default;
ContactLastFactor& ContactLastFactor::operator=(ContactLastFactor&&) noexcept = default;

double ContactLastFactor::reciprocal_condition() const {
  return size_ == 0 ? 1.0 : cholmod_rcond(cholmod_->L, &cholmod_->common);
}

std::size_t ContactLastFactor::stored_values() const { return size_ == 0 ? 0 : cholmod_->L->xsize; }

void ContactLastFactor::forward(Eigen::VectorXd& y) const {
  if (size_ == 0) return;
  for (int k = 0; k < cholmod_->supernodes(); ++k)
    forward_supernode(supernode(*cholmod_->L, k), y.data(), work_.data());
}

void ContactLastFactor::backward(Eigen::VectorXd& y) const {
  if (size_ == 0) return;
  for (int k = cholmod_->supernodes() - 1; k >= 0; --k)
    backward_supernode(supernode(*cholmod_->L, k), y.data(), work_.data());
}

void ContactLastFactor::forward_last(Eigen::VectorXd& y) const {
  if (last_count_ == 0) return;
  // A relaxed supernode may straddle the boundary: its leading unknowns must not contribute.
  const int first_last = size_ - last_count_;
  const int start = supernode(*cholmod_->L, first_last_supernode_).first_column;
  y.segment(start, first_last - start).setZero();
  for (int k = first_last_supernode_; k < cholmod_->supernodes(); ++k)
    forward_supernode(supernode(*cholmod_->L, k), y.data(), work_.data());
}

void ContactLastFactor::backward_last(Eigen::VectorXd& y) const {
  if (last_count_ == 0) return;
  for (int k = cholmod_->supernodes() - 1; k >= first_last_supernode_; --k)
    backward_supernode(supernode(*cholmod_->L, k), y.data(), work_.data());
}

Eigen::MatrixXd ContactLastFactor::inverse_on_last() const {
  const int first_last = size_ - last_count_;
  Eigen::MatrixXd L_cc = Eigen::MatrixXd::Zero(last_count_, last_count_);
  for (int k = first_last_supernode_; last_count_ > 0 && k < cholmod_->supernodes(); ++k) {
    const Supernode s = supernode(*cholmod_->L, k);
    for (int j = std::max(0, first_last - s.first_column); j < s.columns; ++j)
      for (int i = j; i < s.row_count; ++i)
        L_cc(s.rows[i] - first_last, s.first_column + j - first_last) =
            s.values[static_cast<std::ptrdiff_t>(j) * s.row_count + i];
  }
  Eigen::MatrixXd inverse = Eigen::MatrixXd::Identity(last_count_, last_count_);
  L_cc.triangularView<Eigen::Lower>().solveInPlace(inverse);
  Eigen::MatrixXd result = Eigen::MatrixXd::Zero(last_count_, last_count_);
  result.selfadjointView<Eigen::Lower>().rankUpdate(inverse.transpose());
  return result.selfadjointView<Eigen::Lower>();
}

Eigen::VectorXd ContactLastFactor::solve(const Eigen::VectorXd& x) const {
  Eigen::VectorXd y(size_);
  for (int i = 0; i < size_; ++i) y[position_[static_cast<std::size_t>(i)]] = x[i];
  forward(y);
  backward(y);
  Eigen::VectorXd result(size_);
  for (int i = 0; i < size_; ++i) result[i] = y[position_[static_cast<std::size_t>(i)]];
  return result;
}

std::string cholmod_version_string() {
  return fmt::format("{}.{}.{}", CHOLMOD_MAIN_VERSION, CHOLMOD_SUB_VERSION, CHOLMOD_SUBSUB_VERSION);
}

}  // namespace slipwave::dynamics
