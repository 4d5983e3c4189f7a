#include "app/case/pattern_section.hpp"

#include "app/case/solids_body.hpp"
#include "app/case/solids_pattern.hpp"
#include "app/case/solids_shape.hpp"
#include "app/case/toml_reader.hpp"

#include <fmt/format.h>

#include <vector>

namespace slipwave::app {

namespace {

using Eigen::Vector3d;

constexpr int most_bodies = 100000;

/// A shape of a pattern with what its blocks weigh.
struct BlockKind {
  int shape = -1;
  GivenMass given;
};

/// A pattern as read: its blocks in its own frame, and the shapes of whole and half ones.
struct Pattern {
  std::string name, group;
  Vector3d block = Vector3d::Zero();  // thickness, length and height of a whole one
  BlockKind full, half;
  std::vector<PlacedBlock> blocks;
  int copies = 1;
  Vector3d shift = Vector3d::Zero();  // of each copy, in the frame of space
};

int count_of(TableReader& table, const std::string& key, std::optional<int> fallback = {}) {
  const int count = table.integer(key, fallback);
  if (count < 1 || count > most_bodies)
    table.fail(key, fmt::format("must be from 1 to {}", most_bodies));
  return count;
}

/// A shape of the pattern's own, with what the pattern says of density and skin.
int add_shape(TableReader& table, ShapeEntry shape, SolidsCase& scene) {
  if (table.has("density")) shape.density = table.positive("density");
  shape.skin = table.at_least_zero("skin", 0.0);
  scene.shapes.push_back(std::move(shape));
  return static_cast<int>(scene.shapes.size()) - 1;
}

Vector3d size_of_shape(TableReader& table, const std::string& key, const ShapeEntry& shape) {
  const auto* convex = std::get_if<collision::Convex>(&shape.shape);
  if (!convex) table.fail(key, "a half-space is no block");
  return box_of(*convex);
}

/// `block`, or `shape` with the half one's `half_shape`.
void read_block(TableReader& table, bool has_halves, Pattern& pattern, SolidsCase& scene) {
  if (table.has("shape")) {
    if (table.has("block")) table.fail("block", "shape is given too");
    pattern.full.shape = read_shape_name(table, "shape", scene);
    pattern.block =
        size_of_shape(table, "shape", scene.shapes[static_cast<std::size_t>(pattern.full.shape)]);
    if (has_halves) pattern.half.shape = read_shape_name(table, "half_shape", scene);
    return;
  }
  pattern.block = read_vector(table, "block");
  if (!(pattern.block.array() > 0.0).all())
    table.fail("block", "must be greater than 0: thickness, length and height");
  const auto add = [&](const char* kind, double share) {
    const Vector3d size = pattern.block.cwiseProduct(Vector3d(1.0, share, 1.0));
    return add_shape(table, about_its_centre(pattern.name + kind, collision::box(size)), scene);
  };
  pattern.full.shape = add(".full", 1.0);
  if (has_halves) pattern.half.shape = add(".half", 0.5);
}

Courses read_courses(TableReader& table, const Pattern& pattern) {
  Courses courses{pattern.block, count_of(table, "courses"), count_of(table, "blocks"),
                  table.at_least_zero("gap", 0.0)};
  if (static_cast<double>(courses.courses) * courses.blocks > most_bodies)
    table.fail("blocks", fmt::format("makes more than {} blocks", most_bodies));
  return courses;
}

void read_running_bond(TableReader& table, Pattern& pattern, SolidsCase& scene) {
  const bool taper = table.flag("taper", false);
  read_block(table, !taper, pattern, scene);
  const Courses wall = read_courses(table, pattern);
  if (taper && wall.courses > wall.blocks)
    table.fail("courses", fmt::format("a tapered wall of {} blocks has at most {} courses",
                                      wall.blocks, wall.blocks));
  if (!taper && wall.blocks < 2) table.fail("blocks", "must be at least 2");
  pattern.blocks = running_bond(wall, taper);
}

void read_buttress(TableReader& table, Pattern& pattern, SolidsCase& scene) {
  read_block(table, true, pattern, scene);
  const Courses pier = read_courses(table, pattern);
  if (pier.blocks < 2) table.fail("blocks", "must be at least 2: a half one and whole ones");
  pattern.blocks = buttress(pier);
}

void read_stack(TableReader& table, Pattern& pattern, SolidsCase& scene) {
  read_block(table, false, pattern, scene);
  const int blocks = count_of(table, "blocks");
  const double gap = table.at_least_zero("gap", 0.0);
  const std::vector<double> offsets = table.number_list("offsets");
  if (static_cast<int>(offsets.size()) >= blocks)
    table.fail("offsets", fmt::format("{} blocks have {} joints", blocks, blocks - 1));
  pattern.blocks = stack(pattern.block, blocks, gap, offsets);
}

void read_arch(TableReader& table, Pattern& pattern, SolidsCase& scene) {
  Arch arch;
  arch.voussoirs = count_of(table, "voussoirs");
  if (arch.voussoirs < 2) table.fail("voussoirs", "must be at least 2");
  arch.thickness = table.positive("thickness");
  arch.width = table.positive("width", 1.0);
  if (table.has("inner_radius")) {
    if (table.has("radius")) table.fail("inner_radius", "radius, the mean one, is given too");
    arch.radius = table.positive("inner_radius") + 0.5 * arch.thickness;
  } else {
    arch.radius = table.positive("radius");
  }
  if (!(arch.thickness < 2.0 * arch.radius))
    table.fail("thickness", "must be less than twice the mean radius");
  pattern.full.shape = add_shape(table,
                                 {.name = pattern.name + ".voussoir",
                                  .shape = voussoir(arch),
                                  .properties = properties_of_voussoir(arch)},
                                 scene);
  pattern.blocks = voussoirs(arch);
}

/// What a pattern says of its masses instead of a density.
void read_masses(TableReader& table, Pattern& pattern) {
  const auto read = [&](const std::string& before, BlockKind& kind) {
    if (kind.shape < 0) return;
    if (table.has(before + "mass")) kind.given.mass = table.positive(before + "mass");
    kind.given.inertia = read_inertia(table, before + "inertia");
  };
  read("", pattern.full);
  read("half_", pattern.half);
}

void read_copies(TableReader& table, Pattern& pattern) {
  pattern.copies = count_of(table, "copies", 1);
  if (static_cast<double>(pattern.copies) * static_cast<double>(pattern.blocks.size()) >
      most_bodies)
    table.fail("copies", fmt::format("makes more than {} blocks", most_bodies));
  if (pattern.copies > 1) pattern.shift = read_vector(table, "shift");
  if (pattern.copies == 1 && table.has("shift"))
    table.fail("shift", "has no effect without copies");
}

/// The copies one after the other.
void add_bodies(TableReader& table, const Pattern& pattern, const Placement& placement,
                SolidsCase& scene) {
  int number = 0;
  for (int copy = 0; copy < pattern.copies; ++copy)
    for (const PlacedBlock& block : pattern.blocks) {
      const BlockKind& kind = block.half ? pattern.half : pattern.full;
      BodyEntry body;
      body.name = fmt::format("{}.{}", pattern.name, ++number);
      body.group = pattern.group;
      body.shape = kind.shape;
      body.place = placement.at + copy * pattern.shift + placement.attitude * block.place;
      body.attitude = placement.attitude * block.attitude;
      if (scene.is_free(body)) set_mass(table, kind.given, scene.shape_of(body), body);
      add_body(table, std::move(body), scene);
    }
}

}  // namespace

void read_pattern(TableReader& table, SolidsCase& scene) {
  const std::vector<std::string> kinds{"running-bond", "buttress", "arch", "stack"};
  constexpr std::array readers{read_running_bond, read_buttress, read_arch, read_stack};
  Pattern pattern;
  pattern.name = table.text("name");
  pattern.group = table.text("group", pattern.name);
  readers[table.choice("kind", kinds, std::nullopt)](table, pattern, scene);
  read_masses(table, pattern);
  read_copies(table, pattern);
  const Placement placement = read_placement(table);
  table.finish();
  add_bodies(table, pattern, placement, scene);
}

}  // namespace slipwave::app
