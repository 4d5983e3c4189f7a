#include "app/results/force_table.hpp"

#include "app/messages/user_error.hpp"
#include "app/results/mean_over_time.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>
#include <sstream>

namespace slipwave::app {

const std::vector<double>& ForceTable::column(const std::string& name) const {
  const auto found = columns.find(name);
  if (found != columns.end()) return found->second;
  throw UserError(
      fmt::format("no column \"{}\" in forces.csv; it has {}", name, fmt::join(names, ", ")));
}

std::vector<std::string> ForceTable::owners_of(const std::string& ending) const {
  std::vector<std::string> owners;
  for (const std::string& name : names)
    if (name.ends_with(ending)) owners.push_back(name.substr(0, name.size() - ending.size()));
  return owners;
}

Window ForceTable::second_half() const {
  return {t().empty() ? 0.0 : 0.5 * t().back(), std::numeric_limits<double>::infinity()};
}

std::vector<std::size_t> ForceTable::rows_in(const Window& in_t) const {
  std::vector<std::size_t> rows;
  for (std::size_t i = 0; i < t().size(); ++i) {
    const double middle = 0.5 * (t()[i] + (i > 0 ? t()[i - 1] : 0.0));
    if (middle >= in_t.from && middle <= in_t.to) rows.push_back(i);
  }
  return rows;
}

std::optional<ForceStatistics> ForceTable::statistics(const std::string& name,
                                                      const Window& in_t) const {
  const std::vector<double>& values = column(name);
  constexpr double infinity = std::numeric_limits<double>::infinity();
  ForceStatistics result{0.0, infinity, -infinity, 0.0, 0};
  MeanOverTime mean;
  for (const std::size_t i : rows_in(in_t)) {
    if (!std::isfinite(values[i])) continue;
    mean.add(values[i], t()[i] - (i > 0 ? t()[i - 1] : 0.0));
    result.minimum = std::min(result.minimum, values[i]);
    result.maximum = std::max(result.maximum, values[i]);
    result.last = values[i];
    ++result.rows;
  }
  if (result.rows == 0) return std::nullopt;
  result.mean = mean.value();
  return result;
}

std::optional<double> ForceTable::period(const std::string& name, const Window& in_t) const {
  std::vector<double> times, values;
  for (const std::size_t i : rows_in(in_t)) {
    times.push_back(t()[i]);
    values.push_back(column(name)[i]);
  }
  return dominant_period(times, values);
}

bool has_forces(const std::filesystem::path& folder) {
  return std::filesystem::exists(folder / "forces.csv");
}

namespace {

std::filesystem::path required_file(const std::filesystem::path& folder) {
  const std::filesystem::path file = folder / "forces.csv";
  if (!has_forces(folder))
    throw UserError(
        fmt::format("{}: the run wrote no forces; they need a [[contact]] or a [[prescribed]] and "
                    "output.forces_every above 0",
                    file.string()));
  return file;
}

/// With the columns in the order of the file.
ForceTable table_of(const std::filesystem::path& file, Columns columns) {
  ForceTable table;
  table.columns = std::move(columns);
  std::ifstream stream(file);
  std::string header, name;
  std::getline(stream, header);
  for (std::istringstream cells(header); std::getline(cells, name, ',');)
    table.names.push_back(name);
  if (!table.columns.contains("t")) throw UserError(file.string() + ": has no column \"t\"");
  return table;
}

}  // namespace

ForceTable read_forces(const std::filesystem::path& folder) {
  const std::filesystem::path file = required_file(folder);
  return table_of(file, read_columns(file, Writing::goes_on, EmptyCells::not_a_number));
}

ForceTable read_forces(const RunResults& run) {
  const std::filesystem::path file = required_file(run.folder());
  return table_of(file, run.columns_of("forces.csv", EmptyCells::not_a_number));
}

}  // namespace slipwave::app
