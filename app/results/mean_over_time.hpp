#pragma once

#include <cmath>

namespace slipwave::app {

/// The mean of values that each hold for a while. What is not finite does not count.
class MeanOverTime {
 public:
  /// Moves from value to value, so that it neither overflows nor cancels.
  void add(double value, double duration) {
    if (!std::isfinite(value)) return;
    time_ += duration;
    mean_ += (value - mean_) * (duration / time_);
  }
  double value() const { return mean_; }
  double time() const { return time_; }  ///< of the values that count

 private:
  double mean_ = 0.0, time_ = 0.0;
};

}  // namespace slipwave::app
