#pragma once

#include "fem/mesh.hpp"

#include <Eigen/Core>
#include <optional>
#include <span>
#include <vector>

namespace slipwave::fem {

/// Where a point is in a mesh: x = sum_a barycentric_a x_a over the nodes of the triangle.
struct Location {
  int triangle = 0;
  Eigen::Vector3d barycentric = Eigen::Vector3d::Zero();  ///< sums to 1; outside, some are negative
  double distance = 0.0;                                  ///< from the triangle; 0 if it is inside
};

/// The barycentric coordinates of a point with respect to a triangle; they sum to 1 to round-off.
Eigen::Vector3d barycentric(const Mesh& mesh, int triangle, const Eigen::Vector2d& point);

/// The value there of a field with two values per node; outside the triangle it is continued
/// linearly.
Eigen::Vector2d interpolate(const Mesh& mesh, const Location& location, const Eigen::VectorXd& q);

/// The gradient of such a field in a triangle, where it is constant: entry (i, j) is d q_i / d x_j.
Eigen::Matrix2d gradient(const Mesh& mesh, int triangle, const Eigen::VectorXd& q);

/// Finds the triangle that contains a point, with a uniform grid of about as many cells as there
/// are triangles. A query looks at the few triangles whose bounding boxes meet the point's cell; in
/// a mesh whose finest triangles are much smaller than the average, at as many as a cell holds.
/// The mesh must outlive the locator. Queries may run in several threads.
class PointLocator {
 public:
  explicit PointLocator(const Mesh& mesh);
  explicit PointLocator(Mesh&&) = delete;

  /// The triangle that contains the point, or nothing if none does. A triangle contains what is at
  /// most `tolerance` times its height beyond its sides. Of several, as for a node or a point on a
  /// side, it is the first of the mesh in which no coordinate is negative, if there is one.
  std::optional<Location> find(const Eigen::Vector2d& point) const;

  /// The triangles that may contain the point, and some that do not.
  std::span<const int> near(const Eigen::Vector2d& point) const {
    return candidates(cell_of(point));
  }

  /// `find`, and for a point outside the mesh the triangle nearest to it, with the coordinates of
  /// the point itself, not of its projection: the linear continuation of a field is more accurate
  /// than its boundary value. The cost grows with the square of the distance, until all triangles
  /// are looked at.
  Location nearest(const Eigen::Vector2d& point) const;

  const Mesh& mesh() const { return *mesh_; }

  static constexpr double tolerance = 1e-9;  ///< of `find`, in barycentric coordinates

 private:
  using Cell = Eigen::Array2i;

  Cell cell_of(const Eigen::Vector2d& point) const;
  std::size_t index(const Cell& cell) const;
  std::span<const int> candidates(const Cell& cell) const;
  template <class Visit>
  void for_each_cell(int triangle, const Visit& visit) const;
  void improve(Location& best, const Cell& cell, const Eigen::Vector2d& point) const;

  const Mesh* mesh_;
  Eigen::Vector2d corner_;      // of the grid, lower left
  Eigen::Vector2d cell_size_;   // width and height
  Cell cell_count_;             // columns and rows
  std::vector<int> first_;      // of each cell, in triangles_; one more at the end
  std::vector<int> triangles_;  // cell after cell, increasing in each
};

}  // namespace slipwave::fem
