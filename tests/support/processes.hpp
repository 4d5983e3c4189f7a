#pragma once

#include <chrono>
#include <ctime>
#include <filesystem>
#include <thread>

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

/// Returns once no thread of this process is at work: OpenBLAS starts one that spins for a tenth of
/// a second before it sleeps.
inline void wait_until_idle() {
  double before = 0.0;
  do {
    before = processor_seconds();
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  } while (processor_seconds() - before > 1e-3);
}

}  // namespace slipwave::tests
