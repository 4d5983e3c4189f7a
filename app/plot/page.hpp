#pragma once

#include "app/plot/chart.hpp"

#include <string>
#include <vector>

namespace slipwave::app {

/// px to the mm of figures for print, which makes their letters 8 points high.
inline constexpr double px_per_mm = 72.0 / 25.4 * 13.0 / 8.0;

/// Figures this wide (mm) have panels side by side, narrower ones have them in one column.
inline constexpr double two_columns_from = 120.0;

/// A file of so many mm; the content is in px.
std::string print_document(double width_mm, double height_px, const std::string& title,
                           const std::string& content);

/// The letter of a panel, (a) for 0, at the upper left corner of its cell.
std::string panel_letter(std::size_t index);

/// Charts as lettered panels, row by row, their frames lined up. Widths are set to fit.
Figure draw_panels(std::vector<Chart> charts, std::size_t columns, double width_mm,
                   const std::string& title);

}  // namespace slipwave::app
