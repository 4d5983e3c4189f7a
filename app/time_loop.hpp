#pragma once

#include "app/case_file.hpp"
#include "app/csv_ledger.hpp"
#include "app/names.hpp"
#include "app/progress.hpp"
#include "app/recorder.hpp"
#include "app/run_case.hpp"
#include "app/stepper.hpp"
#include "app/summary.hpp"
#include "dynamics/state.hpp"

#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace slipwave::app {

/// One stepper per step size, each made once.
class Steppers {
 public:
  explicit Steppers(std::function<Stepper(double step)> make) : make_(std::move(make)) {}
  Stepper& with(double step);

 private:
  std::function<Stepper(double)> make_;
  std::map<double, Stepper> made_;
};

/// Why a run ends, in words and as an exit code.
struct Outcome {
  ExitCode code = success;
  std::string reason = "completed";
  std::string message;
};

/// Asks time loops to stop after their step on Ctrl-C; a second Ctrl-C ends the program at once.
void listen_for_interrupt();

/// The time loop of a case with the ledger, whatever moves.
class TimeLoop {
 public:
  /// Starts from a state that its integrator has started. All arguments must outlive the loop.
  TimeLoop(const Case& c, const Names& names, Steppers& steppers, dynamics::State state,
           Recorder& recorder, const std::filesystem::path& out, const RunOptions& options);

  /// Runs to the end, or to the first step that fails.
  Outcome run();

  const RunStatistics& statistics() const { return statistics_; }
  int steps_done() const { return state_.step; }

 private:
  void begin_next_piece();
  Outcome judge(const dynamics::StepReport& report) const;
  std::string not_finite_message() const;
  std::string balance_message(double residual, double limit) const;
  std::string contact_message(const contact::SolverReport& report, const std::string& dumped) const;
  std::string several_message(int contact) const;
  void dump_problem(const std::filesystem::path& file) const;
  std::string dump_failed_step() const;
  void dump_if_asked() const;
  void record(const dynamics::StepReport& report, bool is_last);
  void write_frame();
  ProgressFigures figures() const;
  dynamics::Integrator& integrator() const { return stepper_->integrator(); }
  double t() const { return state_.time(integrator().h()); }

  const Case& c_;
  const Names& names_;
  Steppers& steppers_;
  Stepper* stepper_;
  std::size_t piece_ = 0;
  int piece_end_;
  dynamics::State state_;
  Recorder& recorder_;
  std::filesystem::path out_;
  std::vector<int> dump_problem_;
  RunStatistics statistics_;
  CsvLedger ledger_;
  Progress progress_;
};

}  // namespace slipwave::app
