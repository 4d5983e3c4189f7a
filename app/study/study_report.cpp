#include "app/study/study_report.hpp"

#include "app/messages/units.hpp"
#include "app/plot/chart.hpp"
#include "app/results/json.hpp"
#include "app/results/run_folder.hpp"
#include "app/study/sample_report.hpp"
#include "app/study/table.hpp"
#include "files/new_file.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <ostream>

namespace slipwave::app {

namespace fs = std::filesystem;

namespace {

constexpr int digits = 6;

/// A text as part of a file's name.
std::string as_file_name(const std::string& text) {
  std::string name;
  for (const char c : text) {
    const bool keeps = std::isalnum(static_cast<unsigned char>(c)) || c == '.' || c == '-';
    if (keeps)
      name.push_back(c);
    else if (!name.empty() && name.back() != '_')
      name.push_back('_');
  }
  while (!name.empty() && name.back() == '_') name.pop_back();
  return name.empty() ? "quantity" : name;
}

/// Places of the members that were measured, the finest first: as Convergence has them.
std::vector<std::size_t> measured_by_size(const SeriesResult& series,
                                          const QuantityResult& result) {
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < series.series.sizes.size(); ++i)
    if (result.measurement.values[i]) places.push_back(i);
  std::sort(places.begin(), places.end(), [&](std::size_t a, std::size_t b) {
    return series.series.sizes[a] < series.series.sizes[b];
  });
  return places;
}

/// The order seen at a member, as text.
std::string local_order(const QuantityResult& result, std::size_t rank) {
  for (const LocalOrder& local : result.convergence.local_orders)
    if (local.finest == rank && local.order) return significant(*local.order, 3);
  return "";
}

std::optional<double> error_of(const QuantityResult& result, double value) {
  if (result.measurement.is_error) return value;
  if (result.quantity->exact) return std::abs(value - *result.quantity->exact);
  if (result.convergence.extrapolated) return std::abs(value - *result.convergence.extrapolated);
  return std::nullopt;
}

Table values_table(const StudyAxis& axis, const SeriesResult& series,
                   const QuantityResult& result) {
  const std::vector<std::size_t> places = measured_by_size(series, result);
  const std::string value_name =
      std::holds_alternative<ProfileQuantity>(result.quantity->what)
          ? "relative difference from the finest"
          : after_name(result.measurement.is_error ? "error" : result.quantity->name,
                       result.quantity->unit);
  Table table{{after_name(axis.short_name(), axis.unit), value_name}, {}};
  if (series.series.refines) table.columns.emplace_back("order");
  const bool has_errors = !result.measurement.is_error && result.quantity->exact;
  if (has_errors) table.columns.insert(table.columns.begin() + 2, "error");
  for (std::size_t i = 0; i < series.members.size(); ++i) {
    const auto rank = std::find(places.begin(), places.end(), i);
    std::vector<Cell> row{axis.values[series.members[i]->values[0]]};
    if (rank == places.end()) {
      row.emplace_back(series.series.results[i] ? "the finest" : "not finished");
      table.rows.push_back(row);
      continue;
    }
    const double value = *result.measurement.values[i];
    row.emplace_back(significant(value, digits));
    if (has_errors) row.emplace_back(significant(*error_of(result, value), 3));
    if (series.series.refines)
      row.emplace_back(local_order(result, static_cast<std::size_t>(rank - places.begin())));
    table.rows.push_back(row);
  }
  return table;
}

std::string verdict_lines(const QuantityResult& result) {
  const Convergence& c = result.convergence;
  std::string text;
  if (c.order)
    text += fmt::format(
        "Order {}{}.", order_text(c),
        result.quantity->order ? fmt::format(", by theory {:g}", *result.quantity->order) : "");
  if (c.extrapolated)
    text += fmt::format(" Extrapolated value {}{}.", significant(*c.extrapolated, digits),
                        result.quantity->unit.empty() ? "" : " " + result.quantity->unit);
  if (c.gci)
    text += fmt::format(
        " Grid-convergence index of the finest {}{} with a safety factor of {:g}.",
        significant(*c.gci, 3),
        c.relative_gci ? fmt::format(", {} % of it", significant(100.0 * *c.relative_gci, 3)) : "",
        c.safety_factor);
  if (!result.as_asked) text += " **Not as asked by the study.**";
  if (!text.empty()) text += "\n";
  for (const std::string& remark : result.remarks) text += "\n- " + remark;
  return text;
}

std::string members_section(const StudyResult& result) {
  Table table{{"member", "replaced", "result"}, {}};
  for (std::size_t i = 0; i < result.members.size(); ++i) {
    std::string replaced;
    for (const std::string& set : result.members[i].set)
      if (!set.starts_with("output."))
        replaced += fmt::format("{}`{}`", replaced.empty() ? "" : ", ", set);
    table.rows.push_back({result.members[i].name, replaced,
                          result.outcomes[i].finished ? "finished" : result.outcomes[i].reason});
  }
  return markdown_table(table);
}

/// Every quantity along every series, with what it says.
std::string series_sections(const StudyResult& result) {
  const StudyAxis& axis = result.study.axes.front();
  std::string page;
  for (const SeriesResult& series : result.series)
    for (const QuantityResult& quantity : series.quantities)
      page += fmt::format("\n## {}{}\n\n{}\n{}\n", quantity.quantity->name,
                          series.name.empty() ? "" : ", " + series.name,
                          markdown_table(values_table(axis, series, quantity)),
                          verdict_lines(quantity));
  return page;
}

Json json_of(const QuantityResult& result, const SeriesResult& series) {
  const auto put_if = [](Json& table, const char* key, const std::optional<double>& value) {
    if (value) put(table, key, *value);
  };
  Json values = Json::array(), orders = Json::array(), remarks = Json::array();
  for (std::size_t i = 0; i < series.members.size(); ++i) {
    Json entry{{"member", series.members[i]->name}, {"size", series.series.sizes[i]}};
    put_if(entry, "value", result.measurement.values[i]);
    values.push_back(entry);
  }
  for (const LocalOrder& local : result.convergence.local_orders) {
    Json entry{{"finest", static_cast<int64_t>(local.finest)}};
    put_if(entry, "order", local.order);
    orders.push_back(entry);
  }
  for (const std::string& remark : result.remarks) remarks.push_back(remark);
  Json table{{"name", result.quantity->name},
             {"unit", result.quantity->unit},
             {"values", values},
             {"local_orders", orders},
             {"remarks", remarks},
             {"asked", result.quantity->order || result.quantity->within},
             {"as_asked", result.as_asked}};
  put_if(table, "order", result.convergence.order);
  put_if(table, "standard_error", result.convergence.standard_error);
  put_if(table, "extrapolated", result.convergence.extrapolated);
  put_if(table, "gci", result.convergence.gci);
  put_if(table, "relative_gci", result.convergence.relative_gci);
  return table;
}

void write_json(const StudyResult& result, const fs::path& folder) {
  Json series = Json::array(), warnings = Json::array(), members = Json::array();
  for (const SeriesResult& one : result.series) {
    Json quantities = Json::array();
    for (const QuantityResult& quantity : one.quantities)
      quantities.push_back(json_of(quantity, one));
    series.push_back(Json{{"name", one.name}, {"quantities", quantities}});
  }
  for (const std::string& warning : result.warnings) warnings.push_back(warning);
  for (std::size_t i = 0; i < result.members.size(); ++i)
    members.push_back(Json{{"name", result.members[i].name},
                           {"finished", result.outcomes[i].finished},
                           {"reason", result.outcomes[i].reason}});
  Json root{{"study", result.study.name},
            {"members", members},
            {"series", series},
            {"warnings", warnings}};
  if (result.study.samples)
    for (std::size_t q = 0; q < result.study.quantities.size(); ++q)
      root["samples"].push_back(sample_json(result, q));
  write_result(folder, "study.json", [&](std::ostream& out) { out << indented_text(root); });
}

/// In quotes where it must be.
std::string csv_field(const std::string& text) {
  if (text.find_first_of(",\" ") == std::string::npos) return text;
  std::string field = "\"";
  for (const char c : text) field.append(c == '"' ? 2 : 1, c);
  field.push_back('"');
  return field;
}

void write_csv(const StudyResult& result, const fs::path& folder) {
  write_result(folder, "study.csv", [&](std::ostream& out) {
    out << "member,quantity";
    for (const StudyAxis& axis : result.study.axes) out << ',' << axis.key;
    out << ",value\n";
    for (const SeriesResult& series : result.series)
      for (const QuantityResult& quantity : series.quantities)
        for (std::size_t i = 0; i < series.members.size(); ++i) {
          if (!quantity.measurement.values[i]) continue;
          out << series.members[i]->name << ',' << csv_field(quantity.quantity->name);
          for (std::size_t a = 0; a < result.study.axes.size(); ++a)
            out << ',' << csv_field(result.study.axes[a].values[series.members[i]->values[a]]);
          out << fmt::format(",{}\n", *quantity.measurement.values[i]);
        }
  });
}

/// Errors where there are any, the values themselves otherwise.
Chart chart_of(const StudyResult& result, std::size_t q) {
  const StudyAxis& axis = result.study.axes.front();
  const StudyQuantity& quantity = result.study.quantities[q];
  std::vector<Curve> errors, values;
  for (const SeriesResult& series : result.series) {
    if (series.quantities.empty()) continue;
    const QuantityResult& measured = series.quantities[q];
    Curve error{series.name.empty() ? quantity.name : series.name, {}, {}}, value = error;
    for (const std::size_t i : measured_by_size(series, measured)) {
      const double x = series.series.sizes[i], y = *measured.measurement.values[i];
      value.x.push_back(x);
      value.y.push_back(y);
      const auto e = error_of(measured, y);
      if (!e || *e == 0.0) continue;
      error.x.push_back(x);
      error.y.push_back(*e);
    }
    errors.push_back(error);
    values.push_back(value);
  }
  const bool has_errors = std::any_of(errors.begin(), errors.end(),
                                      [](const Curve& curve) { return curve.x.size() > 1; });
  const Axis size{axis.short_name(), axis.unit, AxisScale::linear, {}, {}};
  if (!has_errors || !axis.refines())
    return profile_chart(quantity.name, size,
                         {quantity.name, quantity.unit, AxisScale::linear, {}, {}}, values);
  const std::vector<double> slopes{quantity.order.value_or(1.0)};
  return error_chart(quantity.name, size, {"error", quantity.unit, AxisScale::linear, {}, {}},
                     errors, quantity.order ? slopes : std::vector<double>{1.0, 2.0});
}

/// The members' lines over each other, per series.
void write_profiles(const StudyResult& result, std::size_t q, const fs::path& out) {
  const StudyQuantity& quantity = result.study.quantities[q];
  const auto* profile = std::get_if<ProfileQuantity>(&quantity.what);
  if (!profile) return;
  for (const SeriesResult& series : result.series) {
    std::vector<Curve> curves;
    for (std::size_t i = 0; i < series.members.size(); ++i) {
      const MemberResults* member = series.series.results[i];
      if (!member) continue;
      const Case& c = member->c();
      LineFrame line = member->line_at(profile->array, time_of(quantity, c));
      curves.push_back({series.members[i]->name, std::move(line.s), std::move(line.values)});
    }
    const Chart chart = profile_chart(
        after_name(quantity.name, series.name), {"position", "", AxisScale::linear, {}, {}},
        {profile->array, quantity.unit, AxisScale::linear, {}, {}}, curves);
    const std::string name = as_file_name(quantity.name + " profile " + series.name);
    write_result(out, "figures/" + name + ".svg",
                 [&](std::ostream& stream) { stream << draw_chart(chart).svg; });
  }
}

/// What the members cost; apart from the rest, as it is never the same twice.
void write_cost(const StudyResult& result, const fs::path& out) {
  write_result(out, "cost.csv", [&](std::ostream& stream) {
    stream << "member,seconds\n";
    for (std::size_t i = 0; i < result.members.size(); ++i)
      if (const auto& seconds = result.outcomes[i].seconds)
        stream << fmt::format("{},{:.3f}\n", result.members[i].name, *seconds);
  });
  const StudyAxis& axis = result.study.axes.front();
  if (!axis.is_size()) return;
  std::vector<Curve> curves;
  for (const SeriesResult& series : result.series) {
    Curve curve{series.name.empty() ? "run" : series.name, {}, {}};
    for (std::size_t i = 0; i < series.members.size(); ++i) {
      const MemberOutcome& outcome =
          result.outcomes[static_cast<std::size_t>(series.members[i] - result.members.data())];
      if (!outcome.seconds) continue;
      curve.x.push_back(series.series.sizes[i]);
      curve.y.push_back(*outcome.seconds);
    }
    curves.push_back(curve);
  }
  const Chart chart =
      cost_chart("cost", {axis.short_name(), axis.unit, AxisScale::linear, {}, {}}, curves);
  write_result(out, "figures/cost.svg",
               [&](std::ostream& stream) { stream << draw_chart(chart).svg; });
}

}  // namespace

std::string study_page(const StudyResult& result) {
  std::string page = fmt::format("# {}\n\nBase case `{}`.\n", result.study.name,
                                 result.study.case_file.filename().string());
  for (const std::string& warning : result.warnings)
    page += fmt::format("\n**Warning: {}.**\n", warning);
  if (result.study.samples)
    for (std::size_t q = 0; q < result.study.quantities.size(); ++q)
      page += sample_section(result, q);
  else
    page += series_sections(result);
  return page + "\n## Members\n\n" + members_section(result);
}

void write_study(const StudyResult& result, const fs::path& out) {
  files::make_folder(out / "figures");
  write_csv(result, out);
  write_json(result, out);
  write_result(out, "study.md", [&](std::ostream& stream) { stream << study_page(result); });
  for (std::size_t q = 0; q < result.study.quantities.size(); ++q) {
    write_result(out, "figures/" + as_file_name(result.study.quantities[q].name) + ".svg",
                 [&](std::ostream& stream) { stream << draw_chart(chart_of(result, q)).svg; });
    write_profiles(result, q, out);
  }
  write_cost(result, out);
}

}  // namespace slipwave::app
