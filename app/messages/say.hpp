#pragma once

#include <fmt/format.h>

#include <algorithm>
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

/// Prints one line to stderr that can be read, whatever line breaks and lengths a name or a value
/// brought into the message.
inline void print_error(std::string message) {
  constexpr std::size_t longest = 2000;
  if (message.size() > longest) message = message.substr(0, longest) + " ...";
  std::replace_if(
      message.begin(), message.end(), [](unsigned char c) { return c < ' '; }, ' ');
  say(stderr, "{}\n", message);
}

}  // namespace slipwave::app
