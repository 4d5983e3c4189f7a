#include "app/results/background_writer.hpp"

#include <csignal>

namespace slipwave::app {

namespace {

constexpr std::size_t most_waiting = 4;

/// Signals are for the thread that runs the time loop.
std::thread thread_without_signals(const std::function<void()>& work) {
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  std::thread thread(work);
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  return thread;
}

}  // namespace

BackgroundWriter::BackgroundWriter() : thread_(thread_without_signals([this] { work(); })) {}

BackgroundWriter::~BackgroundWriter() {
  {
    const std::lock_guard lock(mutex_);
    ends_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

void BackgroundWriter::post(std::function<void()> job) {
  {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return jobs_.size() < most_waiting || error_; });
    throw_error();
    jobs_.push_back(std::move(job));
  }
  changed_.notify_all();
}

void BackgroundWriter::finish() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return (jobs_.empty() && !busy_) || error_; });
  throw_error();
}

void BackgroundWriter::throw_error() {
  if (error_) std::rethrow_exception(error_);
}

void BackgroundWriter::work() {
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [&] { return !jobs_.empty() || ends_; });
    if (jobs_.empty()) return;
    const std::function<void()> job = std::move(jobs_.front());
    jobs_.pop_front();
    busy_ = true;
    lock.unlock();
    std::exception_ptr failure;
    try {
      job();
    } catch (...) {
      failure = std::current_exception();
    }
    lock.lock();
    busy_ = false;
    if (failure) error_ = failure;
    if (error_) jobs_.clear();
    changed_.notify_all();
  }
}

}  // namespace slipwave::app
