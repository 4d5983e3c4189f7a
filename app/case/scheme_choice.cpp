#include "app/case/scheme_choice.hpp"

#include "app/case/toml_reader.hpp"

#include <fmt/format.h>

#include <vector>

namespace slipwave::app {

SchemeChoice read_scheme(TableReader& table) {
  std::vector<std::string> names;
  for (const dynamics::SchemeEntry& entry : dynamics::schemes()) names.push_back(entry.name);
  const dynamics::SchemeEntry& entry = dynamics::schemes()[table.choice("scheme", names, 0)];
  SchemeChoice choice;
  choice.name = entry.name;
  for (const dynamics::SchemeParameter& p : entry.parameters)
    if (p.fallback || table.has(p.name))
      choice.values[p.name] = table.within(p.name, p.lower, p.upper, p.fallback);
  choice.scheme = entry.make(choice.values);
  choice.impact = entry.impact;
  return choice;
}

std::string SchemeChoice::description() const {
  std::string text = name;
  for (const auto& [key, value] : values) text += fmt::format(", {} = {:g}", key, value);
  return text;
}

}  // namespace slipwave::app
