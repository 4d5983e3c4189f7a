#include "app/messages/user_error.hpp"
#include "app/plot/number_text.hpp"
#include "app/plot/page.hpp"
#include "app/plot/palette.hpp"
#include "app/plot/run_figures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace slipwave::app {

namespace {

/// Of palette::energies, those that are always drawn.
constexpr std::size_t always = 5;

const std::vector<double>& column(const Columns& ledger, const std::string& name) {
  const auto found = ledger.find(name);
  if (found == ledger.end()) throw UserError(fmt::format("energy.csv has no column \"{}\"", name));
  return found->second;
}

CurveLook look_of(const palette::LineLook& line) { return {line.ink, line.dash, line.width}; }

/// The rows [first, last) that are drawn.
std::pair<std::size_t, std::size_t> rows_of(const Columns& ledger, const PrintOptions& options) {
  const std::vector<double>& t = column(ledger, "t");
  const auto at = [&](double time) { return std::lower_bound(t.begin(), t.end(), time); };
  const auto first = options.time ? at(options.time->lower) : t.begin();
  const auto last =
      options.time ? std::upper_bound(t.begin(), t.end(), options.time->upper) : t.end();
  if (last - first < 2)
    throw UserError(t.size() < 2
                        ? std::string("energy.csv has fewer than two rows")
                        : fmt::format("energy.csv has fewer than two rows in the time asked for; "
                                      "it goes from {:g} to {:g}",
                                      t.front(), t.back()));
  return {static_cast<std::size_t>(first - t.begin()), static_cast<std::size_t>(last - t.begin())};
}

/// Makes charts over the drawn rows of a ledger.
class LedgerCharts {
 public:
  LedgerCharts(const Columns& ledger, const Units& units, const PrintOptions& options)
      : ledger_(ledger),
        rows_(rows_of(ledger, options)),
        time_{"$t$", unit_of(units, "time")},
        unit_(unit_of(units, "energy")) {
    const std::vector<double>& t = column(ledger, "t");
    time_.lower = t[rows_.first];
    time_.upper = t[rows_.second - 1];
  }

  Chart components_chart() const;
  Chart balance_chart() const;
  Chart positive_work_chart() const;
  Chart negative_work_chart() const;

 private:
  Curve curve(const std::string& name, const std::vector<double>& values,
              const CurveLook& look) const;
  Chart chart(const std::string& name, std::vector<Curve> curves) const;
  std::pair<double, double> extremes(const std::string& name) const;

  const Columns& ledger_;
  std::pair<std::size_t, std::size_t> rows_;
  Axis time_;
  std::string unit_;
};

Curve LedgerCharts::curve(const std::string& name, const std::vector<double>& values,
                          const CurveLook& look) const {
  const auto part = [this](const std::vector<double>& all) {
    return std::vector<double>(all.begin() + static_cast<std::ptrdiff_t>(rows_.first),
                               all.begin() + static_cast<std::ptrdiff_t>(rows_.second));
  };
  return thinned({name, part(column(ledger_, "t")), part(values), look});
}

Chart LedgerCharts::chart(const std::string& name, std::vector<Curve> curves) const {
  Chart result{"", time_, {name, unit_}, std::move(curves), {}};
  result.plot_height = 230;
  result.style = {false, 26.0, 14.0};
  result.legend = result.curves.size() > 1;
  return result;
}

Chart LedgerCharts::components_chart() const {
  std::vector<Curve> curves;
  for (std::size_t i = 0; i < palette::energies.size(); ++i) {
    const palette::EnergyLook& energy = palette::energies.at(i);
    const std::vector<double>& values = column(ledger_, std::string(energy.column));
    const bool is_zero =
        std::all_of(values.begin(), values.end(), [](double v) { return v == 0.0; });
    if (i < always || !is_zero)
      curves.push_back(curve(std::string(energy.name), values, look_of(energy.line)));
  }
  return chart("energy, work", std::move(curves));
}

Chart LedgerCharts::balance_chart() const {
  const std::size_t rows = column(ledger_, "t").size();
  std::vector<double> energy(rows, 0.0), works(rows, 0.0);
  for (const palette::EnergyLook& part : palette::energies) {
    std::vector<double>& sum = part.column.ends_with("_work") ? works : energy;
    const std::vector<double>& values = column(ledger_, std::string(part.column));
    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += values[i];
  }
  for (double& work : works) work += energy[0];
  const auto& [supplied, total] = palette::balance;
  return chart("energy", {curve(std::string(supplied.name), works, look_of(supplied.line)),
                          curve(std::string(total.name), energy, look_of(total.line))});
}

std::pair<double, double> LedgerCharts::extremes(const std::string& name) const {
  const std::vector<double>& values = column(ledger_, name);
  const auto [low, high] =
      std::minmax_element(values.begin() + static_cast<std::ptrdiff_t>(rows_.first),
                          values.begin() + static_cast<std::ptrdiff_t>(rows_.second));
  return {*low, *high};
}

Chart LedgerCharts::positive_work_chart() const {
  const double most = extremes("max_tangential_work").second;
  const double least = extremes("min_tangential_work").first;
  Chart result = chart("max $w_T^+$", {curve("", column(ledger_, "max_tangential_work"),
                                             look_of(palette::tangential_works[0].line))});
  // Round-off is not worth an axis of its own: it is shown on that of the negative part.
  if (most <= 1e-9 * std::abs(least)) {
    result.y.lower = 0.05 * least;
    result.y.upper = -least;
    result.remark = most == 0.0
                        ? "never positive"
                        : fmt::format("at most {}{}", significant(most, 2), after_number(unit_));
  }
  return result;
}

Chart LedgerCharts::negative_work_chart() const {
  return chart("min $w_T^−$", {curve("", column(ledger_, "min_tangential_work"),
                                     look_of(palette::tangential_works[1].line))});
}

bool has_contacts(const Columns& ledger) {
  return std::any_of(ledger.begin(), ledger.end(), [](const auto& entry) {
    return (entry.first == "open" || entry.first == "sticking" || entry.first == "sliding") &&
           std::any_of(entry.second.begin(), entry.second.end(), [](double n) { return n > 0.0; });
  });
}

}  // namespace

Figure energy_figure(const Columns& ledger, const Units& units, const PrintOptions& options) {
  const LedgerCharts charts(ledger, units, options);
  std::vector<Chart> panels{charts.components_chart(), charts.balance_chart()};
  if (has_contacts(ledger)) {
    panels.push_back(charts.positive_work_chart());
    panels.push_back(charts.negative_work_chart());
  }
  return draw_panels(panels, options.width < two_columns_from ? 1 : 2, options.width,
                     "Energies and works");
}

Figure work_figure(const Columns& ledger, const Units& units, const PrintOptions& options) {
  if (!has_contacts(ledger))
    throw UserError("the run has no contacts: there is no tangential work");
  const LedgerCharts charts(ledger, units, options);
  return draw_panels({charts.positive_work_chart(), charts.negative_work_chart()}, 1, options.width,
                     "Tangential work of the contacts");
}

}  // namespace slipwave::app
