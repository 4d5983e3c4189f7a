#pragma once

#include "app/case/case_file.hpp"

#include <chrono>

namespace slipwave::app {

/// When a run is to write a checkpoint, and when to stop for time.wall_limit.
class CheckpointClock {
 public:
  using Clock = std::chrono::steady_clock;

  /// For a run that began at a time. The case must outlive the clock.
  CheckpointClock(const Case& c, Clock::time_point begin);

  /// To be called after every step.
  void tick();
  /// Whether a checkpoint is due after this step.
  bool due(int step) const;
  /// Whether what is left of time.wall_limit is needed to end the run: ten seconds, or a tenth of a
  /// short limit, and three times as long as a checkpoint and a step took at most.
  bool time_is_up() const;
  /// Tells that a checkpoint was written since the tick.
  void saved();

 private:
  const Case& c_;
  Clock::time_point begin_, last_tick_, last_saved_;
  Clock::duration longest_step_{}, longest_save_{};
};

}  // namespace slipwave::app
