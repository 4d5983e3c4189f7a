#include "fem/error_norms.hpp"

#include "fem/quadrature.hpp"
#include "fem/t3.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cmath>

namespace slipwave::fem {

namespace {

struct Sample {
  Eigen::Vector2d value;
  Eigen::Matrix2d gradient;
};

/// Adds the squares of a sample's norms, a part `volume` of the integrals.
void add(Norms& squares, const Sample& sample, const Eigen::Matrix3d& D, double volume) {
  const Eigen::Matrix2d& G = sample.gradient;
  const Eigen::Vector3d epsilon(G(0, 0), G(1, 1), G(0, 1) + G(1, 0));
  squares.L2 += volume * sample.value.squaredNorm();
  squares.H1 += volume * G.squaredNorm();
  squares.energy += volume * epsilon.dot(D * epsilon);
  squares.max = std::max(squares.max, sample.value.squaredNorm());
}

Norms root(const Norms& squares) {
  return {std::sqrt(squares.L2), std::sqrt(squares.H1), std::sqrt(squares.energy),
          std::sqrt(squares.max)};
}

/// The squares of the norms of one field, of another and of their difference.
struct Comparison {
  Norms field, other, difference;

  void add_point(const Sample& ours, const Sample& theirs, const Eigen::Matrix3d& D,
                 double volume) {
    add(field, ours, D, volume);
    add(other, theirs, D, volume);
    add(difference, {ours.value - theirs.value, ours.gradient - theirs.gradient}, D, volume);
  }

  void add_node(const Eigen::Vector2d& ours, const Eigen::Vector2d& theirs) {
    field.max = std::max(field.max, ours.squaredNorm());
    other.max = std::max(other.max, theirs.squaredNorm());
    difference.max = std::max(difference.max, (ours - theirs).squaredNorm());
  }
};

/// Compares q with the field that other(triangle, x) samples and other.value(triangle, x)
/// evaluates.
template <class Other>
Comparison compare(const Mesh& mesh, const MaterialMap& materials, const Eigen::VectorXd& q,
                   int degree, Other& other) {
  assert(q.size() == mesh.dof_count());
  const std::vector<QuadraturePoint> rule = triangle_rule(degree);
  Comparison squares;
  for (int e = 0; e < mesh.triangle_count(); ++e) {
    const Material& material = materials.at(e);
    const Eigen::Matrix3d D = elasticity(material);
    const double volume = 0.5 * doubled_area(mesh, e) * material.thickness;
    const Eigen::Matrix2d G = gradient(mesh, e, q);
    const Eigen::Matrix<double, 2, 3> corners = mesh.nodes(Eigen::all, mesh.triangles.col(e));
    for (const auto& [L, weight] : rule)
      squares.add_point({interpolate(mesh, {e, L}, q), G}, other(e, corners * L), D,
                        weight * volume);
    for (int a = 0; a < 3; ++a)
      squares.add_node(q.segment<2>(2 * mesh.triangles(a, e)), other.value(e, corners.col(a)));
  }
  return squares;
}

/// Samples an exact field in the triangles of a mesh.
class ExactSampler {
 public:
  ExactSampler(const Mesh& mesh, const ExactField& exact) : mesh_(mesh), exact_(exact) {}

  Eigen::Vector2d value(int, const Eigen::Vector2d& x) const { return exact_.value(x); }

  Sample operator()(int triangle, const Eigen::Vector2d& x) const {
    return {exact_.value(x), exact_.gradient ? exact_.gradient(x) : differences(triangle, x)};
  }

 private:
  Eigen::Matrix2d differences(int triangle, const Eigen::Vector2d& x) const {
    // |grad N_a| is one over the height above side a.
    const double step = 1e-3 / t3(mesh_, triangle).gradients.colwise().norm().maxCoeff();
    Eigen::Matrix2d G;
    for (int j = 0; j < 2; ++j) {
      const Eigen::Vector2d d = step * Eigen::Vector2d::Unit(j);
      G.col(j) = (exact_.value(x + d) - exact_.value(x - d)) / (2.0 * step);
    }
    return G;
  }

  const Mesh& mesh_;
  const ExactField& exact_;
};

/// Samples the field of a coarser mesh in the triangles of a finer one.
class CoarserSampler {
 public:
  CoarserSampler(const PointLocator& locator, const Eigen::VectorXd& q, const Mesh& finer)
      : locator_(locator), q_(q), finer_(finer) {}

  Eigen::Vector2d value(int triangle, const Eigen::Vector2d& x) {
    return interpolate(locator_.mesh(), locate(triangle, x), q_);
  }

  Sample operator()(int triangle, const Eigen::Vector2d& x) {
    const Location location = locate(triangle, x);
    return {interpolate(locator_.mesh(), location, q_),
            gradient(locator_.mesh(), location.triangle, q_)};
  }

  int points_outside = 0;
  double farthest = 0.0;

 private:
  Location locate(int triangle, const Eigen::Vector2d& x) {
    // Looked for a little towards the middle of its triangle, so that a point on the line between
    // two bodies is found in the body of that triangle.
    const Eigen::Vector2d centre =
        finer_.nodes(Eigen::all, finer_.triangles.col(triangle)).rowwise().mean();
    Location location = locator_.nearest(x + 1e-6 * (centre - x));
    location.barycentric = barycentric(locator_.mesh(), location.triangle, x);
    if (location.distance > 0.0) ++points_outside;
    farthest = std::max(farthest, location.distance);
    if (location.barycentric.minCoeff() < -1.0)
      throw MeshError(fmt::format(
          "{}: the point ({:g}, {:g}) of {} is {:g} outside this mesh; compare fields on meshes of "
          "the same bodies",
          locator_.mesh().source, x[0], x[1], finer_.source, location.distance));
    return location;
  }

  const PointLocator& locator_;
  const Eigen::VectorXd& q_;
  const Mesh& finer_;
};

}  // namespace

Norms relative(const FieldError& error) {
  return {error.error.L2 / error.reference.L2, error.error.H1 / error.reference.H1,
          error.error.energy / error.reference.energy, error.error.max / error.reference.max};
}

FieldError error_norms(const Mesh& mesh, const MaterialMap& materials, const Eigen::VectorXd& q,
                       const ExactField& exact, int degree) {
  assert(materials.covers(mesh.triangle_count()));
  ExactSampler sampler(mesh, exact);
  const Comparison squares = compare(mesh, materials, q, degree, sampler);
  return {root(squares.difference), root(squares.other), 0, 0.0};
}

FieldError error_norms(const PointLocator& coarser, const Eigen::VectorXd& q_coarser,
                       const Mesh& finer, const MaterialMap& materials,
                       const Eigen::VectorXd& q_finer, int degree) {
  assert(materials.covers(finer.triangle_count()));
  assert(q_coarser.size() == coarser.mesh().dof_count());
  CoarserSampler sampler(coarser, q_coarser, finer);
  const Comparison squares = compare(finer, materials, q_finer, degree, sampler);
  return {root(squares.difference), root(squares.field), sampler.points_outside, sampler.farthest};
}

}  // namespace slipwave::fem
