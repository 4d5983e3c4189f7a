#include "tests/cli/program.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <sstream>

namespace slipwave::cli_tests {

namespace fs = std::filesystem;

namespace {

ProgramResult help_of(const std::string& command) {
  return command.empty() ? slipwave({"--help"}, fs::current_path())
                         : slipwave({command, "--help"}, fs::current_path());
}

/// The commands that the program's help lists.
std::vector<std::string> commands() {
  std::vector<std::string> names;
  bool in_list = false;
  for (const std::string& line : lines_of(help_of("").out)) {
    if (in_list && line.starts_with("  ") && line.size() > 2 && line[2] != ' ')
      names.push_back(line.substr(2, line.find(' ', 2) - 2));
    if (in_list && line.empty()) break;
    in_list = in_list || line == "Subcommands:";
  }
  return names;
}

/// The words of each example of a help, without the program's name.
std::vector<std::vector<std::string>> examples_in(const std::string& help) {
  std::vector<std::vector<std::string>> examples;
  for (const std::string& line : lines_of(help)) {
    if (!line.starts_with("  slipwave ")) continue;
    std::istringstream stream(line.substr(11));
    examples.emplace_back(std::istream_iterator<std::string>(stream),
                          std::istream_iterator<std::string>());
  }
  return examples;
}

/// A run of a few steps in place of one of thousands.
std::vector<std::string> shortened(std::vector<std::string> words) {
  const bool has_steps = std::find(words.begin(), words.end(), "--steps") != words.end();
  if (words.front() == "run" && !has_steps)
    words.insert(words.end(), {"--steps", "30", "--set", "output.frames_every=10"});
  return words;
}

void check_refused(const std::vector<std::string>& words, const std::string& message) {
  const ProgramResult result = slipwave(words, fs::current_path());
  CHECK(result.exit_code == 2);
  CHECK(result.out == "");
  CHECK(result.err == message + "\n");
}

}  // namespace

TEST_CASE("cli/help: each command has its own examples, and each of them runs") {
  const TemporaryFolder folder;
  for (const char* name : {"cases", "meshes", "studies"})
    fs::create_directory_symlink(fs::path(SLIPWAVE_ROOT) / name, folder / name);
  const std::vector<std::string> names = commands();
  REQUIRE(names.size() >= 12);
  for (const std::string& name : names) {
    CAPTURE(name);
    const ProgramResult help = help_of(name);
    CHECK(help.exit_code == 0);
    const auto examples = examples_in(help.out);
    CHECK(!examples.empty());
    for (const auto& words : examples) {
      CHECK(words.front() == name);
      const ProgramResult result = slipwave(shortened(words), folder.path());
      std::string line;
      for (const std::string& word : words) line += " " + word;
      CHECK_MESSAGE(result.exit_code == 0, line, ": ", result.err);
    }
  }
}

TEST_CASE("cli/help: the program's own examples are of its commands") {
  const std::vector<std::string> names = commands();
  const auto examples = examples_in(help_of("").out);
  CHECK(examples.size() >= 3);
  for (const auto& words : examples)
    CHECK(std::find(names.begin(), names.end(), words.front()) != names.end());
}

TEST_CASE("cli/help: a wrong word is named, with the nearest right one") {
  check_refused({"rnu", "case.toml"}, "slipwave rnu: no such command; did you mean run?");
  check_refused({"reprot", "."}, "slipwave reprot: no such command; did you mean report?");
  const ProgramResult foo = slipwave({"foo"}, fs::current_path());
  CHECK(foo.exit_code == 2);
  CHECK(foo.err.starts_with("slipwave foo: no such command; there are run, check, "));
  check_refused({"run", "case.toml", "--stepz", "5"},
                "slipwave run --stepz: no such option; did you mean --steps?");
  check_refused({"run", "case.toml", "--ouput=results"},
                "slipwave run --ouput: no such option; there are --help, --out, --steps, --set, "
                "--threads, --dump-problem, --force, --resume, --quiet, --trust");
  check_refused({"plot", "--figre", "energy", "x"},
                "slipwave plot --figre: no such option; did you mean --figure?");
  check_refused({"--verison"}, "slipwave --verison: no such option; did you mean --version?");
  // What is wrong otherwise is said as before.
  const ProgramResult bare = slipwave({}, fs::current_path());
  CHECK(bare.exit_code == 2);
  CHECK(bare.err.find("subcommand is required") != std::string::npos);
  const ProgramResult two = slipwave({"schemes", "them"}, fs::current_path());
  CHECK(two.exit_code == 2);
  CHECK(two.err.find("them") != std::string::npos);
}

TEST_CASE("cli/help: --version says which processor the program was compiled for") {
  const ProgramResult result = slipwave({"--version"}, fs::current_path());
  CHECK(result.exit_code == 0);
  CHECK(result.out.find("\n  processor  ") != std::string::npos);
  const bool is_native = result.out.find("-march=native") != std::string::npos;
  CHECK((result.out.find("only with ") != std::string::npos) == is_native);
}

TEST_CASE("cli/help: more steps than there are numbers are refused") {
  for (const char* steps : {"9007199254740993", "99999999999999999999", "2147483648"}) {
    const ProgramResult result =
        slipwave({"run", SLIPWAVE_ROOT "/cases/sliding_block.toml", "--steps", steps},
                 fs::temp_directory_path());
    CHECK(result.exit_code == 2);
    CHECK_MESSAGE(result.err.find("--steps") != std::string::npos, result.err);
  }
}

}  // namespace slipwave::cli_tests
