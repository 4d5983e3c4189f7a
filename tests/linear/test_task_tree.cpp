#include "linear/task_tree.hpp"
#include "parallel/team.hpp"
#include "tests/support/processes.hpp"

#include <doctest/doctest.h>

#include <chrono>
#include <mutex>
#include <stdexcept>
#include <thread>

using namespace slipwave;
using namespace slipwave::linear;

namespace {

/// A complete binary tree of the given depth in postorder, every node with the same work.
std::vector<int> binary_tree(int depth) {
  std::vector<int> parent;
  const auto grow = [&](const auto& self, int levels) -> int {
    std::vector<int> children;
    if (levels > 1) children = {self(self, levels - 1), self(self, levels - 1)};
    const int root = static_cast<int>(parent.size());
    parent.push_back(-1);
    for (const int child : children) parent[static_cast<std::size_t>(child)] = root;
    return root;
  };
  grow(grow, depth);
  return parent;
}

}  // namespace

TEST_CASE("linear/task_tree: every node is in one task, and a task's nodes point into it or on") {
  const std::vector<int> parent = binary_tree(12);
  const int count = static_cast<int>(parent.size());
  const std::vector<Task> tasks =
      cut_into_tasks(parent, std::vector<double>(parent.size(), 1e4), count);
  CHECK(tasks.size() > 64);
  int next = 0;
  for (std::size_t t = 0; t < tasks.size(); ++t) {
    CHECK(tasks[t].first == next);
    next = tasks[t].last;
    for (int k = tasks[t].first; k < tasks[t].last; ++k) {
      const int above = parent[static_cast<std::size_t>(k)];
      if (above < 0 || above < tasks[t].last) continue;
      const Task& task_above = tasks[static_cast<std::size_t>(tasks[t].parent)];
      CHECK((above >= task_above.first && above < task_above.last));
    }
  }
  CHECK(next == count);
}

TEST_CASE("linear/task_tree: a small tree is one task, and the last nodes are one") {
  const std::vector<int> parent = binary_tree(5);
  const std::vector<double> work(parent.size(), 1.0);
  CHECK(cut_into_tasks(parent, work, 31).size() == 1);
  const std::vector<Task> tasks = cut_into_tasks(parent, work, 30);
  REQUIRE(tasks.size() >= 2);
  CHECK(tasks.back().first == 30);
  CHECK(tasks.back().children.size() == tasks.size() - 1);
}

TEST_CASE("linear/task_tree: tasks run after those they need, each once, with any threads") {
  const std::vector<int> parent = binary_tree(10);
  const TaskTree tree(cut_into_tasks(parent, std::vector<double>(parent.size(), 1e4),
                                     static_cast<int>(parent.size())));
  const std::size_t count = tree.tasks().size();
  const int threads = parallel::threads();
  for (const int team : {1, 2, 4, 8}) {
    parallel::set_threads(team);
    for (const bool shared : {false, true}) {
      std::vector<int> order;
      std::mutex mutex;
      const auto note = [&](int t) {
        const std::lock_guard lock(mutex);
        order.push_back(t);
      };
      tree.children_first(shared, note);
      REQUIRE(order.size() == count);
      std::vector<std::size_t> place(count);
      for (std::size_t i = 0; i < count; ++i) place[static_cast<std::size_t>(order[i])] = i;
      for (std::size_t t = 0; t < count; ++t)
        if (tree.tasks()[t].parent >= 0)
          CHECK(place[t] < place[static_cast<std::size_t>(tree.tasks()[t].parent)]);
      order.clear();
      tree.parents_first(shared, note);
      REQUIRE(order.size() == count);
      for (std::size_t i = 0; i < count; ++i) place[static_cast<std::size_t>(order[i])] = i;
      for (std::size_t t = 0; t < count; ++t)
        if (tree.tasks()[t].parent >= 0)
          CHECK(place[t] > place[static_cast<std::size_t>(tree.tasks()[t].parent)]);
    }
  }
  parallel::set_threads(threads);
}

TEST_CASE("linear/task_tree: whoever waits for a task sleeps") {
  const std::vector<int> parent = binary_tree(10);
  const TaskTree tree(cut_into_tasks(parent, std::vector<double>(parent.size(), 1e4),
                                     static_cast<int>(parent.size())));
  const int root = static_cast<int>(tree.tasks().size()) - 1;
  parallel::set_threads(4);
  tests::wait_until_idle();
  const double before = tests::processor_seconds();
  const auto start = std::chrono::steady_clock::now();
  tree.parents_first(true, [&](int t) {  // all others need the root
    if (t == root) std::this_thread::sleep_for(std::chrono::milliseconds(300));
  });
  const std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
  CHECK(time.count() >= 0.3);
  CHECK(tests::processor_seconds() - before < 0.1);
  parallel::set_threads(1);
}

TEST_CASE("linear/task_tree: a task that throws leaves nobody waiting") {
  const std::vector<int> parent = binary_tree(10);
  const TaskTree tree(cut_into_tasks(parent, std::vector<double>(parent.size(), 1e4),
                                     static_cast<int>(parent.size())));
  for (const int team : {1, 2, 4}) {
    parallel::set_threads(team);
    const auto fail_at_first = [](int t) {
      if (t == 0) throw std::runtime_error("task failed");
    };
    CHECK_THROWS_WITH(tree.children_first(true, fail_at_first), "task failed");
    std::atomic<int> done = 0;
    tree.children_first(true, [&](int) { ++done; });
    CHECK(done == static_cast<int>(tree.tasks().size()));
  }
  parallel::set_threads(1);
}
