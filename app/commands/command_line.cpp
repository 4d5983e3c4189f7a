#include "app/commands/command_line.hpp"

#include "app/commands/check.hpp"
#include "app/commands/equilibria.hpp"
#include "app/commands/help.hpp"
#include "app/commands/outcomes.hpp"
#include "app/commands/processor.hpp"
#include "app/commands/schemes.hpp"
#include "app/commands/solve.hpp"
#include "app/commands/stability.hpp"
#include "app/commands/waves.hpp"
#include "app/messages/say.hpp"
#include "app/plot/plot_run.hpp"
#include "app/report/write_report.hpp"
#include "app/results/version.hpp"
#include "app/run/run_case.hpp"
#include "app/study/run_study.hpp"
#include "app/view/view_results.hpp"
#include "files/file_error.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <functional>
#include <limits>
#include <map>
#include <memory>

namespace slipwave::app {

namespace {

/// What the command line asks for.
using Action = std::function<ExitCode()>;

/// What the program may use, and so where it runs.
std::string processor_text() {
  std::string sets;
  for (unsigned bit = 0; name_of_set(bit) != nullptr; ++bit)
    if ((compiled_for >> bit & 1U) != 0U) sets += fmt::format(" {}", name_of_set(bit));
  return sets.empty() ? "any of its kind" : "only with" + sets;
}

std::string version_text() {
  const Build build = this_build();
  std::string text = fmt::format("slipwave {}\n  {:10} {}\n  {:10} {} ({})", version(), "git",
                                 description(build.git), "build", build.type, build.flags);
  text += fmt::format("\n  {:10} {}", "processor", processor_text());
  for (const auto& [name, number] : library_versions())
    text += fmt::format("\n  {:10} {}", name, number);
  return text;
}

/// Results that go to files do not end where nobody reads what is printed.
void outlive_readers() { std::signal(SIGPIPE, SIG_IGN); }

/// Lets an option be given several times, with one value each.
void take_all(CLI::Option* option) {
  option->expected(1)->allow_extra_args(false)->multi_option_policy(
      CLI::MultiOptionPolicy::TakeAll);
}

void add_set(CLI::App* command, std::vector<std::string>& set) {
  take_all(command->add_option(
      "--set", set, "Replace a value of the case file: KEY=VALUE, e.g. contact.friction=0.3"));
}

/// What CLI11 asks of a value: a complaint, or nothing.
std::string is_folder_name(const std::string& folder) {
  return folder.empty() || folder.starts_with("--") ? "expected a folder" : "";
}

void add_threads(CLI::App* command, int& threads) {
  command
      ->add_option("--threads", threads,
                   "Number of threads (default 1); the results do not depend on it")
      ->check(CLI::Range(1, 1024));
}

void add_trust(CLI::App* command, bool& trust) {
  command->add_flag("--trust", trust,
                    "Let Gmsh do all that a .geo file says, run programs and write files too: only "
                    "for files that you wrote or read");
}

void add_run(CLI::App& app, Action& action) {
  const auto options = std::make_shared<RunOptions>();
  CLI::App* run = app.add_subcommand("run", "Run a case");
  const CLI::Range steps(1, std::numeric_limits<int>::max());
  run->add_option("CASE", options->case_file, "Case file (TOML)")->required();
  run->add_option("--out", options->out, "Folder for the results (default: results/CASE)")
      ->check(is_folder_name);
  run->add_option("--steps", options->steps, "Number of steps, instead of time.end")->check(steps);
  add_set(run, options->set);
  add_threads(run, options->threads);
  CLI::Option* dump = run->add_option(
      "--dump-problem", options->dump_problem,
      "Write the contact problem of this step to DIR/problem_STEP.hdf5 (FCLIB form)");
  take_all(dump);
  dump->check(steps);
  run->add_flag("--force", options->force, "Replace results that are already in the folder");
  run->add_flag("--resume", options->resume,
                "Go on from the newest checkpoint in the folder; start if there is nothing yet, "
                "and with --force where it is of another run");
  run->add_flag("--quiet", options->quiet, "Print nothing but warnings and errors");
  add_trust(run, options->trust);
  run->callback([options, &action] {
    action = [options] {
      outlive_readers();
      return run_case(*options);
    };
  });
}

/// A command that looks at a case and prints.
using CaseCommand = ExitCode (*)(const std::string& case_file, const std::vector<std::string>& set);

void add_case_command(CLI::App& app, const char* name, const char* what, CaseCommand command,
                      Action& action) {
  const auto file = std::make_shared<std::string>();
  const auto set = std::make_shared<std::vector<std::string>>();
  CLI::App* added = app.add_subcommand(name, what);
  added->add_option("CASE", *file, "Case file (TOML)")->required();
  add_set(added, *set);
  added->callback([=, &action] { action = [=] { return command(*file, *set); }; });
}

void add_check(CLI::App& app, Action& action) {
  const auto file = std::make_shared<std::string>();
  const auto set = std::make_shared<std::vector<std::string>>();
  const auto trust = std::make_shared<bool>(false);
  CLI::App* check =
      app.add_subcommand("check", "Read and mesh a case, print sizes and advice, run nothing");
  check->add_option("CASE", *file, "Case file (TOML)")->required();
  add_set(check, *set);
  add_trust(check, *trust);
  check->callback([=, &action] { action = [=] { return check_case(*file, *set, *trust); }; });
}

void add_case_commands(CLI::App& app, Action& action) {
  add_check(app, action);
  add_case_command(app, "equilibria", "List the equilibria of a mass-spring case", show_equilibria,
                   action);
  add_case_command(app, "stability", "Disturb the equilibria of a mass-spring case and watch",
                   show_stability, action);
  add_case_command(app, "outcomes", "Sample what the contact law can do to a sliding stick",
                   show_outcomes, action);
}

void add_solve(CLI::App& app, Action& action) {
  const auto options = std::make_shared<SolveOptions>();
  CLI::App* solve = app.add_subcommand(
      "solve", "Solve contact problems in FCLIB form (HDF5), or compare solvers on them");
  solve->add_option("PROBLEM", options->files, "Problems, local or global")->required();
  CLI::Option* method =
      solve->add_option("--method", options->method, "Method of solution (default auto)")
          ->check(CLI::IsMember(solve_methods()));
  solve
      ->add_option("--tolerance", options->tolerance,
                   "Largest residual of a certified solution (default 1e-10)")
      ->check(CLI::PositiveNumber);
  add_threads(solve, options->threads);
  CLI::Option* write =
      solve->add_flag("--write-solution", options->write_solution,
                      "Store a certified solution in the file, in place of one that is there");
  CLI::Option* compare =
      solve
          ->add_flag("--compare", options->compare,
                     "Solve with every method, and with those of Siconos where slipwave_siconos is "
                     "there: times, certificates and their performance profile")
          ->excludes(method)
          ->excludes(write);
  solve
      ->add_option("--out", options->out,
                   "With --compare: folder for its tables and figure (default: results/compare)")
      ->check(is_folder_name)
      ->needs(compare);
  solve
      ->add_option("--limit", options->limit,
                   "With --compare: seconds that one solve may take (default 20)")
      ->check(CLI::PositiveNumber)
      ->needs(compare);
  solve->callback([options, &action] { action = [options] { return solve_problems(*options); }; });
}

void add_study(CLI::App& app, Action& action) {
  const auto options = std::make_shared<StudyOptions>();
  CLI::App* study = app.add_subcommand(
      "study", "Run a case over mesh sizes, time steps or any other key, and observe orders");
  study->add_option("STUDY", options->study_file, "Study file (TOML)")->required();
  study->add_option("--out", options->out, "Folder for the study (default: results/STUDY)")
      ->check(is_folder_name);
  study->add_option("--jobs", options->jobs, "Runs at once (default 1)")
      ->check(CLI::Range(1, 4096));
  study
      ->add_option("--threads", options->threads,
                   "Threads of each run (default: the processor's, divided between the jobs)")
      ->check(CLI::Range(1, 1024));
  study
      ->add_option(
          "--executor", options->executor,
          "Where members run: local (default), slurm (a job array) or snakemake (a Snakefile)")
      ->check(CLI::IsMember({"local", "slurm", "snakemake"}));
  study->add_flag("--resume", options->resume, "Go on: run only members that are not finished");
  study->add_flag("--collect", options->collect, "Run nothing; tables of what is finished");
  study->add_flag("--wait", options->wait, "With slurm: wait for the jobs, then write the tables");
  add_trust(study, options->trust);
  study->callback([options, &action] {
    action = [options] {
      outlive_readers();
      return run_study(*options);
    };
  });
}

void add_schemes(CLI::App& app, Action& action) {
  CLI::App* schemes =
      app.add_subcommand("schemes", "List the schemes of time.scheme, their parameters and proofs");
  schemes->callback([&action] { action = list_schemes; });
}

void add_wave_search(CLI::App* waves, WavesOptions& options) {
  TrackerOptions& tracker = options.tracker;
  const std::map<std::string, SurfaceSignal> signals{{"magnitude", SurfaceSignal::magnitude},
                                                     {"tangential", SurfaceSignal::tangential},
                                                     {"normal", SurfaceSignal::normal}};
  waves->add_option("--min-nodes", tracker.min_nodes, "Nodes that a wave must pass (default 5)")
      ->check(CLI::Range(3, std::numeric_limits<int>::max()));
  waves->add_option("--from", tracker.from, "Look at recorded steps from this time");
  waves->add_option("--to", tracker.to, "Look at recorded steps to this time");
  waves
      ->add_option_function<std::string>(
          "--signal",
          [&tracker, signals](const std::string& name) { tracker.signal = signals.at(name); },
          "Velocity to follow where nothing touches (default magnitude)")
      ->check(CLI::IsMember(signals));
}

void add_waves(CLI::App& app, Action& action) {
  const auto options = std::make_shared<WavesOptions>();
  CLI::App* waves = app.add_subcommand(
      "waves", "Find the waves along the contact lines of a run, or how a wavelength grows");
  waves->add_option("DIR", options->folder, "Folder of a run, with interface.h5")->required();
  CLI::Option* kind = waves->add_option("--class", options->classes, "List only this class");
  take_all(kind);
  kind->check(CLI::IsMember(wave_class_keys()));
  waves->add_option("--line", options->line, "List only this contact line");
  waves->add_option("--json", options->json, "Write the listed waves to this file too");
  waves->add_option("--rows", options->rows, "Longest table (default 30)")
      ->check(CLI::PositiveNumber);
  add_wave_search(waves, *options);
  CLI::Option* wavelength =
      waves
          ->add_option("--wavelength", options->wavelength,
                       "Print growth rate and phase speed of this wavelength, and no waves")
          ->check(CLI::PositiveNumber);
  waves->add_option("--x-from", options->x.from, "With --wavelength: left end of the window")
      ->needs(wavelength);
  waves->add_option("--x-to", options->x.to, "With --wavelength: right end of the window")
      ->needs(wavelength);
  waves->callback([options, &action] { action = [options] { return show_waves(*options); }; });
}

void add_report(CLI::App& app, Action& action) {
  const auto options = std::make_shared<ReportOptions>();
  CLI::App* report = app.add_subcommand(
      "report", "Write a page that shows runs: verdicts, energies, waves, the deformed body");
  report->add_option("DIR", options->folders, "Folders with the results of runs")->required();
  report->add_option(
      "--out", options->out,
      "File of the page (default: report.html in DIR; of several, report_with_B.html)");
  report->callback([options, &action] { action = [options] { return write_report(*options); }; });
}

void add_view(CLI::App& app, Action& action) {
  const auto options = std::make_shared<ViewOptions>();
  CLI::App* view = app.add_subcommand(
      "view", "Write view.py, a script for ParaView, beside the results, and open it");
  view->add_option("DIR", options->folder, "Folder with the results of a run")->required();
  view->add_option("--warp", options->warp,
                   "Draw the deformation so many times as large (default: one that suits it)");
  view->add_flag_callback(
      "--no-open", [options] { options->open = false; }, "Only write the script");
  view->add_flag("--force", options->force, "Replace a view.py that was changed");
  view->callback([options, &action] { action = [options] { return view_results(*options); }; });
}

void add_plot(CLI::App& app, Action& action) {
  const auto options = std::make_shared<PlotOptions>();
  CLI::App* plot = app.add_subcommand("plot", "Draw a figure of a run for a paper");
  plot->add_option("DIR", options->folder, "Folder of a run's results")->required();
  plot->add_option("MORE", options->others,
                   "Other runs beside it, of dissipation and contact-work");
  plot->add_option("--figure", options->figure, "What to draw")
      ->required()
      ->check(CLI::IsMember(plot_figures()));
  plot->add_option("--format", options->format, "Kind of file (default svg)")
      ->check(CLI::IsMember(plot_formats()));
  plot->add_option("--out", options->out, "File (default: DIR/FIGURE.FORMAT)");
  plot->add_option("--time", options->time,
                   "Time T of the snapshot, or T0:T1, the part of the run that is drawn");
  plot->add_option("--warp", options->warp,
                   "Factor on the snapshot's deformation (default: one that suits it)")
      ->check(CLI::Number);
  plot->add_option("--field", options->field,
                   "Colours of the snapshot: displacement (default), velocity, von_mises, ...");
  plot->add_option("--line", options->line, "Contact line of the interface (default: the first)");
  plot->add_option("--width", options->width, "Width of the figure in mm (default 170)")
      ->check(CLI::Range(60.0, 1000.0));
  plot->add_option("--dpi", options->dpi, "Dots per inch of a PNG (default 300)")
      ->check(CLI::Range(30.0, 800.0));
  plot->callback([options, &action] { action = [options] { return plot_run(*options); }; });
}

}  // namespace

ExitCode run_command_line(int argc, char** argv) {
  CLI::App app{"Elastic bodies in dynamic frictional contact, and never energy out of nothing."};
  app.set_version_flag("--version", version_text());
  app.require_subcommand(1);
  Action action;
  add_run(app, action);
  add_case_commands(app, action);
  add_study(app, action);
  add_waves(app, action);
  add_report(app, action);
  add_view(app, action);
  add_plot(app, action);
  add_solve(app, action);
  add_schemes(app, action);
  add_examples(app);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    const std::string wrong = wrong_word(app, {argv + 1, argv + argc});
    if (error.get_exit_code() == 0 || wrong.empty())
      return app.exit(error) == 0 ? success : bad_input;
    print_error(wrong);
    return bad_input;
  }
  const ExitCode code = action();
  const bool prints_its_result = !app.got_subcommand("run") && !app.got_subcommand("study");
  if (prints_its_result && (std::fflush(stdout) != 0 || std::ferror(stdout) != 0))
    throw files::OutputError("what this command prints could not be written to standard output");
  return code;
}

}  // namespace slipwave::app
