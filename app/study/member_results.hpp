#pragma once

#include "app/case/case_file.hpp"
#include "app/results/read_run.hpp"
#include "app/waves/interface_history.hpp"

#include <filesystem>
#include <string>

namespace slipwave::app {

/// What the finished run of a member left.
class MemberResults : public RunResults {
 public:
  /// The case must outlive it. Throws UserError where energy.csv cannot be read.
  MemberResults(std::filesystem::path folder, const Case& c);

  const Case& c() const { return c_; }
  /// The body after the step that ends nearest to a time: its frame must be there.
  BodyFrame body_at(double t) const;
  /// An array of the contact lines at that time, sorted by s. Throws UserError naming those there
  /// are.
  LineFrame line_at(const std::string& array, double t) const;
  /// The history of the contact lines: the member must have recorded it.
  InterfaceHistory history() const;

 private:
  const Case& c_;
};

/// The mean over the time up to `end` of how differently two members' contacts slide: of the
/// difference of their fractions of sliding contacts, 0 to 1. Between members of different
/// histories it does not fall as they refine.
double history_difference(const MemberResults& a, const MemberResults& b, double end);

}  // namespace slipwave::app
