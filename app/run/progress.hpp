#pragma once

#include <chrono>
#include <string>

namespace slipwave::app {

/// What the progress line shows.
struct ProgressFigures {
  int step = 0;
  double t = 0.0;
  int active_contacts = 0;
  double worst_residual = 0.0;
};

/// A live line on a terminal, a plain line now and then elsewhere, nothing when quiet.
class Progress {
 public:
  /// Of a run that goes on after its first steps.
  Progress(int first_steps, int step_count, std::string time_unit, bool quiet);
  /// Whether enough time has passed to show something: cheap enough to ask at every step.
  bool due() const;
  void show(const ProgressFigures& figures);
  /// Ends the live line, so that what is printed next starts on a line of its own.
  void finish(const ProgressFigures& figures);

 private:
  std::string line(const ProgressFigures& figures) const;

  using Clock = std::chrono::steady_clock;
  int first_steps_, step_count_;
  std::string time_unit_;
  bool quiet_;
  bool terminal_;
  Clock::time_point start_, next_;
};

}  // namespace slipwave::app
