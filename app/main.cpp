#include "app/commands/check.hpp"
#include "app/commands/finite_commands.hpp"
#include "app/commands/help.hpp"
#include "app/commands/schemes.hpp"
#include "app/commands/look_commands.hpp"
#include "app/commands/processor.hpp"
#include "app/run/run_case.hpp"
#include "app/messages/say.hpp"
#include "app/commands/solve.hpp"
#include "app/study/run_study.hpp"
#include "app/run/system_limits.hpp"
#include "app/messages/user_error.hpp"
#include "app/results/version.hpp"
#include "fem/mesh.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <functional>
#include <limits>
#include <memory>
#include <new>

namespace {

using namespace slipwave::app;

constexpr std::size_t longest_path = 200;  // in a message

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

/// Messages go to descriptor 2: where it is closed, the next file that is opened would get them.
void open_missing_streams() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (fcntl(stream, F_GETFD) < 0) open("/dev/null", O_RDWR);  // takes the lowest number
}

/// Results that go to files do not end where nobody reads what is printed.
void outlive_readers() { std::signal(SIGPIPE, SIG_IGN); }

/// One line on stderr that can be read, whatever line breaks and lengths a name or a value brought
/// into the message.
void print_error(std::string message) {
  constexpr std::size_t longest = 2000;
  if (message.size() > longest) message = message.substr(0, longest) + " ...";
  std::replace_if(
      message.begin(), message.end(), [](unsigned char c) { return c < ' '; }, ' ');
  say(stderr, "{}\n", message);
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
  CLI::App* solve = app.add_subcommand("solve", "Solve a contact problem in FCLIB form (HDF5)");
  solve->add_option("PROBLEM", options->file, "Problem, local or global")->required();
  solve->add_option("--method", options->method, "Method of solution (default auto)")
      ->check(CLI::IsMember(solve_methods()));
  solve
      ->add_option("--tolerance", options->tolerance,
                   "Largest residual of a certified solution (default 1e-10)")
      ->check(CLI::PositiveNumber);
  add_threads(solve, options->threads);
  solve->add_flag("--write-solution", options->write_solution,
                  "Store a certified solution in the file, in place of one that is there");
  solve->callback([options, &action] { action = [options] { return solve_problem(*options); }; });
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

ExitCode dispatch(int argc, char** argv) {
  CLI::App app{"Elastic bodies in dynamic frictional contact, and never energy out of nothing."};
  app.set_version_flag("--version", version_text());
  app.require_subcommand(1);
  Action action;
  add_run(app, action);
  add_case_commands(app, action);
  add_study(app, action);
  add_look_commands(app, action);
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
    throw OutputError("what this command prints could not be written to standard output");
  return code;
}

/// A thread that OpenBLAS has started before this asks for its memory for ever where there is none
/// (`ulimit -v`), and would be waited for at the end: so nobody waits.
void require_room_for_libraries() {
  try {
    require_address_space(0.0);
  } catch (const UserError& error) {
    print_error(error.what());
    _exit(bad_input);
  }
}

}  // namespace

int main(int argc, char** argv) {
  open_missing_streams();
  std::signal(SIGXFSZ, SIG_IGN);  // a file beyond the limit is then an error of its writer
  require_room_for_libraries();
  std::signal(SIGCHLD, SIG_DFL);  // where it is ignored, how a child ended would be forgotten
  try {
    return dispatch(argc, argv);
  } catch (const UserError& error) {
    print_error(error.what());
    return bad_input;
  } catch (const slipwave::fem::MeshError& error) {
    print_error(error.what());
    return bad_input;
  } catch (const OutputError& error) {
    print_error(error.what());
    return no_room;
  } catch (const std::filesystem::filesystem_error& error) {
    print_error(fmt::format("{}: {}", error.path1().string().substr(0, longest_path),
                            error.code().message()));
    return bad_input;
  } catch (const std::bad_alloc&) {
    print_error(out_of_memory_text());
    return internal_error;
  } catch (const std::exception& error) {
    print_error(fmt::format("error: {}", error.what()));
    return std::ferror(stdout) != 0 ? no_room : internal_error;
  }
}
