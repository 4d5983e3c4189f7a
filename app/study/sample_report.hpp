#pragma once

#include "app/results/json.hpp"
#include "app/study/study_result.hpp"

#include <cstddef>
#include <string>

namespace slipwave::app {

/// A quantity of a study whose first axis is a sample, as a section of study.md: mean and spread of
/// each series, how series differ that have the same values on the first axis, and all numbers.
std::string sample_section(const StudyResult& result, std::size_t quantity);

/// The same for programs.
Json sample_json(const StudyResult& result, std::size_t quantity);

}  // namespace slipwave::app
