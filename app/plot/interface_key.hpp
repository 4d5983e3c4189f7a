#pragma once

#include "app/waves/interface_history.hpp"

#include <array>
#include <cstdint>
#include <string>

namespace slipwave::app {

/// The colour of a contact::Status in diagrams, 0xRRGGBB.
std::uint32_t status_colour(std::uint8_t status);

/// A reference speed: its name and the dashes of its line.
struct ReferenceLine {
  std::string name;
  double speed = 0.0;
  std::string dashes;
};

/// The lines of c_p, c_s and c_R.
std::array<ReferenceLine, 3> reference_lines(const ReferenceSpeeds& speeds);

/// A path with colour, width and dashes.
std::string stroked(const std::string& path, const char* colour, double width,
                    const std::string& dashes);

/// Samples of the statuses and of the reference lines, in rows.
struct InterfaceKey {
  std::string svg;
  double height = 0.0;  ///< of the rows but the last, which is at the height of a panel's letter
};

/// The key from `left` to `right`.
InterfaceKey draw_interface_key(const ReferenceSpeeds& speeds, double left, double right);

}  // namespace slipwave::app
