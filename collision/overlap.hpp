#pragma once

#include "collision/outline.hpp"

#include <cstddef>
#include <vector>

namespace slipwave::collision {

/// A corner of what two outlines share. Names are 0 where it is inside an outline, away from edges.
struct SharedCorner {
  Eigen::Vector2d at;
  double height_A, height_B;
  int name_A, name_B;

  double gap() const { return height_A - height_B; }
};

/// Infinite if there is no corner.
double least_gap(const std::vector<SharedCorner>& corners);

/// How exactly outlines are laid over each other.
struct Exactness {
  double round_off;  ///< what is outside by less is inside
  double blur;       ///< corners and edges nearer to each other are one
};

/// The corners of the part that two convex outlines share, exactly but for round-off, each once:
/// corners are named after vertices and edges within the blur, and of those with the same two names
/// the one with the least gap stays. Where edges lie on one line, within the blur, the part has
/// corners at the ends only. Keeps the memory it is given.
class Overlap {
 public:
  const std::vector<SharedCorner>& find(const Outline& A, const Outline& B, Exactness exactness);

  const std::vector<SharedCorner>& corners() const { return corners_; }
  /// How wide the part is, to a factor of two.
  double width() const;

 private:
  double& from_B(std::size_t i, std::size_t j) { return from_B_[i * columns_ + j]; }
  double& from_A(std::size_t i, std::size_t j) { return from_A_[i * columns_ + j]; }
  void measure(const Outline& A, const Outline& B);
  void add_corners_of_A(const Outline& A, const Outline& B);
  void add_corners_of_B(const Outline& A, const Outline& B);
  void add_crossings(const Outline& A, const Outline& B);
  void add_crossing(const Outline& A, const Outline& B, std::size_t i, std::size_t j);
  bool on_one_line(std::size_t i, std::size_t k, std::size_t j, std::size_t l);
  void add(const SharedCorner& corner);

  Exactness exactness_{};
  std::size_t columns_ = 0;     // corners of B
  std::vector<double> from_B_;  // of corner i of A, from the line of edge j of B; inside positive
  std::vector<double> from_A_;  // of corner j of B, from the line of edge i of A
  std::vector<SharedCorner> corners_;
};

}  // namespace slipwave::collision
