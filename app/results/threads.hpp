#pragma once

namespace slipwave::app {

/// How many threads a run was asked to use, and what became of it.
struct Threads {
  int asked = 1;
  int available = 1;  ///< processors of this process, see parallel::available_processors
  int used = 1;       ///< most at a time, beside the one that writes files
};

/// Makes the team that --threads asks for, of no more threads than there are processors: more only
/// get into each other's way. Says so on stderr where it is smaller.
Threads use_threads(int asked);

}  // namespace slipwave::app
