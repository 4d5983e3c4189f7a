#pragma once

#include "app/messages/units.hpp"
#include "app/results/columns.hpp"
#include "app/results/read_frames.hpp"

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace slipwave::app {

/// Units by quantity (length, time, stress, ...) from the [units] of a case file, as written; none
/// where there is no such file. Throws UserError.
Units units_in(const std::filesystem::path& case_file);

/// What a run left in its folder, finished or not.
class RunResults {
 public:
  /// Reads energy.csv. Throws UserError where the folder has none: it is no run's; and where
  /// summary.json is not whole, or energy.csv does not go to the step that it names.
  explicit RunResults(std::filesystem::path folder);

  const std::filesystem::path& folder() const { return folder_; }
  /// A column of energy.csv. Throws UserError naming those there are.
  const std::vector<double>& ledger(const std::string& column) const;
  /// All columns of energy.csv.
  const Columns& ledger() const { return columns_; }
  /// The last row that is not after a time.
  std::size_t row_at(double t) const;

  /// units_in() its case.toml.
  Units units() const;
  /// The text of summary.json, empty while the run goes on and where it was killed.
  const std::string& summary() const { return summary_; }
  /// What to tell of a run without summary.json, empty otherwise.
  std::string warning() const;
  /// A file of the run such as trajectory.csv, to the same step as energy.csv at least.
  Columns columns_of(const std::string& name, EmptyCells empty = EmptyCells::refused) const;

  /// The frames listed in frames.pvd (bodies) or contact.pvd (contact lines), by time; none where
  /// the run wrote none.
  std::vector<FrameEntry> frames(const std::string& series = "frames") const;
  /// The file of a step's frame, whether it is there or not.
  std::filesystem::path frame_file(const std::string& series, int step) const;

 private:
  std::filesystem::path folder_;
  std::string summary_;
  int last_step_ = -1;  // that every file must have come to; -1 where that is not known
  Columns columns_;
};

}  // namespace slipwave::app
