#include "app/time_loop.hpp"

#include "app/diagnosis.hpp"
#include "app/version.hpp"
#include "contact/fclib.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <csignal>

namespace slipwave::app {

namespace {

volatile std::sig_atomic_t interrupt_requested = 0;

const std::array<const char*, 4> status_names{"open", "sticking", "sliding forward",
                                              "sliding backward"};

}  // namespace

void listen_for_interrupt() {
  struct sigaction action {};
  action.sa_handler = [](int) { interrupt_requested = 1; };
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  sigaction(SIGINT, &action, nullptr);
}

Stepper& Steppers::with(double step) {
  const auto found = made_.find(step);
  return found != made_.end() ? found->second : made_.emplace(step, make_(step)).first->second;
}

TimeLoop::TimeLoop(const Case& c, const Names& names, Steppers& steppers, dynamics::State state,
                   Recorder& recorder, const std::filesystem::path& out, const RunOptions& options)
    : c_(c),
      names_(names),
      steppers_(steppers),
      stepper_(&steppers.with(c.first_step())),
      piece_end_(c.pieces.front().count),
      state_(std::move(state)),
      recorder_(recorder),
      out_(out),
      dump_problem_(options.dump_problem),
      statistics_(integrator().energy(state_)),
      ledger_(out / "energy.csv"),
      progress_(c.step_count, c.unit("time"), options.quiet) {}

Outcome TimeLoop::run() {
  ledger_.write_initial(statistics_.initial_energy, integrator().contact().contact_count());
  recorder_.write_step(integrator(), state_, false);
  if (c_.is_frame(0, false)) write_frame();
  Outcome outcome;
  while (state_.step < c_.step_count && outcome.code == success) {
    if (state_.step == piece_end_) begin_next_piece();
    const dynamics::StepReport report = stepper_->advance(state_);
    statistics_.add(report);
    outcome = judge(report);
    record(report, state_.step == c_.step_count || outcome.code != success);
  }
  ledger_.flush();
  recorder_.finish();
  progress_.finish(figures());
  return outcome;
}

/// The energy of the Newmark family depends on the step size: what a change of it adds is
/// numerical work.
void TimeLoop::begin_next_piece() {
  const StepPiece& piece = c_.pieces[++piece_];
  const double before = integrator().energy(state_).total();
  Stepper& next = steppers_.with(piece.step);
  next.integrator().continue_from(integrator());
  state_.first_time = t();
  state_.first_step = state_.step;
  piece_end_ += piece.count;
  stepper_ = &next;
  statistics_.works.numerical += integrator().energy(state_).total() - before;
}

/// Whether the run goes on after this step.
Outcome TimeLoop::judge(const dynamics::StepReport& report) const {
  if (!state_.is_finite() || !std::isfinite(report.energy.energy.total()) ||
      std::isnan(report.contact.residual.worst()))
    return {step_failed, "not finite", not_finite_message()};
  if (!report.contact.converged && !c_.continue_on_failure)
    return {step_failed, "contact solve failed",
            contact_message(report.contact, dump_failed_step())};
  if (report.contact.several >= 0 && !c_.continue_on_several)
    return {step_failed, "several solutions", several_message(report.contact.several)};
  const double limit = c_.energy_tolerance * statistics_.exchanged;
  // Written so that a NaN stops the run too.
  if (!(std::abs(report.energy.residual()) <= limit))
    return {step_failed, "energy balance failed", balance_message(report.energy.residual(), limit)};
  if (interrupt_requested != 0)
    return {interrupted, "interrupted",
            fmt::format("interrupted after step {} (t = {:g}{}); what was computed so far is in {}",
                        state_.step, t(), c_.unit("time"), out_.string())};
  return {};
}

std::string TimeLoop::not_finite_message() const {
  const FailedStep step{c_, names_, *stepper_, state_};
  const std::string dumped =
      contact_solve_overflowed(integrator().contact()) ? "; " + dump_failed_step() : "";
  return fmt::format("step {} (t = {:g}{}): the solution is no longer a finite number: {}{}",
                     state_.step, t(), c_.unit("time"), explain_not_finite(step), dumped);
}

std::string TimeLoop::balance_message(double residual, double limit) const {
  const std::string cause = explain_instability({c_, names_, *stepper_, state_});
  return fmt::format(
      "step {} (t = {:g}{}): the energy balance is off by {:.3g}{} > {:.3g}{} = energy.tolerance x "
      "the energy exchanged so far. {}",
      state_.step, t(), c_.unit("time"), residual, c_.unit("energy"), limit, c_.unit("energy"),
      !cause.empty() ? "Likely cause: " + cause
                     : "Try a smaller time.step, or energy.tolerance if the body has moved far "
                       "compared to its deformation");
}

std::string TimeLoop::contact_message(const contact::SolverReport& report,
                                      const std::string& dumped) const {
  const FailedStep step{c_, names_, *stepper_, state_};
  const dynamics::ContactStep& contact = integrator().contact();
  const bool unsolvable = report.unsolvable >= 0;
  const int worst =
      unsolvable ? report.unsolvable : worst_contact(contact.problem(), contact.solution());
  return fmt::format(
      "step {} (t = {:g}{}): contact problem stopped at residual {:.1e} > {:.1e} after {} "
      "iteration(s), {} {}{}; {}. Try a smaller {}; solver.on_failure = \"continue\" counts such "
      "steps and goes on",
      state_.step, t(), c_.unit("time"), report.residual.worst(), c_.solver.tolerance,
      report.iterations, unsolvable ? "no solution exists at" : "worst at",
      contact_text(step, worst),
      unsolvable ? ", the other contacts held: friction is too high for its W" : "", dumped,
      unsolvable ? "contact.friction or time.step" : "time.step or a larger solver.max_iterations");
}

/// Names every solution that the contact has, so that nobody takes one for the only one.
std::string TimeLoop::several_message(int contact) const {
  const contact::Problem& problem = integrator().contact().problem();
  const Eigen::Matrix2d W = problem.W.block(contact);
  std::string list;
  for (const contact::LocalBranch& branch :
       contact::own_solutions(problem, integrator().contact().solution(), contact))
    list += fmt::format("{}{}{}{} with p = ({:.4g}, {:.4g})", list.empty() ? "" : ", or ",
                        branch.unstable ? "unstable " : "", branch.continuum() ? "a line of " : "",
                        status_names[static_cast<std::size_t>(branch.status)], branch.p[0],
                        branch.p[1]);
  return fmt::format(
      "step {} (t = {:g}{}): contact {} has several solutions, Painleve's indeterminacy with W_NN "
      "- "
      "mu |W_NT| = {:.3g}: {}. The saved state has the one that continues the step before; "
      "solver.on_several = \"continue\" counts such steps and goes on",
      state_.step, t(), c_.unit("time"), contact + 1,
      W(0, 0) - problem.mu[contact] * std::abs(W(0, 1)), list);
}

/// Writes the last step's contact problem over its active contacts, with the solution found if it
/// is finite.
void TimeLoop::dump_problem(const std::filesystem::path& file) const {
  contact::StoredProblem problem = contact::active_part(integrator().contact().problem());
  problem.title = fmt::format("{}, step {}", c_.name, state_.step);
  problem.description =
      fmt::format("Active contacts of the step of {:g}{} to t = {:g}{}. Written by Slipwave {}.",
                  integrator().h(), c_.unit("time"), t(), c_.unit("time"), version());
  const contact::StoredSolution solution =
      contact::active_part(integrator().contact().problem(), integrator().contact().solution());
  const bool is_finite = solution.r.allFinite() && solution.u.allFinite();
  contact::write_local_problem(file, problem, is_finite ? std::optional(solution) : std::nullopt);
}

/// Says where the problem is, or why it is nowhere.
std::string TimeLoop::dump_failed_step() const {
  const std::filesystem::path file = out_ / fmt::format("failed_step_{}.hdf5", state_.step);
  try {
    dump_problem(file);
  } catch (const contact::FclibError& error) {
    return fmt::format("the problem was not written ({})", error.what());
  }
  return fmt::format("the problem was written to {}", file.string());
}

/// What --dump-problem asks for.
void TimeLoop::dump_if_asked() const {
  if (std::find(dump_problem_.begin(), dump_problem_.end(), state_.step) == dump_problem_.end())
    return;
  if (integrator().contact().problem().active.empty()) {
    fmt::print(stderr, "warning: --dump-problem {}: no contact is active in this step\n",
               state_.step);
    return;
  }
  dump_problem(out_ / fmt::format("problem_{:07}.hdf5", state_.step));
}

void TimeLoop::record(const dynamics::StepReport& report, bool is_last) {
  if (state_.step % c_.ledger_every == 0 || is_last)
    ledger_.write(state_.step, t(), statistics_.works, report);
  recorder_.write_step(integrator(), state_, is_last);
  if (c_.is_frame(state_.step, is_last)) write_frame();
  dump_if_asked();
  if (!progress_.due()) return;
  ledger_.flush();
  recorder_.flush();
  progress_.show(figures());
}

void TimeLoop::write_frame() {
  ledger_.flush();
  recorder_.write_frame(integrator(), state_);
}

ProgressFigures TimeLoop::figures() const {
  return {state_.step, t(), static_cast<int>(integrator().contact().problem().active.size()),
          std::max(statistics_.worst_raw, statistics_.worst_scaled)};
}

}  // namespace slipwave::app
