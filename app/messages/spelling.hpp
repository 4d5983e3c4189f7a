#pragma once

#include <string>
#include <vector>

namespace slipwave::app {

/// Whether a word may be a misspelling of a key: an edit in every three letters, so that size is
/// not file. To exchange two neighbours is one edit.
bool resembles(const std::string& word, const std::string& key);

/// The name that a word is most likely a misspelling of; empty where it resembles none.
std::string nearest(const std::string& word, const std::vector<std::string>& names);

}  // namespace slipwave::app
