#include "collision/broad_phase.hpp"

#include <algorithm>
#include <tuple>

namespace slipwave::collision {

namespace {

using Eigen::Array3d;

bool is_empty(const Bounds& box) { return (box.low > box.high).any(); }

Eigen::Index widest_axis(const std::vector<Bounds>& boxes) {
  Array3d sum = Array3d::Zero(), squares = Array3d::Zero();
  double count = 0.0;
  for (const Bounds& box : boxes) {
    if (is_empty(box)) continue;
    const Array3d centre = 0.5 * (box.low + box.high);
    sum += centre;
    squares += centre.square();
    count += 1.0;
  }
  Eigen::Index axis;
  (count * squares - sum.square()).maxCoeff(&axis);
  return axis;
}

}  // namespace

const std::vector<Candidates>& BroadPhase::find(const std::vector<Bounds>& boxes) {
  const auto box = [&](const Entry& entry) -> const Bounds& {
    return boxes[static_cast<std::size_t>(entry.body)];
  };
  const Eigen::Index axis = widest_axis(boxes);
  order_.clear();
  pairs_.clear();
  for (std::size_t i = 0; i < boxes.size(); ++i)
    if (!is_empty(boxes[i])) order_.push_back({boxes[i].low[axis], static_cast<int>(i)});
  std::ranges::sort(order_, {}, [](const Entry& e) { return std::tie(e.low, e.body); });
  for (std::size_t i = 0; i < order_.size(); ++i) {
    const double end = box(order_[i]).high[axis];
    for (std::size_t j = i + 1; j < order_.size() && order_[j].low <= end; ++j)
      if (box(order_[i]).meets(box(order_[j])))
        pairs_.push_back(
            {std::min(order_[i].body, order_[j].body), std::max(order_[i].body, order_[j].body)});
  }
  return pairs_;
}

}  // namespace slipwave::collision
