#pragma once

#include "app/case/expression.hpp"

#include <toml++/toml.h>
#include <Eigen/Core>

#include <array>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace slipwave::app {

/// A parsed case file with the keys that `--set` replaced, so that a message can say where a value
/// came from.
struct TomlSource {
  std::string file;
  toml::table root;
  std::map<std::string, std::string> replaced;  ///< key path -> the text given to --set
};

/// A value as its user wrote it, on one line: 0.4 and not 0.40000000000000002.
std::string to_text(const toml::node& node);

/// Parses a TOML file and applies KEY=VALUE replacements. Throws UserError with file and line.
TomlSource read_toml(const std::string& file, const std::vector<std::string>& replacements);

/// Reads one table key by key. Every key read is written, with its value or default, to the
/// resolved table, and finish() refuses the keys that nobody asked for: the reading code is the
/// only list of keys there is.
class TableReader {
 public:
  TableReader(const TomlSource& source, const toml::table* table, toml::table* resolved,
              std::string path);

  /// The key must be there, unless a default is given.
  double number(const std::string& key, std::optional<double> fallback = std::nullopt);
  /// A number within bounds.
  double positive(const std::string& key, std::optional<double> fallback = std::nullopt);
  double at_least_zero(const std::string& key, std::optional<double> fallback = std::nullopt);
  double within(const std::string& key, double low, double high,
                std::optional<double> fallback = std::nullopt);
  int integer(const std::string& key, std::optional<int> fallback = std::nullopt);
  /// A time of day that passes, in seconds: "30 s", "10 min", "23 h".
  double duration(const std::string& key, std::optional<std::string> fallback = std::nullopt);
  bool flag(const std::string& key, bool fallback);
  std::string text(const std::string& key, std::optional<std::string> fallback = std::nullopt);
  /// A file; a relative path starts at the folder of the case file.
  std::filesystem::path path(const std::string& key);
  Eigen::Vector2d vector(const std::string& key,
                         std::optional<Eigen::Vector2d> fallback = std::nullopt);
  /// So many numbers, each written as such or as a formula without variables.
  Eigen::VectorXd numbers(const std::string& key, int count,
                          std::optional<Eigen::VectorXd> fallback = std::nullopt);
  /// Any number of numbers, none where the key is not there.
  std::vector<double> number_list(const std::string& key);
  /// Any number of rows of so many numbers each.
  std::vector<Eigen::VectorXd> number_rows(const std::string& key, int columns);
  /// So many strings.
  std::vector<std::string> texts(const std::string& key, std::size_t count,
                                 const std::vector<std::string>& fallback);
  /// Any number of values, each as --set would take it; none where the key is not there.
  std::vector<std::string> value_list(const std::string& key);
  /// A number or a formula of t.
  std::optional<Expression> expression(const std::string& key);
  /// So many of them in brackets; none where the key is not there.
  std::vector<Expression> expressions(const std::string& key, int count);
  /// A formula of the named variables, where the key is one: a string.
  std::optional<Formula> formula(const std::string& key, const std::vector<std::string>& names);
  /// One of the given names; returns its index.
  std::size_t choice(const std::string& key, const std::vector<std::string>& names,
                     std::optional<std::size_t> fallback);
  /// One of the values that a table names; without a fallback the key must be there.
  template <class Value, std::size_t count>
  Value choice(const std::string& key,
               const std::array<std::pair<std::string_view, Value>, count>& named,
               std::optional<Value> fallback = std::nullopt) {
    std::vector<std::string> names;
    std::optional<std::size_t> at;
    for (const auto& [name, value] : named) {
      if (value == fallback) at = names.size();
      names.emplace_back(name);
    }
    return named[choice(key, names, at)].second;
  }

  /// Goes on as if the value of a key had been given under another name.
  void rename(const std::string& key, const std::string& name);

  bool has(const std::string& key);
  bool has_number(const std::string& key);
  const std::string& file() const { return source_->file; }
  /// The sub-table, empty if it is not there.
  TableReader table(const std::string& key);
  /// A table, or an array of tables: one reader each.
  std::vector<TableReader> tables(const std::string& key);

  /// Throws UserError "file:line: path.key = value: what" about a key of this table.
  [[noreturn]] void fail(const std::string& key, const std::string& what) const;
  /// Refuses unknown keys, suggesting the nearest known one.
  void finish() const;
  /// The key with the tables it is in, such as contact[1].friction.
  std::string path_of(const std::string& key) const;

 private:
  void know(const std::string& key);
  const toml::node* find(const std::string& key);
  const toml::node* require(const std::string& key, bool has_fallback);
  std::string where(const std::string& key) const;
  /// A key that nobody knows and that resembles the missing one is better named than the one it
  /// should have been.
  void refuse_misspelling_of(const std::string& key) const;
  template <class T>
  void resolve(const std::string& key, T value);

  const TomlSource* source_;
  const toml::table* table_;
  toml::table* resolved_;
  std::string path_;
  std::vector<std::string> known_;
  std::map<std::string, std::string> renamed_;  // name -> the key it stands under, empty for none
};

}  // namespace slipwave::app
