#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace slipwave::app {

/// Slipwave's version, such as "0.1.0".
std::string version();

/// The compiler and the libraries with their versions.
std::vector<std::pair<std::string, std::string>> library_versions();

/// The sources that were built.
struct GitState {
  std::string commit;         ///< "unknown" where they were no checkout
  std::optional<bool> dirty;  ///< whether tracked files differed from the commit
};

/// The state at the time of the build.
GitState git_state();

/// "3f2a..., with changes".
std::string description(const GitState& git);

/// How this program was made.
struct Build {
  GitState git;
  std::string compiler;  ///< "GCC 12.2.0", "clang 14.0.6"
  std::string type;      ///< CMAKE_BUILD_TYPE
  std::string flags;     ///< of the compiler, without warnings
};

/// That of the running program.
Build this_build();

}  // namespace slipwave::app
