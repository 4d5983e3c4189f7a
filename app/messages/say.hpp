#pragma once

#include <fmt/format.h>

#include <cstdio>
#include <string>
#include <utility>

namespace slipwave::app {

/// Prints to stdout or stderr, as fmt::print does, which throws where a stream is closed or full. A
/// message that nobody can read ends no run: it is lost.
template <class... Values>
void say(std::FILE* stream, fmt::format_string<Values...> text, Values&&... values) {
  const std::string message = fmt::format(text, std::forward<Values>(values)...);
  std::fwrite(message.data(), 1, message.size(), stream);
}

/// To stdout.
template <class... Values>
void say(fmt::format_string<Values...> text, Values&&... values) {
  say(stdout, text, std::forward<Values>(values)...);
}

}  // namespace slipwave::app
