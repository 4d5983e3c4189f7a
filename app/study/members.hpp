#pragma once

#include "app/case/case_file.hpp"
#include "app/study/study_file.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace slipwave::app {

/// One run of a study.
struct StudyMember {
  std::string name;                 ///< of its folder: size_2_friction_0.5
  std::vector<std::size_t> values;  ///< index of its value on each axis
  std::vector<std::string> set;     ///< everything its run replaces in the base case
  Case c;                           ///< the case as it runs, read and checked
  double weight = 1.0;              ///< expected cost, relative to others: steps / size²
};

/// All combinations of the axes' values, the last axis fastest. Reads the case of each, so that no
/// member can fail for its input later. Throws UserError naming the member.
std::vector<StudyMember> make_members(const Study& study);

/// When a quantity is measured: at its time, or at the end.
double time_of(const StudyQuantity& quantity, const Case& c);

/// A value of an axis as a number, if it is one.
double size_of(const StudyAxis& axis, std::size_t value);

/// What the members' cases make impossible, in words: friction of 1 or more.
std::vector<std::string> warnings_about(const Study& study,
                                        const std::vector<StudyMember>& members);

}  // namespace slipwave::app
