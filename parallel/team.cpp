#include "parallel/team.hpp"

#include "parallel/governor.hpp"
#include "parallel/wait.hpp"

#include <csignal>
#include <system_error>

namespace slipwave::parallel {

namespace {

constexpr unsigned open_gate = 1U << 31;

/// Between the shared parts of a step there are others of this length; a sleeping helper takes
/// about as long to wake.
constexpr std::chrono::microseconds spin_for_work{100};

std::unique_ptr<Team>& the_team() {
  static std::unique_ptr<Team> team = std::make_unique<Team>(1);
  return team;
}

}  // namespace

Team& team() { return *the_team(); }

void set_threads(int threads) {
  if (threads != team().size()) the_team() = std::make_unique<Team>(threads);
}

/// Signals are for the thread that runs the time loop: helpers inherit that all are blocked.
Team::Team(int threads)
    : parts_(static_cast<std::size_t>(threads)), governor_(std::make_unique<Governor>()) {
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  helpers_.reserve(static_cast<std::size_t>(threads) - 1);
  try {
    for (int member = 1; member < threads; ++member)
      helpers_.emplace_back([this, member] { help(member); });
  } catch (const std::system_error&) {  // the system's limit of threads: those there are will do
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

Team::~Team() {
  ends_ = true;
  ++round_;
  round_.notify_all();
  for (std::thread& helper : helpers_) helper.join();
}

Team::Pace::Pace(Team& team) : of(team), start(std::chrono::steady_clock::now()) {
  of.alone_ = of.governor_->alone();
}

Team::Pace::~Pace() {
  const std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
  of.governor_->record(time.count());
  of.alone_ = false;
  of.paces_ = false;
}

/// Contiguous parts of about the same size.
void Team::deal(int count) {
  const int parts = size();
  for (int k = 0; k < parts; ++k) {
    Part& part = parts_[static_cast<std::size_t>(k)];
    part.next.store(count / parts * k + std::min(k, count % parts), std::memory_order_relaxed);
    part.end = count / parts * (k + 1) + std::min(k + 1, count % parts);
  }
}

/// Whoever is inside when the caller is through is in the midst of something: for that one the
/// caller waits. Whoever comes later finds the gate shut.
void Team::run(Job job, const void* work) {
  job_ = job;
  work_ = work;
  gate_ |= open_gate;
  ++round_;
  round_.notify_all();
  perform(0);
  gate_ &= ~open_gate;
  wait_until(gate_, spin_for_result, [](unsigned inside) { return inside == 0; });
  const std::exception_ptr error = std::exchange(error_, nullptr);
  busy_.store(false, std::memory_order_release);
  if (error) std::rethrow_exception(error);
}

void Team::perform(int member) {
  try {
    job_(work_, member);
  } catch (...) {
    const std::lock_guard lock(error_mutex_);
    if (!error_) error_ = std::current_exception();
  }
}

void Team::help(int member) {
  for (unsigned seen = 0;;) {
    seen = wait_until(round_, spin_for_work, [&](unsigned round) { return round != seen; });
    if (ends_) return;
    if (!enter()) continue;
    perform(member);
    leave();
  }
}

bool Team::enter() {
  unsigned state = gate_.load();
  while ((state & open_gate) != 0)
    if (gate_.compare_exchange_weak(state, state + 1)) return true;
  return false;
}

void Team::leave() {
  if (gate_.fetch_sub(1) == 1) gate_.notify_all();
}

}  // namespace slipwave::parallel
