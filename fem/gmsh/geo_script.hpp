#pragma once

#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace slipwave::fem {

/// A command of a Gmsh script.
struct GeoCommand {
  std::string name;
  int line = 1;
};

/// The commands of a script, outside of comments and texts, that do more than describe a geometry:
/// that run programs, write files, or read others. What a script would do cannot be known without
/// running it; a command that is reached under no condition is listed too.
std::vector<GeoCommand> far_reaching_commands(const std::string& script);

/// The files that a script and those that it includes name in Include, Merge and ShapeFromFile, as
/// far as they are written out and there are such files. Without links, without `script` itself.
std::set<std::filesystem::path> named_files(const std::filesystem::path& script);

}  // namespace slipwave::fem
