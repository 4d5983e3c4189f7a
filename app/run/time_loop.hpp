#pragma once

#include "app/case/case_file.hpp"
#include "app/messages/user_error.hpp"
#include "app/model/linearity.hpp"
#include "app/model/node_labels.hpp"
#include "app/results/checkpoint.hpp"
#include "app/results/energy_csv.hpp"
#include "app/results/recorder.hpp"
#include "app/results/summary.hpp"
#include "app/run/checkpoint_clock.hpp"
#include "app/run/progress.hpp"
#include "app/run/run_options.hpp"
#include "dynamics/state.hpp"
#include "dynamics/stepper.hpp"
#include "files/file_error.hpp"

#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace slipwave::app {

/// One stepper per step size, each made once.
class Steppers {
 public:
  explicit Steppers(std::function<dynamics::Stepper(double step)> make) : make_(std::move(make)) {}
  dynamics::Stepper& with(double step);

 private:
  std::function<dynamics::Stepper(double)> make_;
  std::map<double, dynamics::Stepper> made_;
};

/// Why a run ends, in words and as an exit code.
struct Outcome {
  ExitCode code = success;
  std::string reason = "completed";
  std::string message;
};

/// Asks time loops to stop after their step on Ctrl-C or SIGTERM; a second one ends the program at
/// once.
void listen_for_signals();

/// The time loop of a case with the ledger, whatever moves.
class TimeLoop {
 public:
  /// Goes on from where a checkpoint is: that of a later step, or the first one, whose state its
  /// integrator has started. All references must outlive the loop, and the linearity, which a
  /// [system] has none of.
  TimeLoop(const Case& c, const Names& names, Steppers& steppers, Checkpoint start,
           Recorder& recorder, const Linearity* linearity, const std::filesystem::path& out,
           const RunOptions& options);

  /// Runs to the end, to the first step that fails, or until something asks it to stop. Where files
  /// cannot be written it stops, too.
  Outcome run();
  /// Writes the checkpoint of a run that has come to its end, from which a longer one can go on.
  /// Last of all files: where it is, the others are whole.
  Outcome save_end();

  const RunStatistics& statistics() const { return now_.statistics; }
  /// With a look at the last step, whichever it is: a run that goes on forgets it.
  RunStatistics final_statistics() const;
  int steps_done() const { return state().step; }
  /// Whether the first step of this part of the run had the same bits when it was made on one
  /// thread; none where no step was made.
  std::optional<bool> same_bits_on_one_thread() const { return same_bits_; }

 private:
  Outcome run_to_the_end();
  std::optional<dynamics::State> first_step_on_one_thread();
  void begin_next_piece();
  Outcome judge(const dynamics::StepReport& report) const;
  Outcome stays_linear(bool is_last);
  Outcome asked_to_stop();
  Outcome output_failed(const files::OutputError& error) const;
  std::string where() const;
  std::string how_to_go_on() const;
  std::string not_finite_message() const;
  std::string balance_message(double residual, double limit) const;
  std::string contact_message(const contact::SolverReport& report, const std::string& dumped) const;
  std::string projection_message(const dynamics::StepReport& report) const;
  std::string several_message(int contact) const;
  void dump_problem(const std::filesystem::path& file) const;
  template <class Problem>
  void write_problem(const std::filesystem::path& file, const Problem& problem,
                     const contact::Solution& solution) const;
  std::string dump_failed_step() const;
  void dump_if_asked() const;
  void record(const dynamics::StepReport& report, bool is_last);
  void write_frame();
  void mark();
  void save_here();
  void save();
  void show_progress();
  ProgressFigures figures() const;
  dynamics::Integrator& integrator() const { return stepper_->integrator(); }
  const dynamics::State& state() const { return now_.state; }
  double t() const { return state().time(integrator().h()); }

  const Case& c_;
  const Names& names_;
  Steppers& steppers_;
  Checkpoint now_;  // but for its memory, which is taken from the stepper when it is written
  dynamics::Stepper* stepper_;
  int piece_end_ = 0;
  Recorder& recorder_;
  const Linearity* linearity_;
  LinearityFigures reached_;
  std::filesystem::path out_;
  std::vector<int> dump_problem_;
  CsvLedger ledger_;
  Progress progress_;
  CheckpointClock clock_;
  int saved_step_;
  std::optional<bool> same_bits_;
};

}  // namespace slipwave::app
