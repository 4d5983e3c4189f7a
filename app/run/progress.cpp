#include "app/run/progress.hpp"

#include "app/messages/say.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>

namespace slipwave::app {

namespace {

using std::chrono::duration;
using std::chrono::milliseconds;

/// 3725 s as "1:02:05".
std::string clock_text(double seconds) {
  const auto s = static_cast<long>(seconds + 0.5);
  return s < 3600 ? fmt::format("{}:{:02}", s / 60, s % 60)
                  : fmt::format("{}:{:02}:{:02}", s / 3600, s / 60 % 60, s % 60);
}

}  // namespace

Progress::Progress(int first_steps, int step_count, std::string time_unit, bool quiet)
    : first_steps_(first_steps),
      step_count_(step_count),
      time_unit_(std::move(time_unit)),
      quiet_(quiet),
      terminal_(isatty(STDERR_FILENO) == 1),
      start_(Clock::now()),
      next_(start_ + milliseconds(terminal_ ? 200 : 5000)) {}

bool Progress::due() const { return !quiet_ && Clock::now() >= next_; }

std::string Progress::line(const ProgressFigures& figures) const {
  const double elapsed = duration<double>(Clock::now() - start_).count();
  const int done = figures.step - first_steps_;
  const double rate = done / elapsed;
  const double remaining = done > 0 ? (step_count_ - figures.step) / rate : 0.0;
  return fmt::format(
      "step {}/{}  t = {:.6g}{}  {:.0f} steps/s  ETA {}  active {}  worst residual {:.1e}",
      figures.step, step_count_, figures.t, time_unit_, rate, clock_text(remaining),
      figures.active_contacts, figures.worst_residual);
}

void Progress::show(const ProgressFigures& figures) {
  if (quiet_) return;
  say(stderr, "{}{}{}", terminal_ ? "\r\033[K" : "", line(figures), terminal_ ? "" : "\n");
  std::fflush(stderr);
  next_ = Clock::now() + milliseconds(terminal_ ? 200 : 5000);
}

void Progress::finish(const ProgressFigures& figures) {
  if (quiet_) return;
  show(figures);
  if (terminal_) say(stderr, "\n");
}

}  // namespace slipwave::app
