#include "app/case/solids_pattern.hpp"

#include <cmath>
#include <numbers>

namespace slipwave::app {

namespace {

using Eigen::Vector3d;

double height_of(const Courses& wall, int course) {
  return 0.5 * wall.block[2] + course * (wall.block[2] + wall.gap);
}

/// Half the angle of a voussoir.
double half_angle(const Arch& arch) { return 0.5 * std::numbers::pi / arch.voussoirs; }

}  // namespace

std::vector<PlacedBlock> running_bond(const Courses& wall, bool taper) {
  const double length = wall.block[1], module = length + wall.gap;
  std::vector<PlacedBlock> blocks;
  for (int course = 0; course < wall.courses; ++course) {
    const bool closed = !taper && course % 2 == 1;
    const int full = wall.blocks - (taper ? course : closed ? 1 : 0);
    const double first = -0.5 * (full - 1) * module, z = height_of(wall, course);
    // A half block and a full one: their centres are three quarters of a block apart.
    const double end = first - 0.75 * length - wall.gap;
    if (closed) blocks.push_back({true, {0.0, end, z}});
    for (int j = 0; j < full; ++j) blocks.push_back({false, {0.0, first + j * module, z}});
    if (closed) blocks.push_back({true, {0.0, -end, z}});
  }
  return blocks;
}

std::vector<PlacedBlock> buttress(const Courses& pier) {
  const double length = pier.block[1], module = length + pier.gap;
  std::vector<PlacedBlock> blocks;
  for (int course = 0; course < pier.courses; ++course) {
    const bool half_first = course % 2 == 0;
    const int full = pier.blocks - 1;
    const double last = -0.5 * length - (half_first ? 0.0 : 0.5 * module),
                 first = last - (full - 1) * module, z = height_of(pier, course),
                 beside = 0.75 * length + pier.gap;
    if (half_first) blocks.push_back({true, {0.0, first - beside, z}});
    for (int j = 0; j < full; ++j) blocks.push_back({false, {0.0, first + j * module, z}});
    if (!half_first) blocks.push_back({true, {0.0, last + beside, z}});
  }
  return blocks;
}

std::vector<PlacedBlock> stack(const Vector3d& block, int blocks, double gap,
                               const std::vector<double>& offsets) {
  std::vector<PlacedBlock> placed;
  double y = 0.0;
  for (int k = 0; k < blocks; ++k) {
    const auto below = static_cast<std::size_t>(k) - 1;
    if (k > 0 && below < offsets.size()) y += offsets[below];
    placed.push_back({false, {0.0, y, 0.5 * block[2] + k * (block[2] + gap)}});
  }
  return placed;
}

collision::Convex voussoir(const Arch& arch) {
  const double a = half_angle(arch), centre = properties_of_voussoir(arch).centre[2];
  std::vector<Vector3d> corners;
  for (const double radius :
       {arch.radius - 0.5 * arch.thickness, arch.radius + 0.5 * arch.thickness})
    for (const double side : {-1.0, 1.0})
      for (const double y : {-0.5 * arch.width, 0.5 * arch.width})
        corners.emplace_back(side * radius * std::sin(a), y, radius * std::cos(a) - centre);
  return collision::hull(corners);
}

/// Integrals over r from inner to outer and over angles from −a to a from the middle: of 1, of the
/// height r cos φ, and of its square and that of r sin φ.
collision::MassProperties properties_of_voussoir(const Arch& arch) {
  const double a = half_angle(arch), inner = arch.radius - 0.5 * arch.thickness,
               outer = inner + arch.thickness;
  const double area = a * (outer * outer - inner * inner);
  const double height = 2.0 / 3.0 * std::sin(a) * (std::pow(outer, 3) - std::pow(inner, 3)) / area;
  const double fourth = 0.25 * (std::pow(outer, 4) - std::pow(inner, 4));
  const double zz = fourth * (a + 0.5 * std::sin(2.0 * a)) - area * height * height,
               xx = fourth * (a - 0.5 * std::sin(2.0 * a)),
               yy = area * arch.width * arch.width / 12.0;
  collision::MassProperties properties;
  properties.volume = area * arch.width;
  properties.centre = {0.0, 0.0, height};
  properties.inertia =
      arch.width * Vector3d(yy + zz, xx + zz, xx + yy).asDiagonal().toDenseMatrix();
  return properties;
}

std::vector<PlacedBlock> voussoirs(const Arch& arch) {
  const double a = half_angle(arch);
  const Vector3d crown = properties_of_voussoir(arch).centre;
  std::vector<PlacedBlock> blocks;
  for (int i = 0; i < arch.voussoirs; ++i) {
    const double angle = 0.5 * std::numbers::pi - (2 * i + 1) * a;  // from the crown towards x
    const Eigen::Quaterniond attitude(Eigen::AngleAxisd(angle, Vector3d::UnitY()));
    blocks.push_back({false, attitude * crown, attitude});
  }
  return blocks;
}

}  // namespace slipwave::app
