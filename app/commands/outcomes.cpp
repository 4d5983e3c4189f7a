#include "app/commands/outcomes.hpp"

#include <fmt/format.h>
#include "app/commands/equilibria.hpp"
#include "app/model/few_dofs_model.hpp"

#include <cmath>
#include <string>

namespace slipwave::app {

namespace {

using dynamics::OutcomeCase;
using dynamics::OutcomeStudy;

std::string listed(const Eigen::VectorXd& x) {
  std::string text;
  for (const double value : x) text += fmt::format("{}{:.6g}", text.empty() ? "" : ", ", value);
  return "(" + text + ")";
}

const char* name_of(OutcomeCase kind) {
  switch (kind) {
    case OutcomeCase::no_contact:
      return "no contact: the gap is open, g > 0, and u+ = u-";
    case OutcomeCase::not_tangential:
      return "no tangential contact: u_N is not 0, and the contact law has one outcome";
    case OutcomeCase::regular:
      return "gamma > 0: no paradox, A = {u-}";
    case OutcomeCase::paradoxical:
      return "gamma < 0: Painleve's paradox, A = {u-, u~}";
    case OutcomeCase::critical_with_regular:
      return "gamma = 0, and gamma > 0 nearby: A = [u-, u~]";
    case OutcomeCase::critical_throughout:
      return "gamma = 0, and gamma <= 0 all around: A = [u-, u~], of which only the ends are "
             "reached";
  }
  return "";
}

void print_contact(const OutcomeStudy& study) {
  const dynamics::ContactAt& contact = study.contact;
  fmt::print("contact    g = {:.6g}, u_N = {:.6g}, u_T = {:.6g}, mu = {:.6g}\n", contact.gap,
             study.u[0], study.u[1], contact.mu);
  fmt::print("W          [{:.6g}, {:.6g}; {:.6g}, {:.6g}]\n", contact.W(0, 0), contact.W(0, 1),
             contact.W(1, 0), contact.W(1, 1));
  fmt::print("gamma      W_NN - mu |W_NT| = {:.6g}\n", contact.gamma());
  fmt::print("case       {}\n", name_of(study.kind));
  fmt::print("u-         {}\n", listed(study.u_minus));
}

void print_rows(const OutcomeStudy& study) {
  fmt::print("{:>10}  {:>12}  {:>16}  {:>18}  {:>16}\n", "epsilon", "d_H(A_eps,A)",
             "consistency (9)", "indeterminacy (10)", "d_H to {u-, u~}");
  for (const dynamics::OutcomeRow& row : study.rows)
    fmt::print("{:10.1e}  {:12.4e}  {:16.4e}  {:18.4e}  {:16.4e}\n", row.epsilon, row.distance(),
               row.consistency, row.indeterminacy, row.to_ends);
}

const char* tends(bool to_zero) { return to_zero ? "tends to zero" : "does not tend to zero"; }

void print_verdict(const OutcomeStudy& study) {
  const double order = std::round(100.0 * study.order) / 100.0 + 0.0;  // not -0.00
  fmt::print("theorem    d_H {}\n", tends(study.predicted));
  fmt::print("observed   d_H {}, as epsilon^{:.2f}: {}\n", tends(study.observed), order,
             study.observed == study.predicted ? "as the theorem says" : "AGAINST THE THEOREM");
}

}  // namespace

bool print_outcomes(const dynamics::FewDofsSystem& system, const Eigen::VectorXd& q,
                    const Eigen::VectorXd& v, const dynamics::OutcomeOptions& options) {
  const OutcomeStudy study = dynamics::sample_outcomes(system, q, v, options);
  print_contact(study);
  if (!study.studied()) {
    fmt::print("u+         {}\n", listed(dynamics::discrete_contact_law(study.contact, v)));
    return true;
  }
  fmt::print("u~         {}{}\n", listed(study.u_tilde), study.jumps() ? "" : ", the same");
  print_rows(study);
  print_verdict(study);
  return study.observed == study.predicted;
}

ExitCode show_outcomes(const std::string& case_file, const std::vector<std::string>& set) {
  const Case c = read_case(case_file, set);
  if (!c.few_dofs || c.few_dofs->kind != "stick")
    throw UserError(fmt::format(
        "{}: has {}; outcomes are of system.kind = \"stick\", such as cases/painleve_rod.toml",
        case_file, what_it_has(c)));
  const FewDofsModel model(c);
  const dynamics::State state = model.initial_state();
  return print_outcomes(*model.rigid_body(), state.q, state.v) ? success : step_failed;
}

}  // namespace slipwave::app
