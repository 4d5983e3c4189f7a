#pragma once

#include "app/case_file.hpp"
#include "fem/mesh.hpp"

#include <Eigen/Core>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace slipwave::app {

/// A body's fields after a step, as its frame has them.
struct BodyFrame {
  fem::Mesh mesh;
  std::map<std::string, Eigen::VectorXd> fields;  ///< displacement, velocity: two per node
};

/// An array along the contact lines after a step.
struct LineFrame {
  std::vector<double> s, values;  ///< s: the coordinate along x, or y if the line is upright
};

/// What the finished run of a member left.
class MemberResults {
 public:
  /// Both must outlive it. Throws std::runtime_error where energy.csv cannot be read.
  MemberResults(std::filesystem::path folder, const Case& c);

  const Case& c() const { return c_; }
  /// A column of energy.csv. Throws UserError naming those there are.
  const std::vector<double>& ledger(const std::string& column) const;
  /// The last row that is not after a time.
  std::size_t row_at(double t) const;

  /// The body after the step that ends nearest to a time: its frame must be there.
  BodyFrame body_at(double t) const;
  /// An array of the contact lines at that time, sorted by s. Throws UserError naming those there
  /// are.
  LineFrame line_at(const std::string& array, double t) const;

 private:
  std::filesystem::path frame_file(const std::string& series, const std::string& extension,
                                   double t) const;

  std::filesystem::path folder_;
  const Case& c_;
  std::map<std::string, std::vector<double>> columns_;
};

/// The mean over the time up to `end` of how differently two members' contacts slide: of the
/// difference of their fractions of sliding contacts, 0 to 1. Between members of different
/// histories it does not fall as they refine.
double history_difference(const MemberResults& a, const MemberResults& b, double end);

}  // namespace slipwave::app
