#include "app/results/columns.hpp"

#include "app/messages/user_error.hpp"
#include "files/new_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>
#include <utility>

namespace slipwave::app {

namespace {

std::vector<std::string_view> cells_of(std::string_view row) {
  std::vector<std::string_view> cells;
  for (std::size_t end = row.find(','); end != std::string_view::npos; end = row.find(',')) {
    cells.push_back(row.substr(0, end));
    row.remove_prefix(end + 1);
  }
  cells.push_back(row);
  return cells;
}

}  // namespace

std::string cell_of(std::string text) {
  std::replace_if(
      text.begin(), text.end(),
      [](unsigned char c) { return c == ',' || c == '"' || c < 0x20 || c == 0x7f; }, '_');
  return text;
}

std::string own_cell(std::string text, std::set<std::string>& taken) {
  text = cell_of(std::move(text));
  std::string own = text;
  for (int number = 2; !taken.insert(own).second; ++number)
    own = fmt::format("{}_{}", text, number);
  return own;
}

bool read_number(std::string_view text, double& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size();
}

Columns read_columns(const std::filesystem::path& file, Writing writing, EmptyCells empty) {
  const std::string text = files::text_of(file);
  std::string_view rest = text;
  if (rest.find('\n') == std::string_view::npos)
    throw UserError(file.string() + ": has no row of names, or cannot be read");
  if (writing == Writing::has_ended && !text.ends_with('\n'))
    throw UserError(file.string() + ": is cut short: its last row is not whole");
  std::vector<std::string> names;
  std::vector<std::vector<double>> values;
  for (int number = 1; rest.find('\n') != std::string_view::npos; ++number) {
    const std::vector<std::string_view> cells = cells_of(rest.substr(0, rest.find('\n')));
    rest.remove_prefix(rest.find('\n') + 1);
    if (number == 1) {
      names.assign(cells.begin(), cells.end());
      values.resize(names.size());
      continue;
    }
    bool whole = cells.size() == names.size();
    for (std::size_t i = 0; whole && i < cells.size(); ++i)
      if (cells[i].empty() && empty == EmptyCells::not_a_number)
        values[i].push_back(std::numeric_limits<double>::quiet_NaN());
      else
        whole = read_number(cells[i], values[i].emplace_back());
    if (!whole)
      throw UserError(
          fmt::format("{}:{}: expected {} numbers", file.string(), number, names.size()));
  }
  Columns columns;
  for (std::size_t i = 0; i < names.size(); ++i) columns[names[i]] = std::move(values[i]);
  return columns;
}

}  // namespace slipwave::app
