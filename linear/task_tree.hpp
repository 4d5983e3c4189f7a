#pragma once

#include "parallel/team.hpp"
#include "parallel/wait.hpp"

#include <atomic>
#include <memory>
#include <vector>

namespace slipwave::linear {

/// A stretch of nodes of an elimination forest, first to last - 1, that one thread works on.
struct Task {
  int first, last;
  int parent = -1;  ///< task, -1 for a root
  double work = 0.0;
  std::vector<int> children;  ///< tasks
};

/// Cuts a forest in postorder, parent[k] > k or -1, into tasks, children before parents: whole
/// subtrees at the bottom, small neighbours under one parent together; single nodes above subtrees
/// of more than a share of the work; and the nodes from first_last on, whatever their order, in
/// one. The cut does not depend on the number of threads.
std::vector<Task> cut_into_tasks(const std::vector<int>& parent, const std::vector<double>& work,
                                 int first_last);

/// Runs tasks on all threads, each after those it needs.
class TaskTree {
 public:
  TaskTree() = default;
  explicit TaskTree(std::vector<Task> tasks);

  const std::vector<Task>& tasks() const { return tasks_; }

  /// Calls work(t) for every task t, its children before it; on the calling thread alone unless
  /// `shared`.
  template <class Work>
  void children_first(bool shared, const Work& work) const;
  /// The same with the parent before its children.
  template <class Work>
  void parents_first(bool shared, const Work& work) const;

 private:
  struct Progress {
    explicit Progress(std::size_t tasks) : finished(tasks) {}
    std::vector<std::atomic<unsigned>> finished;  // the last round in which each task was done
    std::atomic<int> next = 0;
    unsigned round = 0;
  };
  /// Says at its end that a task is done, by an exception too: somebody may be waiting.
  struct Finishes {
    std::atomic<unsigned>& task;
    unsigned round;
    ~Finishes() {
      task.exchange(round);
      task.notify_all();
    }
  };

  template <class Needs, class Work>
  void share(const std::vector<int>& order, const Needs& needs, const Work& work) const;
  void wait_for(int task) const;

  std::vector<Task> tasks_;
  /// Children first, those with the longest way to the root before others; and reversed.
  std::vector<int> up_, down_;
  std::unique_ptr<Progress> progress_;
};

/// Tasks are taken in an order in which none comes before one it needs: so waiting always ends.
template <class Needs, class Work>
void TaskTree::share(const std::vector<int>& order, const Needs& needs, const Work& work) const {
  const auto count = static_cast<int>(order.size());
  Progress& progress = *progress_;
  ++progress.round;
  progress.next = 0;
  parallel::team().on_all([&] {
    for (int i = progress.next++; i < count; i = progress.next++) {
      const int t = order[static_cast<std::size_t>(i)];
      const Finishes finishes{progress.finished[static_cast<std::size_t>(t)], progress.round};
      needs(tasks_[static_cast<std::size_t>(t)]);
      work(t);
    }
  });
}

template <class Work>
void TaskTree::children_first(bool shared, const Work& work) const {
  const auto children = [this](const Task& task) {
    for (const int child : task.children) wait_for(child);
  };
  if (shared) return share(up_, children, work);
  for (int t = 0; t < static_cast<int>(tasks_.size()); ++t) work(t);
}

template <class Work>
void TaskTree::parents_first(bool shared, const Work& work) const {
  const auto parent = [this](const Task& task) {
    if (task.parent >= 0) wait_for(task.parent);
  };
  if (shared) return share(down_, parent, work);
  for (int t = static_cast<int>(tasks_.size()) - 1; t >= 0; --t) work(t);
}

}  // namespace slipwave::linear
