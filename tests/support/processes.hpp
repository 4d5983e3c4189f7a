#pragma once

#include <ctime>
#include <filesystem>

namespace slipwave::tests {

/// Threads of this process.
inline long thread_count() {
  const std::filesystem::directory_iterator tasks("/proc/self/task");
  return static_cast<long>(std::distance(begin(tasks), end(tasks)));
}

/// What all threads of this process have used so far, in seconds.
inline double processor_seconds() {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

}  // namespace slipwave::tests
