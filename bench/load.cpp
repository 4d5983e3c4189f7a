#include "bench/load.hpp"

#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <fstream>

namespace slipwave::bench {

namespace {

namespace fs = std::filesystem;

bool write(const fs::path& file, long value, const char* rest = "") {
  std::ofstream out(file);
  out << value << rest;
  return static_cast<bool>(out.flush());
}

[[noreturn]] void be_busy() {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  for (volatile unsigned k = 0;;) k = k + 1;
}

}  // namespace

BusyProcesses::BusyProcesses(int count) {
  for (int k = 0; k < count; ++k) {
    const pid_t child = fork();
    if (child == 0) be_busy();
    if (child > 0) processes_.push_back(child);
  }
}

BusyProcesses::~BusyProcesses() {
  for (const pid_t process : processes_) {
    kill(process, SIGKILL);
    waitpid(process, nullptr, 0);
  }
}

LimitedGroup::LimitedGroup(double processors) {
  const long quota = static_cast<long>(1e5 * processors);
  std::error_code error;
  const bool version_1 = fs::exists("/sys/fs/cgroup/cpu/cpu.cfs_quota_us");
  group_ = version_1 ? "/sys/fs/cgroup/cpu/slipwave-bench" : "/sys/fs/cgroup/slipwave-bench";
  fs::create_directory(group_, error);
  made_ = !error && (version_1 ? write(group_ / "cpu.cfs_quota_us", quota)
                               : write(group_ / "cpu.max", quota, " 100000"));
  made_ = made_ && write(group_ / "cgroup.procs", getpid());
}

LimitedGroup::~LimitedGroup() {
  if (made_) write(group_.parent_path() / "cgroup.procs", getpid());
  std::error_code error;
  fs::remove(group_, error);
}

}  // namespace slipwave::bench
