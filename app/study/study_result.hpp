#pragma once

#include "app/study/measure.hpp"
#include "app/study/member_runs.hpp"

#include <string>
#include <vector>

namespace slipwave::app {

/// A quantity along one series, and what it says.
struct QuantityResult {
  const StudyQuantity* quantity = nullptr;
  Measurement measurement;
  Convergence convergence;
  std::vector<std::string> remarks;  ///< the convergence's own and the study's

  /// Whether the order and the finest value are as the study file asks; true where it asks nothing.
  bool as_asked = true;
};

/// One series of a study.
struct SeriesResult {
  std::string name;                         ///< values of the other axes, empty if there are none
  std::vector<const StudyMember*> members;  ///< along the first axis
  SeriesOfMembers series;
  std::vector<QuantityResult> quantities;
};

/// Everything a study found.
struct StudyResult {
  const Study& study;
  const std::vector<StudyMember>& members;
  std::vector<MemberOutcome> outcomes;  ///< one per member
  std::vector<SeriesResult> series;
  std::vector<std::string> warnings;
};

}  // namespace slipwave::app
