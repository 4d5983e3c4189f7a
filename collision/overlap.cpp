#include "collision/overlap.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace slipwave::collision {

namespace {

using Eigen::Vector2d;

double cross(const Vector2d& a, const Vector2d& b) { return a[0] * b[1] - a[1] * b[0]; }

/// How far a point is from the line of an edge, to its left.
double left_of(const Rim& edge, const Vector2d& at) { return cross(edge.along, at - edge.at); }

/// An edge and its end beyond the last corner of a segment are no edges.
std::size_t edge_count(const Outline& outline) {
  return outline.rim.size() < 3 ? outline.rim.size() - 1 : outline.rim.size();
}

/// Whether a point on the line of a segment, or beside a point, is no farther than its ends.
bool within_ends(const Outline& outline, const Vector2d& at, double tolerance) {
  const Rim& start = outline.rim[0];
  if (outline.rim.size() == 1) return (at - start.at).norm() <= tolerance;
  const double along = start.along.dot(at - start.at);
  return outline.rim.size() > 2 || (along >= -tolerance && along <= start.length + tolerance);
}

/// What a point of an outline is named after: a vertex within the blur, an edge, nothing.
int name_at(const Outline& outline, const Vector2d& at, double blur) {
  for (const Rim& corner : outline.rim)
    if ((at - corner.at).squaredNorm() <= blur * blur) return corner.vertex;
  for (std::size_t i = 0; i < edge_count(outline); ++i)
    if (std::abs(left_of(outline.rim[i], at)) <= blur) return outline.rim[i].edge;
  return 0;
}

/// The same for a point of an edge.
int name_on(const Outline& outline, std::size_t edge, const Vector2d& at, double blur) {
  const Rim &start = outline.rim[edge], &end = outline.rim[outline.after(edge)];
  if ((at - start.at).squaredNorm() <= blur * blur) return start.vertex;
  if ((at - end.at).squaredNorm() <= blur * blur) return end.vertex;
  return start.edge;
}

/// Whether numbers are on both sides of 0, or one of them within round-off of it.
bool on_both_sides(double a, double b, double round_off) {
  return std::min(a, b) <= round_off && std::max(a, b) >= -round_off;
}

/// Where on the way from a to b 0 is.
double zero_between(double a, double b) { return std::clamp(a / (a - b), 0.0, 1.0); }

double between(const Rim& start, const Rim& end, double s) {
  return start.height + s * (end.height - start.height);
}

}  // namespace

double least_gap(const std::vector<SharedCorner>& corners) {
  double least = std::numeric_limits<double>::infinity();
  for (const SharedCorner& corner : corners) least = std::min(least, corner.gap());
  return least;
}

const std::vector<SharedCorner>& Overlap::find(const Outline& A, const Outline& B,
                                               Exactness exactness) {
  exactness_ = exactness;
  corners_.clear();
  measure(A, B);
  add_corners_of_A(A, B);
  add_corners_of_B(A, B);
  add_crossings(A, B);
  return corners_;
}

void Overlap::measure(const Outline& A, const Outline& B) {
  columns_ = B.rim.size();
  from_B_.resize(A.rim.size() * columns_);
  from_A_.resize(A.rim.size() * columns_);
  for (std::size_t i = 0; i < A.rim.size(); ++i)
    for (std::size_t j = 0; j < columns_; ++j) {
      from_B(i, j) = left_of(B.rim[j], A.rim[i].at);
      from_A(i, j) = left_of(A.rim[i], B.rim[j].at);
    }
}

void Overlap::add_corners_of_A(const Outline& A, const Outline& B) {
  for (std::size_t i = 0; i < A.rim.size(); ++i) {
    const Rim& corner = A.rim[i];
    bool inside = within_ends(B, corner.at, exactness_.round_off);
    for (std::size_t j = 0; j < columns_ && inside; ++j)
      inside = from_B(i, j) >= -exactness_.round_off;
    if (inside)
      add({corner.at, corner.height, B.height(corner.at), corner.vertex,
           name_at(B, corner.at, exactness_.blur)});
  }
}

void Overlap::add_corners_of_B(const Outline& A, const Outline& B) {
  for (std::size_t j = 0; j < columns_; ++j) {
    const Rim& corner = B.rim[j];
    bool inside = within_ends(A, corner.at, exactness_.round_off);
    for (std::size_t i = 0; i < A.rim.size() && inside; ++i)
      inside = from_A(i, j) >= -exactness_.round_off;
    if (inside)
      add({corner.at, A.height(corner.at), corner.height, name_at(A, corner.at, exactness_.blur),
           corner.vertex});
  }
}

void Overlap::add_crossings(const Outline& A, const Outline& B) {
  for (std::size_t i = 0; i < edge_count(A); ++i)
    for (std::size_t j = 0; j < edge_count(B); ++j) add_crossing(A, B, i, j);
}

bool Overlap::on_one_line(std::size_t i, std::size_t k, std::size_t j, std::size_t l) {
  const double blur = exactness_.blur;
  return (std::abs(from_B(i, j)) <= blur && std::abs(from_B(k, j)) <= blur) ||
         (std::abs(from_A(i, j)) <= blur && std::abs(from_A(i, l)) <= blur);
}

/// Edges that lie on one line meet at the corners at their ends, which others find.
void Overlap::add_crossing(const Outline& A, const Outline& B, std::size_t i, std::size_t j) {
  const std::size_t k = A.after(i), l = B.after(j);
  if (!on_both_sides(from_B(i, j), from_B(k, j), exactness_.round_off) ||
      !on_both_sides(from_A(i, j), from_A(i, l), exactness_.round_off) || on_one_line(i, k, j, l))
    return;
  const double s = zero_between(from_B(i, j), from_B(k, j));
  const double t = zero_between(from_A(i, j), from_A(i, l));
  const Vector2d at = A.rim[i].at + s * (A.rim[k].at - A.rim[i].at);
  add({at, between(A.rim[i], A.rim[k], s), between(B.rim[j], B.rim[l], t),
       name_on(A, i, at, exactness_.blur), name_on(B, j, at, exactness_.blur)});
}

void Overlap::add(const SharedCorner& corner) {
  const auto same = std::ranges::find_if(corners_, [&](const SharedCorner& other) {
    return other.name_A == corner.name_A && other.name_B == corner.name_B;
  });
  if (same == corners_.end())
    corners_.push_back(corner);
  else if (corner.gap() < same->gap())
    *same = corner;
}

double Overlap::width() const {
  if (corners_.empty()) return 0.0;
  const Vector2d start = corners_[0].at;
  const auto length2 = [&](const SharedCorner& corner) {
    return (corner.at - start).squaredNorm();
  };
  const SharedCorner& far = *std::ranges::max_element(corners_, {}, length2);
  if (length2(far) == 0.0) return 0.0;
  const Vector2d e = (far.at - start).normalized();
  double most = 0.0, least = 0.0;
  for (const SharedCorner& corner : corners_) {
    most = std::max(most, cross(e, corner.at - start));
    least = std::min(least, cross(e, corner.at - start));
  }
  return most - least;
}

}  // namespace slipwave::collision
