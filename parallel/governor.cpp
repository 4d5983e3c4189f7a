#include "parallel/governor.hpp"

#include <algorithm>

namespace slipwave::parallel {

namespace {

/// Longer than the slices that a kernel gives to competing processes.
constexpr double window_length = 10e-3;

/// What trying the slower way may cost, as a share of the time.
constexpr double price_of_trials = 0.01;
constexpr double fewest_windows = 4.0, most_windows = 100.0;

/// Windows of the better way before one of the other, which takes `ratio` times as long.
double windows_before_trial(double ratio) {
  return std::clamp((ratio - 1.0) / price_of_trials, fewest_windows, most_windows);
}

}  // namespace

void Governor::record(double seconds) {
  window_seconds_ += seconds;
  ++window_steps_;
  if (window_seconds_ >= window_length) close_window();
}

void Governor::close_window() {
  const double mean = window_seconds_ / window_steps_;
  seconds_[way_] = fresh_ ? mean : 0.5 * (seconds_[way_] + mean);
  fresh_ = false;
  window_seconds_ = 0.0;
  window_steps_ = 0;
  choose();
}

/// A way that was never tried has taken no time yet: so it is, at once.
void Governor::choose() {
  const std::size_t better = seconds_[0] <= seconds_[1] ? 0 : 1;
  if (better != settled_) {  // the tide has turned
    fresh_ = better != way_;
    way_ = settled_ = better;
    wait_ = patience_ = fewest_windows;
  } else if (way_ != settled_) {  // a trial has failed
    way_ = settled_;
    const double ratio = seconds_[1 - settled_] / seconds_[settled_];
    wait_ = patience_ = std::min(4.0 * patience_, windows_before_trial(ratio));
  } else if (--wait_ <= 0.0) {
    way_ = 1 - settled_;
    fresh_ = true;
  }
}

}  // namespace slipwave::parallel
