#include "app/case/solids_body.hpp"

#include "app/case/solids_scatter.hpp"
#include "app/case/solids_shape.hpp"
#include "app/case/toml_reader.hpp"
#include "app/messages/spelling.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <Eigen/Eigenvalues>

#include <algorithm>
#include <numbers>

namespace slipwave::app {

namespace {

using Eigen::Matrix3d;
using Eigen::Quaterniond;
using Eigen::Vector3d;

Quaterniond read_rotation(TableReader table) {
  const Vector3d axis = read_vector(table, "axis");
  if (axis.isZero(0.0)) table.fail("axis", "must not be zero");
  const double angle = table.number("angle");
  table.finish();
  return Quaterniond(Eigen::AngleAxisd(angle * std::numbers::pi / 180.0, axis.stableNormalized()));
}

Quaterniond read_attitude(TableReader& table) {
  if (table.has("rotation")) {
    if (table.has("quaternion")) table.fail("quaternion", "rotation is given too");
    return read_rotation(table.table("rotation"));
  }
  if (!table.has("quaternion")) return Quaterniond::Identity();
  const Eigen::VectorXd numbers = table.numbers("quaternion", 4);
  if (numbers.isZero(0.0)) table.fail("quaternion", "must not be zero");
  const Eigen::Vector4d unit = numbers.stableNormalized();
  return {unit[0], unit[1], unit[2], unit[3]};
}

Matrix3d matrix_of(const std::vector<double>& n) {
  Matrix3d J = Matrix3d::Zero();
  if (n.size() == 3) J.diagonal() << n[0], n[1], n[2];
  if (n.size() == 6) J << n[0], n[3], n[4], n[3], n[1], n[5], n[4], n[5], n[2];
  if (n.size() == 9) J << n[0], n[1], n[2], n[3], n[4], n[5], n[6], n[7], n[8];
  return J;
}

/// All but name, shape and mass.
BodyEntry read_motion(TableReader& table, const SolidsCase& scene, bool is_half_space) {
  BodyEntry body;
  body.name = table.text("name");
  body.group = table.text("group", "bodies");
  const Placement placement = read_placement(table);
  body.place = placement.at;
  body.attitude = placement.attitude;
  body.velocity = read_vector(table, "velocity", Vector3d::Zero());
  body.spin = read_vector(table, "spin", Vector3d::Zero());
  if (table.has("birth")) body.birth = table.at_least_zero("birth");
  const bool driven = scene.drive_of(body.group) != nullptr;
  body.fixed = table.flag("fixed", is_half_space && !driven);
  if (body.fixed && driven)
    table.fail("fixed", fmt::format("its group \"{}\" has a [[drive]]", body.group));
  if (is_half_space && !body.fixed && !driven)
    table.fail("fixed", "a half-space has no mass: it is fixed, or its group has a [[drive]]");
  if (!body.fixed && !driven) {
    if (table.has("scatter")) read_scatter(table.table("scatter"), body);
    return body;
  }
  const std::string no_effect =
      fmt::format("has no effect: the body is {}", body.fixed ? "fixed" : "driven");
  if (!body.velocity.isZero(0.0)) table.fail("velocity", no_effect);
  if (!body.spin.isZero(0.0)) table.fail("spin", no_effect);
  if (table.has("scatter")) table.fail("scatter", no_effect);
  return body;
}

GivenMass read_given_mass(TableReader& table) {
  GivenMass given;
  if (table.has("mass")) given.mass = table.positive("mass");
  given.inertia = read_inertia(table, "inertia");
  return given;
}

/// One body of each part of a file, where the file has it.
void read_bodies_of_file(TableReader& table, SolidsCase& scene) {
  const std::vector<VertexPart> parts = read_parts(table, scene);
  const double scale = table.positive("scale", 1.0), radius = table.at_least_zero("radius", 0.0),
               skin = table.at_least_zero("skin", 0.0);
  const double density = table.has("density") ? table.positive("density") : 0.0;
  const BodyEntry common = read_motion(table, scene, false);
  table.finish();
  for (const VertexPart& part : parts) {
    std::vector<Vector3d> points = part.vertices;
    for (Vector3d& point : points) point *= scale;
    BodyEntry body = common;
    body.name = fmt::format("{}.{}", common.name, part.name);
    ShapeEntry shape = about_its_centre(body.name, read_hull(table, "file", points, radius));
    shape.density = density;
    shape.skin = skin;
    body.place += body.attitude * shape.properties.centre;
    body.shape = static_cast<int>(scene.shapes.size());
    if (scene.is_free(body)) set_mass(table, {}, shape, body);
    scene.shapes.push_back(std::move(shape));
    add_body(table, std::move(body), scene);
  }
}

}  // namespace

Placement read_placement(TableReader& table) {
  Placement placement;
  placement.at = read_vector(table, "at", Vector3d::Zero());
  placement.attitude = read_attitude(table);
  return placement;
}

std::optional<Matrix3d> read_inertia(TableReader& table, const std::string& key) {
  if (!table.has(key)) return std::nullopt;
  const std::vector<double> numbers = table.number_list(key);
  if (numbers.size() != 3 && numbers.size() != 6 && numbers.size() != 9)
    table.fail(key, "expected 3 principal moments, 6 numbers xx, yy, zz, xy, xz, yz, or 9 by rows");
  const Matrix3d J = matrix_of(numbers);
  if (J != J.transpose()) table.fail(key, "must be symmetric");
  const Vector3d moments = Eigen::SelfAdjointEigenSolver<Matrix3d>(J).eigenvalues();
  if (!(moments[0] > 0.0)) table.fail(key, "must be positive definite");
  if (moments[2] > (moments[0] + moments[1]) * (1.0 + 1e-9))
    table.fail(key, fmt::format("no body has it: the largest principal moment, {:g}, is more than "
                                "the sum of the two others",
                                moments[2]));
  return J;
}

void set_mass(TableReader& table, const GivenMass& given, const ShapeEntry& shape,
              BodyEntry& body) {
  const double volume = shape.properties.volume;
  if (!given.mass && shape.density == 0.0)
    table.fail("mass", fmt::format("this key is missing: \"{}\" moves, and its shape \"{}\" has no "
                                   "density",
                                   body.name, shape.name));
  if (!given.inertia && !shape.uniform)
    table.fail("inertia", fmt::format("this key is missing: the centre of mass of shape \"{}\" is "
                                      "given, and not that of a uniform body",
                                      shape.name));
  body.mass = given.mass.value_or(shape.density * volume);
  body.inertia = given.inertia.value_or(body.mass / volume * shape.properties.inertia);
}

int read_shape_name(TableReader& table, const std::string& key, const SolidsCase& scene) {
  const std::string name = table.text(key);
  std::vector<std::string> names;
  for (const ShapeEntry& shape : scene.shapes) {
    if (shape.name == name) return static_cast<int>(names.size());
    names.push_back(shape.name);
  }
  const std::string likely = nearest(name, names);
  table.fail(key, names.empty() ? "there is no [[shape]]"
                  : likely.empty()
                      ? fmt::format("no [[shape]] has this name; there are \"{}\"",
                                    fmt::join(names, "\", \""))
                      : fmt::format("no [[shape]] has this name; did you mean \"{}\"?", likely));
}

void add_body(TableReader& table, BodyEntry body, SolidsCase& scene) {
  if (!scene.names.insert(body.name).second)
    table.fail("name", fmt::format("there is another body \"{}\"", body.name));
  if (std::ranges::find(scene.groups, body.group) == scene.groups.end())
    scene.groups.push_back(body.group);
  scene.bodies.push_back(std::move(body));
}

void read_bodies(TableReader& table, SolidsCase& scene) {
  if (table.has("file")) return read_bodies_of_file(table, scene);
  const int index = read_shape_name(table, "shape", scene);
  const ShapeEntry& shape = scene.shapes[static_cast<std::size_t>(index)];
  BodyEntry body =
      read_motion(table, scene, std::holds_alternative<collision::HalfSpace>(shape.shape));
  body.shape = index;
  const GivenMass given = read_given_mass(table);
  table.finish();
  if (scene.is_free(body)) set_mass(table, given, shape, body);
  add_body(table, std::move(body), scene);
}

}  // namespace slipwave::app
