#pragma once

#include "contact/problem.hpp"
#include "contact/solvers/band_lu.hpp"

#include <Eigen/Core>
#include <vector>

namespace slipwave::contact {

/// What a StatusSystem has made for which statuses: enough to make it again, to the last bit.
struct FactorMemory {
  bool valid = false;              ///< whether there is a factor
  std::vector<Status> reference;   ///< the statuses it was made for
  std::vector<int> columns;        ///< the rows whose columns of Z are kept, in their order
  std::vector<int> changed_rows;   ///< the rows of the small matrix that is kept factorised
  std::vector<Status> changed_to;  ///< and the statuses of their contacts
  double spent = 0.0;
  Eigen::VectorXd mu{};  ///< the friction it was made for; empty: that of the problem
};

/// The linear system A p = r that the statuses of all contacts make of a 2D contact problem, two
/// rows per contact:
///     open      p_N = 0,             p_T = 0
///     sticking  (W p)_N = −b_N,      (W p)_T = −b_T      (p_T = 0 where W_TT = 0)
///     sliding   (W p)_N = −b_N,      p_T − s mu p_N = 0,  s = ±1 against the motion.
/// The rows without W are eliminated and the rest factorised, near blocks only. The factor is kept
/// for the statuses it was made for. Where few rows i differ from those, a'_i instead of a_i, the
/// solution is (Woodbury)
///     p = y + Z z,   y = A⁻¹ r,   Z = A⁻¹ [e_i],   (a'_i Z) z = r'_i − a'_i y,
/// and the columns of Z are kept, too: they do not depend on what the rows became. So are the small
/// matrix a'_i Z and its factor, as far as the statuses stay.
///
/// The more rows differ, the more a solution costs. A factor is worn once what that has cost so far
/// would have paid for a new one.
class StatusSystem {
 public:
  explicit StatusSystem(const DenseBand& W);

  /// p for these statuses; inactive contacts are to be open. False if the system is singular, or
  /// if it needs a new factor that may not be made.
  bool solve(const Problem& problem, const std::vector<Status>& status, bool may_factorise,
             Eigen::VectorXd& p);
  /// Whether a new factor is due; a count of operations, so the same on every machine.
  bool worn() const { return valid_ && spent_ > factor_cost_; }
  /// Makes the factor for these statuses now; if they make a singular system there is none.
  void renew(const Problem& problem, const std::vector<Status>& status);
  /// The next solve() factorises.
  void forget() { valid_ = false; }
  /// Whether the last solve() used a factor made for other statuses.
  bool updated() const { return !changed_rows_.empty(); }
  long factorisations() const { return factorisations_; }

  FactorMemory memory() const;
  /// Makes what the memory says, for problems with the W of this one.
  void restore(const Problem& problem, const FactorMemory& memory);

 private:
  bool factorise(const DenseBand& W, const Eigen::VectorXd& mu, const std::vector<Status>& status);
  void number_unknowns(const DenseBand& W);
  void fill_column(const DenseBand& W, int l);
  bool find_changes(const DenseBand& W, const std::vector<Status>& status);
  void expand(Eigen::Ref<Eigen::VectorXd> p) const;
  void solve_reference(const Problem& problem, Eigen::VectorXd& p);
  bool apply_changes(const Problem& problem, const std::vector<Status>& status, Eigen::VectorXd& p);
  void add_column(const DenseBand& W, int row);
  void refresh_row(const DenseBand& W, int row, Status now);
  bool factorise_changes(const DenseBand& W, const std::vector<Status>& status);
  bool same_changes(const std::vector<Status>& status) const;
  void tie(const DenseBand& W, const std::vector<Status>& status, Eigen::VectorXd& p) const;
  double row_times(const DenseBand& W, int row, Status status, const double* p) const;

  BandLu lu_, small_lu_;
  bool valid_ = false;
  long factorisations_ = 0;
  std::vector<Status> reference_;  // the statuses of the factor, and the friction
  Eigen::VectorXd mu_;
  std::vector<int> unknowns_;  // component 2a or 2a + 1 of p per unknown
  int band_ = 0;               // of the reduced matrix
  std::vector<int> changed_rows_;
  std::vector<int> column_of_row_;  // in Z_, or -1
  int column_count_ = 0;
  Eigen::MatrixXd Z_;
  Eigen::MatrixXd rows_Z_;          // a'_i Z; row i is that of column i of Z
  std::vector<Status> row_status_;  // what a'_i was made for, per column of Z
  std::vector<int> row_filled_;     // how many entries of it there are
  std::vector<int> factored_rows_;  // the changed rows in small_lu_, and what they became
  std::vector<Status> factored_status_;
  Eigen::VectorXd x_, z_;
  double factor_cost_ = 0.0, spent_ = 0.0;  // operations: of the factor, of updates since
};

}  // namespace slipwave::contact
