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

/// The blocks of a language in a document, in their order.
std::vector<std::string> blocks_of(const std::string& text, const std::string& language) {
  const std::string fence = "```" + language + "\n";
  std::vector<std::string> blocks;
  for (std::size_t at = text.find(fence); at != std::string::npos; at = text.find(fence, at)) {
    at += fence.size();
    blocks.push_back(text.substr(at, text.find("```", at) - at));
  }
  return blocks;
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

TEST_CASE("documents: the arch that docs/rigid-bodies.md shows is ready to run, and runs") {
  const auto blocks = blocks_of(read_text(SLIPWAVE_ROOT "/docs/rigid-bodies.md"), "toml");
  REQUIRE(blocks.size() == 1);
  const TemporaryFolder folder;
  write_text(folder / "arch.toml", blocks[0]);
  for (const std::vector<std::string>& set :
       {std::vector<std::string>{}, {"--set", "pattern.thickness=0.106"}}) {
    const auto with = [&](std::vector<std::string> words) {
      words.insert(words.end(), set.begin(), set.end());
      return slipwave(words, folder.path());
    };
    const ProgramResult check = with({"check", "arch.toml"});
    CHECK(check.exit_code == 0);
    CHECK(check.err.empty());
    CHECK(check.out.find("warning") == std::string::npos);
    CHECK(check.out.find("arch.toml: ready to run\n") != std::string::npos);
    const ProgramResult run =
        with({"run", "arch.toml", "--steps", "20", "--out", "out", "--force"});
    CAPTURE(run.err);
    CHECK(run.exit_code == 0);
    CHECK(json_value(folder / "out/summary.json", "sizes.bodies") == "11");
    // The thrust, as the document says: at least once in each of eleven joints.
    CHECK(lines_of(read_text(folder / "out/joints.csv")).size() > 11);
  }
}

}  // namespace slipwave::cli_tests
