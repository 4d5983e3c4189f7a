#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace slipwave::app {

/// One run of a convergence study: its mesh size or time step, and what came out.
struct Member {
  double size = 0.0;   ///< h or time step, positive
  double value = 0.0;  ///< a quantity, or the norm of an error
};

/// What keeps a sequence from having an order, or what must be said beside it.
enum class SequenceFlag {
  unusable,         ///< a size that is not positive, or a value that is not a number
  duplicate_size,   ///< two members of one size
  too_few,          ///< fewer than three members are left
  round_off,        ///< differences or errors as small as round-off
  oscillatory,      ///< differences, or errors with their signs, change sign
  divergent,        ///< differences or errors do not fall with the size
  not_asymptotic,   ///< orders of the finest members disagree, or are too high to be true
  coarse_members,   ///< coarse members are left out: their orders disagree with the finer ones'
  gci_ratio,        ///< GCI_23 / (r^p GCI_12) is not near one
  far_from_theory,  ///< the order is not the one that theory promises
  zero_value        ///< the finest value is zero: there is no relative GCI
};

/// A flag with a sentence for people, which names the members concerned.
struct Remark {
  SequenceFlag flag;
  std::string sentence;
};

/// How a sequence is judged. Lengths and values have the units of the members.
struct ConvergenceOptions {
  std::optional<double> exact = {};              ///< of a quantity; its errors are then known
  std::optional<double> theoretical_order = {};  ///< bounds the order in the GCI from above
  std::optional<double> safety_factor = {};      ///< of the GCI; else 1.25, and 3 for two members
  double highest_order = 8.0;                    ///< above it an order is taken for chance
  double order_spread = 0.3;                     ///< by which successive orders may differ
  double theory_tolerance = 0.3;                 ///< by which the order may differ from theory
  double gci_ratio_tolerance = 0.15;  ///< by which GCI_23 / (r^p GCI_12) may differ from one
  double round_off = 1e-12;           ///< differences below this times the scale are round-off
  double scale = 0.0;                 ///< of the quantity, where larger than its values
  std::string size_name = "h";        ///< how remarks call the size
  std::string size_unit;              ///< how remarks call its unit
};

/// The order seen by successive members, two errors or three values.
struct LocalOrder {
  std::size_t finest = 0;            ///< place of its finest member in Convergence::members
  std::optional<double> order = {};  ///< none where `flag` says why
  std::optional<SequenceFlag> flag = {};
};

/// What a sequence of members says. No order, no extrapolated value and no GCI is given where a
/// remark says that there is none.
struct [[nodiscard]] Convergence {
  std::vector<Member> members;           ///< those that can be used, finest first
  std::vector<double> errors;            ///< their absolute errors, if the exact value is known
  std::vector<LocalOrder> local_orders;  ///< finest first
  std::size_t used_members = 0;          ///< the finest ones, which have the order
  std::optional<double> order = {};      ///< by regression over the used members
  std::optional<double> standard_error = {};  ///< of the order; none without a degree of freedom
  std::optional<double> extrapolated = {};    ///< Richardson's value at size zero, finest triplet
  std::optional<double> gci = {};  ///< grid-convergence index of the finest value, its unit
  std::optional<double> relative_gci = {};  ///< divided by the finest value
  double safety_factor = 1.25;              ///< in the GCI
  std::optional<double> gci_ratio = {};  ///< GCI_23 / (r^p GCI_12), p the order of the regression
  std::vector<Remark> remarks;

  /// Whether a remark carries this flag.
  bool has(SequenceFlag flag) const;
};

/// Least-squares line through points: y = intercept + slope x.
struct [[nodiscard]] Line {
  double intercept = 0.0;
  double slope = 0.0;
  std::optional<double> slope_error = {};  ///< standard error; none for two points
};

/// Fits a line to at least two points of different x.
Line fit_line(const std::vector<double>& x, const std::vector<double>& y);

/// Order p of three or more values f_i at sizes h_1 < h_2 < ...: the one for which
///     ln |f_{i+1} - f_i| - ln((h_{i+1}^p - h_i^p) / p)
/// has no slope over ln h_i, with the standard error of that slope. For three values this is the p
/// that [Celik08] find by a fixed-point iteration, which need not converge; ours is monotone
/// in p, so it is bisected. Not positive where the sequence diverges. The differences must not be
/// zero. Neighbouring differences share a value, so the standard error is an approximation.
Line order_of_differences(const std::vector<Member>& members);

/// Convergence of a quantity, given its values in any order of size. With options.exact its errors
/// |f_i - exact| are studied by pairs, else its differences by triplets. Three values have one
/// triplet and its order cannot be checked: GCI_23 / (r^p GCI_12) is then one by construction.
/// GCI = F |f_2 - f_1| / (r^p - 1) with p of the finest triplet, at most the theoretical order.
Convergence study_quantity(const std::vector<Member>& members,
                           const ConvergenceOptions& options = {});

/// Convergence of the norm of an error, given in any order of size. Set options.scale to the norm
/// of the solution, else round-off is only seen beside the largest error.
Convergence study_errors(const std::vector<Member>& members,
                         const ConvergenceOptions& options = {});

/// The order for a table: "1.98 ± 0.02", or "—" where there is none.
std::string order_text(const Convergence& convergence);

}  // namespace slipwave::app
