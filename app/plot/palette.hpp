#pragma once

#include "contact/laws/coulomb2d.hpp"
#include "dynamics/works.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

/// The one palette of all that shows a run: figures (`slipwave plot`), the page (`slipwave
/// report`) and ParaView (`slipwave view`). The page gets it with its data, view.py as lines of
/// Python, so that a colour or a dash means the same in each. Colours of
/// numbers are in colour_map.hpp.
namespace slipwave::app::palette {

/// A colour of lines, on white paper and on a dark page.
struct Ink {
  std::string_view name;
  std::uint32_t light, dark;  ///< 0xRRGGBB
};

/// Okabe and Ito's colours without the yellow, which white paper swallows.
constexpr std::array<Ink, 7> inks{{{"blue", 0x0072b2, 0x56b4e9},
                                   {"red", 0xd55e00, 0xf0803c},
                                   {"green", 0x009e73, 0x2fc49a},
                                   {"purple", 0xcc79a7, 0xdd9cc0},
                                   {"ink", 0x000000, 0xe2e5e7},
                                   {"orange", 0xe69f00, 0xe69f00},
                                   {"sky", 0x56b4e9, 0x9fd3f2}}};

/// Dashes of lines: the name that the page's charts know them by, and lengths in px for SVG.
struct Dash {
  std::string_view name, lengths;
};

/// Four against seven colours: a colour that returns has other dashes.
constexpr std::array<Dash, 4> dashes{
    {{"solid", ""}, {"dash", "8 4"}, {"dot", "2 3"}, {"dashdot", "10 3 2 3"}}};

/// A contact::Status, by its number.
struct StatusLook {
  std::string_view name, short_name;
  std::uint32_t colour;  ///< 0xRRGGBB, on paper as on a dark page
};

/// From dark to light they are told apart too: in grey, and by every eye.
constexpr std::array<StatusLook, 4> statuses{
    {{name_of(contact::Status::open), "open", 0x000000},
     {name_of(contact::Status::sticking), "sticking", 0xc9cdd0},
     {name_of(contact::Status::sliding_forward), "forward", 0xe69f00},
     {name_of(contact::Status::sliding_backward), "backward", 0x0072b2}}};

/// A line in a diagram: numbers of inks and dashes, and its width in px.
struct LineLook {
  std::size_t ink = 0, dash = 0;
  double width = 1.2;
};

/// A column of energy.csv, its name in words, and its curve.
struct EnergyLook {
  std::string_view column, name;
  LineLook line;
};

/// Energies and works, with the looks that were chosen for them. The first five are those of
/// [AC24].
constexpr std::array<EnergyLook, 11> chosen_looks{
    {{"kinetic", "kinetic energy", {0, 0}},
     {"strain", "strain energy", {1, 1}},
     {"external_work", "external work", {2, 2}},
     {"contact_tangential_work", "tangential work", {3, 3}},
     {"contact_normal_work", "normal work", {4, 0}},
     {"prescribed_work", "prescribed work", {5, 1}},
     {"damping_work", "damping work", {6, 2}},
     {"numerical_work", "numerical work", {0, 3}},
     {"projection_work", "projection work", {1, 0}},
     {"algorithmic_energy", "algorithmic energy", {2, 1}},
     {"gyroscopic_work", "gyroscopic work", {3, 0}}}};

/// The same, and every work that has no look of its own yet.
constexpr auto energies = [] {
  std::array<EnergyLook, dynamics::work_terms.size() + 3> looks;
  std::size_t count = 0;
  for (const EnergyLook& look : chosen_looks) looks.at(count++) = look;
  for (const dynamics::WorkTerm& term : dynamics::work_terms) {
    bool has_look = false;
    for (const EnergyLook& look : chosen_looks) has_look = has_look || look.column == term.column;
    if (!has_look) looks.at(count) = {term.column, term.words, {count % 7, count % 4}};
    if (!has_look) ++count;
  }
  return looks;
}();

/// The balance: what was supplied, and what is there; it must lie on the other.
constexpr std::array<EnergyLook, 2> balance{
    {{"supplied_energy", "initial energy + works", {6, 0, 3.2}},
     {"total_energy", "total energy", {4, 1, 1.2}}}};

/// Over all contacts, the largest and the most negative tangential work of a step.
constexpr std::array<EnergyLook, 2> tangential_works{
    {{"max_tangential_work", "largest w_T", {1, 0, 0.7}},
     {"min_tangential_work", "smallest w_T", {0, 0, 0.7}}}};

/// The slope of a wave speed of the material in diagrams of space and time, drawn in ink.
struct SpeedLook {
  std::string_view name;  ///< with its index after _
  std::size_t dash;
};
constexpr std::array<SpeedLook, 3> speeds{{{"c_p", 0}, {"c_s", 1}, {"c_R", 2}}};

}  // namespace slipwave::app::palette
