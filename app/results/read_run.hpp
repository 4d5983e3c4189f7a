#pragma once

#include "app/messages/units.hpp"
#include "fem/mesh.hpp"

#include <Eigen/Core>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace slipwave::app {

/// Numbers by the names of their columns.
using Columns = std::map<std::string, std::vector<double>>;

/// Whether a run still writes at its results.
enum class Writing { goes_on, has_ended };
/// What a cell without a number is: a mistake, or a number that there is none of.
enum class EmptyCells { refused, not_a_number };

/// Reads comma-separated numbers under a row of names, such as energy.csv, also while it is being
/// written: then a last row that is not whole is left out. Throws UserError naming the file where
/// it cannot be read and the line where a row is not of as many numbers as there are names.
Columns read_columns(const std::filesystem::path& file, Writing writing = Writing::goes_on,
                     EmptyCells empty = EmptyCells::refused);

/// Units by quantity (length, time, stress, ...) from the [units] of a case file, as written; none
/// where there is no such file. Throws UserError.
Units units_in(const std::filesystem::path& case_file);

/// A frame of a run: a step whose fields were written.
struct FrameEntry {
  int step = 0;
  double t = 0.0;
  std::filesystem::path file;
};

/// The frames that a ParaView collection lists, by time; none where there is no such file. Throws
/// UserError naming it where it is not whole or a frame is missing.
std::vector<FrameEntry> read_collection(const std::filesystem::path& pvd);

/// A body's fields after a step, as its frame has them.
struct BodyFrame {
  fem::Mesh mesh;
  std::map<std::string, Eigen::VectorXd> fields;  ///< displacement, velocity, reaction: two a node
  /// One per triangle: von_mises, and stress_xx, stress_yy, stress_xy, strain_xx, ...
  std::map<std::string, Eigen::VectorXd> triangle_fields;
};

/// An array along the contact lines after a step.
struct LineFrame {
  std::vector<double> s, values;  ///< s: the coordinate along x, or y if the line is upright
};

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

/// Reads a frames/*.vtu. Throws UserError naming the file where it is missing or broken.
BodyFrame read_body_frame(const std::filesystem::path& file);

/// Reads an array of a contact/*.vtp, sorted by s. Throws UserError naming the arrays there are.
LineFrame read_line_frame(const std::filesystem::path& file, const std::string& array);

}  // namespace slipwave::app
