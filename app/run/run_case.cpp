#include "app/run/run_case.hpp"

#include "app/case/case_file.hpp"
#include "app/messages/say.hpp"
#include "app/model/build_system.hpp"
#include "app/model/explain_singular_matrix.hpp"
#include "app/model/few_dofs_model.hpp"
#include "app/model/linearity.hpp"
#include "app/model/memory_estimate.hpp"
#include "app/model/solids_model.hpp"
#include "app/results/body_recorder.hpp"
#include "app/results/checkpoint.hpp"
#include "app/results/disk_estimate.hpp"
#include "app/results/file_list.hpp"
#include "app/results/interface_file.hpp"
#include "app/results/provenance.hpp"
#include "app/results/run_folder.hpp"
#include "app/results/solids_recorder.hpp"
#include "app/results/summary.hpp"
#include "app/results/threads.hpp"
#include "app/results/trajectory_writer.hpp"
#include "app/results/version.hpp"
#include "app/run/system_limits.hpp"
#include "app/run/time_loop.hpp"
#include "files/file_error.hpp"
#include "files/new_file.hpp"
#include "parallel/processors.hpp"

#include <fmt/format.h>

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
    return dynamics::make_integrator(std::move(system), c.scheme.scheme, step, c.solver);
  } catch (const linear::NotPositiveDefinite& error) {
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

/// What solvers' tolerances are small beside: the energy exchanged so far, and, where bodies stand
/// still and exchange none, that of falling freely for a step.
double energy_scale(const Case& c, const RunStatistics& r) {
  if (!c.solids) return r.exchanged;
  double scale = r.exchanged;
  for (const BodyEntry& body : c.solids->bodies)
    if (c.solids->is_free(body))
      scale += body.mass * (c.first_step() * c.solids->gravity).squaredNorm();
  return scale;
}

/// Frémond's law with the default rule cannot do this: a user who sees it has chosen another rule
/// or left (87).
std::optional<std::string> warning_of_created_energy(const Case& c, const RunStatistics& r) {
  const double created = std::max(r.max_tangential_work, r.max_normal_work);
  const bool all_fremond =
      std::all_of(c.contacts.begin(), c.contacts.end(), [](const ContactEntry& contact) {
        return contact.law.impact == dynamics::ImpactLaw::fremond;
      });
  if (!all_fremond || !(created > std::max(1e-8, c.solver.tolerance) * energy_scale(c, r)))
    return std::nullopt;
  return fmt::format(
      "a contact created energy, {:.2e}{} in one step: the activation rule or theta > 1/(1+e) is "
      "not "
      "dissipative (docs/case-file.md, contact.activation)",
      created, c.unit("energy"));
}

/// Of every contact line: the mean forces and apparent friction of the second half of the run.
void print_forces(const Case& c, const ForceMeans& forces) {
  constexpr std::string_view ending = ".F_N";
  for (std::size_t i = 0; i + 1 < forces.means.size(); ++i) {
    const std::string& column = forces.means[i].first;
    if (!column.ends_with(ending)) continue;
    const std::string line = column.substr(0, column.size() - ending.size());
    const bool touched =
        i + 2 < forces.means.size() && forces.means[i + 2].first == line + ".apparent_friction";
    say("  {}, from t = {:g}{} on: F_N {:.4g}{}, F_T {:.4g}{}, apparent friction {}\n", line,
        forces.from, c.unit("time"), forces.means[i].second, c.unit("force"),
        forces.means[i + 1].second, c.unit("force"),
        touched ? fmt::format("{:.4g}", forces.means[i + 2].second) : "none: no contact");
  }
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
  say("{}: {} steps to t = {:g}{}\n", c.name, steps, c.time_after(steps), c.unit("time"));
  say("  energy {:.6g}{} = initial {:.6g} + external {:.6g} + prescribed {:.6g} + damping {:.6g} + "
      "numerical {:.6g}"
      " + contact {:.6g} + projection {:.6g}\n",
      r.final_energy.total(), unit, r.initial_energy.total(), r.works.external, r.works.prescribed,
      r.works.damping, r.works.numerical, r.works.contact_normal + r.works.contact_tangential,
      r.works.projection);
  say("  energy balance closes to {:.1e} of the energy exchanged at every step\n", r.worst_balance);
  say("  contact residual at most {:.1e} (scaled {:.1e}); {} step(s) missed the tolerance\n",
      r.worst_raw, r.worst_scaled, r.failed_steps);
  say("  largest tangential work of a contact in a step {:+.2e}{}, normal {:+.2e}{}; deepest "
      "penetration {:.2e}{}\n",
      r.max_tangential_work, unit, r.max_normal_work, unit, r.penetration, c.unit("length"));
  print_forces(c, force_means(out, c.time_after(steps)));
  if (r.non_unique_steps > 0)
    say("  warning: in {} step(s) mu |W_NT| >= W_NN at a contact: the solution may not be unique\n",
        r.non_unique_steps);
  if (r.several_steps > 0)
    say("  warning: in {} step(s) a contact had several solutions; one of them was taken\n",
        r.several_steps);
  say("  results in {}\n", out.string());
}

/// The second and later step sizes take the system from the first integrator: it is large.
Steppers body_steppers(const Case& c, const Body& body, dynamics::System&& system) {
  const dynamics::SystemIntegrator* first = nullptr;
  return Steppers([&c, &body, system = std::move(system), first](double step) mutable {
    dynamics::Stepper made(make_integrator(
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
  Threads threads;
  std::optional<Linearity> linearity = {};  // of a meshed body
};

/// Before the first step.
Checkpoint first_checkpoint(const Case& c, Prepared& run) {
  dynamics::Stepper& stepper = run.steppers.with(c.first_step());
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

/// What a checkpoint builds on is as the run wrote it.
void require_unchanged(const std::filesystem::path& out, const OutputMarks& marks) {
  require_unchanged(out / "energy.csv", marks.energy);
  require_unchanged(out / "trajectory.csv", marks.trajectory);
  require_unchanged(out / "forces.csv", marks.forces);
  require_unchanged(out / "bodies.csv", marks.bodies);
  require_unchanged(out / "joints.csv", marks.joints);
  entries_to(out / "frames.pvd", marks.frames);
  entries_to(out / "contact.pvd", marks.contact);
}

/// The checkpoint to go on from, unless there is nothing yet: then the run starts.
std::optional<Checkpoint> find_checkpoint(const Case& c, const Prepared& run,
                                          const std::filesystem::path& out) {
  std::optional<Checkpoint> found = newest_checkpoint(out);
  if (!found && files::is_there(out / "energy.csv"))
    throw UserError(fmt::format(
        "{}: has results and no checkpoint to go on from (output.checkpoint_every); start anew "
        "with --force",
        out.string()));
  if (!found || found->state.step == 0) return std::nullopt;
  require_same_run(c, run.provenance.mesh(), *found, out);
  require_unchanged(out, found->marks);
  if (found->version != version())
    say(stderr, "warning: {}: the checkpoint is of version {}, this program is {}\n", out.string(),
        found->version, version());
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
    say(stderr, "warning: {}; --force was given: starting anew\n", error.what());
    return std::nullopt;
  }
}

/// Of the run, after so many steps.
double share_left(const Case& c, int steps) {
  return 1.0 - static_cast<double>(steps) / c.step_count;
}

void write_resolved_case(const Case& c, const std::filesystem::path& out) {
  list_file(out, "case.toml");
  files::write_whole(out / "case.toml", [&](std::ostream& stream) { stream << c.resolved; });
}

/// Makes the folder ready for a run that starts, or goes on from a checkpoint.
Checkpoint prepare_folder(const Case& c, Prepared& run, const std::filesystem::path& out,
                          const RunOptions& options, std::optional<Checkpoint> found) {
  const int step = found ? found->state.step : 0;
  Checkpoint start = found ? std::move(*found) : first_checkpoint(c, run);
  if (step == 0) require_other_case_file(out, options.case_file);
  if (step > 0)
    remove_results_after(out, step);
  else
    remove_results(out);
  write_resolved_case(c, out);
  if (step == 0 && c.has_checkpoints()) write_checkpoint(out, start);
  return start;
}

/// The time loop has told them when they came; summary.json keeps them.
void add_warnings_of_linearity(Prepared& run, const LinearityFigures& figures) {
  if (!run.linearity) return;
  for (const std::string& warning :
       {run.linearity->rotation_warning(figures), run.linearity->sliding_warning(figures)})
    if (!warning.empty()) run.warnings.push_back(warning);
}

/// Makes the recorder of a run that goes on from these marks.
using MakeRecorder = std::function<std::unique_ptr<Recorder>(const OutputMarks&)>;

/// Writes summary.json of a run that has come so far and ends for a reason.
using Summarize = std::function<void(const RunStatistics& statistics, int steps,
                                     const std::string& reason, std::optional<bool> deterministic)>;

/// Where a file could not be written before the first step or after the last.
ExitCode output_failed(const files::OutputError& error, const std::filesystem::path& out,
                       const std::function<void()>& summarize) {
  try {
    summarize();
  } catch (const files::OutputError&) {  // nobody expects it now
  }
  say(stderr, "{}. {}\n", error.what(),
      files::is_there(out / "checkpoint.h5")
          ? "The same command with --resume goes on from the last checkpoint"
          : "Nothing was computed yet that a run could go on from");
  return no_room;
}

/// The loop; its recorder is made once the folder is ready.
ExitCode run_loop(const Case& c, Prepared& run, const std::filesystem::path& out,
                  const RunOptions& options, Checkpoint start, const MakeRecorder& make_recorder,
                  const Summarize& summarize) {
  const std::unique_ptr<Recorder> recorder = make_recorder(start.marks);
  TimeLoop loop(c, run.names, run.steppers, std::move(start), *recorder,
                run.linearity ? &*run.linearity : nullptr, out, options);
  Outcome outcome = timed(run.times, "time_loop", [&] { return loop.run(); });
  for (const std::string& warning : warnings_of_run(c, loop.statistics())) {
    run.warnings.push_back(warning);
    say(stderr, "warning: {}\n", warning);
  }
  if (!loop.same_bits_on_one_thread().value_or(true)) {
    run.warnings.push_back(
        "the first step differs from the same step on one thread: the results depend on the "
        "threads; please report this");
    say(stderr, "warning: {}\n", run.warnings.back());
  }
  const auto summarize_loop = [&] {
    summarize(loop.final_statistics(), loop.steps_done(), outcome.reason,
              loop.same_bits_on_one_thread());
  };
  try {
    summarize_loop();
  } catch (const files::OutputError&) {
    if (outcome.code != no_room) throw;  // otherwise nobody expects it
  }
  if (outcome.code == success) {
    outcome = loop.save_end();
    if (outcome.code != success) summarize_loop();
  }
  if (!outcome.message.empty()) say(stderr, "{}\n", outcome.message);
  if (outcome.code == no_room)
    say(stderr, "the rest of the run needs about {:.1f} MB\n",
        1e-6 * share_left(c, loop.steps_done()) * run.needs.total());
  if (!options.quiet) print_result(c, loop.statistics(), loop.steps_done(), out);
  return outcome.code;
}

/// A run with the folder it writes to.
ExitCode run_prepared(const Case& c, Prepared& run, const std::filesystem::path& out,
                      const RunOptions& options, const MakeRecorder& make_recorder) {
  for (const std::string& warning : run.warnings) say(stderr, "warning: {}\n", warning);
  make_output_folder(out);
  const FolderLock lock(out);
  check_output_folder(out, options.case_file, options.force, options.resume);  // others were here
  std::optional<Checkpoint> found = checkpoint_to_resume(c, run, out, options);
  const int resumed_at = found ? found->state.step : 0;
  const Summarize summarize = [&](const RunStatistics& statistics, int steps,
                                  const std::string& reason, std::optional<bool> deterministic) {
    add_warnings_of_linearity(run, statistics.linearity);
    list_file(out, "summary.json");
    write_summary(out / "summary.json", {c, run.sizes, statistics, run.times, run.warnings,
                                         run.provenance, steps, run.threads, reason, resumed_at,
                                         force_means(out, c.time_after(steps)), deterministic});
  };
  if (resumed_at == c.step_count) {
    if (options.force || !files::is_there(out / "summary.json")) {
      write_resolved_case(c, out);
      if (run.linearity)
        run.linearity->look_at_rotations(found->state.q, found->statistics.linearity);
      summarize(found->statistics, resumed_at, Outcome{}.reason, {});
    }
    finish_interface_file(out / "interface.h5", c.units);
    say("{}: is complete, {} steps\n", out.string(), c.step_count);
    return success;
  }
  if (found && !options.quiet) say("{}: going on after step {}\n", out.string(), resumed_at);
  require_room(out, run.needs, share_left(c, resumed_at),
               resumed_at > 0 ? 0.0 : size_of_folder(out));
  const RunStatistics before = found ? found->statistics : RunStatistics({});
  try {
    Checkpoint start = prepare_folder(c, run, out, options, std::move(found));
    listen_for_signals();
    return run_loop(c, run, out, options, std::move(start), make_recorder, summarize);
  } catch (const files::OutputError& error) {
    return output_failed(error, out, [&] { summarize(before, resumed_at, "output failed", {}); });
  }
}

SummarySizes sizes_of(const Body& body, const dynamics::SystemIntegrator& integrator) {
  return {{"nodes", body.mesh.node_count()},
          {"triangles", body.mesh.triangle_count()},
          {"dofs", body.mesh.dof_count()},
          {"contacts", integrator.system().contact_count()},
          {"factor_values", static_cast<long>(integrator.matrix().stored_values())}};
}

ExitCode run_body(const Case& c, const std::filesystem::path& out, const RunOptions& options) {
  Provenance provenance(options.case_file, c.resolved);
  PhaseTimes times;
  const Body body = timed(times, "mesh", [&] { return make_body(c, options.trust); });
  provenance.add_mesh(c.mesh_file, body.mesh);
  const Threads threads = use_threads(options.threads);
  dynamics::System system = timed(times, "assembly", [&] { return make_system(c, body); });
  const double memory = memory_needs_of(c, body, system);
  require_address_space(memory);
  if (!std::holds_alternative<dynamics::ThetaScheme>(c.scheme.scheme)) require_rest(c, system);
  dynamics::State state =
      timed(times, "initial_state", [&] { return initial_state(c, body, system); });
  std::vector<std::string> warnings = warnings_about(c, body, system, state);
  if (const std::string warning = memory_warning(memory); !warning.empty())
    warnings.push_back(warning);
  Steppers steppers = body_steppers(c, body, std::move(system));
  const dynamics::Stepper& first = timed(times, "factorisation", [&]() -> dynamics::Stepper& {
    return steppers.with(c.first_step());
  });
  const dynamics::System& in_use = first.system_integrator()->system();
  Prepared run{std::move(steppers),
               std::move(state),
               std::move(warnings),
               sizes_of(body, *first.system_integrator()),
               needs_of(c, body, in_use.contact_count()),
               std::move(times),
               names_of(body),
               std::move(provenance),
               threads,
               Linearity(c, body, in_use)};
  return run_prepared(c, run, out, options, [&](const OutputMarks& marks) {
    return std::make_unique<BodyRecorder>(out, c, body, in_use, run.state, marks);
  });
}

ExitCode run_few_dofs(const Case& c, const std::filesystem::path& out, const RunOptions& options) {
  Provenance provenance(options.case_file, c.resolved);
  const FewDofsModel model(c);
  const Threads threads{options.threads, parallel::available_processors(), 1};
  Prepared run{Steppers([&](double step) { return model.make_stepper(step); }),
               model.initial_state(),
               warnings_about(model),
               {{"dofs", model.dof_count()}, {"contacts", model.contact_count()}},
               needs_of(model),
               {},
               names_of(model),
               std::move(provenance),
               threads};
  run.steppers.with(c.first_step());  // what it cannot do is said before anything is written
  return run_prepared(c, run, out, options, [&](const OutputMarks& marks) {
    return std::make_unique<TrajectoryWriter>(out, model, marks);
  });
}

ExitCode run_solids(const Case& c, const std::filesystem::path& out, const RunOptions& options) {
  Provenance provenance(options.case_file, c.resolved);
  provenance.add_shape_files(c.solids->files);
  const SolidsModel model(c);
  const Threads threads = use_threads(options.threads);
  const auto contacts = static_cast<int>(contacts_at_start(model).size());
  require_address_space(memory_needs_of(model, contacts));
  Prepared run{Steppers([&](double step) { return model.make_stepper(step); }),
               model.initial_state(),
               warnings_about(model),
               {{"bodies", model.solids().body_count()},
                {"dofs", dynamics::v_of(model.free_count())},
                {"contacts_at_start", contacts}},
               needs_of(model, contacts),
               {},
               names_of(model),
               std::move(provenance),
               threads};
  return run_prepared(c, run, out, options, [&](const OutputMarks& marks) {
    return std::make_unique<SolidsRecorder>(out, model, marks);
  });
}

}  // namespace

ExitCode run_case(const RunOptions& options) {
  require_descriptors();
  const Case c = read_case(options.case_file, options.set, options.steps);
  const std::filesystem::path out = options.out.empty() ? std::filesystem::path("results") / c.name
                                                        : std::filesystem::path(options.out);
  check_output_folder(out, options.case_file, options.force, options.resume);
  for (const int step : options.dump_problem)
    if (step > c.step_count)
      throw UserError(fmt::format("--dump-problem {}: the run has {} steps", step, c.step_count));
  if (c.solids) return run_solids(c, out, options);
  return c.few_dofs ? run_few_dofs(c, out, options) : run_body(c, out, options);
}

}  // namespace slipwave::app
