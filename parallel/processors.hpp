#pragma once

#include <filesystem>

namespace slipwave::parallel {

/// How many processors this process may keep busy, at least 1: those its affinity allows, and no
/// more than the quotas of its control groups (whole processors: 1.5 of them are 1).
int available_processors();

/// The processors that the quotas of the control groups in a list such as /proc/self/cgroup allow,
/// of version 2 (cpu.max) or 1 (cpu.cfs_quota_us), those above them included; infinity without a
/// quota. `mount` is where the groups are, such as /sys/fs/cgroup.
double quota_of_groups(const std::filesystem::path& list, const std::filesystem::path& mount);

}  // namespace slipwave::parallel
