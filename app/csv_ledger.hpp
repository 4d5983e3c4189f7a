#pragma once

#include "dynamics/energy_ledger.hpp"
#include "dynamics/integrator.hpp"

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace slipwave::app {

/// The columns of energy.csv.
const std::vector<std::string>& ledger_columns();

/// energy.csv: one row per recorded step, works cumulative since t = 0.
class CsvLedger {
 public:
  /// Opens the file and writes the header. Throws std::runtime_error where it cannot.
  explicit CsvLedger(const std::filesystem::path& file);

  /// The state before the first step.
  void write_initial(const dynamics::Energy& energy, int contact_count);
  /// A step, with the works summed up to and including it.
  void write(int step, double t, const dynamics::Works& total, const dynamics::StepReport& report);
  /// Hands complete rows to the system. Throws std::runtime_error when the disk is full.
  void flush();

 private:
  std::filesystem::path file_;
  std::ofstream stream_;
};

}  // namespace slipwave::app
