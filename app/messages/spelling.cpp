#include "app/messages/spelling.hpp"

#include <algorithm>
#include <numeric>

namespace slipwave::app {

namespace {

/// Number of edits between two words; to exchange two neighbours is one edit.
std::size_t edit_distance(const std::string& a, const std::string& b) {
  std::vector<std::vector<std::size_t>> d(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) d[i][0] = i;
  std::iota(d[0].begin(), d[0].end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i)
    for (std::size_t j = 1; j <= b.size(); ++j) {
      d[i][j] = std::min(
          {d[i - 1][j] + 1, d[i][j - 1] + 1, d[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
    }
  return d[a.size()][b.size()];
}

}  // namespace

bool resembles(const std::string& word, const std::string& key) {
  if (word.size() > 2 * key.size()) return false;
  return edit_distance(word, key) <= std::max<std::size_t>(1, key.size() / 3);
}

std::string nearest(const std::string& word, const std::vector<std::string>& names) {
  std::string best;
  for (const std::string& name : names)
    if (resembles(word, name) &&
        (best.empty() || edit_distance(word, name) < edit_distance(word, best)))
      best = name;
  return best;
}

}  // namespace slipwave::app
