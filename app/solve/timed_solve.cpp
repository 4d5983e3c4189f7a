#include "app/solve/timed_solve.hpp"

#include "app/process/child.hpp"
#include "app/process/program.hpp"
#include "app/results/threads.hpp"
#include "files/new_file.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <sstream>
#include <string_view>
#include <system_error>

namespace slipwave::app {

namespace fs = std::filesystem;

namespace {

/// Solves above this are not repeated (s).
constexpr double long_time = 2.0;
/// No solver is asked for less.
constexpr double least_tolerance = 1e-14;

/// A folder for what children leave, gone with its owner.
class ScratchFolder {
 public:
  ScratchFolder() {
    std::string name = (fs::temp_directory_path() / "slipwave-compare-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr)
      throw std::system_error(errno, std::generic_category(), name);
    path_ = name;
  }
  ~ScratchFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;

  fs::path operator/(const char* name) const { return path_ / name; }

 private:
  fs::path path_;
};

/// What a child leaves: doubles as they are in memory.
struct ChildAnswer {
  double seconds = 0.0;
  bool reached = false;  ///< its own tolerance
  Eigen::VectorXd r;
};

void leave(const ChildAnswer& answer, const fs::path& file) {
  const auto bytes_of = [](const double* numbers, Eigen::Index count) {
    return std::string_view(reinterpret_cast<const char*>(numbers),
                            static_cast<std::size_t>(count) * sizeof(double));
  };
  const double head[] = {answer.seconds, answer.reached ? 1.0 : 0.0};
  files::NewFile out(file);
  out.write(bytes_of(head, 2));
  out.write(bytes_of(answer.r.data(), answer.r.size()));
  out.commit();
}

std::optional<ChildAnswer> left_in(const fs::path& file, Eigen::Index rows) {
  const std::string bytes = files::text_of(file);
  if (bytes.size() != static_cast<std::size_t>(rows + 2) * sizeof(double)) return std::nullopt;
  Eigen::VectorXd numbers(rows + 2);
  std::memcpy(numbers.data(), bytes.data(), bytes.size());
  return ChildAnswer{numbers[0], numbers[1] == 1.0, numbers.tail(rows)};
}

/// The least time of three solves, of one where that took long.
ChildAnswer solved_thrice(const FileProblem& problem, const contact::SolverOptions& options) {
  Solved solved = solve(problem, options);
  double seconds = solved.seconds;
  for (int again = 0; again < 2 && solved.seconds <= long_time; ++again)
    seconds = std::min(seconds, solve(problem, options).seconds);
  return {seconds, solved.report.converged,
          problem.scaling.taken_back(std::move(solved.solution)).p};
}

/// Waits for a child and judges what it left; `reached` becomes whether another tolerance may help.
TimedSolve judged(const FileProblem& judge, pid_t child, const fs::path& file,
                  const TimedOptions& options, bool& reached) {
  TimedSolve result;
  reached = false;
  const ChildEnd end = wait_within(child, options.limit, options.unwanted);
  if (end == ChildEnd::over_limit) result.remark = fmt::format("over {:g} s", options.limit);
  if (end == ChildEnd::stopped) result.remark = "interrupted";
  if (end == ChildEnd::failure) result.remark = "crashed or gave up";
  if (end != ChildEnd::success) return result;
  const auto answer = left_in(file, judge.dimension() * judge.contact_count());
  if (!answer) result.remark = "gave no answer";
  if (!answer) return result;
  reached = answer->reached;
  result.seconds = answer->seconds;
  result.residual = residual_of(judge, answer->r);
  result.certified = answer->r.allFinite() && result.residual.worst() <= options.tolerance;
  return result;
}

/// A program beside this one, or the first of its name in PATH; empty where there is none.
std::string found_program(const std::string& name) {
  std::error_code ignored;
  const fs::path self = fs::read_symlink("/proc/self/exe", ignored);
  const char* path = std::getenv("PATH");
  std::istringstream folders(self.parent_path().string() + ":" + (path ? path : ""));
  for (std::string folder; std::getline(folders, folder, ':');) {
    const fs::path file = fs::path(folder) / name;
    if (!folder.empty() && access(file.c_str(), X_OK) == 0) return file.string();
  }
  return "";
}

}  // namespace

TimedSolve timed_solve(const FileProblem& judge, contact::Method method,
                       const TimedOptions& options) {
  const ScratchFolder folder;
  const fs::path file = folder / "answer";
  const pid_t child = start_work([&] {
    use_threads(options.threads);
    const contact::SolverOptions asked{.method = method, .tolerance = options.tolerance};
    if (method != contact::Method::newton) return leave(solved_thrice(judge, asked), file);
    leave(solved_thrice(read_problem(judge.file, method, false), asked), file);
  });
  bool reached = false;
  TimedSolve result = judged(judge, child, file, options, reached);
  result.own_tolerance = options.tolerance;
  return result;
}

SiconosRunner::SiconosRunner() : program_(found_program("slipwave_siconos")) {}

std::vector<std::string> SiconosRunner::methods_for(const FileProblem& problem) const {
  if (program_.empty()) return {};
  const Answer answer = answer_of({program_, problem.file.string()});
  std::vector<std::string> names;
  std::istringstream lines(answer.succeeded ? answer.text : "");
  for (std::string line; std::getline(lines, line);) names.push_back(line);
  return names;
}

TimedSolve SiconosRunner::solve(const FileProblem& judge, const std::string& method,
                                const TimedOptions& options) const {
  const ScratchFolder folder;
  const fs::path file = folder / "answer";
  TimedSolve result;
  bool reached = true;
  for (double own = options.tolerance; reached && !result.certified && own >= least_tolerance;
       own /= 10.0) {
    const pid_t child = start_logged(
        {"/usr/bin/env", fmt::format("OPENBLAS_NUM_THREADS={}", options.threads), program_,
         judge.file.string(), method, fmt::format("{:.17g}", own), file.string()},
        folder / "log");
    result = judged(judge, child, file, options, reached);
    result.own_tolerance = own;
  }
  return result;
}

}  // namespace slipwave::app
