#include "app/results/version.hpp"

#include "app/results/frames.hpp"
#include "contact/fclib/write_fclib.hpp"
#include "fem/gmsh/gmsh_reader.hpp"
#include "files/hdf5.hpp"
#include "linear/factor.hpp"

#include <fmt/format.h>
#include <muParserDef.h>
#include <openssl/crypto.h>
#include <toml++/toml.h>

namespace slipwave::app {

namespace {

/// clang calls itself GCC 4.2.1 as well.
std::string compiler() {
#if defined(__clang__)
  return fmt::format("clang {}.{}.{}", __clang_major__, __clang_minor__, __clang_patchlevel__);
#else
  return fmt::format("GCC {}.{}.{}", __GNUC__, __GNUC_MINOR__, __GNUC_PATCHLEVEL__);
#endif
}

}  // namespace

std::string version() { return SLIPWAVE_VERSION; }

std::string description(const GitState& git) {
  return git.commit + (git.dirty.value_or(false) ? ", with changes" : "");
}

Build this_build() {
  return {git_state(), compiler(), SLIPWAVE_BUILD_TYPE, SLIPWAVE_COMPILER_FLAGS};
}

std::vector<std::pair<std::string, std::string>> library_versions() {
  return {{"gmsh", fem::gmsh_version()},
          {"eigen",
           fmt::format("{}.{}.{}", EIGEN_WORLD_VERSION, EIGEN_MAJOR_VERSION, EIGEN_MINOR_VERSION)},
          {"cholmod", linear::cholmod_version_string()},
          {"fclib", contact::fclib_version()},
          {"hdf5", files::hdf5::version()},
          {"vtk", vtk_version()},
          {"muparser", mu::ParserVersion},
          {"toml++", fmt::format("{}.{}.{}", TOML_LIB_MAJOR, TOML_LIB_MINOR, TOML_LIB_PATCH)},
          {"openssl", OpenSSL_version(OPENSSL_VERSION_STRING)},
          {"blas", linear::blas_version_string()},
          {"compiler", compiler()}};
}

}  // namespace slipwave::app
