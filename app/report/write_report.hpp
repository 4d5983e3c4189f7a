#pragma once

#include "app/messages/user_error.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace slipwave::app {

/// What `slipwave report` is asked for.
struct ReportOptions {
  std::vector<std::string> folders;  ///< of runs, at least one
  std::string out;  ///< empty: in the first folder, report.html or, of several, report_with_B.html
};

/// Writes one HTML file that shows the runs and needs nothing beside it, no network either.
/// Throws UserError where a folder is no run's.
ExitCode write_report(const ReportOptions& options);

/// The page with data in place of its empty data block. Text of the data cannot end the block or
/// begin another: every < is written as \u003c.
std::string page_with(const std::string& json);

}  // namespace slipwave::app
