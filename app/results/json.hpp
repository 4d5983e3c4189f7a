#pragma once

#include <map>
#include <string>
#include <string_view>

namespace slipwave::app {

/// Every value of a JSON text by its dotted path, "counts.failed_steps" or "warnings.0": texts
/// without quotes, numbers and words as they are written. Throws std::runtime_error saying after
/// how many bytes the text is no JSON, or ends too soon.
std::map<std::string, std::string> read_json(std::string_view text);

}  // namespace slipwave::app
