#include "app/run/checkpoint_clock.hpp"

#include <algorithm>
#include <cmath>

namespace slipwave::app {

namespace {

double seconds(CheckpointClock::Clock::duration time) {
  return std::chrono::duration<double>(time).count();
}

}  // namespace

CheckpointClock::CheckpointClock(const Case& c, Clock::time_point begin)
    : c_(c), begin_(begin), last_tick_(Clock::now()), last_saved_(last_tick_) {}

void CheckpointClock::tick() {
  const Clock::time_point now = Clock::now();
  longest_step_ = std::max(longest_step_, now - last_tick_);
  last_tick_ = now;
}

bool CheckpointClock::due(int step) const {
  if (c_.checkpoint_steps > 0) return step % c_.checkpoint_steps == 0;
  return c_.checkpoint_seconds > 0.0 && seconds(last_tick_ - last_saved_) >= c_.checkpoint_seconds;
}

bool CheckpointClock::time_is_up() const {
  if (std::isinf(c_.wall_limit)) return false;
  const double reserve =
      std::min(10.0, 0.1 * c_.wall_limit) + 3.0 * seconds(longest_save_ + longest_step_);
  return seconds(last_tick_ - begin_) + reserve >= c_.wall_limit;
}

void CheckpointClock::saved() {
  last_saved_ = Clock::now();
  longest_save_ = std::max(longest_save_, last_saved_ - last_tick_);
  last_tick_ = last_saved_;
}

}  // namespace slipwave::app
