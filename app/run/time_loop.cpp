#include "app/run/time_loop.hpp"

#include "app/messages/say.hpp"
#include "app/model/explain_failed_step.hpp"
#include "app/results/disk_estimate.hpp"
#include "app/results/file_list.hpp"
#include "contact/fclib/write_fclib.hpp"
#include "contact/residual.hpp"
#include "files/file_error.hpp"
#include "files/new_file.hpp"
#include "parallel/team.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <csignal>
#include <cstring>

namespace slipwave::app {

namespace {

volatile std::sig_atomic_t signal_received = 0;

/// Not ==, for which 0 and -0 are the same and NaN is not.
bool same_bits(const Eigen::VectorXd& a, const Eigen::VectorXd& b) {
  const auto bytes = static_cast<std::size_t>(a.size()) * sizeof(double);
  return a.size() == b.size() && (bytes == 0 || std::memcmp(a.data(), b.data(), bytes) == 0);
}

bool same_bits(const dynamics::State& a, const dynamics::State& b) {
  return same_bits(a.q, b.q) && same_bits(a.v, b.v) && same_bits(a.a, b.a) &&
         same_bits(a.filtered_q, b.filtered_q) && same_bits(a.filtered_v, b.filtered_v) &&
         same_bits(a.filtered_F, b.filtered_F);
}

}  // namespace

void listen_for_signals() {
  struct sigaction action {};
  action.sa_handler = [](int signal) { signal_received = signal; };
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

dynamics::Stepper& Steppers::with(double step) {
  const auto found = made_.find(step);
  return found != made_.end() ? found->second : made_.emplace(step, make_(step)).first->second;
}

TimeLoop::TimeLoop(const Case& c, const Names& names, Steppers& steppers, Checkpoint start,
                   Recorder& recorder, const Linearity* linearity, const std::filesystem::path& out,
                   const RunOptions& options)
    : c_(c),
      names_(names),
      steppers_(steppers),
      now_(std::move(start)),
      stepper_(&steppers.with(c.pieces[static_cast<std::size_t>(now_.piece)].step)),
      recorder_(recorder),
      linearity_(linearity),
      reached_(now_.statistics.linearity),
      out_(out),
      dump_problem_(options.dump_problem),
      ledger_(out / "energy.csv", now_.marks.energy),
      progress_(now_.state.step, c.step_count, c.unit("time"), options.quiet),
      clock_(c, options.begin),
      saved_step_(now_.state.step) {
  for (int k = 0; k <= now_.piece; ++k) piece_end_ += c.pieces[static_cast<std::size_t>(k)].count;
  stepper_->restore(now_.memory);
}

Outcome TimeLoop::run() {
  try {
    return run_to_the_end();
  } catch (const files::OutputError& error) {
    return output_failed(error);
  }
}

Outcome TimeLoop::output_failed(const files::OutputError& error) const {
  const std::string room =
      error.may_be_room() ? fmt::format(" ({:.1f} MB free)", 1e-6 * free_bytes(out_)) : "";
  return {
      no_room, "output failed",
      fmt::format("{}: {}{}. {}", where(), error.what(), room,
                  files::is_folder(out_) ? how_to_go_on()
                                         : "It was removed while the run went on, and with it what "
                                           "was computed so far; run the case again")};
}

Outcome TimeLoop::run_to_the_end() {
  if (state().step == 0) {
    ledger_.write_initial(statistics().initial_energy, integrator().contact().contact_count());
    recorder_.write_step(integrator(), state(), false);
    if (c_.is_frame(0, false)) write_frame();
  }
  const std::optional<dynamics::State> first = first_step_on_one_thread();
  Outcome outcome;
  while (state().step < c_.step_count && outcome.code == success) {
    if (state().step == piece_end_) begin_next_piece();
    const dynamics::StepReport report =
        parallel::paced([&] { return stepper_->advance(now_.state); });
    if (first && first->step == state().step) same_bits_ = same_bits(*first, state());
    now_.statistics.add(report);
    clock_.tick();
    outcome = judge(report);
    record(report, false);
    const bool ends = state().step == c_.step_count;
    if (outcome.code == success && linearity_) outcome = stays_linear(ends);
    if (outcome.code == success && !ends) outcome = asked_to_stop();
    if (outcome.code != success || ends) record(report, true);
  }
  ledger_.file().flush();
  recorder_.finish();
  progress_.finish(figures());
  return outcome;
}

/// The state after the next step, made on one thread and forgotten: what summary.json says of the
/// bits is seen and not assumed. None before a change of the step size.
std::optional<dynamics::State> TimeLoop::first_step_on_one_thread() {
  if (state().step == piece_end_) return std::nullopt;
  dynamics::State after = state();
  static_cast<void>(parallel::team().alone([&] { return stepper_->advance(after); }));
  stepper_->restore(now_.memory);
  return after;
}

/// The energy of the Newmark family depends on the step size: what a change of it adds is
/// numerical work.
void TimeLoop::begin_next_piece() {
  const StepPiece& piece = c_.pieces[static_cast<std::size_t>(++now_.piece)];
  const double before = integrator().energy(state()).total();
  dynamics::Stepper& next = steppers_.with(piece.step);
  next.continue_from(*stepper_);
  now_.state.first_time = t();
  now_.state.first_step = state().step;
  piece_end_ += piece.count;
  stepper_ = &next;
  now_.statistics.works.numerical += integrator().energy(state()).total() - before;
}

/// Whether the run goes on after this step.
Outcome TimeLoop::judge(const dynamics::StepReport& report) const {
  if (!state().is_finite() || !std::isfinite(report.energy.energy.total()) ||
      std::isnan(report.contact.residual.worst()))
    return {step_failed, "not finite", not_finite_message()};
  if (!report.contact.converged && !c_.continue_on_failure)
    return {step_failed, "contact solve failed",
            contact_message(report.contact, dump_failed_step())};
  if (report.projection_failed() && !c_.continue_on_failure)
    return {step_failed, "projection failed", projection_message(report)};
  if (report.contact.several >= 0 && !c_.continue_on_several)
    return {step_failed, "several solutions", several_message(report.contact.several)};
  const double limit = c_.energy_tolerance * statistics().exchanged;
  // Written so that a NaN stops the run too.
  if (!(std::abs(report.energy.residual()) <= limit))
    return {step_failed, "energy balance failed", balance_message(report.energy.residual(), limit)};
  return {};
}

/// Whether linear elasticity still holds. A checkpoint is left, from which larger [limits] go on;
/// not of the last step, which would make the run complete.
Outcome TimeLoop::stays_linear(bool is_last) {
  const bool is_due = state().step % Linearity::steps_between_looks == 0;
  const LinearityFigures before = reached_;
  LinearityFigures& kept = now_.statistics.linearity;
  linearity_->look_at_sliding(state().q, integrator().contact().solution().p, kept);
  if (is_due) linearity_->look_at_rotations(state().q, kept);
  reached_ = kept;
  if (is_last && !is_due) linearity_->look_at_rotations(state().q, reached_);
  const auto newly = [](double old_value, double value) {
    return old_value < Linearity::worth_a_word && value >= Linearity::worth_a_word;
  };
  if (newly(before.rotation(), reached_.rotation()))
    say(stderr, "warning: {}: {}\n", where(), linearity_->rotation_warning(reached_));
  if (newly(before.sliding, reached_.sliding))
    say(stderr, "warning: {}: {}\n", where(), linearity_->sliding_warning(reached_));
  const BeyondLinearity beyond = linearity_->beyond(reached_);
  if (beyond.message.empty()) return {};
  if (c_.has_checkpoints() && !is_last) save_here();
  const std::string cause = explain_instability({c_, names_, *stepper_, state()});
  return {step_failed, beyond.reason,
          fmt::format("{}: {}. {}{}", where(), beyond.message,
                      cause.empty() ? "" : "Likely cause: " + cause + ". ", how_to_go_on())};
}

RunStatistics TimeLoop::final_statistics() const {
  RunStatistics result = statistics();
  result.linearity = reached_;
  return result;
}

/// Ctrl-C, SIGTERM, time.wall_limit: whichever, a checkpoint is written first; and where only a
/// checkpoint is due.
Outcome TimeLoop::asked_to_stop() {
  const int signal = signal_received;
  const bool late = clock_.time_is_up();
  if (c_.has_checkpoints() && (signal != 0 || late || clock_.due(state().step))) save_here();
  const auto stop = [&](ExitCode code, const char* reason, const char* what) {
    return Outcome{code, reason, fmt::format("{} after {}. {}", what, where(), how_to_go_on())};
  };
  if (signal == SIGINT) return stop(interrupted, "interrupted", "interrupted");
  if (signal != 0) return stop(terminated, "terminated", "terminated");
  if (late) return stop(out_of_time, "wall limit", "time.wall_limit stops the run");
  return {};
}

/// "step 7 (t = 0.07 ms)".
std::string TimeLoop::where() const {
  return fmt::format("step {} (t = {:g}{})", state().step, t(), c_.unit("time"));
}

std::string TimeLoop::how_to_go_on() const {
  if (!c_.has_checkpoints()) return fmt::format("What was computed so far is in {}", out_.string());
  return fmt::format(
      "What was computed so far is in {}; the same command with --resume goes on after step {}",
      out_.string(), saved_step_);
}

std::string TimeLoop::not_finite_message() const {
  const FailedStep step{c_, names_, *stepper_, state()};
  const std::string dumped =
      contact_solve_overflowed(integrator().contact()) ? "; " + dump_failed_step() : "";
  return fmt::format("{}: the solution is no longer a finite number: {}{}", where(),
                     explain_not_finite(step), dumped);
}

std::string TimeLoop::balance_message(double residual, double limit) const {
  const std::string cause = explain_instability({c_, names_, *stepper_, state()});
  return fmt::format(
      "{}: the energy balance is off by {:.3g}{} > {:.3g}{} = energy.tolerance x the energy "
      "exchanged so far. {}",
      where(), residual, c_.unit("energy"), limit, c_.unit("energy"),
      !cause.empty() ? "Likely cause: " + cause
                     : "Try a smaller time.step; or a larger energy.tolerance if it is round-off: "
                       "forces that cancel in a body which has moved or turned far compared to its "
                       "deformation");
}

std::string TimeLoop::contact_message(const contact::SolverReport& report,
                                      const std::string& dumped) const {
  const FailedStep step{c_, names_, *stepper_, state()};
  const bool unsolvable = report.unsolvable >= 0;
  const int worst = unsolvable ? report.unsolvable : integrator().contact().worst();
  return fmt::format(
      "{}: contact problem stopped at residual {:.1e} > {:.1e} after {} iteration(s), {} {}{}; {}. "
      "Try a smaller {}; solver.on_failure = \"continue\" counts such steps and goes on",
      where(), report.residual.worst(), c_.solver.tolerance, report.iterations,
      unsolvable ? "no solution exists at" : "worst at", contact_text(step, worst),
      unsolvable ? ", the other contacts held: friction is too high for its W" : "", dumped,
      unsolvable ? "contact.friction or time.step"
                 : "time.step, or a larger solver.max_iterations or solver.tolerance");
}

std::string TimeLoop::projection_message(const dynamics::StepReport& report) const {
  const dynamics::Projection& projection = *stepper_->projection();
  const int worst = contact::worst_contact(projection.problem(), projection.solution());
  return fmt::format(
      "{}: the projection that contact.projection asks for stopped at residual {:.1e} after {} "
      "iteration(s), worst at {}, whose gap is {:.3g}{}: obstacles that leave no room? Positions "
      "were left as they are, the deepest penetration {:.3g}{}. Try other obstacles or "
      "contact.projection = false; solver.on_failure = \"continue\" counts such steps and goes on",
      where(), report.projection->residual.worst(), report.projection->iterations,
      names_.contact(integrator(), worst), projection.problem().b[2 * worst], c_.unit("length"),
      report.penetration, c_.unit("length"));
}

/// Names every solution that the contact has, so that nobody takes one for the only one.
std::string TimeLoop::several_message(int contact) const {
  const contact::Problem& problem =
      *std::get<const contact::Problem*>(integrator().contact().problem_of_step());
  const Eigen::Matrix2d W = problem.W.block(contact);
  std::string list;
  for (const contact::LocalBranch& branch :
       contact::own_solutions(problem, integrator().contact().solution(), contact))
    list += fmt::format("{}{}{}{} with p = ({:.4g}, {:.4g})", list.empty() ? "" : ", or ",
                        branch.unstable ? "unstable " : "", branch.continuum() ? "a line of " : "",
                        name_of(branch.status), branch.p[0], branch.p[1]);
  return fmt::format(
      "{}: {} has several solutions, Painleve's indeterminacy with W_NN - mu |W_NT| = "
      "{:.3g}: {}. The saved state has the one that continues the step before; solver.on_several = "
      "\"continue\" counts such steps and goes on",
      where(), names_.contact(integrator(), contact),
      W(0, 0) - problem.mu[contact] * std::abs(W(0, 1)), list);
}

/// Writes the last step's contact problem over its active contacts, with the solution found if it
/// is finite.
void TimeLoop::dump_problem(const std::filesystem::path& file) const {
  list_file(out_, file.filename().string());
  const contact::Solution& solution = integrator().contact().solution();
  try {
    std::visit([&](const auto* problem) { write_problem(file, *problem, solution); },
               integrator().contact().problem_of_step());
  } catch (const contact::FclibError& error) {
    throw files::OutputError(error.what());
  }
}

/// With what tells people which step it is of.
template <class Problem>
void TimeLoop::write_problem(const std::filesystem::path& file, const Problem& problem,
                             const contact::Solution& solution) const {
  auto stored = contact::active_part(problem);
  stored.title = fmt::format("{}, step {}", c_.name, state().step);
  stored.description =
      fmt::format("Active contacts of the step of {:g}{} to t = {:g}{}. Written by Slipwave {}.",
                  integrator().h(), c_.unit("time"), t(), c_.unit("time"), now_.version);
  const contact::StoredSolution found = contact::active_part(problem, solution);
  const bool is_finite = found.r.allFinite() && found.u.allFinite();
  contact::write_problem(file, stored, is_finite ? std::optional(found) : std::nullopt);
}

/// Says where the problem is, or why it is nowhere.
std::string TimeLoop::dump_failed_step() const {
  const std::filesystem::path file = out_ / fmt::format("failed_step_{}.hdf5", state().step);
  try {
    dump_problem(file);
  } catch (const files::OutputError& error) {
    return fmt::format("the problem was not written ({})", error.what());
  }
  return fmt::format("the problem was written to {}", file.string());
}

/// What --dump-problem asks for.
void TimeLoop::dump_if_asked() const {
  if (std::find(dump_problem_.begin(), dump_problem_.end(), state().step) == dump_problem_.end())
    return;
  if (integrator().contact().active().empty()) {
    say(stderr, "warning: --dump-problem {}: no contact is active in this step\n", state().step);
    return;
  }
  dump_problem(out_ / fmt::format("problem_{:07}.hdf5", state().step));
}

/// What is due after this step, or, once the run is to end here, what was not.
void TimeLoop::record(const dynamics::StepReport& report, bool is_last) {
  if (is_last) mark();  // a run that goes on from here drops what only its end asks for
  if ((state().step % c_.ledger_every == 0) != is_last)
    ledger_.write(state().step, t(), statistics().works, report);
  recorder_.write_step(integrator(), state(), is_last);
  if (c_.is_frame(state().step, is_last) && c_.is_frame(state().step, false) != is_last)
    write_frame();
  if (is_last) return;
  dump_if_asked();
  if (progress_.due()) show_progress();
}

void TimeLoop::show_progress() {
  ledger_.file().flush();
  recorder_.flush();
  progress_.show(figures());
}

void TimeLoop::write_frame() {
  ledger_.file().flush();
  recorder_.write_frame(integrator(), state());
}

void TimeLoop::mark() {
  now_.marks.step = state().step;
  now_.marks.energy = ledger_.file().mark();
  recorder_.mark(now_.marks);
}

/// After a step that the run goes on from.
void TimeLoop::save_here() {
  mark();
  save();
}

/// Only what is on the disk already may be behind a checkpoint.
void TimeLoop::save() {
  ledger_.file().sync();
  recorder_.settle();
  now_.memory = stepper_->memory();
  write_checkpoint(out_, now_);
  saved_step_ = state().step;
  clock_.saved();
}

Outcome TimeLoop::save_end() {
  if (!c_.has_checkpoints()) return {};
  try {
    save();
  } catch (const files::OutputError& error) {
    return output_failed(error);
  }
  remove_previous_checkpoint(out_);
  return {};
}

ProgressFigures TimeLoop::figures() const {
  return {state().step, t(), static_cast<int>(integrator().contact().active().size()),
          std::max(statistics().worst_raw, statistics().worst_scaled)};
}

}  // namespace slipwave::app
