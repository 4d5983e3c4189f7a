#include "app/process/child.hpp"

#include <doctest/doctest.h>

#include <unistd.h>

#include <csignal>
#include <stdexcept>

using namespace slipwave::app;

namespace {

bool never() { return false; }

void sleep_for_ever() {
  for (;;) pause();
}

}  // namespace

TEST_CASE("app/process: work that returns is a success; an exception and a crash are failures") {
  CHECK(wait_within(start_work([] {}), 60.0, never) == ChildEnd::success);
  CHECK(wait_within(start_work([] { throw std::runtime_error("no"); }), 60.0, never) ==
        ChildEnd::failure);
  CHECK(wait_within(start_work([] { raise(SIGKILL); }), 60.0, never) == ChildEnd::failure);
}

TEST_CASE("app/process: a child is killed after its time, and where nobody wants it any more") {
  const pid_t slow = start_work(sleep_for_ever);
  CHECK(wait_within(slow, 0.01, never) == ChildEnd::over_limit);
  CHECK(kill(slow, 0) == -1);  // it is gone, and was waited for
  const pid_t unwanted = start_work(sleep_for_ever);
  CHECK(wait_within(unwanted, 60.0, [] { return true; }) == ChildEnd::stopped);
  CHECK(kill(unwanted, 0) == -1);
}

TEST_CASE("app/process: work changes nothing in this process") {
  int value = 1;
  CHECK(wait_within(start_work([&] { value = 2; }), 60.0, never) == ChildEnd::success);
  CHECK(value == 1);
}
