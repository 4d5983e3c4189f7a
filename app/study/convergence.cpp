#include "app/study/convergence.hpp"

#include <fmt/format.h>
#include <Eigen/Core>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <utility>

namespace slipwave::app {

namespace {

/// Sizes closer than this, relatively, are one size.
constexpr double same_size = 1e-6;
/// Orders are sought between minus this and this.
constexpr double order_bound = 64.0;

/// "h = 2, 1 and 0.5 mm"
std::string names_of(const std::vector<Member>& members, std::size_t first, std::size_t count,
                     const ConvergenceOptions& options) {
  std::string text = options.size_name + " = ";
  for (std::size_t i = count; i-- > 0;) {
    text += fmt::format("{:.6g}", members[first + i].size);
    if (i > 0) text += i == 1 ? " and " : ", ";
  }
  return options.size_unit.empty() ? text : text + " " + options.size_unit;
}

/// Sequence under study: the report that grows, and what does not change meanwhile.
struct Study {
  const ConvergenceOptions& options;
  Convergence result;
  std::vector<double> signed_errors;  ///< with their signs for a quantity, which norms lack
  double scale = 0.0;                 ///< of the quantity

  const std::vector<Member>& members() const { return result.members; }
  bool is_round_off(double difference) const {
    return std::abs(difference) <= options.round_off * scale;
  }
  std::string names(std::size_t first, std::size_t count) const {
    return names_of(members(), first, count, options);
  }
  void remark(SequenceFlag flag, std::string sentence) {
    result.remarks.push_back({flag, std::move(sentence)});
  }
};

bool is_usable(const Member& member) {
  return std::isfinite(member.size) && member.size > 0.0 && std::isfinite(member.value);
}

/// Takes over the members that can be used, finest first, and says which cannot.
void take_members(Study& study, const std::vector<Member>& members) {
  for (const Member& member : members) {
    if (is_usable(member))
      study.result.members.push_back(member);
    else
      study.remark(SequenceFlag::unusable,
                   fmt::format("{} has the value {} and is left out: sizes must be positive and "
                               "values finite",
                               names_of({member}, 0, 1, study.options), member.value));
  }
  std::stable_sort(study.result.members.begin(), study.result.members.end(),
                   [](const Member& a, const Member& b) { return a.size < b.size; });
}

/// Of members of one size keeps the first that was given, and says so.
void drop_duplicates(Study& study) {
  std::vector<Member> kept;
  for (const Member& member : study.result.members) {
    if (kept.empty() || member.size - kept.back().size > same_size * member.size)
      kept.push_back(member);
    else
      study.remark(
          SequenceFlag::duplicate_size,
          fmt::format("{} occurs more than once: its value {:.6g} is used, {:.6g} is not",
                      names_of({member}, 0, 1, study.options), kept.back().value, member.value));
  }
  study.result.members = std::move(kept);
}

Study start(const std::vector<Member>& members, const ConvergenceOptions& options) {
  Study study{options, {}, {}, options.scale};
  take_members(study, members);
  drop_duplicates(study);
  for (const Member& member : study.members())
    study.scale = std::max(study.scale, std::abs(member.value));
  study.result.safety_factor =
      options.safety_factor.value_or(study.members().size() > 2 ? 1.25 : 3.0);
  return study;
}

/// The order p from member i on, unless it is none or a difference has vanished by chance.
LocalOrder credible(const Study& study, std::size_t i, double p) {
  if (p <= 0.0) return {i, {}, SequenceFlag::divergent};
  if (p > study.options.highest_order) return {i, {}, SequenceFlag::not_asymptotic};
  return {i, p, {}};
}

/// Order of two errors, finer one first, or why there is none.
LocalOrder pair_order(const Study& study, std::size_t i) {
  const double fine = study.signed_errors[i], coarse = study.signed_errors[i + 1];
  if (study.is_round_off(fine) || study.is_round_off(coarse))
    return {i, {}, SequenceFlag::round_off};
  if (fine * coarse < 0.0) return {i, {}, SequenceFlag::oscillatory};
  const double r = study.members()[i + 1].size / study.members()[i].size;
  return credible(study, i, std::log(coarse / fine) / std::log(r));
}

std::vector<Member> part(const std::vector<Member>& members, std::size_t first, std::size_t count) {
  const auto begin = members.begin() + static_cast<std::ptrdiff_t>(first);
  return {begin, begin + static_cast<std::ptrdiff_t>(count)};
}

/// Order of three values, finest first, or why there is none.
LocalOrder triplet_order(const Study& study, std::size_t i) {
  const std::vector<Member> f = part(study.members(), i, 3);
  const double fine = f[1].value - f[0].value, coarse = f[2].value - f[1].value;
  if (study.is_round_off(fine) || study.is_round_off(coarse))
    return {i, {}, SequenceFlag::round_off};
  if ((fine > 0.0) != (coarse > 0.0)) return {i, {}, SequenceFlag::oscillatory};
  return credible(study, i, order_of_differences(f).slope);
}

bool knows_errors(const Study& study) { return !study.signed_errors.empty(); }

std::size_t members_of_an_order(const Study& study) { return knows_errors(study) ? 2 : 3; }

void find_local_orders(Study& study) {
  const std::size_t needed = members_of_an_order(study);
  for (std::size_t i = 0; i + needed <= study.members().size(); ++i)
    study.result.local_orders.push_back(knows_errors(study) ? pair_order(study, i)
                                                            : triplet_order(study, i));
}

/// What is wrong with the members of a local order that has a flag.
std::string trouble(const Study& study, SequenceFlag flag) {
  const bool errors = knows_errors(study);
  const std::string subject = errors ? "the errors" : "the differences";
  switch (flag) {
    case SequenceFlag::round_off:
      return errors ? "an error is at round-off level" : "a difference is at round-off level";
    case SequenceFlag::oscillatory:
      return subject + " change sign";
    case SequenceFlag::not_asymptotic:
      return fmt::format("{} fall faster than order {:g}", subject, study.options.highest_order);
    default:
      return subject + " do not fall with the size";
  }
}

/// One remark for each kind of trouble, over the members from the first to the last that have it.
void remark_trouble(Study& study, SequenceFlag flag) {
  const std::vector<LocalOrder>& orders = study.result.local_orders;
  std::string members;
  for (std::size_t i = 0; i < orders.size(); ++i) {
    if (orders[i].flag != flag) continue;
    const std::size_t first = i;
    while (i + 1 < orders.size() && orders[i + 1].flag == flag) ++i;
    members += members.empty() ? "" : "; ";
    members += study.names(first, i - first + members_of_an_order(study));
  }
  if (!members.empty())
    study.remark(flag, fmt::format("{} at {}: no order there", trouble(study, flag), members));
}

/// How many of the finest local orders exist and differ by no more than the allowed spread.
std::size_t agreeing_orders(const Study& study) {
  double lowest = std::numeric_limits<double>::infinity(), highest = -lowest;
  std::size_t count = 0;
  for (const LocalOrder& local : study.result.local_orders) {
    if (!local.order) break;
    lowest = std::min(lowest, *local.order);
    highest = std::max(highest, *local.order);
    if (highest - lowest > study.options.order_spread) break;
    ++count;
  }
  return count;
}

/// Orders of successive members, coarse to fine.
std::string listed_orders(const Study& study) {
  std::vector<std::string> texts;
  for (const LocalOrder& local : study.result.local_orders)
    texts.insert(texts.begin(), local.order ? fmt::format("{:.2f}", *local.order) : "none");
  return fmt::format("{}", fmt::join(texts, ", "));
}

/// Decides which of the finest members have one order; leaves used_members at zero if none have.
void find_asymptotic_range(Study& study) {
  const std::size_t agreeing = agreeing_orders(study), total = study.result.local_orders.size();
  if (agreeing == 0) return;  // the remark on the finest members says why
  const std::size_t used = agreeing - 1 + members_of_an_order(study), all = study.members().size();
  if (agreeing == 1 && total > 1) {
    study.remark(SequenceFlag::not_asymptotic,
                 fmt::format("{}: not in the asymptotic range, the orders of successive members "
                             "(coarse to fine: {}) differ by more than {:g}",
                             study.names(0, std::min(used + 1, all)), listed_orders(study),
                             study.options.order_spread));
    return;
  }
  study.result.used_members = used;
  if (agreeing < total)
    study.remark(SequenceFlag::coarse_members,
                 fmt::format("{}: too coarse, left out of the order (orders coarse to fine: {}, "
                             "allowed to differ by {:g})",
                             study.names(used, all - used), listed_orders(study),
                             study.options.order_spread));
}

/// ln e over ln h, or the differences where no error is known.
Line order_line(const Study& study) {
  const std::vector<Member> used = part(study.members(), 0, study.result.used_members);
  if (!knows_errors(study)) return order_of_differences(used);
  std::vector<double> x, y;
  for (std::size_t i = 0; i < used.size(); ++i) {
    x.push_back(std::log(used[i].size));
    y.push_back(std::log(std::abs(study.signed_errors[i])));
  }
  return fit_line(x, y);
}

void find_order(Study& study) {
  find_asymptotic_range(study);
  if (study.result.used_members == 0) return;
  const Line line = order_line(study);
  study.result.order = line.slope;
  study.result.standard_error = line.slope_error;
}

/// Says where an order that stands is not the one of theory.
void compare_with_theory(Study& study) {
  const std::optional<double>&p = study.result.order, &theory = study.options.theoretical_order;
  if (p && theory && std::abs(*p - *theory) > study.options.theory_tolerance)
    study.remark(SequenceFlag::far_from_theory,
                 fmt::format("{}: order {:.2f} is not the {:g} of theory",
                             study.names(0, study.result.used_members), *p, *theory));
}

/// |f_{i+1} - f_i| / (r^p - 1): what Richardson takes for the error of member i.
double estimated_error(const std::vector<Member>& f, std::size_t i, double p) {
  return std::abs(f[i + 1].value - f[i].value) /
         std::expm1(p * std::log(f[i + 1].size / f[i].size));
}

void set_gci(Study& study, double p) {
  const std::vector<Member>& f = study.members();
  Convergence& result = study.result;
  result.gci = result.safety_factor *
               estimated_error(f, 0, std::min(p, study.options.theoretical_order.value_or(p)));
  if (study.is_round_off(f[0].value))
    study.remark(
        SequenceFlag::zero_value,
        fmt::format("{}: the value is zero, so there is no relative GCI", study.names(0, 1)));
  else
    result.relative_gci = *result.gci / std::abs(f[0].value);
  result.extrapolated =
      f[0].value + std::copysign(estimated_error(f, 0, p), f[0].value - f[1].value);
}

/// GCI_23 / (r^p GCI_12) with the order of all used members; withdraws the order if it is not one.
void check_gci_ratio(Study& study) {
  const std::vector<Member>& f = study.members();
  Convergence& result = study.result;
  const double p = *result.order;
  result.gci_ratio =
      estimated_error(f, 1, p) / (std::pow(f[1].size / f[0].size, p) * estimated_error(f, 0, p));
  if (std::abs(*result.gci_ratio - 1.0) <= study.options.gci_ratio_tolerance) return;
  study.remark(SequenceFlag::gci_ratio,
               fmt::format("{}: not in the asymptotic range, GCI_23 / (r^p GCI_12) is {:.3g} "
                           "instead of one",
                           study.names(0, 3), *result.gci_ratio));
  result.order = result.standard_error = {};
  result.used_members = 0;
}

/// Extrapolated value and GCI of a quantity that has an order, or of two values by theory.
void extrapolate(Study& study) {
  const std::vector<Member>& f = study.members();
  const std::optional<double>& theory = study.options.theoretical_order;
  if (f.size() == 2 && theory && !study.is_round_off(f[1].value - f[0].value))
    set_gci(study, *theory);
  if (!study.result.order) return;
  const LocalOrder finest = triplet_order(study, 0);
  if (!finest.order) return;
  check_gci_ratio(study);
  if (study.result.order) set_gci(study, *finest.order);
}

/// The common part: local orders, their troubles, the order.
void judge(Study& study) {
  const std::size_t count = study.members().size();
  find_local_orders(study);
  for (const SequenceFlag flag : {SequenceFlag::round_off, SequenceFlag::oscillatory,
                                  SequenceFlag::divergent, SequenceFlag::not_asymptotic})
    remark_trouble(study, flag);
  if (count >= 3) return find_order(study);
  study.remark(SequenceFlag::too_few,
               fmt::format("{}: an order needs three members",
                           count == 0 ? "no member" : "only " + study.names(0, count)));
}

}  // namespace

bool Convergence::has(SequenceFlag flag) const {
  return std::any_of(remarks.begin(), remarks.end(),
                     [flag](const Remark& remark) { return remark.flag == flag; });
}

Line fit_line(const std::vector<double>& x, const std::vector<double>& y) {
  assert(x.size() == y.size() && x.size() >= 2);
  const auto n = static_cast<Eigen::Index>(x.size());
  const Eigen::Map<const Eigen::ArrayXd> X(x.data(), n), Y(y.data(), n);
  const Eigen::ArrayXd dx = X - X.mean(), dy = Y - Y.mean();
  const double slope = (dx * dy).sum() / dx.square().sum();
  Line line{Y.mean() - slope * X.mean(), slope, {}};
  if (n > 2)
    line.slope_error = std::sqrt((dy - slope * dx).square().sum() /
                                 (static_cast<double>(n - 2) * dx.square().sum()));
  return line;
}

Line order_of_differences(const std::vector<Member>& members) {
  std::vector<double> x, log_r, log_difference;
  for (std::size_t i = 0; i + 1 < members.size(); ++i) {
    x.push_back(std::log(members[i].size));
    log_r.push_back(std::log(members[i + 1].size / members[i].size));
    log_difference.push_back(std::log(std::abs(members[i + 1].value - members[i].value)));
  }
  // C h_i^p = p difference / (r_i^p - 1) up to a factor, whose logarithm has the slope p.
  const auto line_at = [&](double p) {
    std::vector<double> y(x.size());
    for (std::size_t i = 0; i < y.size(); ++i)
      y[i] = log_difference[i] - std::log(p == 0.0 ? log_r[i] : std::expm1(p * log_r[i]) / p);
    return fit_line(x, y);
  };
  double low = -order_bound, high = order_bound;
  while (high - low > 4.0 * std::numeric_limits<double>::epsilon() *
                          std::max(1.0, std::abs(low) + std::abs(high))) {
    const double p = 0.5 * (low + high);
    (line_at(p).slope > p ? low : high) = p;
  }
  const double p = 0.5 * (low + high);
  return {line_at(p).intercept, p, line_at(p).slope_error};
}

Convergence study_quantity(const std::vector<Member>& members, const ConvergenceOptions& options) {
  Study study = start(members, options);
  if (options.exact) {
    assert(std::isfinite(*options.exact));
    study.scale = std::max(study.scale, std::abs(*options.exact));
    for (const Member& member : study.members()) {
      study.signed_errors.push_back(member.value - *options.exact);
      study.result.errors.push_back(std::abs(member.value - *options.exact));
    }
  }
  judge(study);
  extrapolate(study);
  compare_with_theory(study);
  return std::move(study.result);
}

Convergence study_errors(const std::vector<Member>& members, const ConvergenceOptions& options) {
  Study study = start(members, options);
  for (const Member& member : study.members()) {
    study.signed_errors.push_back(std::abs(member.value));
    study.result.errors.push_back(std::abs(member.value));
  }
  judge(study);
  compare_with_theory(study);
  return std::move(study.result);
}

std::string order_text(const Convergence& convergence) {
  if (!convergence.order) return "—";
  if (!convergence.standard_error) return fmt::format("{:.2f}", *convergence.order);
  return fmt::format("{:.2f} ± {:.2f}", *convergence.order, *convergence.standard_error);
}

}  // namespace slipwave::app
