#include "app/study/member_runs.hpp"

#include "app/messages/say.hpp"
#include "app/process/program.hpp"
#include "app/results/file_list.hpp"
#include "app/results/json.hpp"
#include "app/results/run_folder.hpp"
#include "files/new_file.hpp"
#include "files/sha256.hpp"

#include <fmt/format.h>
#include <sys/wait.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <map>
#include <sstream>
#include <system_error>

namespace slipwave::app {

namespace fs = std::filesystem;

namespace {

volatile std::sig_atomic_t interrupt_requested = 0;

/// Whether a file is another than that of the digest. One that is gone does not make results old.
bool has_changed(const fs::path& file, const std::string& digest) {
  std::error_code unreadable;
  return fs::is_regular_file(file, unreadable) && files::sha256_of_file(file) != digest;
}

/// Nothing for a run that was resumed: its summary counts the last part only.
std::optional<double> seconds_of(const Json& summary) {
  if (summary.contains("resumed_at")) return std::nullopt;
  double sum = 0.0;
  const Json phases = summary.value("seconds", Json::object());
  for (const char* phase : {"mesh", "assembly", "initial_state", "factorisation", "time_loop"})
    if (phases.contains(phase) && phases[phase].is_number()) sum += phases[phase].get<double>();
  return sum;
}

/// A part of the mesh that has changed since; empty where none has.
std::string changed_part(const Json& summary) {
  if (!has(summary, "sha256.mesh_included")) return "";
  for (const auto& [part, digest] : summary["sha256"]["mesh_included"].items())
    if (has_changed(part, digest.is_string() ? digest.get<std::string>() : "")) return part;
  return "";
}

/// The first line of a log that is no warning.
std::string error_in(const std::string& log) {
  std::istringstream lines(log);
  for (std::string line; std::getline(lines, line);)
    if (!line.starts_with("warning:")) return line;
  return "";
}

std::string finished_in(const MemberOutcome& outcome) {
  return outcome.seconds ? fmt::format("{:.1f} s", *outcome.seconds) : "resumed and finished";
}

/// The members that run, and what is left.
class Pool {
 public:
  Pool(const Study& study, const std::vector<StudyMember>& members, const fs::path& out,
       const JobOptions& options)
      : study_(study), out_(out), options_(options), begin_(Clock::now()) {
    for (const StudyMember& member : members) {
      if (outcome_of(out, member).finished) continue;
      waiting_.push_back(&member);
      weight_ += member.weight;
    }
    count_ = waiting_.size();
    std::stable_sort(
        waiting_.begin(), waiting_.end(),
        [](const StudyMember* a, const StudyMember* b) { return a->weight > b->weight; });
    if (count_ < members.size())
      say(stderr, "{} of {} members are finished already\n", members.size() - count_,
          members.size());
  }

  bool run() {
    while (!waiting_.empty() || !running_.empty()) {
      while (!waiting_.empty() && running_.size() < static_cast<std::size_t>(options_.jobs) &&
             interrupt_requested == 0)
        start_next();
      if (interrupt_requested != 0) return stop();
      wait_for_one();
    }
    return true;
  }

 private:
  using Clock = std::chrono::steady_clock;

  void start_next() {
    const StudyMember* member = waiting_.front();
    waiting_.erase(waiting_.begin());
    const std::string log = "members/" + member->name + ".log";
    if (has_file_list(out_)) list_file(out_, log);
    running_[start_logged(command_of(study_, *member, out_, options_), out_ / log)] = member;
  }

  void wait_for_one() {
    int status = 0;
    const pid_t child = waitpid(-1, &status, 0);
    if (child < 0 && errno != EINTR)
      throw std::system_error(errno, std::generic_category(), "waiting for the members");
    const auto found = running_.find(child);
    if (found == running_.end()) return;  // a signal woke us
    const StudyMember& member = *found->second;
    running_.erase(found);
    done_weight_ += member.weight;
    ++done_;
    const MemberOutcome outcome = outcome_of(out_, member);
    std::error_code ignored;
    if (outcome.finished) fs::remove(out_ / "members" / (member.name + ".log"), ignored);
    const double elapsed = std::chrono::duration<double>(Clock::now() - begin_).count();
    const double left = elapsed * (weight_ - done_weight_) / done_weight_;
    say(stderr, "[{}/{}] {}: {}; ETA {}:{:02}\n", done_, count_, member.name,
        outcome.finished ? finished_in(outcome) : "FAILED, " + outcome.reason,
        static_cast<int>(left) / 60, static_cast<int>(left) % 60);
  }

  /// Lets every run end its step and write what it has.
  bool stop() {
    for (const auto& [child, member] : running_) kill(child, SIGINT);
    for (const auto& [child, member] : running_) waitpid(child, nullptr, 0);
    return false;
  }

  const Study& study_;
  fs::path out_;
  JobOptions options_;
  Clock::time_point begin_;
  std::vector<const StudyMember*> waiting_;
  std::map<pid_t, const StudyMember*> running_;
  std::size_t count_ = 0, done_ = 0;
  double weight_ = 0.0, done_weight_ = 0.0;
};

}  // namespace

fs::path member_folder(const fs::path& out, const StudyMember& member) {
  return out / "members" / member.name;
}

MemberOutcome outcome_of(const fs::path& out, const StudyMember& member) {
  const fs::path folder = member_folder(out, member), file = folder / "summary.json";
  const std::string said = error_in(files::text_of(out / "members" / (member.name + ".log")));
  if (!fs::exists(file)) return {false, said.empty() ? "not run" : said, {}};
  if (files::text_of(folder / "case.toml") != member.c.resolved)
    return {false, "its results are of another case", {}};
  Json summary;
  try {
    summary = read_json(files::text_of(file));
  } catch (const std::runtime_error& error) {
    return {false, fmt::format("its summary.json {}", error.what()), {}};
  }
  const std::string reason = text_at(summary, "exit_reason");
  if (reason != "completed") return {false, said.empty() ? reason : said, {}};
  if (has_changed(member.c.mesh_file, text_at(summary, "sha256.mesh_file")))
    return {false, "its mesh file has changed", {}};
  if (const std::string part = changed_part(summary); !part.empty())
    return {false, part + ", a part of its mesh, has changed", {}};
  return {true, "", seconds_of(summary)};
}

std::vector<std::string> command_of(const Study& study, const StudyMember& member,
                                    const fs::path& out, const JobOptions& options) {
  std::vector<std::string> command{fs::read_symlink("/proc/self/exe").string(), "run",
                                   fs::absolute(study.case_file).lexically_normal().string()};
  for (const std::string& replacement : member.set) {
    command.push_back("--set");
    command.push_back(replacement);
  }
  for (const std::string& word :
       {std::string("--out"), fs::absolute(member_folder(out, member)).lexically_normal().string(),
        std::string("--threads"), std::to_string(options.threads), std::string("--resume"),
        std::string("--force"), std::string("--quiet")})
    command.push_back(word);
  if (options.trust) command.push_back("--trust");
  return command;
}

bool run_members(const Study& study, const std::vector<StudyMember>& members, const fs::path& out,
                 const JobOptions& options) {
  files::make_folder(out / "members");
  struct sigaction action {};
  action.sa_handler = [](int) { interrupt_requested = 1; };  // without SA_RESTART: waitpid returns
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  return Pool(study, members, out, options).run();
}

}  // namespace slipwave::app
