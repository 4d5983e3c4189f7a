#pragma once

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <string_view>
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

/// A text without what separates the cells and lines of a table.
std::string cell_of(std::string text);
/// The same, with a number behind it where it is taken; now it is.
std::string own_cell(std::string text, std::set<std::string>& taken);

/// Whether all of a text is a number, which is then read.
bool read_number(std::string_view text, double& number);

}  // namespace slipwave::app
