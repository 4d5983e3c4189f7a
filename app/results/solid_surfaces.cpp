#include "app/results/solid_surfaces.hpp"

#include "dynamics/solids/solid_contacts.hpp"

#include <Eigen/Geometry>

#include <map>
#include <utility>
#include <variant>

namespace slipwave::app {

namespace {

using collision::Convex;
using Eigen::Vector3d;

/// The corners of an octahedron, and twice the middles of all edges besides, on the unit sphere.
std::vector<Vector3d> sphere_points() {
  std::vector<Vector3d> points;
  for (int axis = 0; axis < 3; ++axis)
    for (const double sign : {-1.0, 1.0}) points.push_back(sign * Vector3d::Unit(axis));
  for (int k = 0; k < 2; ++k) {
    const Convex shape = collision::hull(points);
    for (const auto& [a, b] : shape.edges)
      points.push_back((shape.vertices[static_cast<std::size_t>(a)] +
                        shape.vertices[static_cast<std::size_t>(b)])
                           .normalized());
  }
  return points;
}

/// Points of the round surface: of a polyhedron those at which its planes begin.
std::vector<Vector3d> points_on(const Convex& shape) {
  std::vector<Vector3d> points;
  for (const std::vector<int>& face : shape.faces) {
    const Vector3d normal = collision::area_vector(shape, face).normalized();
    for (const int i : face)
      points.push_back(shape.vertices[static_cast<std::size_t>(i)] + shape.radius * normal);
  }
  if (!points.empty()) return points;
  for (const Vector3d& vertex : shape.vertices)
    for (const Vector3d& direction : sphere_points())
      points.push_back(vertex + shape.radius * direction);
  return points;
}

/// The ball that holds all bodies but half-spaces where they start.
struct Ball {
  Vector3d centre = Vector3d::Zero();
  double radius = 1.0;
};

Ball ball_around(const dynamics::Solids& solids) {
  Eigen::AlignedBox3d box;
  for (const dynamics::Solid& body : solids.bodies)
    if (const auto* shape = std::get_if<Convex>(&body.collider.shape)) {
      const Vector3d reach = Vector3d::Constant(collision::extent(*shape));
      box.extend(body.place - reach);
      box.extend(body.place + reach);
    }
  if (box.isEmpty()) return {};
  return {box.center(), 0.5 * box.diagonal().norm()};
}

Surface square_of(const dynamics::Solid& body, const collision::HalfSpace& half, const Ball& ball) {
  const Eigen::Matrix3d frame = dynamics::frame_from(half.normal);
  const Vector3d centre = body.attitude.conjugate() * (ball.centre - body.place);
  const Vector3d middle = centre - half.normal.dot(centre - half.point) * half.normal;
  const Vector3d s = ball.radius * frame.row(1).transpose(),
                 t = ball.radius * frame.row(2).transpose();
  return {{middle - s - t, middle + s - t, middle + s + t, middle - s + t}, {{0, 1, 2, 3}}};
}

}  // namespace

Surface surface_of(const Convex& shape) {
  if (shape.radius == 0.0) return {shape.vertices, shape.faces};
  Convex round = collision::hull(points_on(shape));
  return {std::move(round.vertices), std::move(round.faces)};
}

std::vector<Surface> surfaces_of(const SolidsModel& model) {
  const dynamics::Solids& solids = model.solids();
  const Ball ball = ball_around(solids);
  std::map<int, Surface> of_shapes;
  std::vector<Surface> surfaces;
  for (std::size_t i = 0; i < solids.bodies.size(); ++i) {
    const dynamics::Solid& body = solids.bodies[i];
    if (const auto* half = std::get_if<collision::HalfSpace>(&body.collider.shape)) {
      surfaces.push_back(square_of(body, *half, ball));
      continue;
    }
    const int shape = model.scene().bodies[i].shape;
    if (!of_shapes.contains(shape))
      of_shapes[shape] = surface_of(std::get<Convex>(body.collider.shape));
    surfaces.push_back(of_shapes[shape]);
  }
  return surfaces;
}

}  // namespace slipwave::app
