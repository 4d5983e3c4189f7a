#pragma once

#include "collision/broad_phase.hpp"
#include "collision/narrow_phase.hpp"
#include "collision/patch.hpp"

#include <vector>

namespace slipwave::collision {

/// A body as detection sees it.
struct Collider {
  Shape shape;
  double skin = 0.0;  ///< grown by so much, at least 0
  int group = 0;      ///< pairs of groups may be left out
  bool moves = true;  ///< two that do not move never touch
};

/// A patch between two bodies, A < B by their numbers.
struct Meeting {
  int A = 0, B = 0;
  Patch patch;
};

/// Finds who touches whom, anew for every configuration: boxes grown by the alert distance, sorted
/// along an axis and swept, then find_patch() shared out among threads. The same bits for any
/// number of threads, and nothing is kept from the last configuration but memory.
class Detection {
 public:
  /// `touches[g][h]`: whether bodies of groups g and h can touch; symmetric, of all groups.
  Detection(std::vector<Collider> bodies, std::vector<std::vector<char>> touches);

  /// Every pair within its alert distance, alert[A] + alert[B], by increasing (A, B). `present`
  /// says which bodies there are. Allocates nothing once its memory has grown.
  const std::vector<Meeting>& find(const std::vector<Pose>& poses, const std::vector<double>& alert,
                                   const std::vector<char>& present);

  const std::vector<Collider>& bodies() const { return bodies_; }

 private:
  void rank_shapes();
  void place(const std::vector<Pose>& poses, const std::vector<double>& alert,
             const std::vector<char>& present);
  Bounds bounds_of(std::size_t body, double alert) const;
  bool may_touch(int A, int B) const;
  void choose(const std::vector<char>& present, const std::vector<double>& alert);
  void choose_by_planes(const std::vector<char>& present, const std::vector<double>& alert);
  void give_back();
  void compare(const std::vector<double>& alert);
  void collect();

  std::vector<Collider> bodies_;
  std::vector<std::vector<char>> touches_;
  std::vector<Solid> solids_;
  std::vector<int> planes_;  // the bodies that are half-spaces
  std::vector<Placed> placed_;
  std::vector<Bounds> boxes_;
  BroadPhase broad_phase_;
  std::vector<Candidates> candidates_;
  std::vector<NarrowPhase> narrow_phases_;  // of each stretch of candidates
  std::vector<Patch> patches_;              // of each candidate
  std::vector<std::size_t> found_by_;       // the candidate of each meeting
  std::vector<Meeting> meetings_;
};

}  // namespace slipwave::collision
