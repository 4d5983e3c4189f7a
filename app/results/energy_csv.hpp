#pragma once

#include "app/results/appended_file.hpp"
#include "dynamics/integrator.hpp"
#include "dynamics/schemes/energy_ledger.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace slipwave::app {

/// The columns of energy.csv.
const std::vector<std::string>& ledger_columns();

/// energy.csv: one row per recorded step, works cumulative since t = 0.
class CsvLedger {
 public:
  /// Makes the file with its header, or goes on after the mark of one that is there.
  explicit CsvLedger(const std::filesystem::path& file, const FileMark& mark = {});

  /// The state before the first step.
  void write_initial(const dynamics::Energy& energy, int contact_count);
  /// A step, with the works summed up to and including it.
  void write(int step, double t, const dynamics::Works& total, const dynamics::StepReport& report);
  AppendedFile& file() { return file_; }

 private:
  AppendedFile file_;
};

}  // namespace slipwave::app
