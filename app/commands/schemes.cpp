#include "app/commands/schemes.hpp"

#include "dynamics/schemes/schemes.hpp"

#include <fmt/format.h>

namespace slipwave::app {

namespace {

std::string range(const dynamics::SchemeParameter& p) {
  const std::string fallback = p.fallback ? fmt::format(", default {:g}", *p.fallback) : "";
  return fmt::format("{} in [{:g}, {:g}]{}", p.name, p.lower, p.upper, fallback);
}

}  // namespace

ExitCode list_schemes() {
  for (const dynamics::SchemeEntry& entry : dynamics::schemes()) {
    fmt::print("{}\n  {}\n", entry.name, entry.what);
    for (const dynamics::SchemeParameter& p : entry.parameters)
      fmt::print("  time.{}: {}\n", range(p), p.meaning);
    fmt::print("  contact.impact: default {}\n", name_of(entry.impact));
    fmt::print("  order {}; dissipative: {}\n  {}\n", entry.order, entry.dissipative,
               entry.reference);
  }
  return success;
}

}  // namespace slipwave::app
