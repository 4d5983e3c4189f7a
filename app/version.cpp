#include "app/version.hpp"

#include "app/series_writer.hpp"
#include "contact/fclib.hpp"
#include "dynamics/factor.hpp"
#include "fem/gmsh_reader.hpp"

#include <fmt/format.h>
#include <muParserDef.h>
#include <toml++/toml.h>

namespace slipwave::app {

std::string version() { return SLIPWAVE_VERSION; }

std::vector<std::pair<std::string, std::string>> library_versions() {
  return {{"gmsh", fem::gmsh_version()},
          {"eigen",
           fmt::format("{}.{}.{}", EIGEN_WORLD_VERSION, EIGEN_MAJOR_VERSION, EIGEN_MINOR_VERSION)},
          {"cholmod", dynamics::cholmod_version_string()},
          {"fclib", contact::fclib_version()},
          {"hdf5", contact::hdf5_version()},
          {"vtk", vtk_version()},
          {"muparser", mu::ParserVersion},
          {"toml++", fmt::format("{}.{}.{}", TOML_LIB_MAJOR, TOML_LIB_MINOR, TOML_LIB_PATCH)},
          {"compiler", "GCC " __VERSION__}};
}

}  // namespace slipwave::app
