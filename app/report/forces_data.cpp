#include "app/report/forces_data.hpp"

#include "app/report/curve_data.hpp"

#include <nlohmann/json.hpp>

#include <cmath>

namespace slipwave::app {

namespace {

/// One column; nothing is drawn where it has no number.
Json column_data(const ForceTable& forces, const std::string& name) {
  Json data = curve_data(forces.t(), forces.column(name));
  const Window half = forces.second_half();
  if (const auto figures = forces.statistics(name, half)) {
    data["mean"] = figures->mean;
    data["smallest"] = figures->minimum;
    data["largest"] = figures->maximum;
  }
  if (const auto period = forces.period(name, half)) data["period"] = *period;
  return data;
}

Json with_columns(const ForceTable& forces, const std::string& owner,
                  std::initializer_list<const char*> columns) {
  Json data{{"name", owner}};
  for (const char* column : columns)
    if (const std::string name = owner + "." + column; forces.columns.contains(name))
      data[column] = column_data(forces, name);
  return data;
}

}  // namespace

Json forces_data(const ForceTable& forces) {
  Json lines = Json::array(), groups = Json::array();
  for (const std::string& line : forces.lines())
    lines.push_back(with_columns(forces, line, {"F_N", "F_T", "apparent_friction"}));
  for (const std::string& group : forces.groups())
    groups.push_back(with_columns(forces, group, {"F_x", "F_y", "F_z"}));
  return Json{{"rows", static_cast<int64_t>(forces.t().size())},
              {"judged_from", forces.second_half().from},
              {"lines", lines},
              {"groups", groups}};
}

}  // namespace slipwave::app
