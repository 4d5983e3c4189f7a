#pragma once

#include <condition_variable>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>

namespace slipwave::app {

/// Does jobs one after the other on a thread of its own, so that the solver goes on while files are
/// written. At most a few jobs wait: whoever brings more waits too, so memory is bounded.
class BackgroundWriter {
 public:
  BackgroundWriter();
  /// Does the jobs that are left; an error that nobody has asked for is lost.
  ~BackgroundWriter();
  BackgroundWriter(const BackgroundWriter&) = delete;
  BackgroundWriter& operator=(const BackgroundWriter&) = delete;

  /// Throws what an earlier job has thrown; jobs after that one were dropped.
  void post(std::function<void()> job);
  /// Waits until every job is done. Throws what one has thrown.
  void finish();

 private:
  void work();
  void throw_error();

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::function<void()>> jobs_;
  bool busy_ = false, ends_ = false;
  std::exception_ptr error_;
  std::thread thread_;
};

}  // namespace slipwave::app
