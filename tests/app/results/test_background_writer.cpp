#include "app/results/background_writer.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <chrono>
#include <stdexcept>
#include <thread>
#include <vector>

using slipwave::app::BackgroundWriter;

TEST_CASE("app/results/background_writer: does every job, in order, on another thread") {
  std::vector<int> done;
  std::thread::id worker;
  BackgroundWriter writer;
  for (int k = 0; k < 1000; ++k)
    writer.post([&, k] {
      done.push_back(k);
      worker = std::this_thread::get_id();
    });
  writer.finish();
  REQUIRE(done.size() == 1000);
  for (int k = 0; k < 1000; ++k) CHECK(done[static_cast<std::size_t>(k)] == k);
  CHECK(worker != std::this_thread::get_id());
}

TEST_CASE("app/results/background_writer: what is left when it goes is done first") {
  int done = 0;
  {
    BackgroundWriter writer;
    for (int k = 0; k < 3; ++k)
      writer.post([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
        ++done;
      });
  }
  CHECK(done == 3);
}

TEST_CASE(
    "app/results/background_writer: an error reaches whoever posts or finishes, and ends the "
    "work") {
  std::atomic<int> after = 0;
  BackgroundWriter writer;
  writer.post([] { throw std::runtime_error("the disk is full"); });
  CHECK_THROWS_WITH(writer.finish(), "the disk is full");
  CHECK_THROWS_WITH(writer.post([&] { ++after; }), "the disk is full");
  CHECK_THROWS_WITH(writer.finish(), "the disk is full");
  CHECK(after == 0);
}

TEST_CASE("app/results/background_writer: whoever brings too many jobs waits") {
  std::atomic<int> started = 0, posted = 0;
  std::atomic<bool> go = false;
  BackgroundWriter writer;
  std::thread poster([&] {
    for (int k = 0; k < 20; ++k) {
      writer.post([&] {
        ++started;
        while (!go) std::this_thread::yield();
      });
      ++posted;
    }
  });
  while (started == 0) std::this_thread::yield();
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  CHECK(posted <= 5);
  go = true;
  poster.join();
  writer.finish();
  CHECK(started == 20);
}
