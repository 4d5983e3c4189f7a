#include "app/plot/svg.hpp"

#include "app/plot/number_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

namespace slipwave::app::svg {

namespace {

/// One character of a UTF-8 text, from a position.
std::string character_at(const std::string& text, std::size_t at) {
  std::size_t end = at + 1;
  while (end < text.size() && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) ++end;
  return text.substr(at, end - at);
}

std::string slanted(const std::string& character) {
  if (std::isalpha(static_cast<unsigned char>(character[0])) == 0) return escaped(character);
  return fmt::format("<tspan font-style=\"italic\">{}</tspan>", character);
}

/// A lowered or raised character, and the way back to the line.
std::string script(char kind, const std::string& character, double& shift) {
  const double wanted = kind == '_' ? 3.0 : -5.0;
  std::string text = fmt::format("<tspan dy=\"{:g}\" font-size=\"{}\">{}</tspan>", wanted - shift,
                                 small_font, escaped(character));
  shift = wanted;
  return text;
}

std::string formula(const std::string& text) {
  std::string result;
  double shift = 0.0;
  for (std::size_t i = 0; i < text.size();) {
    const bool is_script = (text[i] == '_' || text[i] == '^') && i + 1 < text.size();
    const std::string character = character_at(text, is_script ? i + 1 : i);
    if (is_script)
      result += script(text[i], character, shift);
    else if (shift != 0.0)
      result += fmt::format("<tspan dy=\"{:g}\">{}</tspan>", -shift, slanted(character));
    else
      result += slanted(character);
    if (!is_script) shift = 0.0;
    i += character.size() + (is_script ? 1 : 0);
  }
  // An empty piece does not move the line back, a blank of no width does.
  if (shift != 0.0) result += fmt::format("<tspan dy=\"{:g}\">\u200b</tspan>", -shift);
  return result;
}

}  // namespace

std::string escaped(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c == '&')
      result += "&amp;";
    else if (c == '<')
      result += "&lt;";
    else if (c == '>')
      result += "&gt;";
    else if (c == '"')
      result += "&quot;";
    else  // XML 1.0 has no control characters
      result += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
  }
  return result;
}

std::string markup(const std::string& text) {
  const std::size_t start = text.find('$');
  const std::size_t end = start == std::string::npos ? start : text.find('$', start + 1);
  if (end == std::string::npos) return escaped(text);
  return escaped(text.substr(0, start)) + formula(text.substr(start + 1, end - start - 1)) +
         markup(text.substr(end + 1));
}

std::string markup(const NumberText& text) {
  if (text.exponent.empty()) return text.mantissa;
  return fmt::format("{}<tspan dy=\"-5\" font-size=\"{}\">{}</tspan>", text.mantissa, small_font,
                     text.exponent);
}

double text_width(const std::string& text, double size) {
  const auto signs = std::count(text.begin(), text.end(), '$');
  const auto scripts = signs > 1 ? std::count_if(text.begin(), text.end(),
                                                 [](char c) { return c == '_' || c == '^'; })
                                 : 0;
  const std::size_t hidden = signs > 1 ? static_cast<std::size_t>(signs + scripts) : 0;
  return letter_width * size * static_cast<double>(character_count(text) - hidden);
}

double text_width(const NumberText& text) {
  return text_width(text.mantissa, font) + text_width(text.exponent, small_font);
}

std::string fitting_font(const std::string& text, double size, double room) {
  const double excess = std::max(1.0, text_width(text, size) / room);
  return fmt::format(" font-size=\"{:.3g}\"", size / excess);
}

std::string text_at(double x, double y, std::string_view anchor, const std::string& content,
                    std::string_view more) {
  return fmt::format("<text x=\"{:.2f}\" y=\"{:.2f}\" text-anchor=\"{}\"{}>{}</text>\n", x, y,
                     anchor, more, content);
}

std::string line(const Eigen::Vector2d& a, const Eigen::Vector2d& b) {
  return fmt::format("<path d=\"M{:.2f},{:.2f}L{:.2f},{:.2f}\"/>\n", a[0], a[1], b[0], b[1]);
}

std::string moved(double x, double y, const std::string& content) {
  return fmt::format("<g transform=\"translate({:.2f},{:.2f})\">\n{}</g>\n", x, y, content);
}

std::string document(const std::string& size, double width, double height, const std::string& title,
                     const std::string& content) {
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<svg xmlns=\"http://www.w3.org/2000/svg\" version=\"1.1\" {0} "
      "viewBox=\"0 0 {1:.0f} {2:.0f}\" font-family=\"Helvetica, Arial, 'Liberation Sans', "
      "sans-serif\" "
      "font-size=\"{3}\" fill=\"#000000\">\n<title>{4}</title>\n"
      "<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n{5}</svg>\n",
      size, width, height, font, escaped(title), content);
}

}  // namespace slipwave::app::svg
