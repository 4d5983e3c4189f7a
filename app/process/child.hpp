#pragma once

#include <sys/types.h>

#include <functional>

namespace slipwave::app {

/// How a child ended: with exit code 0, with another or by a signal, killed after its time, or
/// killed because it was not wanted any more.
enum class ChildEnd { success, failure, over_limit, stopped };

/// Does work in a copy of this process that has no streams and is killed should this one end: what
/// it does may take too long, or crash. Success where work() returns. To be called while this
/// process has one thread. Throws std::system_error where it cannot be started.
pid_t start_work(const std::function<void()>& work);

/// Waits for a child; kills it after so many seconds, and as soon as unwanted() says so.
ChildEnd wait_within(pid_t child, double seconds, const std::function<bool()>& unwanted);

}  // namespace slipwave::app
