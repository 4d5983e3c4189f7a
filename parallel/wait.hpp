#pragma once

#include <atomic>
#include <chrono>
#include <thread>

namespace slipwave::parallel {

/// Spinning that ends: a while of trying again before sleeping.
class Spin {
 public:
  explicit Spin(std::chrono::nanoseconds limit) : limit_(limit) {}

  /// Pauses for some nanoseconds; false once the limit is over, and ever after.
  bool more() {
    pause();
    if (++tries_ % tries_per_look != 1) return !over_;
    const auto now = std::chrono::steady_clock::now();
    if (tries_ == 1) end_ = now + limit_;
    over_ = now >= end_;
    return !over_;
  }

 private:
  static constexpr unsigned tries_per_look = 8;

  static void pause() {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#else
    std::this_thread::yield();
#endif
  }

  std::chrono::nanoseconds limit_;
  std::chrono::steady_clock::time_point end_;
  unsigned tries_ = 0;
  bool over_ = false;
};

/// Waits until is_due(word) and returns the word. On a quiet machine that comes soon: so it spins
/// for at most `spin`. Then it sleeps, so that the processor is free for whoever is to bring it.
/// Whoever changes the word does so in one read-modify-write and calls word.notify_all().
template <class IsDue>
unsigned wait_until(const std::atomic<unsigned>& word, std::chrono::nanoseconds spin,
                    const IsDue& is_due) {
  Spin spinning(spin);
  for (;;) {
    const unsigned value = word.load(std::memory_order_acquire);
    if (is_due(value)) return value;
    if (!spinning.more()) word.wait(value, std::memory_order_acquire);
  }
}

/// How long a thread spins for another one's result in the midst of common work.
constexpr std::chrono::microseconds spin_for_result{50};

}  // namespace slipwave::parallel
