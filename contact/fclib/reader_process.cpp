#include "contact/fclib/reader_process.hpp"

#include "contact/fclib/stored_problem.hpp"
#include "files/new_file.hpp"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <new>
#include <system_error>

namespace slipwave::contact {

namespace fs = std::filesystem;

namespace {

// The first byte that a child sends says what follows; one that crashes sends none.
constexpr char result_follows = 'r', message_follows = 'm';

[[noreturn]] void fail(const char* what) {
  throw std::system_error(errno, std::generic_category(), what);
}

/// Never more than there is already.
void set_limit(decltype(RLIMIT_CPU) resource, rlim_t value) {
  rlimit limit{};
  if (getrlimit(resource, &limit) == 0) value = std::min(value, limit.rlim_cur);
  limit = {value, value};
  setrlimit(resource, &limit);
}

/// Of computing and of memory, beyond the address space that the parent has.
void limit_for(std::uintmax_t file_bytes) {
  constexpr std::uintmax_t mebibyte = 1 << 20;
  std::uintmax_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  set_limit(RLIMIT_CORE, 0);
  set_limit(RLIMIT_CPU, 10 + 10 * (file_bytes / mebibyte));
  set_limit(RLIMIT_AS, pages * static_cast<std::uintmax_t>(sysconf(_SC_PAGESIZE)) + 256 * mebibyte +
                           64 * file_bytes);
}

[[noreturn]] void be_the_child(const fs::path& file, const std::function<std::string()>& work,
                               int pipe, std::uintmax_t file_bytes) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  const int nowhere = open("/dev/null", O_RDWR | O_CLOEXEC);
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) dup2(nowhere, stream);
  limit_for(file_bytes);
  // A library that calls exit() comes here first, and never to what the parent registered.
  std::atexit([] { _exit(1); });
  std::string said;
  try {
    said = result_follows + work();
  } catch (const FclibError& error) {
    said = message_follows + std::string(error.what());
  } catch (const std::bad_alloc&) {
    said = message_follows + file.string() + ": needs more memory than 64 times its size";
  } catch (...) {
    _exit(1);
  }
  _exit(files::write_all(pipe, said) ? 0 : 1);
}

/// All that comes through a pipe until its other end is closed.
std::string all_from(int pipe) {
  std::string bytes;
  std::array<char, 65536> buffer{};
  for (;;) {
    const ssize_t count = read(pipe, buffer.data(), buffer.size());
    if (count < 0 && errno != EINTR) fail("reading from a child process");
    if (count == 0) return bytes;
    if (count > 0) bytes.append(buffer.data(), static_cast<std::size_t>(count));
  }
}

/// Whether a child came to its end; unknown, it is taken at its word.
bool ended_well(pid_t child) {
  int status = 0;
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR) return true;
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

}  // namespace

std::string bytes_from_child(const fs::path& file, const std::function<std::string()>& work) {
  std::error_code ignored;
  const std::uintmax_t size = fs::is_regular_file(file, ignored) ? fs::file_size(file, ignored) : 0;
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) fail("making a pipe");
  const pid_t child = fork();
  if (child == 0) be_the_child(file, work, ends[1], size);
  close(ends[1]);
  std::string said = child > 0 ? all_from(ends[0]) : "";
  close(ends[0]);
  if (child < 0) fail("starting a child process");
  if (!ended_well(child) || said.empty())
    throw FclibError(file, "is damaged: HDF5 ended while it read it");
  if (said[0] == message_follows) throw FclibError(said.substr(1));
  said.erase(0, 1);
  return said;
}

}  // namespace slipwave::contact
