#include "tests/cli/program.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <regex>
#include <sstream>
#include <stdexcept>
#include <thread>

namespace slipwave::cli_tests {

namespace fs = std::filesystem;

namespace {

void redirect(const std::string& file, int flags, int to) {
  const int descriptor = open(file.c_str(), flags, 0600);
  if (descriptor < 0 || dup2(descriptor, to) < 0) _exit(126);
}

}  // namespace

Program::Program(const std::vector<std::string>& command, const fs::path& working_directory) {
  std::vector<std::string> words = command;
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  const std::string out = captured_ / "out", err = captured_ / "err";
  pid_ = fork();
  if (pid_ < 0) throw std::runtime_error("fork failed");
  if (pid_ > 0) return;
  redirect("/dev/null", O_RDONLY, STDIN_FILENO);
  redirect(out, O_WRONLY | O_CREAT, STDOUT_FILENO);
  redirect(err, O_WRONLY | O_CREAT, STDERR_FILENO);
  if (chdir(working_directory.c_str()) == 0) execvp(argv[0], argv.data());
  _exit(127);
}

Program::~Program() {
  if (running()) ::kill(pid_, SIGKILL);
  if (!ended_) waitpid(pid_, &status_, 0);
}

bool Program::running() {
  if (!ended_) ended_ = waitpid(pid_, &status_, WNOHANG) != 0;
  return !ended_;
}

void Program::kill() const { ::kill(pid_, SIGKILL); }

void Program::terminate() const { ::kill(pid_, SIGTERM); }

void Program::interrupt() const { ::kill(pid_, SIGINT); }

ProgramResult Program::wait(std::chrono::seconds timeout) {
  const auto end = std::chrono::steady_clock::now() + timeout;
  while (running()) {
    if (std::chrono::steady_clock::now() > end) ::kill(pid_, SIGKILL);
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  const int code = WIFEXITED(status_) ? WEXITSTATUS(status_) : -WTERMSIG(status_);
  return {code, read_text(captured_ / "out"), read_text(captured_ / "err")};
}

ProgramResult slipwave(std::vector<std::string> arguments, const fs::path& working_directory) {
  arguments.insert(arguments.begin(), SLIPWAVE_PROGRAM);
  return Program(arguments, working_directory).wait();
}

std::string read_text(const fs::path& file) {
  std::ostringstream text;
  text << std::ifstream(file, std::ios::binary).rdbuf();
  return text.str();
}

void write_text(const fs::path& file, const std::string& text) {
  if (!(std::ofstream(file, std::ios::binary) << text << std::flush))
    throw std::runtime_error(file.string() + ": could not be written");
}

namespace {

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, separator);) parts.push_back(part);
  return parts;
}

}  // namespace

std::vector<std::string> lines_of(const std::string& text) { return split(text, '\n'); }

std::vector<std::string> fields_of(const std::string& row) { return split(row, ','); }

std::string json_value(const fs::path& file, const std::string& path) {
  const std::string script =
      "import functools, json, sys\n"
      "root = json.load(open(sys.argv[1], encoding='utf-8'))\n"
      "into = lambda node, key: node[int(key) if isinstance(node, list) else key]\n"
      "print(functools.reduce(into, sys.argv[2].split('.'), root))\n";
  const ProgramResult result =
      Program({"python3", "-c", script, file.string(), path}, fs::current_path()).wait();
  if (result.exit_code != 0) throw std::runtime_error(file.string() + ": " + result.err);
  return result.out.substr(0, result.out.find('\n'));
}

std::vector<fs::path> files_of_collection(const fs::path& pvd) {
  const std::string text = read_text(pvd);
  const std::regex entry("file=\"([^\"]*)\"");
  std::vector<fs::path> files;
  for (std::sregex_iterator match(text.begin(), text.end(), entry), end; match != end; ++match)
    files.push_back(pvd.parent_path() / (*match)[1].str());
  return files;
}

}  // namespace slipwave::cli_tests
