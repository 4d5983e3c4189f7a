#include "app/commands/help.hpp"

#include "app/messages/spelling.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cassert>
#include <cctype>
#include <map>

namespace slipwave::app {

namespace {

constexpr const char* program_footer = R"(Examples:
  slipwave check cases/sliding_block.toml
  slipwave run cases/sliding_block.toml --out results/block
  slipwave report results/block
`slipwave COMMAND --help` has the options of a command, and examples.

Exit codes: 0 done, 1 an error of the program or its computer, 2 bad input, 3 a step failed,
a solution has no certificate or a theorem was not observed, 4 the results could not be written (disk full),
5 time.wall_limit came before the end, 130 interrupted (Ctrl-C), 143 terminated (SIGTERM). The case file is
described in docs/case-file.md, what the program does not do in docs/scope.md.)";

/// In the order in which they can be run, one after the other.
const std::map<std::string, const char*>& command_examples() {
  static const std::map<std::string, const char*> examples{{"run", R"(
  slipwave run cases/sliding_block.toml --out results/block
  slipwave run cases/sliding_block.toml --out results/mu03 --steps 500 --set mesh.size=2 --set contact.friction=0.3
  slipwave run cases/sliding_block.toml --out results/block --resume
  slipwave run cases/sliding_block_moreau_jean.toml --out results/classical --threads 2 --quiet
  slipwave run cases/sliding_block.toml --out results/dump --dump-problem 20
  slipwave run cases/rocking_block.toml --out results/rocking --set time.scheme=moreau-jean --force)"},
                                                           {"check", R"(
  slipwave check cases/sliding_block.toml
  slipwave check cases/sliding_block.toml --set mesh.size=0.5 --set time.step=1e-3)"},
                                                           {"equilibria", R"(
  slipwave equilibria cases/mass_spring.toml
  slipwave equilibria cases/mass_spring.toml --set contact.friction=3)"},
                                                           {"stability", R"(
  slipwave stability cases/mass_spring.toml)"},
                                                           {"outcomes", R"(
  slipwave outcomes cases/painleve_rod.toml)"},
                                                           {"study", R"(
  slipwave study studies/verify/pulled_rod.toml --out results/rod --jobs 2
  slipwave study studies/verify/pulled_rod.toml --out results/rod --resume
  slipwave study studies/verify/pulled_rod.toml --out results/rod --collect)"},
                                                           {"waves", R"(
  slipwave waves results/block
  slipwave waves results/block --class slip-pulse --class slip-front --json waves.json
  slipwave waves results/block --min-nodes 4 --from 0.001 --to 0.002)"},
                                                           {"report", R"(
  slipwave report results/block
  slipwave report results/block results/classical
  slipwave report results/block results/classical --out compared.html)"},
                                                           {"view", R"(
  slipwave view results/block
  slipwave view results/block --no-open --warp 50 --force)"},
                                                           {"plot", R"(
  slipwave plot results/block --figure energy --format pdf
  slipwave plot results/block --figure interface --time 0.001:0.002 --width 100
  slipwave plot results/block results/classical --figure dissipation
  slipwave plot results/block --figure snapshot --time 0.002 --field von_mises --format png --out snapshot.png)"},
                                                           {"solve", R"(
  slipwave solve results/dump/problem_0000020.hdf5
  slipwave solve results/dump/problem_0000020.hdf5 --method newton --tolerance 1e-12 --write-solution
  slipwave solve results/dump/problem_0000020.hdf5 --compare --tolerance 1e-8 --out results/compared)"},
                                                           {"schemes", R"(
  slipwave schemes)"}};
  return examples;
}

std::vector<std::string> command_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
    names.push_back(command->get_name());
  return names;
}

std::vector<std::string> option_names(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options())
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  return names;
}

std::string with_nearest(const std::string& what, const std::string& word,
                         const std::vector<std::string>& names) {
  const std::string best = nearest(word, names);
  return best.empty() ? fmt::format("{}; there are {}", what, fmt::join(names, ", "))
                      : fmt::format("{}; did you mean {}?", what, best);
}

/// -5 and -.5 are numbers, - is a word.
bool is_option(const std::string& word) {
  return word.size() > 1 && word[0] == '-' &&
         std::isalpha(static_cast<unsigned char>(word[word.starts_with("--") ? 2 : 1])) != 0;
}

/// The first option that a command does not have, among the words from a place on.
std::string wrong_option(const CLI::App& command, const std::string& name,
                         const std::vector<std::string>& words, std::size_t first) {
  for (std::size_t i = first; i < words.size() && words[i] != "--"; ++i) {
    const std::string option = words[i].substr(0, words[i].find('='));
    if (is_option(option) && command.get_option_no_throw(option) == nullptr)
      return with_nearest(fmt::format("{} {}: no such option", name, option), option,
                          option_names(command));
  }
  return "";
}

}  // namespace

void add_examples(CLI::App& app) {
  app.footer(program_footer);
  for (CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    assert(command_examples().contains(command->get_name()));
    command->footer(fmt::format("Examples:{}", command_examples().at(command->get_name())));
  }
}

std::string wrong_word(const CLI::App& app, const std::vector<std::string>& words) {
  std::size_t first = 0;
  while (first < words.size() && is_option(words[first])) ++first;
  const std::string before = wrong_option(
      app, "slipwave", {words.begin(), words.begin() + static_cast<std::ptrdiff_t>(first)}, 0);
  if (!before.empty() || first == words.size()) return before;
  const std::vector<std::string> commands = command_names(app);
  if (std::find(commands.begin(), commands.end(), words[first]) == commands.end())
    return with_nearest(fmt::format("slipwave {}: no such command", words[first]), words[first],
                        commands);
  return wrong_option(*app.get_subcommand(words[first]), "slipwave " + words[first], words,
                      first + 1);
}

}  // namespace slipwave::app
