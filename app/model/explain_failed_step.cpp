#include "app/model/explain_failed_step.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <cmath>
#include <utility>
#include <vector>

namespace slipwave::app {

namespace {

/// The vectors of a state in the words of messages.
std::vector<std::pair<std::string, const Eigen::VectorXd*>> parts_of(const dynamics::State& state) {
  return {{"displacement", &state.q},
          {"velocity", &state.v},
          {"acceleration", &state.a},
          {"filtered displacement", &state.filtered_q},
          {"filtered velocity", &state.filtered_v},
          {"filtered force", &state.filtered_F}};
}

std::string number_text(double value) {
  return std::isnan(value) ? "not a number" : fmt::format("{:.4g}", value);
}

/// The first that is infinite: NaN is what becomes of it, and it spreads. Else the first NaN.
std::string first_not_finite(const FailedStep& step) {
  std::string text;
  long count = 0;
  bool found_infinite = false;
  for (const auto& [part, values] : parts_of(step.state))
    for (int dof = 0; dof < values->size(); ++dof) {
      const double value = (*values)[dof];
      if (std::isfinite(value)) continue;
      ++count;
      if (count > 1 && (found_infinite || std::isnan(value))) continue;
      found_infinite = std::isinf(value);
      const auto& name = values == &step.state.v ? step.names.velocity : step.names.coordinate;
      text = fmt::format("the {} of {} is {}", part, name(dof), number_text(value));
    }
  return count > 1 ? fmt::format("{} ({} numbers in all)", text, count) : text;
}

std::string largest(const FailedStep& step) {
  int at = 0;
  const double value = step.state.v.cwiseAbs().maxCoeff(&at);
  return fmt::format(
      "its unknowns still are, but not its energy or its contact residual; the "
      "largest velocity is {:.3g}, of {}",
      value, step.names.velocity(at));
}

/// The formulas of the drives, each handed on with its key.
template <class Add>
void add_drives(const SolidsCase& scene, const Add& add) {
  for (const DriveEntry& drive : scene.drives)
    for (std::size_t i = 0; i < 3; ++i) {
      const std::string key = fmt::format("drive on \"{}\": ", drive.on);
      add(fmt::format("{}velocity[{}]", key, i), drive.velocity[i]);
      add(fmt::format("{}spin[{}]", key, i), drive.spin[i]);
    }
}

/// The formulas of the case with their keys.
std::vector<std::pair<std::string, const Expression*>> formulas_of(const Case& c) {
  std::vector<std::pair<std::string, const Expression*>> formulas;
  const auto add = [&](const std::string& key, const std::optional<Expression>& formula) {
    if (formula) formulas.emplace_back(key, &*formula);
  };
  add("gravity.x", c.gravity_x);
  add("gravity.y", c.gravity_y);
  for (const TractionEntry& entry : c.tractions) {
    const std::string key = fmt::format("traction on \"{}\": ", entry.on);
    add(key + "x", entry.x);
    add(key + "y", entry.y);
    add(key + "pressure", entry.pressure);
  }
  for (const PrescribedEntry& entry : c.prescribed)
    formulas.emplace_back(
        fmt::format(
            "prescribed on \"{}\": {}_{}", entry.on,
            entry.kind == dynamics::PrescribedMotion::Kind::velocity ? "velocity" : "displacement",
            entry.component == 0 ? "x" : "y"),
        &entry.value);
  if (c.solids) add_drives(*c.solids, add);
  return formulas;
}

/// Every scheme evaluates formulas at the ends of the step.
std::string bad_formula(const FailedStep& step) {
  const double h = step.stepper.integrator().h();
  for (const double t : {step.state.time(h), step.state.time(h, -1)})
    for (const auto& [key, formula] : formulas_of(step.c)) {
      const double value = formula->value(t);
      if (!std::isfinite(value))
        return fmt::format("{} = \"{}\" is {} at t = {:g}{}: correct the formula", key,
                           formula->text, number_text(value), t, step.c.unit("time"));
    }
  return "";
}

/// The friction of a [system] can be a formula of the position; what is negative arrives as NaN.
std::string bad_friction(const FailedStep& step) {
  const dynamics::StepContacts& contacts = step.stepper.integrator().contact();
  for (const int a : contacts.active())
    if (!std::isfinite(contacts.mu(a)))
      return fmt::format(
          "contact.friction at {} is negative or not a finite number: correct the "
          "formula",
          step.names.contact(step.stepper.integrator(), a));
  return "";
}

bool has_finite_answer(const dynamics::StepContacts& contacts, int a) {
  const int d = contacts.dimension();
  return contacts.solution().p.segment(d * a, d).allFinite() &&
         contacts.solution().w.segment(d * a, d).allFinite();
}

std::string bad_contact(const FailedStep& step) {
  const dynamics::StepContacts& contacts = step.stepper.integrator().contact();
  if (!contact_solve_overflowed(contacts)) return "";
  for (const int a : contacts.active())
    if (!has_finite_answer(contacts, a))
      return fmt::format("the contact solve produced it at {}", contact_text(step, a));
  return "";
}

/// The largest eigenvalue of M^-1 (h^2 K + 2h C), from below: an explicit step is stable up to 4.
struct StepEigenvalue {
  double value = 0.0, largest_step = 0.0;
};

StepEigenvalue step_eigenvalue(const dynamics::SystemIntegrator& integrator) {
  const dynamics::System& system = integrator.system();
  const double h = integrator.h();
  const bool damped = system.C.nonZeros() > 0;
  constexpr int iterations = 100;
  Eigen::VectorXd x = Eigen::VectorXd::LinSpaced(system.dof_count(), 0.0, 1e5).array().sin();
  Eigen::VectorXd y;
  for (int i = 0; i < iterations; ++i) {
    y = h * h * (system.K * x);
    if (damped) y += 2.0 * h * (system.C * x);
    integrator.matrix().solve(y, x);
    x /= x.norm();
  }
  const double mass = x.dot(system.M * x);
  const double stiffness = x.dot(system.K * x) / mass;
  const double damping = damped ? x.dot(system.C * x) / mass : 0.0;
  return {h * h * stiffness + 2.0 * h * damping,
          (std::sqrt(damping * damping + 4.0 * stiffness) - damping) / stiffness};
}

}  // namespace

bool contact_solve_overflowed(const dynamics::StepContacts& contacts) {
  bool overflowed = false;
  for (const int a : contacts.active()) {
    if (!contacts.b(a).allFinite() || !std::isfinite(contacts.mu(a))) return false;
    overflowed = overflowed || !has_finite_answer(contacts, a);
  }
  return overflowed;
}

std::string explain_instability(const FailedStep& step) {
  const dynamics::SystemIntegrator* integrator = step.stepper.system_integrator();
  const SchemeChoice& scheme = step.c.scheme;
  const auto* newmark = std::get_if<dynamics::NewmarkScheme>(&scheme.scheme);
  if (newmark && 2.0 * newmark->beta < newmark->gamma)
    return fmt::format("{} with 2 beta = {:g} < gamma = {:g} is stable for small steps only",
                       scheme.name, 2.0 * newmark->beta, newmark->gamma);
  if (!integrator || !std::holds_alternative<dynamics::ExplicitScheme>(scheme.scheme)) return "";
  const StepEigenvalue eigenvalue = step_eigenvalue(*integrator);
  if (!(eigenvalue.value > 4.0)) return "";
  return fmt::format(
      "{} is unstable with this step, {:.3g} times its limit: choose time.step <= "
      "{:.3g}{}",
      scheme.name, integrator->h() / eigenvalue.largest_step, eigenvalue.largest_step,
      step.c.unit("time"));
}

std::string explain_not_finite(const FailedStep& step) {
  const std::string where = step.state.is_finite() ? largest(step) : first_not_finite(step);
  for (const auto& cause : {bad_formula, bad_friction, explain_instability, bad_contact})
    if (const std::string text = cause(step); !text.empty())
      return where + ". Likely cause: " + text;
  return where + ". Likely cause: numbers have grown beyond what a double holds; check their sizes";
}

std::string contact_text(const FailedStep& step, int contact) {
  const dynamics::StepContacts& contacts = step.stepper.integrator().contact();
  const dynamics::OwnW W = contacts.own_W(contact);
  std::string rows;
  for (int i = 0; i < W.rows(); ++i)
    for (int j = 0; j < W.cols(); ++j)
      rows += fmt::format("{}{:.4g}", j > 0 ? ", " : i > 0 ? "; " : "", W(i, j));
  return fmt::format("{}: mu = {:g}, W = [{}], b = ({:.4g})",
                     step.names.contact(step.stepper.integrator(), contact), contacts.mu(contact),
                     rows, fmt::join(contacts.b(contact), ", "));
}

}  // namespace slipwave::app
