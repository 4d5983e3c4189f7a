#pragma once

#include <array>
#include <cstddef>

namespace slipwave::parallel {

/// Says of work that is repeated thousands of times, such as a time step, whether the whole team
/// should do it or one thread alone: whichever has been quicker of late. On a machine that is busy
/// with something else a team can be slower than one thread, whatever it does.
///
/// Times are compared over windows of some steps each. Now and then the other way is tried for a
/// window: soon after a change, and then ever less, so that it costs about a hundredth of the time.
class Governor {
 public:
  /// The way of the next step.
  bool alone() const { return way_ == 1; }
  /// How long the step took that was made in that way, in seconds.
  void record(double seconds);

 private:
  void close_window();
  void choose();

  std::array<double, 2> seconds_{};    // per step of late, by the team and by one thread
  std::size_t way_ = 0, settled_ = 0;  // they differ in a trial
  bool fresh_ = true;                  // nothing is known of this way's present
  double window_seconds_ = 0.0;
  int window_steps_ = 0;
  double wait_ = 0.0, patience_ = 0.0;  // windows to the next trial, and after it
};

}  // namespace slipwave::parallel
