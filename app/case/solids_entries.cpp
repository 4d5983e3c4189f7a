#include "app/case/solids_entries.hpp"

#include <algorithm>

namespace slipwave::app {

namespace {

/// How many of two groups an entry names, or -1 if it is of others.
int groups_named(const SolidsContactEntry& entry, const std::string& a, const std::string& b) {
  const auto fits = [](const std::string& named, const std::string& group) {
    return named == "*" || named == group;
  };
  const auto& [first, second] = entry.between;
  if (!(fits(first, a) && fits(second, b)) && !(fits(first, b) && fits(second, a))) return -1;
  return (first != "*") + (second != "*");
}

}  // namespace

const DriveEntry* SolidsCase::drive_of(const std::string& group) const {
  const auto found =
      std::ranges::find_if(drives, [&](const DriveEntry& drive) { return drive.on == group; });
  return found == drives.end() ? nullptr : &*found;
}

const SolidsContactEntry* SolidsCase::contact_between(const std::string& a,
                                                      const std::string& b) const {
  const SolidsContactEntry* best = nullptr;
  int most = 0;
  for (const SolidsContactEntry& entry : contacts) {
    const int named = groups_named(entry, a, b);
    if (named < most) continue;
    most = named;
    best = &entry;
  }
  return best;
}

}  // namespace slipwave::app
