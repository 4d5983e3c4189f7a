#include "app/case/toml_reader.hpp"

#include "app/messages/spelling.hpp"
#include "app/messages/user_error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string_view>

namespace slipwave::app {

namespace {

/// One step of a path: a key and, for contact[1], an index.
struct PathStep {
  std::string key;
  std::optional<std::size_t> index;
};

std::vector<PathStep> parse_path(const std::string& text) {
  std::vector<PathStep> path;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, '.');) {
    PathStep step{part, std::nullopt};
    const auto bracket = part.find('[');
    if (bracket != std::string::npos) {
      step.key = part.substr(0, bracket);
      const std::string digits = part.substr(bracket + 1, part.size() - bracket - 2);
      if (part.back() != ']' || digits.empty() || digits.size() > 6 ||
          digits.find_first_not_of("0123456789") != std::string::npos)
        throw UserError(fmt::format("--set {}: expected an index such as contact[0]", text));
      step.index = std::stoul(digits);
    }
    if (step.key.empty())
      throw UserError(fmt::format("--set {}: expected a key such as time.step", text));
    path.push_back(step);
  }
  if (path.empty()) throw UserError("--set: expected KEY=VALUE, such as time.step=1e-3");
  if (text.back() == '.' || path.size() > 10)
    throw UserError(fmt::format("--set {}: expected a key such as time.step", text.substr(0, 60)));
  return path;
}

/// The place after a string that begins at `start`, in one or in three quotation marks.
std::size_t end_of_string(const std::string& text, std::size_t start) {
  const char mark = text[start];
  const std::string close(text.compare(start, 3, std::string(3, mark)) == 0 ? 3 : 1, mark);
  for (std::size_t i = start + close.size(); i < text.size(); ++i) {
    if (mark == '"' && text[i] == '\\') {
      ++i;
    } else if (text.compare(i, close.size(), close) == 0) {
      // Of five marks the first two belong to the string.
      const std::size_t most = close.size() == 3 ? i + 5 : i + 1;
      return std::min({text.find_first_not_of(mark, i), most, text.size()});
    }
  }
  return text.size();
}

/// The text, line for line, with strings and comments blanked out.
std::string without_strings(std::string text) {
  for (std::size_t i = 0; i < text.size();) {
    const bool is_string = text[i] == '"' || text[i] == '\'';
    const std::size_t end = is_string        ? end_of_string(text, i)
                            : text[i] == '#' ? std::min(text.find('\n', i), text.size())
                                             : i + 1;
    for (std::size_t k = i; end > i + 1 && k < end; ++k)
      if (text[k] != '\n') text[k] = ' ';
    i = end;
  }
  return text;
}

/// The parser makes a table in a table of every dot in a key, and would run out of stack. Takes a
/// text without strings.
void refuse_deep_keys(const std::string& text, const std::string& file) {
  constexpr int most_dots = 20;
  int dots = 0, line = 1;
  for (const char c : text) {
    if (std::string_view("=,[]{}\n").find(c) != std::string_view::npos) dots = 0;
    if (c == '.' && ++dots > most_dots)
      throw UserError(fmt::format("{}:{}: not valid TOML: a key with more than {} dots", file, line,
                                  most_dots));
    if (c == '\n') ++line;
  }
}

toml::table parse_text(const std::string& text, const std::string& file) {
  refuse_deep_keys(without_strings(text), file);
  try {
    return toml::parse(text, file);
  } catch (const toml::parse_error& error) {
    throw UserError(fmt::format("{}:{}: not valid TOML: {}", file, error.source().begin.line,
                                error.description()));
  }
}

std::string text_of_file(const std::string& file) {
  if (!std::filesystem::exists(file)) throw UserError(file + ": no such case file");
  if (!std::filesystem::is_regular_file(file))
    throw UserError(file + ": not a file; expected a case file in TOML");
  std::ifstream stream(file, std::ios::binary);
  if (!stream) throw UserError(file + ": cannot be read");
  return {std::istreambuf_iterator<char>(stream), {}};
}

/// The value as TOML, or as a string if it is not TOML: --set time.scheme=moreau-jean needs no
/// quotes.
toml::table parse_value(const std::string& text) {
  refuse_deep_keys(without_strings(text), "--set");
  try {
    toml::table parsed = toml::parse("value = " + text);
    if (parsed.size() == 1) return parsed;
  } catch (const toml::parse_error&) {
  }
  return toml::table{{"value", text}};
}

/// Sets or, without a value, removes table.key[index].
void set_element(toml::table& table, const PathStep& step, const toml::node* value,
                 const std::string& text) {
  auto* array = table[step.key].as_array();
  if (!array) throw UserError(fmt::format("--set {}: {} is not an array", text, step.key));
  if (*step.index >= array->size())
    throw UserError(fmt::format("--set {}: {} has only {} entries", text, step.key, array->size()));
  const auto place = array->begin() + static_cast<std::ptrdiff_t>(*step.index);
  if (value)
    value->visit([&](const auto& node) { array->replace(place, node); });
  else
    array->erase(place);
}

/// Sets path = value below a table (no value: removes the key); a key that is an array of tables is
/// entered at every element.
void set_below(TomlSource& source, toml::table& table, const std::vector<PathStep>& path,
               std::size_t depth, const toml::node* value, const std::string& prefix,
               const std::string& text) {
  const PathStep& step = path[depth];
  const std::string here = prefix.empty() ? step.key : prefix + "." + step.key;
  if (depth + 1 == path.size()) {
    if (step.index)
      set_element(table, step, value, text);
    else if (value)
      value->visit([&](const auto& node) { table.insert_or_assign(step.key, node); });
    else
      table.erase(step.key);
    source.replaced[here] = text;
    return;
  }
  if (auto* array = table[step.key].as_array()) {
    for (std::size_t i = 0; i < array->size(); ++i) {
      auto* element = (*array)[i].as_table();
      if (!element || (step.index && *step.index != i)) continue;
      set_below(source, *element, path, depth + 1, value, fmt::format("{}[{}]", here, i), text);
    }
    if (step.index && *step.index >= array->size())
      throw UserError(fmt::format("--set {}: {} has only {} entries", text, here, array->size()));
    return;
  }
  if (!table.contains(step.key)) table.insert(step.key, toml::table{});
  auto* child = table[step.key].as_table();
  if (!child || step.index)
    throw UserError(
        fmt::format("--set {}: {} is not {}", text, here, child ? "an array" : "a table"));
  set_below(source, *child, path, depth + 1, value, here, text);
}

/// A number of a key; the parser gives no double for whole numbers beyond 2^53.
double double_of(const TableReader& table, const std::string& key, const toml::node& node) {
  if (const std::optional<double> value = node.value<double>()) return *value;
  table.fail(key,
             "a whole number beyond 2^53 = 9007199254740992 may not be exact; write it with a "
             "decimal point, such as 9.007e15");
}

}  // namespace

std::string to_text(const toml::node& node) {
  if (const auto* number = node.as_floating_point()) return fmt::format("{}", number->get());
  if (const auto* text = node.as_string()) return fmt::format("\"{}\"", text->get());
  if (const auto* array = node.as_array()) {
    std::string list;
    for (const toml::node& element : *array) list += (list.empty() ? "" : ", ") + to_text(element);
    return "[" + list + "]";
  }
  std::ostringstream out;
  node.visit([&](const auto& value) { out << value; });
  return out.str();
}

TomlSource read_toml(const std::string& file, const std::vector<std::string>& replacements) {
  TomlSource source{file, parse_text(text_of_file(file), file), {}};
  for (const std::string& replacement : replacements) {
    const auto equals = replacement.find('=');
    if (equals == std::string::npos)
      throw UserError(
          fmt::format("--set {}: expected KEY=VALUE, such as time.step=1e-3", replacement));
    const std::string text = replacement.substr(equals + 1);
    const toml::table value = text.empty() ? toml::table{} : parse_value(text);
    set_below(source, source.root, parse_path(replacement.substr(0, equals)), 0, value.get("value"),
              "", replacement);
  }
  return source;
}

TableReader::TableReader(const TomlSource& source, const toml::table* table, toml::table* resolved,
                         std::string path)
    : source_(&source), table_(table), resolved_(resolved), path_(std::move(path)) {}

std::string TableReader::path_of(const std::string& key) const {
  return path_.empty() ? key : path_ + "." + key;
}

std::string TableReader::where(const std::string& key) const {
  if (source_->replaced.contains(path_of(key))) return "--set";
  const toml::node* node = table_ ? table_->get(key) : nullptr;
  // What --set inserts has no line.
  if (node && node->source().begin.line == 0) return "--set";
  if (!node) node = table_;
  const auto line = node ? node->source().begin.line : 0;
  return line > 0 ? fmt::format("{}:{}", source_->file, line) : source_->file;
}

void TableReader::fail(const std::string& key, const std::string& what) const {
  const toml::node* node = table_ ? table_->get(key) : nullptr;
  const bool simple = node && !node->is_table() && !node->is_array_of_tables();
  const std::string value = simple ? fmt::format(" = {}", to_text(*node)) : "";
  throw UserError(fmt::format("{}: {}{}: {}", where(key), path_of(key), value, what));
}

void TableReader::know(const std::string& key) {
  if (std::find(known_.begin(), known_.end(), key) == known_.end()) known_.push_back(key);
}

bool TableReader::has(const std::string& key) {
  know(key);
  return table_ && table_->contains(key);
}

bool TableReader::has_number(const std::string& key) {
  const toml::node* node = find(key);
  return node && node->is_number();
}

void TableReader::rename(const std::string& key, const std::string& name) {
  renamed_[name] = key;
  renamed_[key] = "";
  resolved_->erase(key);
}

const toml::node* TableReader::find(const std::string& key) {
  know(key);
  const auto renamed = renamed_.find(key);
  const std::string& given = renamed == renamed_.end() ? key : renamed->second;
  return table_ && !given.empty() ? table_->get(given) : nullptr;
}

const toml::node* TableReader::require(const std::string& key, bool has_fallback) {
  const toml::node* node = find(key);
  if (node || has_fallback) return node;
  refuse_misspelling_of(key);
  throw UserError(fmt::format("{}: {}: this key is missing", where(key), path_of(key)));
}

void TableReader::refuse_misspelling_of(const std::string& key) const {
  if (!table_) return;
  for (const auto& [other, node] : *table_) {
    const std::string name(other.str());
    if (std::find(known_.begin(), known_.end(), name) == known_.end() && resembles(name, key))
      throw UserError(fmt::format("{}: {}: unknown key; did you mean {}?", where(name),
                                  path_of(name), path_of(key)));
  }
}

template <class T>
void TableReader::resolve(const std::string& key, T value) {
  resolved_->insert_or_assign(key, std::move(value));
}

double TableReader::number(const std::string& key, std::optional<double> fallback) {
  const toml::node* node = require(key, fallback.has_value());
  if (node && !node->is_number()) fail(key, "expected a number");
  const double value = node ? double_of(*this, key, *node) : *fallback;
  if (!std::isfinite(value)) fail(key, "must be a finite number");
  resolve(key, value);
  return value;
}

double TableReader::positive(const std::string& key, std::optional<double> fallback) {
  const double value = number(key, fallback);
  if (!(value > 0.0)) fail(key, "must be greater than 0");
  return value;
}

double TableReader::at_least_zero(const std::string& key, std::optional<double> fallback) {
  const double value = number(key, fallback);
  if (value < 0.0) fail(key, "must be at least 0");
  return value;
}

double TableReader::within(const std::string& key, double low, double high,
                           std::optional<double> fallback) {
  const double value = number(key, fallback);
  if (value < low || value > high)
    fail(key, fmt::format("must be between {:g} and {:g}", low, high));
  return value;
}

int TableReader::integer(const std::string& key, std::optional<int> fallback) {
  const toml::node* node = require(key, fallback.has_value());
  if (node && !node->is_integer()) fail(key, "expected a whole number");
  const auto value = node ? node->value<int64_t>().value() : int64_t{*fallback};
  if (value < 0 || value > std::numeric_limits<int>::max())
    fail(key, "must be a whole number from 0 to 2147483647");
  resolve(key, value);
  return static_cast<int>(value);
}

double TableReader::duration(const std::string& key, std::optional<std::string> fallback) {
  static const std::map<std::string, double> seconds_in{{"s", 1.0}, {"min", 60.0}, {"h", 3600.0}};
  const std::string wanted =
      "expected a duration in quotes, such as \"30 s\", \"10 min\", \"23 h\"";
  if (has_number(key)) fail(key, wanted);
  std::istringstream words(text(key, std::move(fallback)));
  double value = 0.0;
  std::string unit, rest;
  words >> value >> unit;
  const auto found = seconds_in.find(unit);
  if (found == seconds_in.end() || words >> rest) fail(key, wanted);
  if (!(value > 0.0)) fail(key, "must be greater than 0");
  return value * found->second;
}

bool TableReader::flag(const std::string& key, bool fallback) {
  const toml::node* node = find(key);
  if (node && !node->is_boolean()) fail(key, "expected true or false");
  const bool value = node ? node->value<bool>().value() : fallback;
  resolve(key, value);
  return value;
}

std::string TableReader::text(const std::string& key, std::optional<std::string> fallback) {
  const toml::node* node = require(key, fallback.has_value());
  if (node && !node->is_string()) fail(key, "expected a string in quotes");
  const std::string value = node ? node->value<std::string>().value() : *fallback;
  if (value.find('\0') != std::string::npos)  // not shown: it would end the message
    throw UserError(
        fmt::format("{}: {}: must not contain a NUL character", where(key), path_of(key)));
  resolve(key, value);
  return value;
}

std::filesystem::path TableReader::path(const std::string& key) {
  const std::filesystem::path given = text(key);
  const std::filesystem::path file =
      given.is_absolute() ? given : std::filesystem::path(source_->file).parent_path() / given;
  resolve(key, std::filesystem::absolute(file).lexically_normal().string());
  return file;
}

Eigen::Vector2d TableReader::vector(const std::string& key,
                                    std::optional<Eigen::Vector2d> fallback) {
  const toml::node* node = require(key, fallback.has_value());
  Eigen::Vector2d value = fallback.value_or(Eigen::Vector2d::Zero());
  if (node) {
    const auto* array = node->as_array();
    if (!array || array->size() != 2 || !(*array)[0].is_number() || !(*array)[1].is_number())
      fail(key, "expected two numbers, [x, y]");
    value = {double_of(*this, key, (*array)[0]), double_of(*this, key, (*array)[1])};
  }
  if (!value.allFinite()) fail(key, "must be two finite numbers");
  resolve(key, toml::array{value[0], value[1]});
  return value;
}

Eigen::VectorXd TableReader::numbers(const std::string& key, int count,
                                     std::optional<Eigen::VectorXd> fallback) {
  const toml::node* node = require(key, fallback.has_value());
  Eigen::VectorXd values = fallback.value_or(Eigen::VectorXd::Zero(count));
  const auto* array = node ? node->as_array() : nullptr;
  if (node && (!array || static_cast<int>(array->size()) != count))
    fail(key, fmt::format("expected {} numbers or formulas in brackets", count));
  toml::array resolved;
  for (int i = 0; i < count; ++i) {
    if (array) {
      const toml::node& element = (*array)[static_cast<std::size_t>(i)];
      if (!element.is_number() && !element.is_string())
        fail(key, fmt::format("expected {} numbers or formulas in brackets", count));
      const std::string here = fmt::format("{}: {}[{}]", where(key), path_of(key), i);
      values[i] = element.is_number()
                      ? double_of(*this, key, element)
                      : parse_formula(element.value<std::string>().value(), {}, here)(nullptr);
    }
    if (!std::isfinite(values[i])) fail(key, "must be finite numbers");
    resolved.push_back(values[i]);
  }
  resolve(key, std::move(resolved));
  return values;
}

std::vector<double> TableReader::number_list(const std::string& key) {
  const toml::node* node = find(key);
  if (!node) return {};
  const auto* array = node->as_array();
  if (!array) fail(key, "expected numbers in brackets");
  std::vector<double> values;
  toml::array resolved;
  for (const toml::node& element : *array) {
    if (!element.is_number()) fail(key, "expected numbers in brackets");
    values.push_back(double_of(*this, key, element));
    if (!std::isfinite(values.back())) fail(key, "must be finite numbers");
    resolved.push_back(values.back());
  }
  resolve(key, std::move(resolved));
  return values;
}

std::vector<Eigen::VectorXd> TableReader::number_rows(const std::string& key, int columns) {
  const toml::node* node = require(key, false);
  const std::string wanted =
      fmt::format("expected rows of {} numbers, [[...], [...], ...]", columns);
  if (!node->is_array()) fail(key, wanted);
  std::vector<Eigen::VectorXd> rows;
  for (const toml::node& element : *node->as_array()) {
    const auto* row = element.as_array();
    if (!row || static_cast<int>(row->size()) != columns) fail(key, wanted);
    Eigen::VectorXd& values = rows.emplace_back(columns);
    for (int i = 0; i < columns; ++i) {
      const toml::node& number = (*row)[static_cast<std::size_t>(i)];
      if (!number.is_number()) fail(key, wanted);
      values[i] = double_of(*this, key, number);
    }
    if (!values.allFinite()) fail(key, "must be finite numbers");
  }
  resolve(key, *node->as_array());
  return rows;
}

std::vector<std::string> TableReader::texts(const std::string& key, std::size_t count,
                                            const std::vector<std::string>& fallback) {
  const toml::node* node = find(key);
  const auto* array = node ? node->as_array() : nullptr;
  const std::string wanted = fmt::format("expected {} strings in brackets", count);
  if (node && (!array || array->size() != count)) fail(key, wanted);
  std::vector<std::string> values = node ? std::vector<std::string>{} : fallback;
  for (std::size_t i = 0; array && i < count; ++i) {
    if (!(*array)[i].is_string()) fail(key, wanted);
    values.push_back((*array)[i].value<std::string>().value());
  }
  toml::array resolved;
  for (const std::string& value : values) resolved.push_back(value);
  resolve(key, std::move(resolved));
  return values;
}

std::vector<std::string> TableReader::value_list(const std::string& key) {
  const toml::node* node = find(key);
  if (!node) return {};
  const auto* array = node->as_array();
  if (!array) fail(key, "expected values in brackets");
  std::vector<std::string> values;
  for (const toml::node& element : *array) values.push_back(to_text(element));
  resolve(key, *array);
  return values;
}

std::optional<Formula> TableReader::formula(const std::string& key,
                                            const std::vector<std::string>& names) {
  const toml::node* node = find(key);
  if (!node || !node->is_string()) return std::nullopt;
  return parse_formula(text(key), names, fmt::format("{}: {}", where(key), path_of(key)));
}

std::optional<Expression> TableReader::expression(const std::string& key) {
  const toml::node* node = find(key);
  if (!node) return std::nullopt;
  if (node->is_number()) return constant_expression(number(key));
  if (!node->is_string()) fail(key, "expected a number, or a formula of t in quotes");
  const std::string formula = text(key);
  return parse_expression(formula, fmt::format("{}: {}", where(key), path_of(key)));
}

std::vector<Expression> TableReader::expressions(const std::string& key, int count) {
  const toml::node* node = find(key);
  if (!node) return {};
  const std::string wanted = fmt::format("expected {} numbers or formulas of t in brackets", count);
  const auto* array = node->as_array();
  if (!array || static_cast<int>(array->size()) != count) fail(key, wanted);
  std::vector<Expression> found;
  for (const toml::node& element : *array) {
    if (!element.is_number() && !element.is_string()) fail(key, wanted);
    const std::string here = fmt::format("{}: {}[{}]", where(key), path_of(key), found.size());
    found.push_back(element.is_number()
                        ? constant_expression(double_of(*this, key, element))
                        : parse_expression(element.value<std::string>().value(), here));
    if (!std::isfinite(found.back().value(0.0))) fail(key, "must be finite numbers");
  }
  resolve(key, *array);
  return found;
}

std::size_t TableReader::choice(const std::string& key, const std::vector<std::string>& names,
                                std::optional<std::size_t> fallback) {
  const std::string value = text(key, fallback ? std::optional(names[*fallback]) : std::nullopt);
  const auto found = std::find(names.begin(), names.end(), value);
  if (found != names.end()) return static_cast<std::size_t>(found - names.begin());
  std::string list;
  for (const std::string& name : names)
    list += fmt::format("{}\"{}\"", list.empty() ? "" : ", ", name);
  fail(key, fmt::format("expected {}{}", names.size() > 1 ? "one of " : "", list));
}

TableReader TableReader::table(const std::string& key) {
  const toml::node* node = find(key);
  if (!node) refuse_misspelling_of(key);
  if (node && !node->is_table()) fail(key, fmt::format("expected a table, [{}]", path_of(key)));
  resolved_->insert_or_assign(key, toml::table{});
  return {*source_, node ? node->as_table() : nullptr, (*resolved_)[key].as_table(), path_of(key)};
}

std::vector<TableReader> TableReader::tables(const std::string& key) {
  const toml::node* node = find(key);
  if (!node) refuse_misspelling_of(key);
  if (!node) return {};
  const auto* array = node->as_array();
  if (!node->is_table() && !(array && (array->empty() || array->is_homogeneous<toml::table>())))
    fail(key, fmt::format("expected a table, [{0}], or several, [[{0}]]", path_of(key)));
  const std::size_t count = array ? array->size() : 1;
  resolved_->insert_or_assign(key, toml::array{});
  auto* resolved = (*resolved_)[key].as_array();
  for (std::size_t i = 0; i < count; ++i) resolved->push_back(toml::table{});
  std::vector<TableReader> readers;
  for (std::size_t i = 0; i < count; ++i)
    readers.emplace_back(*source_, array ? (*array)[i].as_table() : node->as_table(),
                         (*resolved)[i].as_table(),
                         array ? fmt::format("{}[{}]", path_of(key), i) : path_of(key));
  return readers;
}

void TableReader::finish() const {
  if (!table_) return;
  for (const auto& [key, node] : *table_) {
    const std::string name(key.str());
    if (std::find(known_.begin(), known_.end(), name) != known_.end()) continue;
    for (const std::string& nearest : known_)
      if (resembles(name, nearest))
        throw UserError(fmt::format("{}: {}: unknown key; did you mean {}?", where(name),
                                    path_of(name), path_of(nearest)));
    throw UserError(fmt::format("{}: {}: unknown key; expected one of {}", where(name),
                                path_of(name), fmt::join(known_, ", ")));
  }
}

}  // namespace slipwave::app
