#pragma once

#include "app/plot/axis.hpp"
#include "app/plot/render.hpp"
#include "app/waves/interface_history.hpp"

#include <cstdint>
#include <functional>
#include <vector>

namespace slipwave::app {

/// Which recorded steps fall on each column of pixels (time from the left) and which nodes on each
/// row (x from the top down). Between records a pixel has the step it is in, between nodes the
/// nearer node of the same piece; where there is no piece it has none.
struct PixelGrid {
  std::vector<std::vector<int>> steps, nodes;
};

/// The grid of a line over a stretch of time and of x. Nodes are those of `nodes`, ascending in x.
PixelGrid pixel_grid(const Eigen::VectorXd& t, const LineHistory& line,
                     const std::vector<int>& nodes, const Range& time, const Range& x, int width,
                     int height);

/// The image whose pixels each have the colour of the weightiest of the values on them: of the
/// first one of equals.
template <class Value>
Image space_time_image(const PixelGrid& grid, const SpaceTime<Value>& values,
                       const std::function<double(Value)>& weight,
                       const std::function<std::uint32_t(Value)>& colour) {
  Image image{static_cast<int>(grid.steps.size()), static_cast<int>(grid.nodes.size()), {}};
  image.pixels.reserve(grid.steps.size() * grid.nodes.size());
  for (const std::vector<int>& nodes : grid.nodes)
    for (const std::vector<int>& steps : grid.steps) {
      double heaviest = -std::numeric_limits<double>::infinity();
      std::uint32_t pixel = 0;  // transparent
      for (const int step : steps)
        for (const int node : nodes) {
          const double w = weight(values(step, node));
          if (!(w > heaviest)) continue;
          heaviest = w;
          pixel = 0xFF000000U | colour(values(step, node));
        }
      image.pixels.push_back(pixel);
    }
  return image;
}

}  // namespace slipwave::app
