#include "fem/point_location.hpp"

#include "fem/t3.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <numeric>

namespace slipwave::fem {

namespace {

double distance_to_side(const Eigen::Vector2d& a, const Eigen::Vector2d& b,
                        const Eigen::Vector2d& point) {
  const Eigen::Vector2d side = b - a;
  const double along = std::clamp((point - a).dot(side) / side.squaredNorm(), 0.0, 1.0);
  return (a + along * side - point).norm();
}

/// The distance from a triangle that does not contain the point.
double distance_from_outside(const Mesh& mesh, int triangle, const Eigen::Vector2d& point) {
  double distance = std::numeric_limits<double>::infinity();
  const Eigen::Vector3i node = mesh.triangles.col(triangle);
  for (int a = 0; a < 3; ++a)
    distance = std::min(distance, distance_to_side(mesh.nodes.col(node[a]),
                                                   mesh.nodes.col(node[(a + 1) % 3]), point));
  return distance;
}

}  // namespace

Eigen::Vector3d barycentric(const Mesh& mesh, int triangle, const Eigen::Vector2d& point) {
  const Eigen::Vector3i node = mesh.triangles.col(triangle);
  const Eigen::Vector2d a = mesh.nodes.col(node[0]) - point;
  const Eigen::Vector2d b = mesh.nodes.col(node[1]) - point;
  const Eigen::Vector2d c = mesh.nodes.col(node[2]) - point;
  const Eigen::Vector3d doubled_areas(b[0] * c[1] - b[1] * c[0], c[0] * a[1] - c[1] * a[0],
                                      a[0] * b[1] - a[1] * b[0]);
  return doubled_areas / doubled_area(mesh, triangle);
}

Eigen::Vector2d interpolate(const Mesh& mesh, const Location& location, const Eigen::VectorXd& q) {
  assert(q.size() == mesh.dof_count());
  Eigen::Vector2d value = Eigen::Vector2d::Zero();
  for (int a = 0; a < 3; ++a)
    value += location.barycentric[a] * q.segment<2>(2 * mesh.triangles(a, location.triangle));
  return value;
}

Eigen::Matrix2d gradient(const Mesh& mesh, int triangle, const Eigen::VectorXd& q) {
  assert(q.size() == mesh.dof_count());
  const T3 element = t3(mesh, triangle);
  Eigen::Matrix2d result = Eigen::Matrix2d::Zero();
  for (int a = 0; a < 3; ++a)
    result += q.segment<2>(2 * mesh.triangles(a, triangle)) * element.gradients.col(a).transpose();
  return result;
}

PointLocator::PointLocator(const Mesh& mesh) : mesh_(&mesh) {
  corner_ = mesh.nodes.rowwise().minCoeff();
  const Eigen::Vector2d extent = mesh.nodes.rowwise().maxCoeff() - corner_;
  const double size = std::sqrt(extent.prod() / mesh.triangle_count());
  cell_count_ = (extent.array() / size).ceil().cast<int>().max(1);
  cell_size_ = extent.array() / cell_count_.cast<double>();

  first_.assign(static_cast<std::size_t>(cell_count_.prod()) + 1, 0);
  for (int e = 0; e < mesh.triangle_count(); ++e)
    for_each_cell(e, [&](std::size_t cell) { ++first_[cell + 1]; });
  std::partial_sum(first_.begin(), first_.end(), first_.begin());
  triangles_.resize(static_cast<std::size_t>(first_.back()));
  std::vector<int> next(first_.begin(), first_.end() - 1);
  for (int e = 0; e < mesh.triangle_count(); ++e)
    for_each_cell(
        e, [&](std::size_t cell) { triangles_[static_cast<std::size_t>(next[cell]++)] = e; });
}

PointLocator::Cell PointLocator::cell_of(const Eigen::Vector2d& point) const {
  // In this order of the arguments a coordinate that is not a number gives cell 0.
  const auto clamped = [&](int i) {
    const double cell = (point[i] - corner_[i]) / cell_size_[i];
    return static_cast<int>(std::min(std::max(0.0, cell), double(cell_count_[i] - 1)));
  };
  return {clamped(0), clamped(1)};
}

std::size_t PointLocator::index(const Cell& cell) const {
  return static_cast<std::size_t>(cell[1]) * static_cast<std::size_t>(cell_count_[0]) +
         static_cast<std::size_t>(cell[0]);
}

std::span<const int> PointLocator::candidates(const Cell& cell) const {
  if ((cell < 0).any() || (cell >= cell_count_).any()) return {};
  const std::size_t i = index(cell);
  return {triangles_.data() + first_[i], triangles_.data() + first_[i + 1]};
}

template <class Visit>
void PointLocator::for_each_cell(int triangle, const Visit& visit) const {
  const Eigen::Matrix<double, 2, 3> corners =
      mesh_->nodes(Eigen::all, mesh_->triangles.col(triangle));
  const Eigen::Vector2d low = corners.rowwise().minCoeff(), high = corners.rowwise().maxCoeff();
  // Coordinates from -tolerance to 1 + 2 tolerance reach this far out of the box.
  const Eigen::Vector2d margin = 2.0 * tolerance * (high - low);
  const Cell first = cell_of(low - margin), last = cell_of(high + margin);
  for (int row = first[1]; row <= last[1]; ++row)
    for (int column = first[0]; column <= last[0]; ++column) visit(index({column, row}));
}

std::optional<Location> PointLocator::find(const Eigen::Vector2d& point) const {
  std::optional<Location> best;
  double largest = -tolerance;
  for (const int triangle : candidates(cell_of(point))) {
    const Eigen::Vector3d coordinates = barycentric(*mesh_, triangle, point);
    const double smallest = coordinates.minCoeff();
    if (!(smallest >= largest)) continue;
    best = Location{triangle, coordinates, 0.0};
    if (smallest >= 0.0) return best;
    largest = smallest;
  }
  return best;
}

void PointLocator::improve(Location& best, const Cell& cell, const Eigen::Vector2d& point) const {
  for (const int triangle : candidates(cell)) {
    const double distance = distance_from_outside(*mesh_, triangle, point);
    if (distance < best.distance) best = {triangle, best.barycentric, distance};
  }
}

Location PointLocator::nearest(const Eigen::Vector2d& point) const {
  assert(point.allFinite());
  if (const auto inside = find(point)) return *inside;
  Location best;
  best.distance = std::numeric_limits<double>::infinity();
  const Cell centre = cell_of(point);
  const int last = cell_count_.maxCoeff();
  // Square rings of cells; what is in a ring or beyond is at least ring - 1 cells away.
  for (int ring = 0; ring <= last && best.distance > (ring - 1) * cell_size_.minCoeff(); ++ring)
    for (int row = -ring; row <= ring; ++row) {
      const bool whole_row = std::abs(row) == ring;
      const int step = whole_row ? 1 : 2 * ring;
      for (int column = -ring; column <= ring; column += step)
        improve(best, centre + Cell(column, row), point);
    }
  best.barycentric = barycentric(*mesh_, best.triangle, point);
  return best;
}

}  // namespace slipwave::fem
