#include "app/study/executors.hpp"

#include "app/messages/say.hpp"
#include "app/messages/user_error.hpp"
#include "app/process/program.hpp"
#include "app/process/shell.hpp"
#include "app/results/run_folder.hpp"
#include "files/new_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstring>
#include <map>
#include <ostream>
#include <sstream>

namespace slipwave::app {

namespace fs = std::filesystem;

namespace {

constexpr const char* script_name = "submit.sbatch";

/// A Python string. Snakemake takes single braces in a command for its own.
std::string python(const std::string& text) {
  const std::map<char, std::string> others{{'"', "\\\""}, {'\\', "\\\\"}, {'{', "{{"}, {'}', "}}"}};
  std::string result = "\"";
  for (const char c : text) {
    const auto other = others.find(c);
    result.append(other == others.end() ? std::string(1, c) : other->second);
  }
  return result.append("\"");
}

/// Runs a member as the local pool does: its words are kept where it fails.
std::string logged(const std::vector<std::string>& command, const fs::path& log) {
  const std::string file = quoted(log.string());
  return fmt::format("{} > {} 2>&1 && rm {}", shell_line(command), file, file);
}

/// A name that needs no quotes: sbatch reads them in its own way.
std::string job_name(std::string name) {
  std::replace_if(
      name.begin(), name.end(),
      [](unsigned char c) { return !std::isalnum(c) && !std::strchr("._-+", c); }, '_');
  return name;
}

/// Slurm's copy of the script is what runs: it holds the commands themselves, so that a script
/// written later changes nothing for jobs that still wait.
void write_script(const Study& study, const std::vector<std::string>& commands,
                  const JobOptions& options, const fs::path& folder) {
  write_result(folder, script_name, [&](std::ostream& stream) {
    stream << fmt::format(
        "#!/bin/sh\n#SBATCH --job-name={}\n#SBATCH --array=1-{}%{}\n"
        "#SBATCH --cpus-per-task={}\n#SBATCH --output=/dev/null\n"
        "case $SLURM_ARRAY_TASK_ID in\n",
        job_name(study.name), commands.size(), options.jobs, options.threads);
    for (std::size_t i = 0; i < commands.size(); ++i)
      stream << fmt::format("{}) {} ;;\n", i + 1, commands[i]);
    stream << "esac\n";
  });
}

/// Two runs of a member at once would write the same files.
void refuse_if_queued(const fs::path& script) {
  const auto [queue, known] =
      answer_of({"squeue", "--noheader", "--me", "--states=PD,CF,R,S", "--format=%i:%o"});
  std::istringstream lines(queue);
  for (std::string line; known && std::getline(lines, line);)
    if (line.substr(line.find(':') + 1) == script.string())
      throw UserError(
          fmt::format("{}: job {} of this study has not ended; wait for it, or end it "
                      "with scancel",
                      script.string(), line.substr(0, line.find(':'))));
}

void submit(const fs::path& script, bool wait) {
  Command command{"sbatch"};
  if (wait) command.push_back("--wait");
  command.push_back(script.string());
  auto [text, succeeded] = answer_of(command);
  std::replace(text.begin(), text.end(), '\n', ' ');
  // With --wait sbatch fails too where a job did: the members' own results say which.
  if (!succeeded && text.find("Submitted batch job") == std::string::npos)
    throw UserError(fmt::format("{}; {} is ready to be submitted by hand", text, script.string()));
  say("{}\n", text);
}

std::string summary_in_snakefile(const StudyMember& member) {
  return python("members/" + member.name + "/summary.json");
}

std::string rule_body(const Study& study, const StudyMember& member, const fs::path& out,
                      const JobOptions& options) {
  const std::string command =
      logged(command_of(study, member, out, options), "members/" + member.name + ".log");
  return fmt::format("    output: {}\n    threads: {}\n    shell: {}\n",
                     summary_in_snakefile(member), options.threads, python(command));
}

/// Code 3 says that the tables are written and that not all is well in them: no reason for
/// Snakemake to remove them.
std::string collect_in_snakefile(const std::string& study_file, const fs::path& out) {
  const std::vector<std::string> command{fs::read_symlink("/proc/self/exe").string(),
                                         "study",
                                         fs::absolute(study_file).string(),
                                         "--out",
                                         fs::absolute(out).string(),
                                         "--collect"};
  return python(shell_line(command) + " || test $? -eq 3");
}

}  // namespace

std::size_t submit_to_slurm(const Study& study, const std::vector<StudyMember>& members,
                            const fs::path& out, const JobOptions& options, bool wait) {
  const fs::path folder = fs::absolute(out).lexically_normal();
  const fs::path script = folder / script_name;
  std::vector<std::string> commands;
  for (const StudyMember& member : members)
    if (!outcome_of(out, member).finished)
      commands.push_back(logged(command_of(study, member, out, options),
                                folder / "members" / (member.name + ".log")));
  if (commands.empty()) return 0;
  refuse_if_queued(script);
  files::make_folder(folder / "members");
  write_script(study, commands, options, folder);
  submit(script, wait);
  return commands.size();
}

void write_snakefile(const Study& study, const std::string& study_file,
                     const std::vector<StudyMember>& members, const fs::path& out,
                     const JobOptions& options) {
  files::make_folder(out / "members");
  std::string rules, summaries;
  for (std::size_t i = 0; i < members.size(); ++i) {
    summaries += fmt::format("    {},\n", summary_in_snakefile(members[i]));
    if (outcome_of(out, members[i]).finished) continue;
    std::error_code none_there;  // for Snakemake it says: finished
    fs::remove(member_folder(out, members[i]) / "summary.json", none_there);
    rules +=
        fmt::format("\nrule member_{}:\n{}", i + 1, rule_body(study, members[i], out, options));
  }
  const std::string collect = collect_in_snakefile(study_file, out);
  // Members are targets themselves: Snakemake does not miss the source of a table that is there.
  write_result(out, "Snakefile", [&](std::ostream& stream) {
    stream << fmt::format(
        "# Run in this folder: snakemake --cores N --keep-going\n\nsummaries = [\n{}]\n"
        "tables = [\"study.csv\", \"study.json\", \"study.md\"]\n\n"
        "rule all:\n    input: summaries, tables\n\n"
        "rule study:\n    input: summaries\n    output: tables\n    shell: {}\n{}"
        "\nonerror:\n    shell({})\n",
        summaries, collect, rules, collect);
  });
}

}  // namespace slipwave::app
