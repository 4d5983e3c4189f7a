#include "app/report/forces_data.hpp"

#include "app/report/curve_data.hpp"

#include <cmath>

namespace slipwave::app {

namespace {

/// One column; nothing is drawn where it has no number.
toml::table column_data(const ForceTable& forces, const std::string& name) {
  toml::table data = curve_data(forces.t(), forces.column(name));
  const Window half = forces.second_half();
  if (const auto figures = forces.statistics(name, half)) {
    data.insert("mean", figures->mean);
    data.insert("smallest", figures->minimum);
    data.insert("largest", figures->maximum);
  }
  if (const auto period = forces.period(name, half)) data.insert("period", *period);
  return data;
}

toml::table with_columns(const ForceTable& forces, const std::string& owner,
                         std::initializer_list<const char*> columns) {
  toml::table data{{"name", owner}};
  for (const char* column : columns) data.insert(column, column_data(forces, owner + "." + column));
  return data;
}

}  // namespace

toml::table forces_data(const ForceTable& forces) {
  toml::array lines, groups;
  for (const std::string& line : forces.lines())
    lines.push_back(with_columns(forces, line, {"F_N", "F_T", "apparent_friction"}));
  for (const std::string& group : forces.groups())
    groups.push_back(with_columns(forces, group, {"F_x", "F_y"}));
  return toml::table{{"rows", static_cast<int64_t>(forces.t().size())},
                     {"judged_from", forces.second_half().from},
                     {"lines", lines},
                     {"groups", groups}};
}

}  // namespace slipwave::app
