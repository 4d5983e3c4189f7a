#include "app/results/threads.hpp"

#include "parallel/processors.hpp"
#include "parallel/team.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace slipwave::app {

Threads use_threads(int asked) {
  const int available = parallel::available_processors();
  parallel::set_threads(std::min(asked, available));
  const Threads threads{asked, available, parallel::threads()};
  if (threads.used < asked)
    fmt::print(stderr,
               "--threads {}: {} used, as this process may use {} processor(s); the results do not "
               "depend on it\n",
               asked, threads.used, available);
  return threads;
}

}  // namespace slipwave::app
