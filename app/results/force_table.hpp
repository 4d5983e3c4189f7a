#pragma once

#include "app/results/period.hpp"
#include "app/results/read_run.hpp"
#include "app/waves/mode_growth.hpp"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace slipwave::app {

/// What a column of forces.csv does in a stretch of time: in the rows whose own time, from the row
/// before, has its middle there.
struct ForceStatistics {
  double mean = 0.0;  ///< each row weighted with its time; rows without a number do not count
  double minimum = 0.0, maximum = 0.0, last = 0.0;
  int rows = 0;  ///< with a number
};

/// forces.csv of a run, finished or not.
struct ForceTable {
  std::vector<std::string> names;  ///< of the columns, in their order
  Columns columns;                 ///< a cell that is empty is not a number

  const std::vector<double>& t() const { return columns.at("t"); }
  /// Throws UserError naming those there are.
  const std::vector<double>& column(const std::string& name) const;
  /// The contact lines, and the prescribed groups.
  std::vector<std::string> lines() const { return owners_of(".F_N"); }
  std::vector<std::string> groups() const { return owners_of(".F_x"); }
  /// The second half of the time there is, in which most runs have forgotten how they began.
  Window second_half() const;
  /// Nothing where no row has a number.
  std::optional<ForceStatistics> statistics(const std::string& name, const Window& in_t) const;
  /// dominant_period() of those rows.
  std::optional<double> period(const std::string& name, const Window& in_t) const;

 private:
  std::vector<std::string> owners_of(const std::string& ending) const;
  std::vector<std::size_t> rows_in(const Window& in_t) const;
};

/// Whether a run wrote its forces.
bool has_forces(const std::filesystem::path& folder);

/// Reads forces.csv of a run's folder, to its last whole row. Throws UserError where there is none
/// or it is damaged.
ForceTable read_forces(const std::filesystem::path& folder);
/// The same of a run that may have ended: then the file must go to its last step.
ForceTable read_forces(const RunResults& run);

}  // namespace slipwave::app
