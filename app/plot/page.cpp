#include "app/plot/page.hpp"

#include "app/plot/svg.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace slipwave::app {

std::string print_document(double width_mm, double height_px, const std::string& title,
                           const std::string& content) {
  const std::string size = fmt::format(
      "width=\"{:g}mm\" height=\"{:.2f}mm\" xmlns:xlink=\"http://www.w3.org/1999/xlink\"", width_mm,
      height_px / px_per_mm);
  return svg::document(size, width_mm * px_per_mm, height_px, title, content);
}

std::string panel_letter(std::size_t index) {
  return svg::text_at(4.0, 15.0, "start",
                      fmt::format("({})", static_cast<char>('a' + static_cast<int>(index))),
                      " font-weight=\"bold\"");
}

Figure draw_panels(std::vector<Chart> charts, std::size_t columns, double width_mm,
                   const std::string& title) {
  const double cell_width = width_mm * px_per_mm / static_cast<double>(columns);
  std::vector<double> left(columns, 0.0), top((charts.size() + columns - 1) / columns, 0.0);
  for (std::size_t i = 0; i < charts.size(); ++i) {
    charts[i].width = static_cast<int>(cell_width);
    const ChartMargins margins = margins_of(charts[i]);
    left[i % columns] = std::max(left[i % columns], margins.left);
    top[i / columns] = std::max(top[i / columns], margins.top);
  }
  Figure figure;
  double y = 0.0, row_height = 0.0;
  for (std::size_t i = 0; i < charts.size(); ++i) {
    const std::size_t column = i % columns;
    if (column == 0) y += std::exchange(row_height, 0.0);
    const ChartDrawing panel = draw_on_page(charts[i], {left[column], top[i / columns]});
    figure.svg +=
        svg::moved(static_cast<double>(column) * cell_width, y, panel_letter(i) + panel.svg);
    row_height = std::max(row_height, panel.height);
    figure.notes.insert(figure.notes.end(), panel.notes.begin(), panel.notes.end());
  }
  figure.svg = print_document(width_mm, y + row_height, title, figure.svg);
  return figure;
}

}  // namespace slipwave::app
