#include "app/run_case.hpp"

#include "app/case_file.hpp"
#include "app/csv_ledger.hpp"
#include "app/model.hpp"
#include "app/output_folder.hpp"
#include "app/progress.hpp"
#include "app/series_writer.hpp"
#include "app/summary.hpp"
#include "app/version.hpp"
#include "contact/fclib.hpp"
#include "dynamics/projection.hpp"

#include <fmt/format.h>
#include <omp.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <csignal>

namespace slipwave::app {

namespace {

volatile std::sig_atomic_t interrupt_requested = 0;

/// Asks the loop to stop after its step on Ctrl-C; a second Ctrl-C ends the program at once.
void listen_for_interrupt() {
  struct sigaction action {};
  action.sa_handler = [](int) { interrupt_requested = 1; };
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  sigaction(SIGINT, &action, nullptr);
}

/// Runs a phase and notes how long it took.
template <class Phase>
auto timed(PhaseTimes& times, const std::string& name, const Phase& phase) {
  const auto start = std::chrono::steady_clock::now();
  struct Stop {
    PhaseTimes& times;
    const std::string& name;
    std::chrono::steady_clock::time_point start;
    ~Stop() {
      times.emplace_back(
          name, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    }
  } const stop{times, name, start};
  return phase();
}

/// Why a run ends, in words and as an exit code.
struct Outcome {
  ExitCode code = success;
  std::string reason = "completed";
  std::string message;
};

/// Factorises; data that leave no positive definite matrix are the user's.
std::unique_ptr<dynamics::Integrator> make_integrator(const Case& c, const Body& body,
                                                      dynamics::System&& system, double step) {
  const std::string advice = "the numbers of [material], [mesh] and time.step are too far apart";
  try {
    return dynamics::make_integrator(std::move(system), c.scheme.scheme, step, solver_options(c));
  } catch (const dynamics::NotPositiveDefinite& error) {
    throw UserError(fmt::format("{}: the matrix of a time step is singular at node {}: {}", c.name,
                                body.mesh.node_tags[static_cast<std::size_t>(error.row / 2)],
                                advice));
  } catch (const dynamics::Unsupported& error) {
    throw UserError(
        fmt::format("{}: time.scheme = \"{}\": {}", c.name, c.scheme.name, error.what()));
  } catch (const std::invalid_argument& error) {
    throw UserError(fmt::format("{}: {}, or {}", c.name, error.what(), advice));
  }
}

/// Looks at all steps, or a million of them, before the first is made.
void require_rest(const Case& c, const dynamics::System& system) {
  const int stride = c.step_count / 1000000 + 1;
  try {
    for (int k = 0; k <= c.step_count; k += stride) dynamics::require_rest(system, c.time_after(k));
  } catch (const dynamics::Unsupported& error) {
    throw UserError(
        fmt::format("{}: time.scheme = \"{}\": {}", c.name, c.scheme.name, error.what()));
  }
}

/// One integrator per step size, each factorised once.
class Integrators {
 public:
  Integrators(const Case& c, const Body& body, dynamics::System&& system) : c_(c), body_(body) {
    made_[c.first_step()] = make_integrator(c, body, std::move(system), c.first_step());
  }
  dynamics::Integrator& with(double step) {
    std::unique_ptr<dynamics::Integrator>& found = made_[step];
    if (!found) {
      dynamics::System system = made_.at(c_.first_step())->system();
      found = make_integrator(c_, body_, std::move(system), step);
    }
    return *found;
  }

 private:
  const Case& c_;
  const Body& body_;
  std::map<double, std::unique_ptr<dynamics::Integrator>> made_;
};

/// The time loop with everything it writes.
class Run {
 public:
  Run(const Case& c, const Body& body, Integrators& integrators, dynamics::State state,
      const std::filesystem::path& out, const RunOptions& options)
      : c_(c),
        integrators_(integrators),
        integrator_(&integrators.with(c.first_step())),
        piece_end_(c.pieces.front().count),
        state_(std::move(state)),
        out_(out),
        dump_problem_(options.dump_problem),
        statistics_(integrator_->energy(state_)),
        ledger_(out / "energy.csv"),
        progress_(c.step_count, c.unit("time"), options.quiet) {
    projection_.emplace(*integrator_);
    if (c.frames_every > 0) series_.emplace(out, body);
  }

  Outcome loop() {
    ledger_.write_initial(statistics_.initial_energy, integrator_->system().contact_count());
    write_frame();
    Outcome outcome;
    while (state_.step < c_.step_count && outcome.code == success) {
      if (state_.step == piece_end_) begin_next_piece();
      dynamics::StepReport report = integrator_->advance(state_);
      if (projection_->wanted()) projection_->apply(*integrator_, state_, report);
      statistics_.add(report);
      outcome = judge(report);
      record(report, state_.step == c_.step_count || outcome.code != success);
    }
    ledger_.flush();
    progress_.finish(figures());
    return outcome;
  }

  const RunStatistics& statistics() const { return statistics_; }
  int steps_done() const { return state_.step; }

 private:
  /// The energy of the Newmark family depends on the step size: what a change of it adds is
  /// numerical work.
  void begin_next_piece() {
    const StepPiece& piece = c_.pieces[++piece_];
    const double before = integrator_->energy(state_).total();
    dynamics::Integrator& next = integrators_.with(piece.step);
    next.continue_from(*integrator_);
    state_.first_time = t();
    state_.first_step = state_.step;
    piece_end_ += piece.count;
    integrator_ = &next;
    projection_.emplace(next);
    statistics_.works.numerical += next.energy(state_).total() - before;
  }

  /// Whether the run goes on after this step.
  Outcome judge(const dynamics::StepReport& report) const {
    if (!std::isfinite(report.energy.energy.total()) ||
        !std::isfinite(report.contact.residual.worst()))
      return {step_failed, "not finite",
              fmt::format("step {} (t = {:g}{}): the solution is no longer a finite number. Check "
                          "the formulas of the "
                          "case at this time and the sizes of its numbers",
                          state_.step, t(), c_.unit("time"))};
    if (!report.contact.converged && !c_.continue_on_failure)
      return {step_failed, "contact solve failed",
              contact_message(report.contact, dump_failed_step())};
    const double limit = c_.energy_tolerance * statistics_.exchanged;
    // Written so that a NaN stops the run too.
    if (!(std::abs(report.energy.residual()) <= limit))
      return {step_failed, "energy balance failed",
              fmt::format("step {} (t = {:g}{}): the energy balance is off by {:.3g}{} > {:.3g}{} "
                          "= energy.tolerance x "
                          "the energy exchanged so far. Try a smaller time.step, or "
                          "energy.tolerance if the body has "
                          "moved far compared to its deformation",
                          state_.step, t(), c_.unit("time"), report.energy.residual(),
                          c_.unit("energy"), limit, c_.unit("energy"))};
    if (interrupt_requested != 0)
      return {
          interrupted, "interrupted",
          fmt::format("interrupted after step {} (t = {:g}{}); what was computed so far is in {}",
                      state_.step, t(), c_.unit("time"), out_.string())};
    return {};
  }

  std::string contact_message(const contact::SolverReport& report,
                              const std::string& dumped) const {
    const std::string cause =
        report.unsolvable >= 0
            ? fmt::format(" (contact {} had no solution: friction too high for its W)",
                          report.unsolvable)
            : "";
    return fmt::format(
        "step {} (t = {:g}{}): contact problem stopped at residual {:.1e} > {:.1e} after {} "
        "iteration(s){}; {}. Try a smaller time.step or a larger solver.max_iterations; "
        "solver.on_failure = \"continue\" counts such steps and goes on",
        state_.step, t(), c_.unit("time"), report.residual.worst(), c_.solver.tolerance,
        report.iterations, cause, dumped);
  }

  /// Writes the last step's contact problem over its active contacts, with the solution found.
  void dump_problem(const std::filesystem::path& file) const {
    contact::StoredProblem problem = contact::active_part(integrator_->contact().problem());
    problem.title = fmt::format("{}, step {}", c_.name, state_.step);
    problem.description =
        fmt::format("Active contacts of the step of {:g}{} to t = {:g}{}. Written by Slipwave {}.",
                    integrator_->h(), c_.unit("time"), t(), c_.unit("time"), version());
    contact::write_local_problem(
        file, problem,
        contact::active_part(integrator_->contact().problem(), integrator_->contact().solution()));
  }

  /// Says where the problem is, or why it is nowhere.
  std::string dump_failed_step() const {
    const std::filesystem::path file = out_ / fmt::format("failed_step_{}.hdf5", state_.step);
    try {
      dump_problem(file);
    } catch (const contact::FclibError& error) {
      return fmt::format("the problem was not written ({})", error.what());
    }
    return fmt::format("the problem was written to {}", file.string());
  }

  /// What --dump-problem asks for.
  void dump_if_asked() const {
    if (std::find(dump_problem_.begin(), dump_problem_.end(), state_.step) == dump_problem_.end())
      return;
    if (integrator_->contact().problem().active.empty()) {
      fmt::print(stderr, "warning: --dump-problem {}: no contact is active in this step\n",
                 state_.step);
      return;
    }
    dump_problem(out_ / fmt::format("problem_{:07}.hdf5", state_.step));
  }

  void record(const dynamics::StepReport& report, bool is_last) {
    if (state_.step % c_.ledger_every == 0 || is_last)
      ledger_.write(state_.step, t(), statistics_.works, report);
    if (c_.frames_every > 0 && (state_.step % c_.frames_every == 0 || is_last)) write_frame();
    dump_if_asked();
    if (!progress_.due()) return;
    ledger_.flush();
    progress_.show(figures());
  }

  void write_frame() {
    if (!series_) return;
    ledger_.flush();
    series_->write(*integrator_, state_);
  }

  ProgressFigures figures() const {
    return {state_.step, t(), static_cast<int>(integrator_->contact().problem().active.size()),
            std::max(statistics_.worst_raw, statistics_.worst_scaled)};
  }

  double t() const { return state_.time(integrator_->h()); }

  const Case& c_;
  Integrators& integrators_;
  dynamics::Integrator* integrator_;
  std::size_t piece_ = 0;
  int piece_end_;
  std::optional<dynamics::Projection> projection_;  // with the matrix of the present step size
  dynamics::State state_;
  std::filesystem::path out_;
  std::vector<int> dump_problem_;
  RunStatistics statistics_;
  CsvLedger ledger_;
  Progress progress_;
  std::optional<SeriesWriter> series_;
};

/// Frémond's law with the default rule cannot do this: a user who sees it has chosen another rule
/// or left (87).
std::optional<std::string> warning_of_created_energy(const Case& c, const RunStatistics& r) {
  const double created = std::max(r.max_tangential_work, r.max_normal_work);
  const bool all_fremond = std::all_of(
      c.contacts.begin(), c.contacts.end(),
      [](const ContactEntry& contact) { return contact.law == dynamics::ImpactLaw::fremond; });
  if (!all_fremond || !(created > 1e-8 * r.exchanged)) return std::nullopt;
  return fmt::format(
      "a contact created energy, {:.2e}{} in one step: the activation rule or theta > 1/(1+e) is "
      "not "
      "dissipative (docs/case-file.md, contact.activation)",
      created, c.unit("energy"));
}

void print_result(const Case& c, const RunStatistics& r, int steps,
                  const std::filesystem::path& out) {
  const std::string unit = c.unit("energy");
  fmt::print("{}: {} steps to t = {:g}{}\n", c.name, steps, c.time_after(steps), c.unit("time"));
  fmt::print(
      "  energy {:.6g}{} = initial {:.6g} + external {:.6g} + prescribed {:.6g} + damping {:.6g} + "
      "numerical {:.6g}"
      " + contact {:.6g} + projection {:.6g}\n",
      r.final_energy.total(), unit, r.initial_energy.total(), r.works.external, r.works.prescribed,
      r.works.damping, r.works.numerical, r.works.contact_normal + r.works.contact_tangential,
      r.works.projection);
  fmt::print("  energy balance closes to {:.1e} of the energy exchanged at every step\n",
             r.worst_balance);
  fmt::print("  contact residual at most {:.1e} (scaled {:.1e}); {} step(s) missed the tolerance\n",
             r.worst_raw, r.worst_scaled, r.failed_steps);
  fmt::print(
      "  largest tangential work of a contact in a step {:+.2e}{}, normal {:+.2e}{}; deepest "
      "penetration {:.2e}{}\n",
      r.max_tangential_work, unit, r.max_normal_work, unit, r.penetration, c.unit("length"));
  if (r.non_unique_steps > 0)
    fmt::print(
        "  warning: in {} step(s) mu |W_NT| >= W_NN at a contact: the solution may not be unique\n",
        r.non_unique_steps);
  fmt::print("  results in {}\n", out.string());
}

}  // namespace

ExitCode run_case(const RunOptions& options) {
  const int threads = options.threads > 0 ? options.threads : omp_get_max_threads();
  PhaseTimes times;
  const Case c = read_case(options.case_file, options.set, options.steps);
  const std::filesystem::path out = options.out.empty() ? std::filesystem::path("results") / c.name
                                                        : std::filesystem::path(options.out);
  check_output_folder(out, options.case_file, options.force);
  for (const int step : options.dump_problem)
    if (step > c.step_count)
      throw UserError(fmt::format("--dump-problem {}: the run has {} steps", step, c.step_count));

  const Body body = timed(times, "mesh", [&] { return make_body(c); });
  omp_set_num_threads(threads);  // after Gmsh, which meshes on one thread and leaves OpenMP at that
  dynamics::System system = timed(times, "assembly", [&] { return make_system(c, body); });
  if (!std::holds_alternative<dynamics::ThetaScheme>(c.scheme.scheme)) require_rest(c, system);
  dynamics::State state =
      timed(times, "initial_state", [&] { return initial_state(c, body, system); });
  std::vector<std::string> warnings = warnings_about(c, body, system, state);
  for (const std::string& warning : warnings) fmt::print(stderr, "warning: {}\n", warning);
  Integrators integrators =
      timed(times, "factorisation", [&] { return Integrators(c, body, std::move(system)); });
  dynamics::Integrator& integrator = integrators.with(c.first_step());

  prepare_output_folder(out);
  write_whole(out / "case.toml", [&](std::ostream& stream) { stream << c.resolved; });
  listen_for_interrupt();
  integrator.start(state);
  Run run(c, body, integrators, std::move(state), out, options);
  const Outcome outcome = timed(times, "time_loop", [&] { return run.loop(); });
  if (const auto warning = warning_of_created_energy(c, run.statistics())) {
    warnings.push_back(*warning);
    fmt::print(stderr, "warning: {}\n", *warning);
  }
  write_summary(out / "summary.json", {c, body, integrator, run.statistics(), times, warnings,
                                       run.steps_done(), omp_get_max_threads(), outcome.reason});
  if (!outcome.message.empty()) fmt::print(stderr, "{}\n", outcome.message);
  if (!options.quiet) print_result(c, run.statistics(), run.steps_done(), out);
  return outcome.code;
}

}  // namespace slipwave::app
