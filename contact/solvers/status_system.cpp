#include "contact/solvers/status_system.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace slipwave::contact {

namespace {

constexpr int max_columns = 64;

std::size_t at(int i) { return static_cast<std::size_t>(i); }

/// s of p_T = s mu p_N.
double friction_sign(Status status) {
  return status == Status::sliding_forward ? -1.0 : status == Status::sliding_backward ? 1.0 : 0.0;
}

/// A row without W: the component is given, or tied to the other one.
bool is_kinematic(const DenseBand& W, int row, Status status) {
  if (row % 2 == 0) return status == Status::open;
  return status != Status::sticking || W.diagonal<2>(row / 2)(1, 1) == 0.0;
}

}  // namespace

StatusSystem::StatusSystem(const DenseBand& W)
    : lu_(2 * W.contact_count()),
      small_lu_(max_columns),
      reference_(at(W.contact_count()), Status::open),
      mu_(Eigen::VectorXd::Zero(W.contact_count())),
      column_of_row_(at(2 * W.contact_count()), -1),
      Z_(2 * W.contact_count(), max_columns),
      rows_Z_(max_columns, max_columns),
      row_status_(at(max_columns), Status::open),
      row_filled_(at(max_columns), 0),
      x_(2 * W.contact_count()),
      z_(max_columns) {
  unknowns_.reserve(at(2 * W.contact_count()));
  changed_rows_.reserve(at(2 * W.contact_count()));
  factored_rows_.reserve(at(max_columns));
  factored_status_.reserve(at(max_columns));
}

bool StatusSystem::solve(const Problem& problem, const std::vector<Status>& status,
                         bool may_factorise, Eigen::VectorXd& p) {
  assert(problem.dimension() == 2 && problem.mu.size() == mu_.size());
  assert(status.size() == reference_.size());
  const bool usable = valid_ && mu_ == problem.mu && find_changes(problem.W, status);
  if (!usable && !(may_factorise && factorise(problem.W, problem.mu, status))) return false;
  solve_reference(problem, p);
  return changed_rows_.empty() || apply_changes(problem, status, p);
}

void StatusSystem::renew(const Problem& problem, const std::vector<Status>& status) {
  valid_ = factorise(problem.W, problem.mu, status);
}

/// The rows without W, to the last bit.
void StatusSystem::tie(const DenseBand& W, const std::vector<Status>& status,
                       Eigen::VectorXd& p) const {
  for (const int row : changed_rows_) {
    const Status now = status[at(row / 2)];
    if (!is_kinematic(W, row, now)) continue;
    p[row] = row % 2 == 0 ? 0.0 : friction_sign(now) * mu_[row / 2] * p[row - 1];
  }
}

/// Lists the rows that differ from the factor's; false if a new factor is cheaper than their
/// columns of Z, each a solve.
bool StatusSystem::find_changes(const DenseBand& W, const std::vector<Status>& status) {
  changed_rows_.clear();
  int new_columns = 0;
  for (int a = 0; a < W.contact_count(); ++a) {
    if (status[at(a)] == reference_[at(a)]) continue;
    for (const int row : {2 * a, 2 * a + 1}) {
      if (row % 2 == 0 &&
          is_kinematic(W, row, status[at(a)]) == is_kinematic(W, row, reference_[at(a)]))
        continue;
      changed_rows_.push_back(row);
      if (column_of_row_[at(row)] < 0) ++new_columns;
    }
  }
  return new_columns <= std::max(band_ / 4, 4) && column_count_ + new_columns <= max_columns;
}

bool StatusSystem::factorise(const DenseBand& W, const Eigen::VectorXd& mu,
                             const std::vector<Status>& status) {
  std::copy(status.begin(), status.end(), reference_.begin());
  mu_ = mu;
  changed_rows_.clear();
  std::fill(column_of_row_.begin(), column_of_row_.end(), -1);
  column_count_ = 0;
  factored_rows_.clear();
  number_unknowns(W);
  const int size = static_cast<int>(unknowns_.size());
  spent_ = 0.0;
  factor_cost_ = 2.0 * size * (band_ + 4.0) * (band_ + 4.0);
  lu_.reset(size, band_);
  for (int l = 0; l < size; ++l) fill_column(W, l);
  ++factorisations_;
  valid_ = lu_.factorise();
  return valid_;
}

void StatusSystem::number_unknowns(const DenseBand& W) {
  unknowns_.clear();
  for (int row = 0; row < 2 * W.contact_count(); ++row)
    if (!is_kinematic(W, row, reference_[at(row / 2)])) unknowns_.push_back(row);
  band_ = 0;
  const int size = static_cast<int>(unknowns_.size());
  for (int k = 0, l = 0; k < size; ++k) {
    while (l < size && unknowns_[at(l)] / 2 <= unknowns_[at(k)] / 2 + W.half_bandwidth()) ++l;
    band_ = std::max(band_, l - 1 - k);
  }
}

/// The column of a sliding contact's p_N brings that of p_T = s mu p_N along.
void StatusSystem::fill_column(const DenseBand& W, int l) {
  const int column = unknowns_[at(l)], a = column / 2, reach = W.half_bandwidth();
  const int end = std::min(l + band_ + 1, static_cast<int>(unknowns_.size()));
  const double s = column % 2 == 0 ? friction_sign(reference_[at(a)]) * mu_[a] : 0.0;
  const int tied = s == 0.0 ? column : column + 1;
  const double *own = W.near_column(column), *other = W.near_column(tied);
  const auto D = W.diagonal<2>(a);
  for (int k = std::max(l - band_, 0); k < end; ++k) {
    const int row = unknowns_[at(k)];
    if (std::abs(row / 2 - a) <= reach) lu_.entry(k, l) = own[row] + s * other[row];
  }
  for (int k = std::max(l - 1, 0); k < std::min(l + 2, end); ++k) {
    const int row = unknowns_[at(k)];
    if (row / 2 == a) lu_.entry(k, l) = D(row % 2, column % 2) + s * D(row % 2, tied % 2);
  }
}

/// p += the solution x_ of the reduced system.
void StatusSystem::expand(Eigen::Ref<Eigen::VectorXd> p) const {
  for (std::size_t k = 0; k < unknowns_.size(); ++k) {
    const int i = unknowns_[k];
    const double x = x_[static_cast<Eigen::Index>(k)];
    p[i] += x;
    if (i % 2 == 0) p[i + 1] += friction_sign(reference_[at(i / 2)]) * mu_[i / 2] * x;
  }
}

/// y = A⁻¹ r.
void StatusSystem::solve_reference(const Problem& problem, Eigen::VectorXd& p) {
  for (std::size_t k = 0; k < unknowns_.size(); ++k)
    x_[static_cast<Eigen::Index>(k)] = -problem.b[unknowns_[k]];
  lu_.solve(x_.head(lu_.size()));
  p.setZero();
  expand(p);
}

/// One column A⁻¹ e_row of Z.
void StatusSystem::add_column(const DenseBand& W, int row) {
  column_of_row_[at(row)] = column_count_;
  auto column = Z_.col(column_count_++);
  column.setZero();
  row_filled_[at(column_of_row_[at(row)])] = 0;
  spent_ += 4.0 * lu_.size() * band_;
  const bool given = is_kinematic(W, row, reference_[at(row / 2)]);
  if (given) column[row] = 1.0;
  for (std::size_t k = 0; k < unknowns_.size(); ++k)
    x_[static_cast<Eigen::Index>(k)] =
        given ? -W.matrix()(unknowns_[k], row) : (unknowns_[k] == row ? 1.0 : 0.0);
  lu_.solve(x_.head(lu_.size()));
  expand(column);
}

/// a'_row p for a status.
double StatusSystem::row_times(const DenseBand& W, int row, Status status, const double* p) const {
  const int a = row / 2;
  if (!is_kinematic(W, row, status))
    return W.off_diagonal_times<2>(a, p)[row % 2] +
           W.diagonal<2>(a).row(row % 2).dot(Eigen::Map<const Eigen::Vector2d>(p + 2 * a));
  return row % 2 == 0 ? p[row] : p[row] - friction_sign(status) * mu_[a] * p[row - 1];
}

/// The entries of a'_row Z that are missing, or all if the row became something else.
void StatusSystem::refresh_row(const DenseBand& W, int row, Status now) {
  const int slot = column_of_row_[at(row)];
  int& filled = row_filled_[at(slot)];
  if (row_status_[at(slot)] != now) filled = 0;
  row_status_[at(slot)] = now;
  for (; filled < column_count_; ++filled)
    rows_Z_(slot, filled) = row_times(W, row, now, Z_.col(filled).data());
}

bool StatusSystem::same_changes(const std::vector<Status>& status) const {
  if (changed_rows_ != factored_rows_) return false;
  for (std::size_t i = 0; i < changed_rows_.size(); ++i)
    if (status[at(changed_rows_[i] / 2)] != factored_status_[i]) return false;
  return true;
}

/// The factor of a'_i Z between the changed rows.
bool StatusSystem::factorise_changes(const DenseBand& W, const std::vector<Status>& status) {
  for (const int row : changed_rows_)
    if (column_of_row_[at(row)] < 0) add_column(W, row);
  const int size = static_cast<int>(changed_rows_.size());
  small_lu_.reset(size, size - 1);
  factored_rows_.clear();
  factored_status_.clear();
  for (int i = 0; i < size; ++i) {
    const int row = changed_rows_[at(i)];
    refresh_row(W, row, status[at(row / 2)]);
    factored_status_.push_back(status[at(row / 2)]);
    for (int j = 0; j < size; ++j)
      small_lu_.entry(i, j) =
          rows_Z_(column_of_row_[at(row)], column_of_row_[at(changed_rows_[at(j)])]);
  }
  spent_ += 2.0 / 3.0 * size * size * size;
  if (!small_lu_.factorise()) return false;
  factored_rows_.assign(changed_rows_.begin(), changed_rows_.end());
  return true;
}

FactorMemory StatusSystem::memory() const {
  if (!valid_) return {};
  FactorMemory memory{true,   reference_, std::vector<int>(at(column_count_)), factored_rows_, {},
                      spent_, mu_};
  for (int row = 0; row < static_cast<int>(column_of_row_.size()); ++row)
    if (column_of_row_[at(row)] >= 0) memory.columns[at(column_of_row_[at(row)])] = row;
  if (!factored_rows_.empty()) memory.changed_to = factored_status_;
  return memory;
}

/// Every number is computed as it was the first time; only the work spent is not counted twice.
void StatusSystem::restore(const Problem& problem, const FactorMemory& memory) {
  forget();
  if (!memory.valid) return;
  valid_ = factorise(problem.W, memory.mu.size() > 0 ? memory.mu : problem.mu, memory.reference);
  for (const int row : memory.columns) add_column(problem.W, row);
  if (!memory.changed_rows.empty()) {
    std::vector<Status> status = reference_;
    for (std::size_t i = 0; i < memory.changed_rows.size(); ++i)
      status[at(memory.changed_rows[i] / 2)] = memory.changed_to[i];
    changed_rows_.assign(memory.changed_rows.begin(), memory.changed_rows.end());
    factorise_changes(problem.W, status);
  }
  spent_ = memory.spent;
}

bool StatusSystem::apply_changes(const Problem& problem, const std::vector<Status>& status,
                                 Eigen::VectorXd& p) {
  const DenseBand& W = problem.W;
  if (!same_changes(status) && !factorise_changes(W, status)) return false;
  const int size = static_cast<int>(changed_rows_.size());
  for (int i = 0; i < size; ++i) {
    const int row = changed_rows_[at(i)];
    const Status now = status[at(row / 2)];
    z_[i] = (is_kinematic(W, row, now) ? 0.0 : -problem.b[row]) - row_times(W, row, now, p.data());
  }
  small_lu_.solve(z_.head(size));
  for (int i = 0; i < size; ++i) p += z_[i] * Z_.col(column_of_row_[at(changed_rows_[at(i)])]);
  tie(W, status, p);
  spent_ += 2.0 * size * static_cast<double>(size + p.size() + 4 * W.half_bandwidth());
  return true;
}

}  // namespace slipwave::contact
