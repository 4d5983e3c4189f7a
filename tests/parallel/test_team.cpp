#include "parallel/team.hpp"
#include "tests/support/processes.hpp"

#include <doctest/doctest.h>

#include <chrono>
#include <condition_variable>
#include <numeric>
#include <set>
#include <stdexcept>

using namespace slipwave;
using parallel::Team;

namespace {

using namespace std::chrono_literals;

/// How often each index was worked on.
std::vector<int> visits(Team& team, int count) {
  std::vector<int> visited(static_cast<std::size_t>(count), 0);
  team.for_each(count, [&](int i) { ++visited[static_cast<std::size_t>(i)]; });
  return visited;
}

/// Threads come here and wait for each other, but not for ever.
class Meeting {
 public:
  bool of(int threads) {
    std::unique_lock lock(mutex_);
    ++arrived_;
    changed_.notify_all();
    return changed_.wait_for(lock, 60s, [&] { return arrived_ >= threads; });
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  int arrived_ = 0;
};

}  // namespace

TEST_CASE("parallel/team: every index is worked on once, with more threads than processors too") {
  for (const int threads : {1, 2, 3, 8, 64}) {
    CAPTURE(threads);
    Team team(threads);
    CHECK(team.size() == threads);
    for (const int count : {0, 1, 2, 7, 64, 1000})
      CHECK(visits(team, count) == std::vector<int>(static_cast<std::size_t>(count), 1));
  }
}

TEST_CASE("parallel/team: thousands of rounds in a row, each complete when it returns") {
  Team team(4);
  std::vector<long> sums(16);
  for (int round = 0; round < 5000; ++round)
    team.for_each(16, [&](int i) { sums[static_cast<std::size_t>(i)] += i; });
  for (int i = 0; i < 16; ++i) CHECK(sums[static_cast<std::size_t>(i)] == 5000L * i);
}

TEST_CASE("parallel/team: helpers that have gone to sleep are woken, all of them") {
  Team team(4);
  for (int round = 0; round < 5; ++round) {
    std::this_thread::sleep_for(5ms);
    Meeting meeting;
    std::atomic<int> met = 0;
    team.on_all([&] { met += meeting.of(4) ? 1 : 0; });
    CHECK(met == 4);
  }
}

TEST_CASE("parallel/team: whoever waits sleeps, so that others can use the processor") {
  Team team(4);
  std::atomic<bool> one_works = false;
  const auto work = [&] {
    if (!one_works.exchange(true)) std::this_thread::sleep_for(300ms);
  };
  const double before = tests::processor_seconds();
  const auto start = std::chrono::steady_clock::now();
  team.on_all([&] { work(); });
  std::this_thread::sleep_for(300ms);  // the helpers have nothing to do
  const std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
  CHECK(time.count() >= 0.6);
  CHECK(tests::processor_seconds() - before < 0.1);
}

TEST_CASE("parallel/team: an exception of any thread reaches the caller, and the team lives on") {
  Team team(4);
  for (int k = 0; k < 50; ++k) {
    CHECK_THROWS_WITH(team.for_each(100,
                                    [&](int i) {
                                      if (i == 2 * k) throw std::runtime_error("work failed");
                                    }),
                      "work failed");
    CHECK_THROWS_AS(team.on_all([] { throw std::invalid_argument("all"); }), std::invalid_argument);
    CHECK(visits(team, 100) == std::vector<int>(100, 1));
  }
}

TEST_CASE("parallel/team: work may itself share work") {
  Team team(3);
  std::atomic<int> done = 0;
  team.for_each(10, [&](int) { team.for_each(10, [&](int) { ++done; }); });
  CHECK(done == 100);
}

TEST_CASE("parallel/team: two threads may bring work at once") {
  Team team(3);
  std::vector<long> own(200), other(200);
  const auto bring = [&](std::vector<long>& sums) {
    for (int round = 0; round < 500; ++round)
      team.for_each(200, [&](int i) { ++sums[static_cast<std::size_t>(i)]; });
  };
  std::thread second([&] { bring(other); });
  bring(own);
  second.join();
  CHECK(own == std::vector<long>(200, 500));
  CHECK(other == std::vector<long>(200, 500));
}

TEST_CASE("parallel/team: its threads end with it") {
  const long before = tests::thread_count();
  {
    const Team team(5);
    CHECK(tests::thread_count() == before + 4);
  }
  CHECK(tests::thread_count() == before);
}

TEST_CASE("parallel/team: alone means on the caller's thread, and ends with the work") {
  Team team(4);
  const std::thread::id caller = std::this_thread::get_id();
  for (int k = 0; k < 200; ++k)
    CHECK(team.alone([&] {
      bool only_here = true;
      team.for_each(100, [&](int) { only_here &= std::this_thread::get_id() == caller; });
      return only_here;
    }));
  CHECK_THROWS_AS(team.alone([]() -> int { throw std::runtime_error("step failed"); }),
                  std::runtime_error);
  Meeting meeting;  // of two, so somebody else has come
  team.on_all([&] { CHECK(meeting.of(2)); });
}

TEST_CASE("parallel/team: paced work returns what it returns, throws what it throws, and nests") {
  Team team(2);
  for (int k = 0; k < 100; ++k) {
    CHECK(team.paced([&] { return team.paced([&] { return k; }); }) == k);
    CHECK_THROWS_AS(team.paced([]() -> int { throw std::runtime_error("step failed"); }),
                    std::runtime_error);
  }
  CHECK(visits(team, 100) == std::vector<int>(100, 1));
}

TEST_CASE("parallel/team: work whose sharing does not pay is soon left to the caller") {
  Team team(2);
  const std::thread::id caller = std::this_thread::get_id();
  int shared = 0;
  for (int k = 0; k < 60; ++k)
    team.paced([&] {
      shared += team.shares() ? 1 : 0;
      std::this_thread::sleep_for(team.shares() ? 50ms : 10ms);  // as if others were in the way
    });
  CHECK(shared >= 2);  // at first, and tried again
  CHECK(shared <= 20);
  CHECK(team.shares());
  CHECK(std::this_thread::get_id() == caller);
}

TEST_CASE("parallel/team: the process has one thread until it asks for more") {
  CHECK(parallel::threads() == 1);
  parallel::set_threads(3);
  CHECK(parallel::threads() == 3);
  std::vector<int> visited(1000, 0);
  parallel::for_each_stretch(1000, 64, [&](int first, int last) {
    for (int i = first; i < last; ++i) ++visited[static_cast<std::size_t>(i)];
  });
  CHECK(visited == std::vector<int>(1000, 1));
  parallel::set_threads(1);
  CHECK(parallel::threads() == 1);
}
