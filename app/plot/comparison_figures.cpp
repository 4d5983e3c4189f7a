#include "app/plot/comparison_figures.hpp"

#include "app/messages/user_error.hpp"
#include "app/plot/page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace slipwave::app {

namespace {

const std::vector<double>& column(const NamedLedger& run, const std::string& name) {
  const auto found = run.ledger.find(name);
  if (found == run.ledger.end())
    throw UserError(fmt::format("{}: energy.csv has no column \"{}\"", run.name, name));
  return found->second;
}

/// A curve per run of what value(run, row) says, over the rows in time.
template <class Value>
std::vector<Curve> curves_of(const std::vector<NamedLedger>& runs, const PrintOptions& options,
                             const Value& value) {
  constexpr double thin = 0.9;
  std::vector<Curve> curves;
  for (const NamedLedger& run : runs) {
    Curve curve{run.name, {}, {}, CurveLook{curves.size(), curves.size() % 2, thin}};
    const std::vector<double>& t = column(run, "t");
    for (std::size_t i = 0; i < t.size(); ++i) {
      if (options.time && (t[i] < options.time->lower || t[i] > options.time->upper)) continue;
      curve.x.push_back(t[i]);
      curve.y.push_back(value(run, i));
    }
    if (curve.x.size() < 2)
      throw UserError(
          fmt::format("{}: energy.csv has fewer than two rows in the time asked for", run.name));
    curves.push_back(thinned(curve));
  }
  return curves;
}

Chart chart_of(const std::string& name, std::vector<Curve> curves, const Units& units) {
  Axis time{"$t$", unit_of(units, "time")};
  time.lower = curves.front().x.front();
  time.upper = curves.front().x.back();
  for (const Curve& curve : curves) {
    time.lower = std::min(*time.lower, curve.x.front());
    time.upper = std::max(*time.upper, curve.x.back());
  }
  Chart chart{"", time, {name, unit_of(units, "energy")}, std::move(curves), {}};
  chart.plot_height = 230;
  chart.style = {false, 26.0, 14.0};
  chart.legend = true;
  return chart;
}

}  // namespace

Figure dissipation_figure(const std::vector<NamedLedger>& runs, const Units& units,
                          const PrintOptions& options) {
  const auto taken = [](const NamedLedger& run, std::size_t row) {
    return -(column(run, "contact_normal_work")[row] + column(run, "contact_tangential_work")[row]);
  };
  return draw_panels({chart_of("dissipation", curves_of(runs, options, taken), units)}, 1,
                     options.width, "What contacts dissipated");
}

Figure contact_work_figure(const std::vector<NamedLedger>& runs, const Units& units,
                           const PrintOptions& options) {
  const auto in = [](const char* name) {
    return [name](const NamedLedger& run, std::size_t row) { return column(run, name)[row]; };
  };
  return draw_panels(
      {chart_of("max $w_T^+$", curves_of(runs, options, in("max_tangential_work")), units),
       chart_of("min $w_T^−$", curves_of(runs, options, in("min_tangential_work")), units)},
      1, options.width, "Tangential work of the contacts");
}

}  // namespace slipwave::app
