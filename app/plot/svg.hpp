#pragma once

#include "app/plot/ticks.hpp"

#include <Eigen/Core>

#include <string>
#include <string_view>

/// Pieces of SVG 1.1. Lengths are in px; y points down.
namespace slipwave::app::svg {

/// Heights of letters, and the mean width of one over its height: a guess that suits Helvetica and
/// its kin.
inline constexpr double font = 13.0, small_font = 10.0, letter_width = 0.56;

/// A text as XML may hold it.
std::string escaped(const std::string& text);

/// The markup of a text in which formulas stand between dollar signs, as in "work $w_T^+$":
/// their letters are slanted, the character after _ or ^ is lowered or raised.
std::string markup(const std::string& text);
/// Markup of a number: its exponent is raised.
std::string markup(const NumberText& text);

/// The widths that a text and a number take, about.
double text_width(const std::string& text, double size = font);
/// The same for a number.
double text_width(const NumberText& text);

/// The attribute of a size, or of the smaller one at which the text fits into the room.
std::string fitting_font(const std::string& text, double size, double room);

/// A text; `anchor` is start, middle or end, `content` is markup, `more` are attributes.
std::string text_at(double x, double y, std::string_view anchor, const std::string& content,
                    std::string_view more = "");

/// A path from one point to another.
std::string line(const Eigen::Vector2d& a, const Eigen::Vector2d& b);

/// Content moved by so much.
std::string moved(double x, double y, const std::string& content);

/// A whole file: `size` are the attributes width and height, then the box of the content, which
/// is on white.
std::string document(const std::string& size, double width, double height, const std::string& title,
                     const std::string& content);

}  // namespace slipwave::app::svg
