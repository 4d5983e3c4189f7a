#pragma once

#include <nlohmann/json_fwd.hpp>

#include <filesystem>
#include <string>

namespace slipwave::app {

/// JSON values; sources that look into them include <nlohmann/json.hpp>.
using Json = nlohmann::json;

/// Puts a number into an object, unless JSON has none for it: NaN and infinity are left out.
void put(Json& object, const std::string& key, double value);

/// As a text without line breaks. Bytes that are no UTF-8 are replaced.
std::string compact_text(const Json& value);
/// As a text for people: indented, a line for each value, with a line break at the end.
std::string indented_text(const Json& value);

/// Reads a text. Throws std::runtime_error saying after how many bytes it is no JSON, or ends too
/// soon.
Json read_json(const std::string& text);

/// The text at a dotted path, "sha256.mesh_file"; empty where there is none.
std::string text_at(const Json& value, const std::string& path);
/// Whether there is something at a dotted path.
bool has(const Json& value, const std::string& path);

}  // namespace slipwave::app
