#include "linear/task_tree.hpp"

#include <algorithm>
#include <numeric>

namespace slipwave::linear {

namespace {

/// A subtree is cut further while it has more than the total divided by this, and more than the
/// work of some 5 microseconds.
constexpr double tasks_at_the_bottom = 64.0;
constexpr double smallest_share = 8192.0;

/// For each node the sum over its subtree.
template <class T>
std::vector<T> sums_over_subtrees(const std::vector<int>& parent, std::vector<T> values) {
  for (std::size_t k = 0; k < parent.size(); ++k)
    if (parent[k] >= 0) values[static_cast<std::size_t>(parent[k])] += values[k];
  return values;
}

/// Tells every task its parent and its children, given the task of every node.
void join(std::vector<Task>& tasks, const std::vector<int>& parent,
          const std::vector<int>& task_of) {
  for (std::size_t t = 0; t < tasks.size(); ++t) {
    const int above = parent[static_cast<std::size_t>(tasks[t].last) - 1];
    if (above < 0) continue;
    tasks[t].parent = task_of[static_cast<std::size_t>(above)];
    tasks[static_cast<std::size_t>(tasks[t].parent)].children.push_back(static_cast<int>(t));
  }
}

}  // namespace

std::vector<Task> cut_into_tasks(const std::vector<int>& parent, const std::vector<double>& work,
                                 int first_last) {
  const int count = static_cast<int>(parent.size());
  const std::vector<double> subtree = sums_over_subtrees(parent, work);
  const std::vector<int> nodes = sums_over_subtrees(parent, std::vector<int>(parent.size(), 1));
  const double total = std::accumulate(work.begin(), work.end(), 0.0);
  const double share = std::max(total / tasks_at_the_bottom, smallest_share);
  const auto stands_alone = [&](int k) {
    return k >= first_last || subtree[static_cast<std::size_t>(k)] > share;
  };

  std::vector<Task> tasks;
  int common_parent = -2;  // of the small subtrees in the last task; -2 if it holds none
  for (int k = 0; k < first_last; ++k) {
    const auto at = static_cast<std::size_t>(k);
    const int above = parent[at];
    if (stands_alone(k)) {
      tasks.push_back({k, k + 1, -1, work[at], {}});
      common_parent = -2;
    } else if (above < 0 || stands_alone(above)) {
      if (common_parent == above && tasks.back().work + subtree[at] <= share) {
        tasks.back().last = k + 1;
        tasks.back().work += subtree[at];
      } else {
        tasks.push_back({k + 1 - nodes[at], k + 1, -1, subtree[at], {}});
        common_parent = above;
      }
    }
  }
  if (first_last < count)
    tasks.push_back(
        {first_last, count, -1, std::accumulate(work.begin() + first_last, work.end(), 0.0), {}});

  std::vector<int> task_of(parent.size());
  for (std::size_t t = 0; t < tasks.size(); ++t)
    std::fill(task_of.begin() + tasks[t].first, task_of.begin() + tasks[t].last,
              static_cast<int>(t));
  join(tasks, parent, task_of);
  return tasks;
}

TaskTree::TaskTree(std::vector<Task> tasks)
    : tasks_(std::move(tasks)),
      up_(tasks_.size()),
      progress_(std::make_unique<Progress>(tasks_.size())) {
  std::vector<double> way(tasks_.size());  // work from a task to its root
  for (std::size_t t = tasks_.size(); t-- > 0;)
    way[t] = tasks_[t].work +
             (tasks_[t].parent >= 0 ? way[static_cast<std::size_t>(tasks_[t].parent)] : 0.0);
  std::iota(up_.begin(), up_.end(), 0);
  std::stable_sort(up_.begin(), up_.end(), [&](int a, int b) {
    return way[static_cast<std::size_t>(a)] > way[static_cast<std::size_t>(b)];
  });
  down_.assign(up_.rbegin(), up_.rend());
}

void TaskTree::wait_for(int task) const {
  parallel::wait_until(progress_->finished[static_cast<std::size_t>(task)],
                       parallel::spin_for_result,
                       [this](unsigned round) { return round == progress_->round; });
}

}  // namespace slipwave::linear
