#pragma once

#include "app/study/study_result.hpp"

#include <filesystem>
#include <string>

namespace slipwave::app {

/// Writes study.csv, study.json, study.md, figures/*.svg, which depend on the members' results
/// alone, and cost.csv with figures/cost.svg, which hold seconds.
void write_study(const StudyResult& result, const std::filesystem::path& out);

/// The text of study.md.
std::string study_page(const StudyResult& result);

}  // namespace slipwave::app
