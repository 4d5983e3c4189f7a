#pragma once

#include <sys/types.h>

#include <filesystem>
#include <vector>

namespace slipwave::bench {

/// Processes that do nothing but keep processors busy, until the end of this object.
class BusyProcesses {
 public:
  explicit BusyProcesses(int count);
  ~BusyProcesses();
  BusyProcesses(const BusyProcesses&) = delete;
  BusyProcesses& operator=(const BusyProcesses&) = delete;

 private:
  std::vector<pid_t> processes_;
};

/// A control group with a quota of so many processors, in which this process is until the end of
/// this object; version 2 or 1, whichever the machine has.
class LimitedGroup {
 public:
  explicit LimitedGroup(double processors);
  ~LimitedGroup();
  LimitedGroup(const LimitedGroup&) = delete;
  LimitedGroup& operator=(const LimitedGroup&) = delete;

  /// Whether the system let us make it.
  bool made() const { return made_; }

 private:
  std::filesystem::path group_;
  bool made_ = false;
};

}  // namespace slipwave::bench
