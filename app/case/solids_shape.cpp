#include "app/case/solids_shape.hpp"

#include "app/case/toml_reader.hpp"
#include "app/messages/spelling.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace slipwave::app {

namespace {

using collision::Convex;
using Eigen::Vector3d;

Convex read_box(TableReader& table) {
  const Vector3d size = read_vector(table, "size");
  if (!(size.array() > 0.0).all()) table.fail("size", "must be greater than 0 along x, y and z");
  return collision::box(size);
}

Convex read_points(TableReader& table) {
  std::vector<Vector3d> points;
  for (const Eigen::VectorXd& row : table.number_rows("points", 3)) points.emplace_back(row);
  return read_hull(table, "points", points, table.at_least_zero("radius", 0.0));
}

const VertexPart& part_named(TableReader& table, const std::vector<VertexPart>& parts) {
  if (!table.has("part")) {
    if (parts.size() == 1) return parts.front();
    table.fail("file", fmt::format("has {} groups: choose one with `part`, or give the file to a "
                                   "[[body]], which makes a body of each",
                                   parts.size()));
  }
  const std::string name = table.text("part");
  std::vector<std::string> names;
  for (const VertexPart& part : parts) {
    if (part.name == name) return part;
    names.push_back(part.name);
  }
  const std::string likely = nearest(name, names);
  table.fail("part", fmt::format("no such group in the file{}",
                                 likely.empty() ? "" : "; did you mean \"" + likely + "\"?"));
}

Convex read_file(TableReader& table, SolidsCase& scene) {
  const std::vector<VertexPart> parts = read_parts(table, scene);
  std::vector<Vector3d> points = part_named(table, parts).vertices;
  const double scale = table.positive("scale", 1.0);
  for (Vector3d& point : points) point *= scale;
  return read_hull(table, "file", points, table.at_least_zero("radius", 0.0));
}

Convex read_convex(TableReader& table, const std::string& kind, SolidsCase& scene) {
  if (kind == "box") return read_box(table);
  if (kind == "sphere") return collision::sphere(table.positive("radius"));
  if (kind == "hull") return read_points(table);
  if (kind == "file") return read_file(table, scene);
  const double length = table.positive("length");
  return collision::capsule(length, table.positive("radius"));
}

ShapeEntry read_massive(TableReader& table, const std::string& name, Convex shape) {
  if (!table.has("centre")) {
    ShapeEntry entry = about_its_centre(name, std::move(shape));
    if (table.has("density")) entry.density = table.positive("density");
    return entry;
  }
  if (table.has("density"))
    table.fail("density",
               "a uniform body has its centre of mass where it has; leave out `centre`, "
               "or give bodies mass and inertia instead");
  return about_its_centre(name, std::move(shape), read_vector(table, "centre"));
}

ShapeEntry read_half_space(TableReader& table, const std::string& name) {
  collision::HalfSpace ground;
  ground.point = read_vector(table, "point", Vector3d::Zero());
  ground.normal = read_vector(table, "normal", Vector3d::UnitZ());
  if (ground.normal.isZero(0.0)) table.fail("normal", "must not be zero");
  ground.normal.stableNormalize();
  return {.name = name, .shape = ground};
}

}  // namespace

std::vector<VertexPart> read_parts(TableReader& table, SolidsCase& scene) {
  const std::filesystem::path file = table.path("file");
  std::vector<VertexPart> parts = read_vertex_file(file);
  if (std::ranges::find(scene.files, file) == scene.files.end()) scene.files.push_back(file);
  return parts;
}

Vector3d read_vector(TableReader& table, const std::string& key, std::optional<Vector3d> fallback) {
  return table.numbers(key, 3, fallback ? std::optional<Eigen::VectorXd>(*fallback) : std::nullopt);
}

Convex read_hull(TableReader& table, const std::string& key, const std::vector<Vector3d>& points,
                 double radius) {
  Convex shape;
  try {
    shape = collision::hull(points, radius);
  } catch (const std::invalid_argument& error) {
    table.fail(key, error.what());
  }
  if (const std::string fault = collision::fault_of(shape); !fault.empty()) table.fail(key, fault);
  return shape;
}

ShapeEntry about_its_centre(std::string name, Convex shape, const std::optional<Vector3d>& centre) {
  ShapeEntry entry{.name = std::move(name), .properties = collision::mass_properties(shape)};
  entry.uniform = !centre;
  if (centre) entry.properties.centre = *centre;
  for (Vector3d& vertex : shape.vertices) vertex -= entry.properties.centre;
  entry.shape = std::move(shape);
  return entry;
}

Vector3d box_of(const Convex& shape) {
  Vector3d low = shape.vertices.front(), high = low;
  for (const Vector3d& vertex : shape.vertices) {
    low = low.cwiseMin(vertex);
    high = high.cwiseMax(vertex);
  }
  return (high - low).array() + 2.0 * shape.radius;
}

ShapeEntry read_shape(TableReader& table, SolidsCase& scene) {
  const std::vector<std::string> kinds{"box", "sphere", "capsule", "hull", "file", "half-space"};
  const std::string name = table.text("name");
  const std::string kind = kinds[table.choice("kind", kinds, std::nullopt)];
  ShapeEntry entry = kind == "half-space"
                         ? read_half_space(table, name)
                         : read_massive(table, name, read_convex(table, kind, scene));
  entry.skin = table.at_least_zero("skin", 0.0);
  table.finish();
  return entry;
}

}  // namespace slipwave::app
