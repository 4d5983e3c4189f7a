#include "app/run_case.hpp"

#include "app/body_recorder.hpp"
#include "app/case_file.hpp"
#include "app/checkpoint.hpp"
#include "app/finite_model.hpp"
#include "app/model.hpp"
#include "app/output_folder.hpp"
#include "app/output_needs.hpp"
#include "app/provenance.hpp"
#include "app/singular.hpp"
#include "app/summary.hpp"
#include "app/time_loop.hpp"
#include "app/trajectory_writer.hpp"
#include "app/version.hpp"

#include <fmt/format.h>
#include <omp.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <memory>

namespace slipwave::app {

namespace {

/// Runs a phase and notes how long it took.
template <class Phase>
decltype(auto) timed(PhaseTimes& times, const std::string& name, const Phase& phase) {
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

/// Factorises; data that leave no positive definite matrix are the user's.
std::unique_ptr<dynamics::SystemIntegrator> make_integrator(const Case& c, const Body& body,
                                                            dynamics::System&& system,
                                                            double step) {
  const std::string advice = "the numbers of [material], [mesh] and time.step are too far apart";
  try {
    return dynamics::make_integrator(std::move(system), c.scheme.scheme, step, solver_options(c));
  } catch (const dynamics::NotPositiveDefinite& error) {
    throw UserError(fmt::format("{}: the matrix of a time step is singular: {}", c.name,
                                explain_singular_step(c, body, error.row, step)));
  } catch (const dynamics::Unsupported& error) {
    throw UserError(
        fmt::format("{}: time.scheme = \"{}\": {}", c.name, c.scheme.name, error.what()));
  } catch (const std::invalid_argument& error) {
    if (const std::string massless = explain_no_mass(c, body); !massless.empty())
      throw UserError(fmt::format("{}: {}", c.name, massless));
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

/// What the steps showed that a user should know.
std::vector<std::string> warnings_of_run(const Case& c, const RunStatistics& r) {
  std::vector<std::string> warnings;
  if (const auto warning = warning_of_created_energy(c, r)) warnings.push_back(*warning);
  if (r.failed_projections > 0)
    warnings.push_back(fmt::format(
        "in {} step(s) the projection was not solved, and positions were left inside obstacles",
        r.failed_projections));
  if (r.shared_node_steps > 0)
    warnings.push_back(fmt::format(
        "in {} step(s) a node pushed on several obstacles with friction: the solution may be one "
        "of several",
        r.shared_node_steps));
  return warnings;
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
  if (r.several_steps > 0)
    fmt::print("  warning: in {} step(s) a contact had several solutions; one of them was taken\n",
               r.several_steps);
  fmt::print("  results in {}\n", out.string());
}

/// The second and later step sizes take the system from the first integrator: it is large.
Steppers body_steppers(const Case& c, const Body& body, dynamics::System&& system) {
  const dynamics::SystemIntegrator* first = nullptr;
  return Steppers([&c, &body, system = std::move(system), first](double step) mutable {
    Stepper made(make_integrator(
        c, body, first ? dynamics::System(first->system()) : std::move(system), step));
    if (!first) first = made.system_integrator();
    return made;
  });
}

/// A case ready for its time loop.
struct Prepared {
  Steppers steppers;
  dynamics::State state;  // at t = 0
  std::vector<std::string> warnings;
  SummarySizes sizes;
  OutputNeeds needs;
  PhaseTimes times;
  Names names;
  Provenance provenance;
};

/// Before the first step.
Checkpoint first_checkpoint(const Case& c, Prepared& run) {
  Stepper& stepper = run.steppers.with(c.first_step());
  stepper.integrator().start(run.state);
  return {.version = version(),
          .case_text = c.resolved,
          .mesh = run.provenance.mesh(),
          .state = run.state,
          .pieces = c.pieces,
          .memory = stepper.memory(),
          .statistics = RunStatistics(stepper.integrator().energy(run.state)),
          .marks = {}};
}

/// The checkpoint to go on from, unless there is nothing yet: then the run starts.
std::optional<Checkpoint> find_checkpoint(const Case& c, const Prepared& run,
                                          const std::filesystem::path& out) {
  std::optional<Checkpoint> found = newest_checkpoint(out);
  if (!found && std::filesystem::exists(out / "energy.csv"))
    throw UserError(fmt::format(
        "{}: has results and no checkpoint to go on from (output.checkpoint_every); start anew "
        "with --force",
        out.string()));
  if (!found || found->state.step == 0) return std::nullopt;
  require_same_run(c, run.provenance.mesh(), *found, out);
  if (found->version != version())
    fmt::print(stderr, "warning: {}: the checkpoint is of version {}, this program is {}\n",
               out.string(), found->version, version());
  found->version = version();
  found->case_text = c.resolved;
  found->pieces = c.pieces;
  return found;
}

/// With --force as well, what cannot be resumed is replaced.
std::optional<Checkpoint> checkpoint_to_resume(const Case& c, const Prepared& run,
                                               const std::filesystem::path& out,
                                               const RunOptions& options) {
  if (!options.resume) return std::nullopt;
  try {
    return find_checkpoint(c, run, out);
  } catch (const UserError& error) {
    if (!options.force) throw;
    fmt::print(stderr, "warning: {}; --force was given: starting anew\n", error.what());
    return std::nullopt;
  }
}

/// Of the run, after so many steps.
double share_left(const Case& c, int steps) {
  return 1.0 - static_cast<double>(steps) / c.step_count;
}

void write_resolved_case(const Case& c, const std::filesystem::path& out) {
  write_whole(out / "case.toml", [&](std::ostream& stream) { stream << c.resolved; });
}

/// Makes the folder ready for a run that starts, or goes on from a checkpoint.
Checkpoint prepare_folder(const Case& c, Prepared& run, const std::filesystem::path& out,
                          std::optional<Checkpoint> found) {
  const int step = found ? found->state.step : 0;
  require_room(out, run.needs, share_left(c, step), step > 0 ? 0.0 : size_of_folder(out));
  Checkpoint start = found ? std::move(*found) : first_checkpoint(c, run);
  if (step > 0)
    remove_results_after(out, step);
  else
    remove_results(out);
  write_resolved_case(c, out);
  if (step == 0 && c.has_checkpoints()) write_checkpoint(out, start);
  return start;
}

/// Makes the recorder of a run that goes on from these marks.
using MakeRecorder = std::function<std::unique_ptr<Recorder>(const OutputMarks&)>;

/// The loop with the folder it writes to; the recorder is made once the folder is there.
ExitCode run_prepared(const Case& c, Prepared& run, const std::filesystem::path& out,
                      const RunOptions& options, const MakeRecorder& make_recorder) {
  for (const std::string& warning : run.warnings) fmt::print(stderr, "warning: {}\n", warning);
  make_output_folder(out);
  const FolderLock lock(out);
  std::optional<Checkpoint> found = checkpoint_to_resume(c, run, out, options);
  const int resumed_at = found ? found->state.step : 0;
  const auto summarize = [&](const RunStatistics& statistics, int steps,
                             const std::string& reason) {
    write_summary(out / "summary.json",
                  {c, run.sizes, statistics, run.times, run.warnings, run.provenance, steps,
                   omp_get_max_threads(), reason, resumed_at});
  };
  if (resumed_at == c.step_count) {
    if (options.force || !std::filesystem::exists(out / "summary.json")) {
      write_resolved_case(c, out);
      summarize(found->statistics, resumed_at, Outcome{}.reason);
    }
    fmt::print("{}: is complete, {} steps\n", out.string(), c.step_count);
    return success;
  }
  if (found && !options.quiet) fmt::print("{}: going on after step {}\n", out.string(), resumed_at);
  Checkpoint start = prepare_folder(c, run, out, std::move(found));
  listen_for_signals();
  const std::unique_ptr<Recorder> recorder = make_recorder(start.marks);
  TimeLoop loop(c, run.names, run.steppers, std::move(start), *recorder, out, options);
  const Outcome outcome = timed(run.times, "time_loop", [&] { return loop.run(); });
  for (const std::string& warning : warnings_of_run(c, loop.statistics())) {
    run.warnings.push_back(warning);
    fmt::print(stderr, "warning: {}\n", warning);
  }
  try {
    summarize(loop.statistics(), loop.steps_done(), outcome.reason);
  } catch (const OutputError&) {
    if (outcome.code != no_room) throw;  // otherwise nobody expects it
  }
  if (outcome.code == success) loop.save_end();
  if (!outcome.message.empty()) fmt::print(stderr, "{}\n", outcome.message);
  if (outcome.code == no_room)
    fmt::print(stderr, "the rest of the run needs about {:.1f} MB\n",
               1e-6 * share_left(c, loop.steps_done()) * run.needs.total());
  if (!options.quiet) print_result(c, loop.statistics(), loop.steps_done(), out);
  return outcome.code;
}

SummarySizes sizes_of(const Body& body, const dynamics::SystemIntegrator& integrator) {
  return {{"nodes", body.mesh.node_count()},
          {"triangles", body.mesh.triangle_count()},
          {"dofs", body.mesh.dof_count()},
          {"contacts", integrator.system().contact_count()},
          {"factor_values", static_cast<long>(integrator.factor().L().stored_values())}};
}

ExitCode run_body(const Case& c, const std::filesystem::path& out, const RunOptions& options) {
  const int threads = options.threads > 0 ? options.threads : omp_get_max_threads();
  Provenance provenance(options.case_file, c.resolved);
  PhaseTimes times;
  const Body body = timed(times, "mesh", [&] { return make_body(c); });
  provenance.add_mesh(c.mesh_file, body.mesh);
  omp_set_num_threads(threads);  // after Gmsh, which meshes on one thread and leaves OpenMP at that
  dynamics::System system = timed(times, "assembly", [&] { return make_system(c, body); });
  if (!std::holds_alternative<dynamics::ThetaScheme>(c.scheme.scheme)) require_rest(c, system);
  dynamics::State state =
      timed(times, "initial_state", [&] { return initial_state(c, body, system); });
  std::vector<std::string> warnings = warnings_about(c, body, system, state);
  Steppers steppers = body_steppers(c, body, std::move(system));
  const Stepper& first =
      timed(times, "factorisation", [&]() -> Stepper& { return steppers.with(c.first_step()); });
  const dynamics::System& in_use = first.system_integrator()->system();
  Prepared run{std::move(steppers),
               std::move(state),
               std::move(warnings),
               sizes_of(body, *first.system_integrator()),
               needs_of(c, body, in_use.contact_count()),
               std::move(times),
               names_of(body),
               std::move(provenance)};
  return run_prepared(c, run, out, options, [&](const OutputMarks& marks) {
    return std::make_unique<BodyRecorder>(out, c, body, in_use, run.state, marks);
  });
}

ExitCode run_finite(const Case& c, const std::filesystem::path& out, const RunOptions& options) {
  omp_set_num_threads(1);
  Provenance provenance(options.case_file, c.resolved);
  const FiniteModel model(c);
  Prepared run{Steppers([&](double step) { return model.make_stepper(step); }),
               model.initial_state(),
               warnings_about(model),
               {{"dofs", model.dof_count()}, {"contacts", model.contact_count()}},
               needs_of(model),
               {},
               names_of(model),
               std::move(provenance)};
  run.steppers.with(c.first_step());  // what it cannot do is said before anything is written
  return run_prepared(c, run, out, options, [&](const OutputMarks& marks) {
    return std::make_unique<TrajectoryWriter>(out, model, marks);
  });
}

}  // namespace

ExitCode run_case(const RunOptions& options) {
  const Case c = read_case(options.case_file, options.set, options.steps);
  const std::filesystem::path out = options.out.empty() ? std::filesystem::path("results") / c.name
                                                        : std::filesystem::path(options.out);
  check_output_folder(out, options.case_file, options.force, options.resume);
  for (const int step : options.dump_problem)
    if (step > c.step_count)
      throw UserError(fmt::format("--dump-problem {}: the run has {} steps", step, c.step_count));
  return c.finite ? run_finite(c, out, options) : run_body(c, out, options);
}

}  // namespace slipwave::app
