#include "app/study/table.hpp"

#include <algorithm>
#include <cassert>
#include <cstddef>

namespace slipwave::app {

namespace {

std::string escaped(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c == '|') result += '\\';
    result += c == '\n' || c == '\r' ? ' ' : c;
  }
  return result;
}

std::string cell_text(const Cell& cell, int digits) {
  if (const auto* number = std::get_if<double>(&cell)) return significant(*number, digits);
  return escaped(std::get<std::string>(cell));
}

/// A column as it will be printed, its name first.
struct Column {
  std::vector<std::string> cells;
  bool right = false;  ///< aligned there because it has a number
  std::size_t width = 3;
};

Column column_of(const Table& table, std::size_t j, int digits) {
  Column column{{escaped(table.columns[j])}, false, 3};
  for (const std::vector<Cell>& row : table.rows) {
    assert(row.size() <= table.columns.size());
    column.cells.push_back(j < row.size() ? cell_text(row[j], digits) : "");
    column.right = column.right || (j < row.size() && std::holds_alternative<double>(row[j]));
  }
  for (const std::string& cell : column.cells)
    column.width = std::max(column.width, character_count(cell));
  return column;
}

std::string padded(const Column& column, std::size_t row) {
  const std::string& cell = column.cells[row];
  const std::string blanks(column.width - character_count(cell), ' ');
  return column.right ? blanks + cell : cell + blanks;
}

std::string rule(const Column& column) {
  return std::string(column.width - 1, '-') + (column.right ? ":" : "-");
}

}  // namespace

std::string markdown_table(const Table& table, int digits) {
  std::vector<Column> columns;
  for (std::size_t j = 0; j < table.columns.size(); ++j)
    columns.push_back(column_of(table, j, digits));
  std::string text;
  for (std::size_t row = 0; row <= table.rows.size(); ++row) {
    for (const Column& column : columns) text += "| " + padded(column, row) + " ";
    text += "|\n";
    if (row > 0) continue;
    for (const Column& column : columns) text += "| " + rule(column) + " ";
    text += "|\n";
  }
  return text;
}

}  // namespace slipwave::app
