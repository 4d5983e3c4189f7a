#include "app/plot/forces_figure.hpp"

#include "app/messages/user_error.hpp"
#include "app/plot/number_text.hpp"
#include "app/plot/page.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace slipwave::app {

namespace {

constexpr double thin = 0.8;
constexpr std::size_t black = 4;

/// Makes charts of the rows that are drawn.
class ForceCharts {
 public:
  ForceCharts(const ForceTable& table, const Units& units, const PrintOptions& options)
      : table_(table),
        units_(units),
        drawn_(options.time ? Window{options.time->lower, options.time->upper} : Window{}),
        judged_(options.time ? drawn_ : table.second_half()),
        time_{"$t$", unit_of(units, "time")} {
    for (std::size_t i = 0; i < table.t().size(); ++i)
      if (table.t()[i] >= drawn_.from && table.t()[i] <= drawn_.to) rows_.push_back(i);
    if (rows_.size() < 2)
      throw UserError(options.time ? "forces.csv has fewer than two rows in the time asked for"
                                   : "forces.csv has fewer than two rows");
    time_.lower = table.t()[rows_.front()];
    time_.upper = table.t()[rows_.back()];
  }

  Chart contact_chart() const {
    std::vector<Curve> curves;
    for (const std::string& line : table_.lines())
      for (const char* force : {"F_N", "F_T"})
        curves.push_back(curve(line + " $" + force + "$", line + "." + force, curves.size()));
    return chart("force on the body", unit_of(units_, "force"), std::move(curves));
  }

  Chart friction_chart() const {
    const std::vector<std::string> lines = table_.lines();
    std::vector<Curve> curves;
    for (const std::string& line : lines)
      curves.push_back(curve(line, line + ".apparent_friction", curves.size()));
    for (std::size_t i = 0; i < lines.size(); ++i)
      if (const auto mean = mean_curve(lines[i], lines.size() > 1 ? i : black))
        curves.push_back(*mean);
    Chart result = chart("|$F_T$| / $F_N$", "", std::move(curves));
    result.y.lower = 0.0;
    return result;
  }

  Chart group_chart() const {
    std::vector<Curve> curves;
    for (const std::string& group : table_.groups())
      for (const char* force : {"F_x", "F_y", "F_z"})
        if (table_.columns.contains(group + "." + force))
          curves.push_back(curve(group + " $" + force + "$", group + "." + force, curves.size()));
    return chart("force of prescribed motions", unit_of(units_, "force"), std::move(curves));
  }

 private:
  /// A level line over the time that is judged; its name says mean and period.
  std::optional<Curve> mean_curve(const std::string& line, std::size_t colour) const {
    const std::string column = line + ".apparent_friction";
    const auto figures = table_.statistics(column, judged_);
    if (!figures) return std::nullopt;
    return Curve{fmt::format("{}: {}", line, mean_and_period(table_, column, judged_, units_)),
                 {std::max(judged_.from, *time_.lower), std::min(judged_.to, *time_.upper)},
                 {figures->mean, figures->mean},
                 CurveLook{colour, 1, 1.4}};
  }

  Curve curve(const std::string& name, const std::string& column, std::size_t colour) const {
    Curve result{name, {}, {}, CurveLook{colour, 0, thin}};
    for (const std::size_t i : rows_) {
      result.x.push_back(table_.t()[i]);
      result.y.push_back(table_.column(column)[i]);
    }
    return thinned(result);
  }

  Chart chart(const std::string& name, const std::string& unit, std::vector<Curve> curves) const {
    Chart result{"", time_, {name, unit}, std::move(curves), {}};
    result.plot_height = 200;
    result.style = {false, 26.0, 14.0};
    result.legend = result.curves.size() > 1;
    return result;
  }

  const ForceTable& table_;
  const Units& units_;
  Window drawn_, judged_;
  Axis time_;
  std::vector<std::size_t> rows_;
};

}  // namespace

std::string mean_and_period(const ForceTable& table, const std::string& column, const Window& in_t,
                            const Units& units) {
  const auto figures = table.statistics(column, in_t);
  if (!figures) return "";
  const auto period = table.period(column, in_t);
  return fmt::format(
      "mean {}, {}", significant(figures->mean, 3),
      period ? "period " + significant(*period, 3) + after_number(unit_of(units, "time"))
             : "no period");
}

Figure forces_figure(const ForceTable& table, const Units& units, const PrintOptions& options) {
  const ForceCharts charts(table, units, options);
  std::vector<Chart> panels;
  if (!table.lines().empty()) panels = {charts.contact_chart(), charts.friction_chart()};
  if (!table.groups().empty()) panels.push_back(charts.group_chart());
  return draw_panels(panels, 1, options.width, "Forces over time");
}

}  // namespace slipwave::app
