#include "app/results/json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <stdexcept>
#include <utility>

namespace slipwave::app {

namespace {

/// Reads a text from its beginning to its end.
class JsonReader {
 public:
  explicit JsonReader(std::string_view text) : text_(text), rest_(text) {}

  std::map<std::string, std::string> read() {
    value("", 0);
    if (next() != '\0') fail();
    return std::move(values_);
  }

 private:
  [[noreturn]] void fail() const {
    throw std::runtime_error(
        rest_.empty() ? fmt::format("is cut short after {} bytes", text_.size())
                      : fmt::format("is no JSON after {} bytes", text_.size() - rest_.size()));
  }

  /// The next character that is no space; 0 at the end.
  char next() {
    rest_.remove_prefix(std::min(rest_.find_first_not_of(" \t\r\n"), rest_.size()));
    return rest_.empty() ? '\0' : rest_.front();
  }

  void take(char expected) {
    if (next() != expected) fail();
    rest_.remove_prefix(1);
  }

  /// Whether it is there; then it is taken.
  bool took(char wanted) {
    if (next() != wanted) return false;
    rest_.remove_prefix(1);
    return true;
  }

  void value(const std::string& path, int depth) {
    constexpr int deepest = 100;
    if (depth > deepest) fail();
    const char first = next();
    if (first == '{') return object(path, depth);
    if (first == '[') return array(path, depth);
    values_[path] = first == '"' ? text() : word();
  }

  static std::string inside(const std::string& path, const std::string& key) {
    return path.empty() ? key : fmt::format("{}.{}", path, key);
  }

  void object(const std::string& path, int depth) {
    take('{');
    if (took('}')) return;
    do {
      if (next() != '"') fail();
      const std::string key = text();
      take(':');
      value(inside(path, key), depth + 1);
    } while (took(','));
    take('}');
  }

  void array(const std::string& path, int depth) {
    take('[');
    if (took(']')) return;
    int index = 0;
    do value(inside(path, std::to_string(index++)), depth + 1);
    while (took(','));
    take(']');
  }

  /// With its escapes as they are.
  std::string text() {
    take('"');
    std::size_t end = 0;
    while (end < rest_.size() && rest_[end] != '"') end += rest_[end] == '\\' ? 2 : 1;
    if (end >= rest_.size()) {
      rest_ = {};
      fail();
    }
    std::string result(rest_.substr(0, end));
    rest_.remove_prefix(end + 1);
    return result;
  }

  /// A number, true, false or null.
  std::string word() {
    const std::string_view found = rest_.substr(0, rest_.find_first_of(",]} \t\r\n"));
    double number = 0.0;
    const auto [end, error] = std::from_chars(found.data(), found.data() + found.size(), number);
    const bool is_number = error == std::errc() && end == found.data() + found.size();
    if (!is_number && found != "true" && found != "false" && found != "null") fail();
    rest_.remove_prefix(found.size());
    return std::string(found);
  }

  std::string_view text_, rest_;
  std::map<std::string, std::string> values_;
};

}  // namespace

std::map<std::string, std::string> read_json(std::string_view text) {
  return JsonReader(text).read();
}

}  // namespace slipwave::app
