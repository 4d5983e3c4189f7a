#include "tests/cli/program.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <sstream>

namespace slipwave::cli_tests {

namespace {

/// What a document shows of the end of `make demo`, without the place of the results.
std::vector<std::string> shown_end(const std::string& text) {
  const std::size_t start = text.find("sliding_block: 10000 steps");
  REQUIRE(start != std::string::npos);
  std::vector<std::string> lines;
  for (const std::string& line : lines_of(text.substr(start, text.find("```", start) - start)))
    if (line.find("results in ") == std::string::npos && !line.empty()) lines.push_back(line);
  return lines;
}

/// Whether two words are the same, as numbers to 5 digits; what is below 1e-10 is round-off, and
/// differs between processors.
bool is_same_word(std::string a, std::string b) {
  if (a == b) return true;
  const auto number = [](const std::string& word, double& value) {
    const std::size_t start = word.find_first_of("0123456789");
    if (start == std::string::npos) return false;
    value = std::strtod(word.c_str() + start, nullptr);
    return true;
  };
  double x = 0.0, y = 0.0;
  if (!number(a, x) || !number(b, y)) return false;
  return (std::abs(x) < 1e-10 && std::abs(y) < 1e-10) || std::abs(x - y) <= 1e-5 * std::abs(x);
}

std::vector<std::string> words_of(const std::string& line) {
  std::istringstream stream(line);
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

}  // namespace

TEST_CASE("documents: README and tutorial show the same end of the demo, which is the program's") {
  const auto readme = shown_end(read_text(SLIPWAVE_ROOT "/README.md"));
  CHECK(readme == shown_end(read_text(SLIPWAVE_ROOT "/docs/tutorial.md")));
  const TemporaryFolder folder;
  Program demo({SLIPWAVE_PROGRAM, "run", SLIPWAVE_ROOT "/cases/sliding_block.toml", "--out", "r"},
               folder.path());
  const ProgramResult result = demo.wait(std::chrono::seconds(600));
  REQUIRE(result.exit_code == 0);
  const auto printed = shown_end(result.out);
  REQUIRE(printed.size() == readme.size());
  for (std::size_t i = 0; i < printed.size(); ++i) {
    const auto shown = words_of(readme[i]), now = words_of(printed[i]);
    CAPTURE(printed[i]);
    REQUIRE(shown.size() == now.size());
    for (std::size_t k = 0; k < now.size(); ++k) {
      const bool same = is_same_word(shown[k], now[k]);
      CHECK_MESSAGE(same, shown[k], " and ", now[k]);
    }
  }
}

}  // namespace slipwave::cli_tests
