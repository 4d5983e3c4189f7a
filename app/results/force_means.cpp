#include "app/results/force_means.hpp"

#include "app/results/mean_over_time.hpp"

#include <cstdlib>
#include <fstream>
#include <limits>
#include <sstream>

namespace slipwave::app {

namespace {

std::vector<std::string> cells_of(const std::string& row) {
  std::vector<std::string> cells;
  std::istringstream stream(row);
  for (std::string cell; std::getline(stream, cell, ',');) cells.push_back(cell);
  if (row.ends_with(',')) cells.emplace_back();
  return cells;
}

double number_in(const std::string& cell) {
  return cell.empty() ? std::numeric_limits<double>::quiet_NaN()
                      : std::strtod(cell.c_str(), nullptr);
}

}  // namespace

ForceMeans force_means(const std::filesystem::path& folder, double end) {
  ForceMeans result{0.5 * end, end, {}};
  std::ifstream stream(folder / "forces.csv");
  std::string row;
  if (!std::getline(stream, row)) return result;
  const std::vector<std::string> names = cells_of(row);
  std::vector<MeanOverTime> means(names.size());
  double before = 0.0;
  while (std::getline(stream, row)) {
    const std::vector<std::string> cells = cells_of(row);
    if (cells.size() != names.size() || cells.size() < 2) continue;
    const double t = number_in(cells[1]);
    for (std::size_t i = 2; 0.5 * (t + before) >= result.from && i < cells.size(); ++i)
      means[i].add(number_in(cells[i]), t - before);
    before = t;
  }
  for (std::size_t i = 2; i < names.size(); ++i)
    if (means[i].time() > 0.0) result.means.emplace_back(names[i], means[i].value());
  return result;
}

}  // namespace slipwave::app
