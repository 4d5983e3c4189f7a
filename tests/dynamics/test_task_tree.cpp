#include "dynamics/task_tree.hpp"

#include <doctest/doctest.h>
#include <omp.h>

#include <mutex>

using namespace slipwave::dynamics;

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

TEST_CASE("dynamics/task_tree: every node is in one task, and a task's nodes point into it or on") {
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

TEST_CASE("dynamics/task_tree: a small tree is one task, and the last nodes are one") {
  const std::vector<int> parent = binary_tree(5);
  const std::vector<double> work(parent.size(), 1.0);
  CHECK(cut_into_tasks(parent, work, 31).size() == 1);
  const std::vector<Task> tasks = cut_into_tasks(parent, work, 30);
  REQUIRE(tasks.size() >= 2);
  CHECK(tasks.back().first == 30);
  CHECK(tasks.back().children.size() == tasks.size() - 1);
}

TEST_CASE("dynamics/task_tree: tasks run after those they need, each once, with any threads") {
  const std::vector<int> parent = binary_tree(10);
  const TaskTree tree(cut_into_tasks(parent, std::vector<double>(parent.size(), 1e4),
                                     static_cast<int>(parent.size())));
  const std::size_t count = tree.tasks().size();
  const int threads = omp_get_max_threads();
  for (const int team : {1, 2, 4}) {
    omp_set_num_threads(team);
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
  omp_set_num_threads(threads);
}
