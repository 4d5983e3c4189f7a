#include "collision/detection.hpp"

#include "parallel/team.hpp"

#include <algorithm>
#include <cassert>
#include <limits>
#include <numeric>
#include <tuple>
#include <utility>

namespace slipwave::collision {

namespace {

using Eigen::Array3d;

/// Bodies, or pairs of them, that a thread takes at once.
constexpr int stretch = 16;

constexpr double infinity = std::numeric_limits<double>::infinity();

[[maybe_unused]] bool is_sound(const Shape& shape) {
  const auto* convex = std::get_if<Convex>(&shape);
  return convex == nullptr || fault_of(*convex).empty();
}

Bounds nothing() { return {Array3d::Constant(infinity), Array3d::Constant(-infinity)}; }

}  // namespace

Detection::Detection(std::vector<Collider> bodies, std::vector<std::vector<char>> touches)
    : bodies_(std::move(bodies)), touches_(std::move(touches)) {
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    assert(is_sound(bodies_[i].shape));
    solids_.emplace_back(bodies_[i].shape);
    if (solids_.back().is_half_space()) planes_.push_back(static_cast<int>(i));
  }
  rank_shapes();
  placed_.resize(bodies_.size());
  boxes_.resize(bodies_.size());
}

/// Equal shapes have one rank.
void Detection::rank_shapes() {
  std::vector<std::size_t> order(solids_.size());
  std::iota(order.begin(), order.end(), 0u);
  std::ranges::stable_sort(
      order, [&](std::size_t i, std::size_t j) { return precedes(solids_[i], solids_[j]); });
  for (std::size_t k = 1; k < order.size(); ++k) {
    const Solid& before = solids_[order[k - 1]];
    Solid& solid = solids_[order[k]];
    solid.rank = before.rank + (precedes(before, solid) ? 1 : 0);
  }
}

const std::vector<Meeting>& Detection::find(const std::vector<Pose>& poses,
                                            const std::vector<double>& alert,
                                            const std::vector<char>& present) {
  assert(poses.size() == bodies_.size() && alert.size() == bodies_.size() &&
         present.size() == bodies_.size());
  give_back();
  place(poses, alert, present);
  choose(present, alert);
  compare(alert);
  collect();
  return meetings_;
}

/// Patches that the last configuration's meetings hold have memory that is used again.
void Detection::give_back() {
  for (std::size_t k = 0; k < meetings_.size(); ++k)
    std::swap(patches_[found_by_[k]], meetings_[k].patch);
  meetings_.clear();
  found_by_.clear();
}

void Detection::place(const std::vector<Pose>& poses, const std::vector<double>& alert,
                      const std::vector<char>& present) {
  parallel::for_each_stretch(static_cast<int>(bodies_.size()), stretch,
                             [&](int first, int past_last) {
                               for (auto i = static_cast<std::size_t>(first);
                                    i < static_cast<std::size_t>(past_last); ++i) {
                                 boxes_[i] = nothing();
                                 if (present[i] == 0) continue;
                                 placed_[i].place(solids_[i], poses[i]);
                                 if (!solids_[i].is_half_space())
                                   boxes_[i] = bounds_of(i, alert[i]);
                               }
                             });
}

Bounds Detection::bounds_of(std::size_t body, double alert) const {
  Bounds box = nothing();
  for (const Eigen::Vector3d& v : placed_[body].vertices) {
    box.low = box.low.min(v.array());
    box.high = box.high.max(v.array());
  }
  const double grown = solids_[body].radius + bodies_[body].skin + alert;
  return {box.low + placed_[body].x.array() - grown, box.high + placed_[body].x.array() + grown};
}

bool Detection::may_touch(int A, int B) const {
  const Collider &a = bodies_[static_cast<std::size_t>(A)],
                 &b = bodies_[static_cast<std::size_t>(B)];
  return (a.moves || b.moves) &&
         touches_[static_cast<std::size_t>(a.group)][static_cast<std::size_t>(b.group)] != 0;
}

void Detection::choose(const std::vector<char>& present, const std::vector<double>& alert) {
  candidates_.clear();
  for (const Candidates& pair : broad_phase_.find(boxes_))
    if (may_touch(pair.A, pair.B)) candidates_.push_back(pair);
  choose_by_planes(present, alert);
  std::ranges::sort(candidates_, {}, [](const Candidates& c) { return std::tie(c.A, c.B); });
}

/// The boxes are grown by the bodies' own alert distance and skin, the planes by theirs.
void Detection::choose_by_planes(const std::vector<char>& present,
                                 const std::vector<double>& alert) {
  for (const int plane : planes_) {
    const auto p = static_cast<std::size_t>(plane);
    if (present[p] == 0) continue;
    const Eigen::Vector3d& n = placed_[p].normals[0];
    const double top = n.dot(placed_[p].x) + solids_[p].offsets[0] + bodies_[p].skin + alert[p];
    for (std::size_t i = 0; i < bodies_.size(); ++i) {
      const Array3d nearest = (n.array() > 0.0).select(boxes_[i].low, boxes_[i].high);
      const auto body = static_cast<int>(i);
      if (solids_[i].is_half_space() || present[i] == 0 || !may_touch(plane, body)) continue;
      if (n.dot(nearest.matrix()) <= top)
        candidates_.push_back({std::min(plane, body), std::max(plane, body)});
    }
  }
}

void Detection::compare(const std::vector<double>& alert) {
  const auto count = static_cast<int>(candidates_.size());
  patches_.resize(std::max(patches_.size(), candidates_.size()));
  narrow_phases_.resize(
      std::max(narrow_phases_.size(), static_cast<std::size_t>(count / stretch + 1)));
  parallel::for_each_stretch(count, stretch, [&](int first, int past_last) {
    NarrowPhase& narrow_phase = narrow_phases_[static_cast<std::size_t>(first / stretch)];
    for (auto k = static_cast<std::size_t>(first); k < static_cast<std::size_t>(past_last); ++k) {
      const auto A = static_cast<std::size_t>(candidates_[k].A);
      const auto B = static_cast<std::size_t>(candidates_[k].B);
      narrow_phase.find(placed_[A], placed_[B], bodies_[A].skin + bodies_[B].skin,
                        alert[A] + alert[B], patches_[k]);
    }
  });
}

void Detection::collect() {
  for (std::size_t k = 0; k < candidates_.size(); ++k) {
    if (patches_[k].points.empty()) continue;
    found_by_.push_back(k);
    meetings_.push_back({candidates_[k].A, candidates_[k].B, {}});
    std::swap(meetings_.back().patch, patches_[k]);
  }
}

}  // namespace slipwave::collision
