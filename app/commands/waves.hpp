#pragma once

#include "app/messages/units.hpp"
#include "app/messages/user_error.hpp"
#include "app/waves/mode_growth.hpp"
#include "app/waves/track_waves.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace slipwave::app {

/// What `slipwave waves` was asked.
struct WavesOptions {
  std::string folder;                ///< of a run, with interface.h5
  std::vector<std::string> classes;  ///< to list, as in wave_class_keys(); empty: all
  std::string line;                  ///< to list; empty: all
  std::string json;                  ///< file for the listed waves; empty: none
  int rows = 30;                     ///< of the table
  TrackerOptions tracker;
  double wavelength = 0.0;  ///< if positive: growth and phase speed of it, instead of waves
  Window x;                 ///< in which, with a wavelength
};

/// The classes as the command line has them: "slip-front", "schallamach", ...
std::vector<std::string> wave_class_keys();

/// Prints the waves of a run as a table and writes all of them to DIR/waves.json, or prints how a
/// wavelength grows. Throws UserError.
ExitCode show_waves(const WavesOptions& options);

/// Writes waves with the lines' reference speeds as JSON, docs/waves.md.
void write_waves(const std::filesystem::path& file, const std::vector<Wave>& waves,
                 const InterfaceHistory& history, const Units& units,
                 const TrackerOptions& options);

}  // namespace slipwave::app
