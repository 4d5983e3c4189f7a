#include "fem/gmsh/child_process.hpp"

#include "files/new_file.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <system_error>
#include <utility>

namespace slipwave::fem {

namespace {

[[noreturn]] void fail(const char* what) {
  throw std::system_error(errno, std::generic_category(), what);
}

/// Never more than there is already: root could.
void set_limit(decltype(RLIMIT_CPU) resource, rlim_t value) {
  rlimit limit{};
  if (getrlimit(resource, &limit) == 0) value = std::min(value, limit.rlim_cur);
  limit = {value, value};
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

/// Nothing of the parent's is left open but the two ends.
void keep_only(int pipe, int channel) {
  const int nowhere = open("/dev/null", O_RDWR | O_CLOEXEC);
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) dup2(nowhere, stream);
  unsigned first = 3;
  for (const int kept : {std::min(pipe, channel), std::max(pipe, channel)}) {
    const auto end = static_cast<unsigned>(kept);
    if (end > first) close_range(first, end - 1, 0);
    first = end + 1;
  }
  close_range(first, ~0U, 0);
}

/// A message of one byte with room for a descriptor.
struct DescriptorMessage {
  DescriptorMessage() {
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    message.msg_control = room.data();
    message.msg_controllen = room.size();
  }
  char byte = 0;
  iovec part{&byte, 1};
  alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(int))> room{};
  msghdr message{};
};

bool send_descriptor(int channel, int descriptor) {
  DescriptorMessage sent;
  cmsghdr* header = CMSG_FIRSTHDR(&sent.message);
  header->cmsg_level = SOL_SOCKET;
  header->cmsg_type = SCM_RIGHTS;
  header->cmsg_len = CMSG_LEN(sizeof descriptor);
  std::memcpy(CMSG_DATA(header), &descriptor, sizeof descriptor);
  return sendmsg(channel, &sent.message, 0) == 1;
}

/// The descriptor that the child sent, or -1 where it ended without.
int receive_descriptor(int channel) {
  DescriptorMessage received;
  ssize_t count = -1;
  do count = recvmsg(channel, &received.message, MSG_CMSG_CLOEXEC);
  while (count < 0 && errno == EINTR);
  const cmsghdr* header = CMSG_FIRSTHDR(&received.message);
  int descriptor = -1;
  if (count == 1 && header != nullptr)
    std::memcpy(&descriptor, CMSG_DATA(header), sizeof descriptor);
  return descriptor;
}

[[noreturn]] void be_the_child(const std::function<std::string()>& work, const ChildLimits& limits,
                               const std::optional<std::filesystem::path>& confined_to, int pipe,
                               int channel) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  keep_only(pipe, channel);
  apply(limits);
  // A library that calls exit() comes here first, and never to what the parent registered.
  std::atexit([] { _exit(1); });
  try {
    if (confined_to && !send_descriptor(channel, confine(*confined_to))) _exit(1);
    _exit(files::write_all(pipe, work()) ? 0 : 1);
  } catch (...) {
    _exit(1);
  }
}

using Clock = std::chrono::steady_clock;

/// Milliseconds to a moment, as poll() takes them.
int milliseconds_to(Clock::time_point end) {
  if (end == Clock::time_point::max()) return -1;
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(end - Clock::now()).count();
  return static_cast<int>(std::clamp<decltype(left)>(left, 0, 1'000'000'000));
}

Clock::time_point end_of(const ChildLimits& limits) {
  if (!(limits.wall_seconds > 0.0) || limits.wall_seconds > 1e9) return Clock::time_point::max();
  return Clock::now() + std::chrono::duration_cast<Clock::duration>(
                            std::chrono::duration<double>(limits.wall_seconds));
}

/// Listens to the child, and answers it, until it has said all, its time is over or it does what it
/// must not.
void listen_to(int pipe, Watcher* watcher, Clock::time_point end, ChildResult& result) {
  std::string bytes;
  std::array<char, 65536> buffer{};
  std::array<pollfd, 2> sources{
      {{pipe, POLLIN, 0}, {watcher ? watcher->listener() : -1, POLLIN, 0}}};
  for (;;) {
    const int ready = poll(sources.data(), sources.size(), milliseconds_to(end));
    if (ready < 0 && errno != EINTR) fail("waiting for a child process");
    result.out_of_time = ready == 0 || Clock::now() >= end;
    if (result.out_of_time) return;
    if (ready < 0) continue;
    if ((sources[1].revents & POLLIN) != 0) watcher->answer();
    if ((sources[1].revents & (POLLHUP | POLLERR)) != 0) sources[1].fd = -1;  // all have ended
    if (watcher && watcher->forbidden().kind != Deed::Kind::none) return;
    if (sources[0].revents == 0) continue;
    const ssize_t count = read(pipe, buffer.data(), buffer.size());
    if (count < 0 && errno != EINTR) fail("reading from a child process");
    if (count == 0) break;
    if (count > 0) bytes.append(buffer.data(), static_cast<std::size_t>(count));
  }
  result.output = std::move(bytes);
}

/// Where the parent's parent ignores SIGCHLD, the system does not keep how a child ended.
void note_the_end(pid_t child, ChildResult& result) {
  int status = 0;
  rusage usage{};
  while (wait4(child, &status, 0, &usage) < 0)
    if (errno != EINTR) fail("asking how a child process ended");
  result.most_bytes = static_cast<std::size_t>(usage.ru_maxrss) * 1024;
  if (WIFSIGNALED(status)) result.signal = WTERMSIG(status);
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) result.output.reset();
}

/// A descriptor that is closed with its scope.
struct Descriptor {
  int value = -1;
  Descriptor() = default;
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() { reset(); }
  void reset() {
    if (value >= 0) close(value);
    value = -1;
  }
};

/// Follows the child to its end.
ChildResult follow(pid_t child, int pipe, int channel, const ChildLimits& limits,
                   const std::optional<std::filesystem::path>& confined_to) {
  ChildResult result;
  std::optional<Watcher> watcher;
  const Clock::time_point end = end_of(limits);
  if (confined_to) {
    const int listener = receive_descriptor(channel);
    result.confined = listener >= 0;
    if (result.confined) watcher.emplace(listener, *confined_to);
  }
  listen_to(pipe, watcher ? &*watcher : nullptr, end, result);
  if (!result.output) kill(child, SIGKILL);
  if (watcher) result.forbidden = watcher->forbidden();
  if (watcher) result.opened = watcher->opened();
  note_the_end(child, result);
  return result;
}

}  // namespace

ChildResult run_in_child(const std::function<std::string()>& work, const ChildLimits& limits,
                         const std::optional<std::filesystem::path>& confined_to) {
  std::array<int, 2> ends{};
  Descriptor read_end, write_end, channel, channel_of_child;
  if (pipe2(ends.data(), O_CLOEXEC) != 0) fail("making a pipe");
  read_end.value = ends[0];
  write_end.value = ends[1];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0)
    fail("making a channel");
  channel.value = ends[0];
  channel_of_child.value = ends[1];
  const pid_t child = fork();
  if (child == 0) be_the_child(work, limits, confined_to, write_end.value, channel_of_child.value);
  if (child < 0) fail("starting a child process");
  write_end.reset();
  channel_of_child.reset();
  return follow(child, read_end.value, channel.value, limits, confined_to);
}

}  // namespace slipwave::fem
