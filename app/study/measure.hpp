#pragma once

#include "app/study/convergence.hpp"
#include "app/study/member_results.hpp"
#include "app/study/study_file.hpp"

#include <optional>
#include <vector>

namespace slipwave::app {

/// Members along the first axis of a study, the other axes held.
struct SeriesOfMembers {
  std::vector<double> sizes;                  ///< values of the first axis, or 1, 2, ...
  std::vector<const MemberResults*> results;  ///< one per size; none where the run did not finish
  std::size_t finest = 0;                     ///< place of the smallest size that finished
  bool refines = false;                       ///< whether the axis refines a discretisation
};

/// What a quantity is on each member of a series.
struct Measurement {
  std::vector<std::optional<double>> values;  ///< none: not finished, or the finest against itself
  double scale = 0.0;                         ///< norm of the reference, for error norms
  bool is_error = false;                      ///< the values are norms of errors
  bool against_finest = false;
};

/// Measures a quantity on a series. Throws UserError where it cannot be: a probe outside the body,
/// an unknown column or array.
Measurement measure(const StudyQuantity& quantity, const SeriesOfMembers& series);

/// What the values of a measurement say. Errors against the finest member, e = C (h^p − h_f^p), are
/// judged with the sizes (h^p − h_f^p)^{1/p}, the finest not being exact.
Convergence judge(const StudyQuantity& quantity, const StudyAxis& axis,
                  const SeriesOfMembers& series, const Measurement& measurement);

}  // namespace slipwave::app
