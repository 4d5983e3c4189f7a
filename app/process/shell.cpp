#include "app/process/shell.hpp"

namespace slipwave::app {

std::string quoted(const std::string& word) {
  std::string result = "'";
  for (const char c : word) result.append(c == '\'' ? std::string("'\\''") : std::string(1, c));
  return result.append("'");
}

std::string shell_line(const std::vector<std::string>& words) {
  std::string line;
  for (const std::string& word : words) {
    if (!line.empty()) line.push_back(' ');
    line.append(quoted(word));
  }
  return line;
}

}  // namespace slipwave::app
