#include "app/process/program.hpp"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <system_error>

namespace slipwave::app {

namespace {

/// The two ends of a pipe, closed with their owner and where a program begins.
class Pipe {
 public:
  Pipe() {
    if (pipe2(ends_.data(), O_CLOEXEC) != 0)
      throw std::system_error(errno, std::generic_category(), "a pipe");
  }
  ~Pipe() {
    close(ends_[0]);
    close_writing_end();
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;

  int writing_end() const { return ends_[1]; }
  void close_writing_end() {
    if (ends_[1] >= 0) close(ends_[1]);
    ends_[1] = -1;
  }
  /// Everything that comes until the last writing end is closed.
  std::string read_all() {
    close_writing_end();
    std::string text;
    std::array<char, 4096> buffer{};
    for (;;) {
      const ssize_t count = read(ends_[0], buffer.data(), buffer.size());
      if (count < 0 && errno == EINTR) continue;
      if (count <= 0) return text;
      text.append(buffer.data(), static_cast<std::size_t>(count));
    }
  }

 private:
  std::array<int, 2> ends_{-1, -1};
};

int wait_for(pid_t child) {
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return status;
}

/// Starts a program after prepare() in the child, where nothing but system calls is safe: 0, or a
/// value of errno.
template <class Prepare>
pid_t start(const Command& command, const Prepare& prepare) {
  std::vector<char*> words;
  for (const std::string& word : command) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  Pipe complaint;  // of a child that does not become the program
  const pid_t child = fork();
  if (child == 0) {
    int reason = prepare();
    if (reason == 0) {
      execvp(words[0], words.data());
      reason = errno;
    }
    [[maybe_unused]] const ssize_t told = write(complaint.writing_end(), &reason, sizeof reason);
    _exit(127);
  }
  if (child < 0) throw std::system_error(errno, std::generic_category(), command.front());
  const std::string said = complaint.read_all();
  if (said.empty()) return child;
  wait_for(child);
  int reason = 0;
  said.copy(reinterpret_cast<char*>(&reason), sizeof reason);
  throw std::system_error(reason, std::generic_category(), command.front());
}

/// Both streams of this process to a descriptor: 0, or a value of errno.
int speak_to(int descriptor) {
  const bool done = descriptor >= 0 && dup2(descriptor, STDOUT_FILENO) >= 0 &&
                    dup2(descriptor, STDERR_FILENO) >= 0;
  return done ? 0 : errno;
}

}  // namespace

pid_t start_logged(const Command& command, const std::filesystem::path& log) {
  const pid_t parent = getpid();
  return start(command, [&] {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) return ESRCH;  // it ended before it could tell
    return speak_to(open(log.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW, 0644));
  });
}

void start_detached(const Command& command) {
  start(command, [] {
    setsid();
    const int nowhere = open("/dev/null", O_RDWR);
    return nowhere >= 0 && dup2(nowhere, STDIN_FILENO) >= 0 ? speak_to(nowhere) : errno;
  });
}

Answer answer_of(const Command& command) {
  try {
    Pipe streams;
    const pid_t child = start(command, [&] { return speak_to(streams.writing_end()); });
    Answer answer{streams.read_all(), false};
    const int status = wait_for(child);
    answer.succeeded = WIFEXITED(status) && WEXITSTATUS(status) == 0;
    if (answer.text.ends_with('\n')) answer.text.pop_back();
    return answer;
  } catch (const std::system_error& error) {
    return {error.what(), false};
  }
}

}  // namespace slipwave::app
