#include "app/run/system_limits.hpp"

#include "app/messages/user_error.hpp"

#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <limits>

namespace slipwave::app {

namespace {

constexpr double mega = 1e6;
constexpr rlim_t wanted_descriptors = 64, least_descriptors = 32;

/// What threads, stacks and OpenBLAS (128 MB) reserve beside what is counted, without using it.
constexpr double reserved = 300e6;

double page_size() { return static_cast<double>(sysconf(_SC_PAGESIZE)); }

/// Bytes of address space and of memory that this process has.
struct InUse {
  double address_space = 0.0, memory = 0.0;
};

InUse in_use() {
  InUse pages;
  std::ifstream("/proc/self/statm") >> pages.address_space >> pages.memory;
  return {pages.address_space * page_size(), pages.memory * page_size()};
}

/// ulimit -v in bytes, infinity without one.
double address_space_limit() {
  rlimit limit{};
  if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY)
    return std::numeric_limits<double>::infinity();
  return static_cast<double>(limit.rlim_cur);
}

/// The smallest limit of the control group of this process and of those it is in (version 2).
double group_limit() {
  double smallest = std::numeric_limits<double>::infinity();
  std::ifstream groups("/proc/self/cgroup");
  for (std::string line; std::getline(groups, line);) {
    if (!line.starts_with("0::/")) continue;
    std::filesystem::path group = "/sys/fs/cgroup" + line.substr(3);
    for (; group.string().size() >= std::string("/sys/fs/cgroup").size();
         group = group.parent_path()) {
      double limit = 0.0;  // "max" where there is none
      if (std::ifstream(group / "memory.max") >> limit) smallest = std::min(smallest, limit);
    }
  }
  return smallest;
}

}  // namespace

void require_descriptors() {
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= wanted_descriptors) return;
  limit.rlim_cur = std::min(wanted_descriptors, limit.rlim_max);
  setrlimit(RLIMIT_NOFILE, &limit);
  if (limit.rlim_cur < least_descriptors)
    throw UserError(
        fmt::format("ulimit -n is {}: only so many files may be open at once, and "
                    "Slipwave needs {}; raise it",
                    limit.rlim_cur, least_descriptors));
}

void require_address_space(double bytes) {
  const InUse now = in_use();
  const double limit = address_space_limit();
  const double needed = now.address_space + std::max(bytes - now.memory, 0.0) + reserved;
  if (needed > limit)
    throw UserError(
        fmt::format("ulimit -v is {:.0f} MB of address space, and about {:.0f} MB are needed; "
                    "raise it (a batch "
                    "system: ask for more memory){}",
                    limit / mega, needed / mega, bytes > 0.0 ? ", or choose a coarser mesh" : ""));
}

std::string memory_warning(double bytes) {
  const double machine = static_cast<double>(sysconf(_SC_PHYS_PAGES)) * page_size();
  const double group = group_limit();
  if (bytes <= std::min(machine, group)) return {};
  return fmt::format(
      "the run needs about {:.0f} MB of memory and {} has {:.0f} MB: it may be ended "
      "without a word, or become slow",
      bytes / mega, group < machine ? "its control group" : "this machine",
      std::min(group, machine) / mega);
}

std::string out_of_memory_text() {
  const double limit = address_space_limit();
  const std::string why =
      limit < std::numeric_limits<double>::infinity()
          ? fmt::format(" (ulimit -v gives {:.0f} MB of address space)", limit / mega)
          : "";
  return fmt::format("out of memory{}; `slipwave check` estimates what a case needs", why);
}

}  // namespace slipwave::app
