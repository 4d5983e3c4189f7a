#include "app/study/executors.hpp"

#include "app/output_folder.hpp"
#include "app/user_error.hpp"

#include <fmt/format.h>
#include <sys/wait.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <map>
#include <ostream>

namespace slipwave::app {

namespace fs = std::filesystem;

namespace {

/// The text between two marks, with another text in place of each of some characters.
std::string enclosed(const std::string& text, char mark,
                     const std::map<char, std::string>& others) {
  std::string result(1, mark);
  for (const char c : text) {
    const auto other = others.find(c);
    if (other == others.end())
      result.push_back(c);
    else
      result.append(other->second);
  }
  result.push_back(mark);
  return result;
}

/// A word that a shell takes as it is.
std::string quoted(const std::string& word) { return enclosed(word, '\'', {{'\'', "'\\''"}}); }

/// A Python string. Snakemake takes single braces in a command for its own.
std::string python(const std::string& text) {
  return enclosed(text, '"', {{'"', "\\\""}, {'\\', "\\\\"}, {'{', "{{"}, {'}', "}}"}});
}

std::string shell_line(const std::vector<std::string>& command) {
  std::string line;
  for (const std::string& word : command) {
    if (!line.empty()) line.push_back(' ');
    line.append(quoted(word));
  }
  return line;
}

/// What sbatch says, and whether it succeeded.
std::pair<std::string, bool> output_of(const std::string& command) {
  std::string text;
  FILE* pipe = popen((command + " 2>&1").c_str(), "r");
  if (!pipe) return {"could not start a shell", false};
  std::array<char, 256> buffer{};
  while (std::fgets(buffer.data(), buffer.size(), pipe)) text += buffer.data();
  const int status = pclose(pipe);
  if (!text.empty() && text.back() == '\n') text.pop_back();
  std::replace(text.begin(), text.end(), '\n', ' ');
  return {text, WIFEXITED(status) && WEXITSTATUS(status) == 0};
}

}  // namespace

std::size_t submit_to_slurm(const Study& study, const std::vector<StudyMember>& members,
                            const fs::path& out, const JobOptions& options, bool wait) {
  fs::create_directories(out / "members");
  std::string commands;
  std::size_t count = 0;
  for (const StudyMember& member : members) {
    if (outcome_of(out, member).finished) continue;
    const fs::path log = fs::absolute(out / "members" / (member.name + ".log"));
    commands +=
        fmt::format("{} > {} 2>&1\n", shell_line(command_of(study, member, out, options.threads)),
                    quoted(log.string()));
    ++count;
  }
  if (count == 0) return 0;
  const fs::path lines = fs::absolute(out / "commands.sh");
  write_whole(lines, [&](std::ostream& stream) { stream << commands; });
  write_whole(out / "submit.sbatch", [&](std::ostream& stream) {
    stream << fmt::format(
        "#!/bin/sh\n#SBATCH --job-name={}\n#SBATCH --array=1-{}%{}\n#SBATCH --cpus-per-task={}\n"
        "#SBATCH --output=/dev/null\n"
        "eval \"$(sed -n \"${{SLURM_ARRAY_TASK_ID}}p\" {})\"\n",
        study.name, count, options.jobs, options.threads, quoted(lines.string()));
  });
  const auto [text, submitted] = output_of(fmt::format(
      "sbatch {}{}", wait ? "--wait " : "", quoted(fs::absolute(out / "submit.sbatch").string())));
  // With --wait sbatch fails too where a job did: the members' own results say which.
  if (!submitted && text.find("Submitted batch job") == std::string::npos)
    throw UserError(fmt::format("sbatch: {}; {} is ready to be submitted by hand", text,
                                (out / "submit.sbatch").string()));
  fmt::print("{}\n", text);
  return count;
}

void write_snakefile(const Study& study, const std::string& study_file,
                     const std::vector<StudyMember>& members, const fs::path& out,
                     const JobOptions& options) {
  fs::create_directories(out / "members");
  std::string rules, inputs;
  for (std::size_t i = 0; i < members.size(); ++i) {
    const std::string summary = "members/" + members[i].name + "/summary.json";
    const std::string log = "members/" + members[i].name + ".log";
    inputs += fmt::format("        {},\n", python(summary));
    rules += fmt::format("\nrule member_{}:\n    output: {}\n    threads: {}\n    shell: {}\n",
                         i + 1, python(summary), options.threads,
                         python(shell_line(command_of(study, members[i], out, options.threads)) +
                                " > " + quoted(log) + " 2>&1"));
  }
  const std::vector<std::string> collect{fs::read_symlink("/proc/self/exe").string(),
                                         "study",
                                         fs::absolute(study_file).string(),
                                         "--out",
                                         fs::absolute(out).string(),
                                         "--collect"};
  write_whole(out / "Snakefile", [&](std::ostream& stream) {
    stream << "# Run in this folder: snakemake --cores N\n\nrule study:\n    input:\n"
           << inputs << "    output: \"study.csv\"\n    shell: " << python(shell_line(collect))
           << "\n"
           << rules;
  });
}

}  // namespace slipwave::app
