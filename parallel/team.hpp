#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <exception>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

namespace slipwave::parallel {

class Governor;

/// Threads that share work with the one that brings it, see docs/decisions/0011-threads.md.
///
/// Nobody waits for a thread that has not begun: the caller works too, and work goes to whoever
/// comes for it. So a thread that the kernel does not let run takes no part, and costs nothing. One
/// that waits spins for some microseconds and then sleeps. Sharing work allocates nothing.
class Team {
 public:
  /// The caller and threads − 1 helpers, or as many as the system lets us start.
  explicit Team(int threads);
  ~Team();
  Team(const Team&) = delete;
  Team& operator=(const Team&) = delete;

  /// Threads, the caller among them.
  int size() const { return static_cast<int>(helpers_.size()) + 1; }
  /// Whether work is shared at all, see paced().
  bool shares() const { return size() > 1 && !alone_.load(std::memory_order_relaxed); }

  /// Calls work(i) for 0 <= i < count, each once, on any thread in any order; neighbours mostly on
  /// the same one. Returns when all are done. Where the team is at work already, for this thread or
  /// another, the caller does all alone. The first exception of work comes out here.
  template <class Work>
  void for_each(int count, const Work& work);

  /// Calls work() on the caller and on each helper that comes before the caller is through. It must
  /// itself take shares until none is left.
  template <class Work>
  void on_all(const Work& work);

  /// Calls work() with the caller alone in all that it would share.
  template <class Work>
  decltype(auto) alone(const Work& work);

  /// Calls work(), which is repeated over and over, and learns whether sharing pays: while it does
  /// not, the caller is left alone.
  template <class Work>
  decltype(auto) paced(const Work& work);

 private:
  using Job = void (*)(const void* work, int member);
  struct alignas(64) Part {
    std::atomic<int> next = 0;
    int end = 0;
  };
  struct Pace;

  bool claim() { return shares() && !busy_.exchange(true, std::memory_order_acquire); }
  void deal(int count);
  /// Only after claim(), which it gives back.
  template <class Work>
  void run(const Work& work);
  void run(Job job, const void* work);
  void perform(int member);
  void help(int member);
  bool enter();
  void leave();

  std::vector<std::thread> helpers_;
  std::vector<Part> parts_;  // of for_each, one per thread
  Job job_ = nullptr;
  const void* work_ = nullptr;
  std::atomic<bool> busy_ = false, ends_ = false;
  alignas(64) std::atomic<unsigned> round_ = 0;  // counts what was shared: helpers wait for it
  alignas(64) std::atomic<unsigned> gate_ = 0;   // helpers inside, and whether more may enter
  std::mutex error_mutex_;
  std::exception_ptr error_;
  std::unique_ptr<Governor> governor_;
  std::atomic<bool> paces_ = false, alone_ = false;
};

/// The team of this process, as its processors are the process's: one thread until set_threads.
Team& team();

/// Makes the team anew; nobody may be using it.
void set_threads(int threads);

/// Threads of the team.
inline int threads() { return team().size(); }

/// team().for_each.
template <class Work>
void for_each(int count, const Work& work) {
  team().for_each(count, work);
}

/// team().for_each over stretches of indices: calls work(first, past the last).
template <class Work>
void for_each_stretch(int count, int length, const Work& work) {
  for_each((count + length - 1) / length,
           [&](int k) { work(k * length, std::min(count, (k + 1) * length)); });
}

/// team().paced.
template <class Work>
decltype(auto) paced(const Work& work) {
  return team().paced(work);
}

template <class Work>
void Team::for_each(int count, const Work& work) {
  if (count <= 1 || !claim()) {
    for (int i = 0; i < count; ++i) work(i);
    return;
  }
  deal(count);
  run([&](int member) {
    for (int k = 0; k < size(); ++k) {  // first its own part, then what is left of the others'
      Part& part = parts_[static_cast<std::size_t>((member + k) % size())];
      for (int i = part.next++; i < part.end; i = part.next++) work(i);
    }
  });
}

template <class Work>
void Team::on_all(const Work& work) {
  if (!claim()) return work();
  run([&](int) { work(); });
}
/// While the caller has the claim itself, for_each and on_all find the team busy.
template <class Work>
decltype(auto) Team::alone(const Work& work) {
  struct Claim {
    explicit Claim(Team& team) : of(team), was_busy(team.busy_.exchange(true)) {}
    ~Claim() {
      if (!was_busy) of.busy_ = false;
    }
    Team& of;
    bool was_busy;
  } const claim(*this);
  return work();
}

template <class Work>
void Team::run(const Work& work) {
  run([](const void* of, int member) { (*static_cast<const Work*>(of))(member); }, &work);
}

/// Times one piece of work.
struct Team::Pace {
  explicit Pace(Team& team);
  ~Pace();
  Pace(const Pace&) = delete;
  Pace& operator=(const Pace&) = delete;

  Team& of;
  std::chrono::steady_clock::time_point start;
};

/// Paced work within paced work, or beside it on another thread, is not timed.
template <class Work>
decltype(auto) Team::paced(const Work& work) {
  if (size() == 1 || paces_.exchange(true)) return work();
  const Pace pace(*this);
  return work();
}

}  // namespace slipwave::parallel
