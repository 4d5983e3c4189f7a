#include "app/results/json.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace slipwave::app {

namespace {

/// "counts.failed_steps" as the pointer /counts/failed_steps.
Json::json_pointer pointer_to(std::string path) {
  std::replace(path.begin(), path.end(), '.', '/');
  return Json::json_pointer("/" + path);
}

std::string text_of(const Json& value, int indent) {
  return value.dump(indent, ' ', false, Json::error_handler_t::replace);
}

}  // namespace

void put(Json& object, const std::string& key, double value) {
  if (std::isfinite(value)) object[key] = value;
}

std::string compact_text(const Json& value) { return text_of(value, -1); }

std::string indented_text(const Json& value) { return text_of(value, 4) + "\n"; }

Json read_json(const std::string& text) {
  try {
    return Json::parse(text);
  } catch (const Json::parse_error& error) {
    throw std::runtime_error(error.byte > text.size()
                                 ? fmt::format("is cut short after {} bytes", text.size())
                                 : fmt::format("is no JSON after {} bytes", error.byte - 1));
  }
}

bool has(const Json& value, const std::string& path) { return value.contains(pointer_to(path)); }

std::string text_at(const Json& value, const std::string& path) {
  if (!has(value, path)) return "";
  const Json& found = value.at(pointer_to(path));
  return found.is_string() ? found.get<std::string>() : "";
}

}  // namespace slipwave::app
