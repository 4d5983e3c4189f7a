#include "app/study/sample_report.hpp"

#include "app/messages/units.hpp"
#include "app/study/samples.hpp"
#include "app/study/table.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <optional>
#include <vector>

namespace slipwave::app {

namespace {

constexpr int digits = 4;

using Values = std::vector<std::optional<double>>;

/// The values of a quantity along a series, none where a member is missing.
Values values_of(const SeriesResult& series, std::size_t quantity) {
  return series.quantities.empty() ? Values(series.members.size())
                                   : series.quantities[quantity].measurement.values;
}

std::vector<double> present(const Values& values) {
  std::vector<double> numbers;
  for (const std::optional<double>& value : values)
    if (value) numbers.push_back(*value);
  return numbers;
}

/// How two series differ where both have a value.
std::optional<PairedComparison> compared(const Values& a, const Values& b) {
  std::vector<double> of_a, of_b;
  for (std::size_t i = 0; i < a.size(); ++i)
    if (a[i] && b[i]) {
      of_a.push_back(*a[i]);
      of_b.push_back(*b[i]);
    }
  if (of_a.empty()) return std::nullopt;
  return compare_pairs(of_a, of_b);
}

std::string name_of(const SeriesResult& series) {
  return series.name.empty() ? "all" : series.name;
}

std::string figures_table(const StudyResult& result, std::size_t quantity) {
  Table table{{"series", "runs", "mean", "standard deviation", "least", "largest"}, {}};
  for (const SeriesResult& series : result.series) {
    const std::vector<double> numbers = present(values_of(series, quantity));
    if (numbers.empty()) continue;
    const SampleFigures figures = figures_of(numbers);
    table.rows.push_back({name_of(series), std::to_string(figures.count), figures.mean,
                          figures.deviation, figures.least, figures.largest});
  }
  return markdown_table(table, digits);
}

std::string comparison_line(const std::string& a, const std::string& b,
                            const PairedComparison& difference, const std::string& unit) {
  return fmt::format("- {} less {}: {} ± {}{} in the mean of {} pairs, p = {}{}\n", b, a,
                     significant(difference.mean, digits),
                     significant(difference.standard_error, 2), unit.empty() ? "" : " " + unit,
                     difference.count, significant(difference.p, 2),
                     difference.exact ? "" : " by a million random choices of signs");
}

std::string comparisons(const StudyResult& result, std::size_t quantity) {
  const std::vector<SeriesResult>& series = result.series;
  std::string text;
  for (std::size_t i = 0; i < series.size(); ++i)
    for (std::size_t j = i + 1; j < series.size(); ++j)
      if (const auto difference =
              compared(values_of(series[i], quantity), values_of(series[j], quantity)))
        text += comparison_line(series[i].name, series[j].name, *difference,
                                result.study.quantities[quantity].unit);
  return text.empty() ? "" : "\n" + text;
}

std::string values_table(const StudyResult& result, std::size_t quantity) {
  const StudyAxis& axis = result.study.axes.front();
  Table table{{after_name(axis.short_name(), axis.unit)}, {}};
  for (const SeriesResult& series : result.series) table.columns.push_back(name_of(series));
  for (std::size_t i = 0; i < axis.values.size(); ++i) {
    std::vector<Cell> row{axis.values[i]};
    for (const SeriesResult& series : result.series) {
      const std::optional<double> value = values_of(series, quantity)[i];
      row.emplace_back(value ? significant(*value, digits) : "not finished");
    }
    table.rows.push_back(row);
  }
  return markdown_table(table);
}

}  // namespace

std::string sample_section(const StudyResult& result, std::size_t quantity) {
  const StudyQuantity& what = result.study.quantities[quantity];
  return fmt::format("\n## {}\n\n{}{}\n{}", after_name(what.name, what.unit),
                     figures_table(result, quantity), comparisons(result, quantity),
                     values_table(result, quantity));
}

Json sample_json(const StudyResult& result, std::size_t quantity) {
  const std::vector<SeriesResult>& series = result.series;
  Json figures = Json::array(), pairs = Json::array();
  for (std::size_t i = 0; i < series.size(); ++i) {
    const Values values = values_of(series[i], quantity);
    const std::vector<double> numbers = present(values);
    if (numbers.empty()) continue;
    const SampleFigures of = figures_of(numbers);
    figures.push_back(Json{{"series", series[i].name},
                           {"runs", of.count},
                           {"mean", of.mean},
                           {"standard_deviation", of.deviation},
                           {"least", of.least},
                           {"largest", of.largest}});
    for (std::size_t j = i + 1; j < series.size(); ++j)
      if (const auto difference = compared(values, values_of(series[j], quantity)))
        pairs.push_back(Json{{"a", series[i].name},
                             {"b", series[j].name},
                             {"pairs", difference->count},
                             {"mean_difference", difference->mean},
                             {"standard_error", difference->standard_error},
                             {"p", difference->p}});
  }
  return Json{{"quantity", result.study.quantities[quantity].name},
              {"series", figures},
              {"comparisons", pairs}};
}

}  // namespace slipwave::app
