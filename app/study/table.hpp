#pragma once

#include "app/plot/number_text.hpp"

#include <string>
#include <variant>
#include <vector>

namespace slipwave::app {

/// A cell of a table: text as it is, or a number.
using Cell = std::variant<std::string, double>;

/// Columns with their names, and rows that each have a cell for every column or fewer.
struct Table {
  std::vector<std::string> columns;
  std::vector<std::vector<Cell>> rows;
};

/// The table in GitHub's Markdown with aligned columns: numbers to the right with so many
/// significant digits, text to the left; `|` is escaped and line breaks become blanks.
std::string markdown_table(const Table& table, int digits = 4);

}  // namespace slipwave::app
