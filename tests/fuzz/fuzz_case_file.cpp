#include "app/case/case_file.hpp"
#include "app/messages/user_error.hpp"
#include "tests/fuzz/input_file.hpp"
#include "tests/fuzz/targets.hpp"

#include <sstream>
#include <vector>

namespace slipwave::fuzz {

namespace {

std::vector<std::string> replacements_in(const std::string& text) {
  const std::string mark = "#--set ";
  std::vector<std::string> replacements;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);)
    if (line.starts_with(mark)) replacements.push_back(line.substr(mark.size()));
  return replacements;
}

}  // namespace

void case_file(const std::string& bytes) {
  const InputFile file(bytes, ".toml");
  try {
    const app::Case c = app::read_case(file.path(), replacements_in(bytes));
    (void)c.step_nearest(c.time_after(c.step_count / 2));
    (void)c.is_frame(c.step_count, true);
    for (const app::TractionEntry& entry : c.tractions)
      if (entry.x) (void)entry.x->value(1.0);
    // What is written beside the results must be a case file again.
    const InputFile resolved(c.resolved, ".resolved.toml");
    (void)app::read_case(resolved.path(), {});
  } catch (const app::UserError&) {
  }
}

}  // namespace slipwave::fuzz
