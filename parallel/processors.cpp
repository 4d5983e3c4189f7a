#include "parallel/processors.hpp"

#include <sched.h>

#include <algorithm>
#include <fstream>
#include <limits>
#include <sstream>
#include <string>
#include <thread>

namespace slipwave::parallel {

namespace {

namespace fs = std::filesystem;

constexpr double no_quota = std::numeric_limits<double>::infinity();

int processors_of_affinity() {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof set, &set) == 0) return CPU_COUNT(&set);
  return static_cast<int>(std::thread::hardware_concurrency());  // more than the set has room for
}

/// "150000 100000" is one and a half processors, "max 100000" no quota.
double quota_v2(const fs::path& group) {
  double quota = 0.0, period = 0.0;
  std::ifstream file(group / "cpu.max");
  return file >> quota >> period && period > 0.0 ? quota / period : no_quota;
}

/// A quota of -1 is none.
double quota_v1(const fs::path& group) {
  double quota = 0.0, period = 0.0;
  std::ifstream quota_file(group / "cpu.cfs_quota_us"), period_file(group / "cpu.cfs_period_us");
  const bool known = quota_file >> quota && period_file >> period;
  return known && quota > 0.0 && period > 0.0 ? quota / period : no_quota;
}

/// The least of a group's quota and those of the groups above it, up to the mount itself.
template <class Quota>
double least_upwards(const fs::path& mount, const std::string& group, const Quota& quota) {
  double least = quota(mount);
  fs::path here = mount;
  for (const fs::path& part : fs::path(group).relative_path()) {
    here /= part;
    least = std::min(least, quota(here));
  }
  return least;
}

bool names_cpu(const std::string& controllers) {
  std::istringstream names(controllers);
  for (std::string name; std::getline(names, name, ',');)
    if (name == "cpu") return true;
  return false;
}

}  // namespace

/// A line is "number:controllers:/group"; version 2 names no controllers.
double quota_of_groups(const fs::path& list, const fs::path& mount) {
  double least = no_quota;
  std::ifstream lines(list);
  std::string number, controllers, group;
  while (std::getline(lines, number, ':') && std::getline(lines, controllers, ':') &&
         std::getline(lines, group)) {
    if (controllers.empty()) least = std::min(least, least_upwards(mount, group, quota_v2));
    if (names_cpu(controllers))
      least = std::min(least, least_upwards(mount / controllers, group, quota_v1));
  }
  return least;
}

int available_processors() {
  const double quota = quota_of_groups("/proc/self/cgroup", "/sys/fs/cgroup");
  const double processors = std::min(quota, static_cast<double>(processors_of_affinity()));
  return std::max(static_cast<int>(processors), 1);
}

}  // namespace slipwave::parallel
