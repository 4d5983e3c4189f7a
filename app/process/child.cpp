#include "app/process/child.hpp"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <system_error>
#include <thread>

namespace slipwave::app {

namespace {

void close_streams() {
  const int nowhere = open("/dev/null", O_RDWR);
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) dup2(nowhere, stream);
}

ChildEnd killed(pid_t child, ChildEnd why) {
  kill(child, SIGKILL);
  while (waitpid(child, nullptr, 0) < 0 && errno == EINTR) {
  }
  return why;
}

}  // namespace

pid_t start_work(const std::function<void()>& work) {
  const pid_t parent = getpid(), child = fork();
  if (child < 0) throw std::system_error(errno, std::generic_category(), "a child process");
  if (child > 0) return child;
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(EXIT_FAILURE);  // it ended before it could tell
  close_streams();
  try {
    work();
    _exit(EXIT_SUCCESS);
  } catch (...) {
    _exit(EXIT_FAILURE);
  }
}

ChildEnd wait_within(pid_t child, double seconds, const std::function<bool()>& unwanted) {
  using Clock = std::chrono::steady_clock;
  const auto end = Clock::now() + std::chrono::duration<double>(seconds);
  for (;;) {
    int status = 0;
    const pid_t ended = waitpid(child, &status, WNOHANG);
    if (ended == child)
      return WIFEXITED(status) && WEXITSTATUS(status) == EXIT_SUCCESS ? ChildEnd::success
                                                                      : ChildEnd::failure;
    if (ended < 0 && errno != EINTR)
      throw std::system_error(errno, std::generic_category(), "waiting for a child process");
    if (unwanted()) return killed(child, ChildEnd::stopped);
    if (Clock::now() >= end) return killed(child, ChildEnd::over_limit);
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
}

}  // namespace slipwave::app
