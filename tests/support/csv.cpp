#include "tests/support/csv.hpp"

#include <fstream>
#include <sstream>
#include <stdexcept>

namespace slipwave::tests {

std::map<std::string, std::vector<double>> read_csv(const std::string& file) {
  std::ifstream stream(file);
  if (!stream) throw std::runtime_error("cannot read " + file);
  std::string line, cell;
  std::getline(stream, line);
  std::vector<std::string> names;
  for (std::istringstream cells(line); std::getline(cells, cell, ',');) names.push_back(cell);
  std::map<std::string, std::vector<double>> columns;
  while (std::getline(stream, line)) {
    std::istringstream cells(line);
    for (const std::string& name : names) {
      std::getline(cells, cell, ',');
      columns[name].push_back(std::stod(cell));
    }
  }
  return columns;
}

}  // namespace slipwave::tests
