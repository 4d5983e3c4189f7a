#include "app/study/study_file.hpp"

#include "app/case/toml_reader.hpp"
#include "app/messages/user_error.hpp"
#include "app/results/energy_csv.hpp"
#include "files/new_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

namespace slipwave::app {

namespace {

const std::vector<std::string> field_names{"displacement", "velocity"};

/// The values of an enum by the names that a study file gives them.
template <class Value, std::size_t count>
using Named = std::array<std::pair<std::string_view, Value>, count>;

constexpr Named<LedgerQuantity::When, 3> extremes{{{"max", LedgerQuantity::When::maximum},
                                                   {"min", LedgerQuantity::When::minimum},
                                                   {"duration", LedgerQuantity::When::duration}}};
constexpr Named<ErrorQuantity::Norm, 4> norms{{{"L2", ErrorQuantity::Norm::L2},
                                               {"H1", ErrorQuantity::Norm::H1},
                                               {"energy", ErrorQuantity::Norm::energy},
                                               {"max", ErrorQuantity::Norm::maximum}}};
constexpr Named<ContactQuantity::Of, 4> contact_figures{{{"max", ContactQuantity::Of::maximum},
                                                         {"mean", ContactQuantity::Of::mean},
                                                         {"extent", ContactQuantity::Of::extent},
                                                         {"spread", ContactQuantity::Of::spread}}};
constexpr Named<SurfaceSignal, 3> signals{{{"magnitude", SurfaceSignal::magnitude},
                                           {"tangential", SurfaceSignal::tangential},
                                           {"normal", SurfaceSignal::normal}}};
constexpr Named<ModeQuantity::Of, 2> mode_figures{
    {{"growth", ModeQuantity::Of::growth}, {"phase speed", ModeQuantity::Of::phase_speed}}};
constexpr Named<ForceQuantity::Of, 5> force_figures{{{"mean", ForceQuantity::Of::mean},
                                                     {"min", ForceQuantity::Of::minimum},
                                                     {"max", ForceQuantity::Of::maximum},
                                                     {"final", ForceQuantity::Of::last},
                                                     {"period", ForceQuantity::Of::period}}};
constexpr Named<BodyQuantity::Of, 5> body_figures{{{"x", BodyQuantity::Of::x},
                                                   {"y", BodyQuantity::Of::y},
                                                   {"z", BodyQuantity::Of::z},
                                                   {"distance", BodyQuantity::Of::distance},
                                                   {"speed", BodyQuantity::Of::speed}}};
constexpr Named<BodyQuantity::When, 2> body_extremes{
    {{"max", BodyQuantity::When::maximum}, {"min", BodyQuantity::When::minimum}}};
/// What the contact lines have one number per node of.
const std::vector<std::string> line_arrays{"gap",      "impulse_normal", "impulse_tangential",
                                           "pressure", "shear_traction", "tangential_velocity",
                                           "status"};

std::optional<double> optional_number(TableReader& table, const std::string& key) {
  if (!table.has(key)) return std::nullopt;
  return table.number(key);
}

/// A formula of x, y and t, or a number.
std::optional<Formula> formula_or_number(TableReader& table, const std::string& key) {
  if (!table.has(key)) return std::nullopt;
  if (const auto formula = table.formula(key, {"x", "y", "t"})) return formula;
  return [value = table.number(key)](const double*) { return value; };
}

StudyAxis read_axis(TableReader& table) {
  StudyAxis axis;
  axis.key = table.text("key");
  if (axis.key.starts_with("output."))
    table.fail("key", "what members write is the study's own; choose another key");
  axis.values = table.value_list("values");
  axis.unit = table.text("unit", "");
  if (axis.values.empty()) table.fail("values", "expected at least one value in brackets");
  for (std::size_t i = 0; i < axis.values.size(); ++i)
    if (std::count(axis.values.begin(), axis.values.end(), axis.values[i]) > 1)
      table.fail("values", fmt::format("{} is there twice", axis.values[i]));
  if (table.has("courant")) {
    axis.courant = table.positive("courant");
    if (axis.key != "mesh.size" || !axis.is_size())
      table.fail("courant", "ties time.step to the values of mesh.size; this axis is another");
  }
  table.finish();
  return axis;
}

LedgerQuantity read_ledger(TableReader& table, bool at_time) {
  LedgerQuantity quantity;
  std::vector<std::string> columns = ledger_columns();
  columns.emplace_back(LedgerQuantity::contact_work);
  quantity.column = columns[table.choice("ledger", columns, std::nullopt)];
  if (!table.has("extreme")) return quantity;
  if (at_time) table.fail("extreme", "is over all times; leave out `at`");
  quantity.when = table.choice("extreme", extremes);
  return quantity;
}

ProbeQuantity read_probe(TableReader& table) {
  ProbeQuantity quantity;
  quantity.point = table.vector("probe");
  const std::size_t index = table.choice(
      "field", {"displacement_x", "displacement_y", "velocity_x", "velocity_y"}, std::nullopt);
  quantity.field = field_names[index / 2];
  quantity.component = static_cast<int>(index % 2);
  return quantity;
}

ErrorQuantity read_error(TableReader& table) {
  ErrorQuantity quantity;
  quantity.norm = table.choice("error", norms, {ErrorQuantity::Norm::L2});
  quantity.field = field_names[table.choice("field", field_names, 0)];
  quantity.x = formula_or_number(table, "exact_x");
  quantity.y = formula_or_number(table, "exact_y");
  if (quantity.x.has_value() != quantity.y.has_value())
    table.fail(quantity.x ? "exact_x" : "exact_y",
               "give exact_x and exact_y, or none of them to compare with the finest");
  return quantity;
}

ContactQuantity read_contact_quantity(TableReader& table) {
  ContactQuantity quantity;
  quantity.array = line_arrays[table.choice("contact", line_arrays, std::nullopt)];
  quantity.of = table.choice("of", contact_figures, {ContactQuantity::Of::maximum});
  if (quantity.of == ContactQuantity::Of::extent) quantity.value = optional_number(table, "value");
  return quantity;
}

WaveQuantity read_wave(TableReader& table) {
  std::vector<std::string> keys;
  for (const WaveClassKey& entry : wave_classes()) keys.emplace_back(entry.key);
  WaveQuantity quantity;
  quantity.type = wave_classes()[table.choice("wave", keys, std::nullopt)].type;
  quantity.signal = table.choice("signal", signals, {SurfaceSignal::magnitude});
  return quantity;
}

Window read_window(TableReader& table, const std::string& from, const std::string& to) {
  Window window;
  window.from = optional_number(table, from).value_or(window.from);
  window.to = optional_number(table, to).value_or(window.to);
  if (window.to <= window.from) table.fail(to, fmt::format("must be more than {}", from));
  return window;
}

ModeQuantity read_mode(TableReader& table) {
  ModeQuantity quantity;
  quantity.wavelength = table.positive("mode");
  quantity.of = table.choice("of", mode_figures);
  quantity.x = read_window(table, "x_from", "x_to");
  quantity.t = read_window(table, "from", "to");
  return quantity;
}

ForceQuantity read_force(TableReader& table, bool at_time) {
  ForceQuantity quantity;
  quantity.column = table.text("forces");
  quantity.of = table.choice("of", force_figures, {ForceQuantity::Of::mean});
  if (at_time) table.fail("at", "is for one time; forces have from and to");
  quantity.t = read_window(table, "from", "to");
  return quantity;
}

BodyQuantity read_body_quantity(TableReader& table, bool at_time) {
  BodyQuantity quantity;
  quantity.body = table.text("body");
  quantity.of = table.choice("of", body_figures);
  if (!table.has("extreme")) return quantity;
  if (at_time) table.fail("extreme", "is over all times; leave out `at`");
  quantity.when = table.choice("extreme", body_extremes);
  return quantity;
}

DisplacedQuantity read_displaced(TableReader& table) {
  DisplacedQuantity quantity;
  for (const std::string& group : table.value_list("displaced")) {
    if (group.size() < 2 || group.front() != '"')
      table.fail("displaced", "expected names of groups in brackets, such as [\"wall\"]");
    quantity.groups.push_back(group.substr(1, group.size() - 2));
  }
  quantity.by = table.positive("by");
  return quantity;
}

/// What can be asked of which quantity.
void require_sense(TableReader& table, const StudyQuantity& quantity) {
  const auto* error = std::get_if<ErrorQuantity>(&quantity.what);
  const bool compares = error || std::holds_alternative<ProfileQuantity>(quantity.what);
  if (compares && quantity.exact)
    table.fail("exact",
               "is for a value; an error has exact_x and exact_y, a profile the finest member");
  if (quantity.of_history() && quantity.at)
    table.fail("at", "is for one time; this is measured over the whole run");
  if (!quantity.within) return;
  if (compares ? !error || error->against_finest() : !quantity.exact)
    table.fail("within", "needs something exact to be within");
}

StudyQuantity read_quantity(TableReader& table) {
  StudyQuantity quantity;
  quantity.name = table.text("name");
  quantity.unit = table.text("unit", "");
  quantity.at = optional_number(table, "at");
  quantity.exact_of_h = table.formula("exact", {"h"});
  quantity.exact = quantity.exact_of_h ? 1.0 : optional_number(table, "exact");
  quantity.order = optional_number(table, "order");
  if (table.has("within")) quantity.within = table.positive("within");
  const int kinds = table.has("ledger") + table.has("probe") + table.has("error") +
                    table.has("profile") + table.has("contact") + table.has("wave") +
                    table.has("mode") + table.has("forces") + table.has("body") +
                    table.has("displaced");
  if (kinds != 1)
    table.fail(
        "name",
        "expected one of ledger, probe, error, profile, contact, wave, mode, forces, body and "
        "displaced to say what it is");
  if (table.has("ledger")) quantity.what = read_ledger(table, quantity.at.has_value());
  if (table.has("probe")) quantity.what = read_probe(table);
  if (table.has("error")) quantity.what = read_error(table);
  if (table.has("profile"))
    quantity.what =
        ProfileQuantity{line_arrays[table.choice("profile", line_arrays, std::nullopt)]};
  if (table.has("contact")) quantity.what = read_contact_quantity(table);
  if (table.has("wave")) quantity.what = read_wave(table);
  if (table.has("mode")) quantity.what = read_mode(table);
  if (table.has("forces")) quantity.what = read_force(table, quantity.at.has_value());
  if (table.has("body")) quantity.what = read_body_quantity(table, quantity.at.has_value());
  if (table.has("displaced")) quantity.what = read_displaced(table);
  require_sense(table, quantity);
  table.finish();
  return quantity;
}

/// Names that are there twice, and comparisons with a finest member where nothing refines.
void refuse_repetition(const Study& study, const std::string& file) {
  for (std::size_t i = 0; i < study.axes.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (study.axes[i].key == study.axes[j].key)
        throw UserError(fmt::format("{}: axis[{}].key = \"{}\": is an axis already", file, i,
                                    study.axes[i].key));
  for (std::size_t i = 0; i < study.quantities.size(); ++i) {
    const StudyQuantity& quantity = study.quantities[i];
    const auto* error = std::get_if<ErrorQuantity>(&quantity.what);
    if ((error && error->against_finest()) ||
        std::holds_alternative<ProfileQuantity>(quantity.what))
      if (!study.axes.front().refines())
        throw UserError(
            fmt::format("{}: quantity[{}]: compares with the finest member; the first axis "
                        "must be mesh.size or time.step",
                        file, i));
    for (std::size_t j = 0; j < i; ++j)
      if (quantity.name == study.quantities[j].name)
        throw UserError(fmt::format("{}: quantity[{}].name = \"{}\": is a quantity already", file,
                                    i, quantity.name));
  }
}

}  // namespace

std::string StudyAxis::short_name() const { return key.substr(key.rfind('.') + 1); }

bool StudyAxis::is_size() const {
  return std::all_of(values.begin(), values.end(), [](const std::string& text) {
    double value = 0.0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc() && end == text.data() + text.size() && value > 0.0;
  });
}

Study read_study(const std::string& file) {
  if (!std::filesystem::exists(file)) throw UserError(file + ": no such study file");
  const TomlSource source = read_toml(file, {});
  toml::table resolved;
  TableReader root(source, &source.root, &resolved, "");
  Study study;
  study.name = std::filesystem::path(file).stem().string();
  study.text = files::text_of(file);
  const std::filesystem::path base = root.text("case");
  study.case_file = base.is_absolute() ? base : std::filesystem::path(file).parent_path() / base;
  for (const std::string& replacement : root.value_list("set")) {
    if (replacement.size() < 2 || replacement.front() != '"')
      root.fail("set", "expected strings such as \"contact.friction=0.3\"");
    study.set.push_back(replacement.substr(1, replacement.size() - 2));
  }
  for (TableReader& table : root.tables("axis")) study.axes.push_back(read_axis(table));
  if (study.axes.empty()) throw UserError(file + ": axis: this section is missing");
  for (TableReader& table : root.tables("quantity"))
    study.quantities.push_back(read_quantity(table));
  if (study.quantities.empty()) throw UserError(file + ": quantity: this section is missing");
  study.samples = root.flag("samples", false);
  if (study.samples && study.axes.front().refines())
    root.fail("samples", "the first axis refines: its values are no sample of one thing");
  root.finish();
  refuse_repetition(study, file);
  return study;
}

}  // namespace slipwave::app
