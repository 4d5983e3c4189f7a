#pragma once

#include "app/study/member_results.hpp"
#include "app/study/study_file.hpp"

namespace slipwave::app {

/// A body's place, distance or speed in a run of rigid bodies, at a time or extreme. Throws
/// UserError where the run has no such body, or no row of it then.
double value_of(const BodyQuantity& what, const StudyQuantity& quantity,
                const MemberResults& member);
/// How many bodies of the groups are displaced at a time.
double value_of(const DisplacedQuantity& what, const StudyQuantity& quantity,
                const MemberResults& member);

}  // namespace slipwave::app
