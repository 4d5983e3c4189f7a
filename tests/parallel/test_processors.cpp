#include "parallel/processors.hpp"
#include "tests/support/temporary_folder.hpp"

#include <doctest/doctest.h>
#include <sched.h>

#include <cmath>
#include <fstream>
#include <string>

using namespace slipwave;
namespace fs = std::filesystem;

namespace {

/// A tree like that of /sys/fs/cgroup.
class Groups {
 public:
  void write(const std::string& file, const std::string& text) const {
    fs::create_directories((root_ / file).parent_path());
    std::ofstream(root_ / file) << text << '\n';
  }
  double quota(const std::string& list) const {
    write("list", list);
    return parallel::quota_of_groups(root_ / "list", root_.path());
  }

 private:
  tests::TemporaryFolder root_;
};

}  // namespace

TEST_CASE("parallel/processors: the quota of version 2 is that of the group and those above") {
  const Groups groups;
  groups.write("batch/cpu.max", "400000 100000");
  groups.write("batch/job/cpu.max", "max 100000");
  groups.write("batch/job/step/cpu.max", "150000 100000");
  CHECK(groups.quota("0::/batch/job/step") == 1.5);
  CHECK(groups.quota("0::/batch/job") == 4.0);
  CHECK(std::isinf(groups.quota("0::/")));
  CHECK(std::isinf(groups.quota("0::/elsewhere")));
}

TEST_CASE("parallel/processors: the quota of version 1, beside other controllers") {
  const Groups groups;
  groups.write("cpu,cpuacct/cpu.cfs_quota_us", "-1");
  groups.write("cpu,cpuacct/cpu.cfs_period_us", "100000");
  groups.write("cpu,cpuacct/box/cpu.cfs_quota_us", "50000");
  groups.write("cpu,cpuacct/box/cpu.cfs_period_us", "20000");
  CHECK(groups.quota("9:cpuset:/box\n4:cpu,cpuacct:/box\n0::/") == 2.5);
  CHECK(std::isinf(groups.quota("4:cpu,cpuacct:/\n0::/")));
}

TEST_CASE("parallel/processors: in a container, the mount itself is the group") {
  const Groups groups;
  groups.write("cpu.max", "200000 100000");
  CHECK(groups.quota("0::/docker/0123/not/to/be/seen") == 2.0);
}

TEST_CASE("parallel/processors: no list, a damaged one or nonsense in a group is no quota") {
  const Groups groups;
  groups.write("cpu.max", "many few");
  groups.write("cpu/cpu.cfs_quota_us", "100000");
  groups.write("cpu/cpu.cfs_period_us", "0");
  CHECK(std::isinf(groups.quota("0::/")));
  CHECK(std::isinf(groups.quota("1:cpu:/")));
  CHECK(std::isinf(groups.quota("no colons")));
  CHECK(std::isinf(parallel::quota_of_groups("/nowhere/at/all", "/nowhere")));
}

TEST_CASE("parallel/processors: a process that is bound to one processor has one") {
  cpu_set_t before, one;
  REQUIRE(sched_getaffinity(0, sizeof before, &before) == 0);
  CHECK(parallel::available_processors() >= 1);
  CHECK(parallel::available_processors() <= CPU_COUNT(&before));
  CPU_ZERO(&one);
  CPU_SET(sched_getcpu(), &one);
  REQUIRE(sched_setaffinity(0, sizeof one, &one) == 0);
  CHECK(parallel::available_processors() == 1);
  REQUIRE(sched_setaffinity(0, sizeof before, &before) == 0);
}
