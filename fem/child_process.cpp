#include "fem/child_process.hpp"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <system_error>

namespace slipwave::fem {

namespace {

[[noreturn]] void fail(const char* what) {
  throw std::system_error(errno, std::generic_category(), what);
}

void set_limit(decltype(RLIMIT_CPU) resource, rlim_t value) {
  const rlimit limit{value, value};
  setrlimit(resource, &limit);
}

/// Address space in use, which sanitizers fill with terabytes.
std::size_t bytes_in_use() {
  std::size_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  return pages * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

void apply(const ChildLimits& limits) {
  set_limit(RLIMIT_CORE, 0);
  if (limits.seconds > 0) set_limit(RLIMIT_CPU, static_cast<rlim_t>(limits.seconds));
  if (limits.bytes > 0) set_limit(RLIMIT_AS, bytes_in_use() + limits.bytes);
}

void silence_terminal() {
  const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
  for (const int stream : {STDOUT_FILENO, STDERR_FILENO}) dup2(nowhere, stream);
}

bool write_all(int pipe, const std::string& bytes) {
  for (std::size_t done = 0; done < bytes.size();) {
    const ssize_t count = write(pipe, bytes.data() + done, bytes.size() - done);
    if (count < 0 && errno != EINTR) return false;
    if (count > 0) done += static_cast<std::size_t>(count);
  }
  return true;
}

std::string read_all(int pipe) {
  std::string bytes;
  std::array<char, 65536> buffer{};
  for (;;) {
    const ssize_t count = read(pipe, buffer.data(), buffer.size());
    if (count < 0 && errno != EINTR) fail("reading from a child process");
    if (count == 0) return bytes;
    if (count > 0) bytes.append(buffer.data(), static_cast<std::size_t>(count));
  }
}

[[noreturn]] void be_the_child(const std::function<std::string()>& work, const ChildLimits& limits,
                               int pipe) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  silence_terminal();
  apply(limits);
  // A library that calls exit() comes here first, and never to what the parent registered.
  std::atexit([] { _exit(1); });
  try {
    _exit(write_all(pipe, work()) ? 0 : 1);
  } catch (...) {
    _exit(1);
  }
}

}  // namespace

ChildResult run_in_child(const std::function<std::string()>& work, const ChildLimits& limits) {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) fail("making a pipe");
  const pid_t child = fork();
  if (child == 0) be_the_child(work, limits, ends[1]);
  close(ends[1]);
  if (child < 0) {
    close(ends[0]);
    fail("starting a child process");
  }
  ChildResult result;
  result.output = read_all(ends[0]);
  close(ends[0]);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  if (WIFSIGNALED(status)) result.signal = WTERMSIG(status);
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) result.output.reset();
  return result;
}

}  // namespace slipwave::fem
