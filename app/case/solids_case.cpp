#include "app/case/solids_case.hpp"

#include "app/case/contact_law.hpp"
#include "app/case/pattern_section.hpp"
#include "app/case/scheme_choice.hpp"
#include "app/case/solids_body.hpp"
#include "app/case/solids_shape.hpp"
#include "app/case/toml_reader.hpp"
#include "app/messages/spelling.hpp"
#include "app/messages/user_error.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>
#include <map>

namespace slipwave::app {

namespace {

using Eigen::Vector3d;

/// Of the size of the smallest body that moves. A contact that the solver's tolerance leaves
/// farther open than the gap tolerance is open for a step, in which its body falls.
constexpr double relative_gap_tolerance = 1e-6, relative_alert = 1e-3;
/// That keys of contacts can tell apart.
constexpr std::size_t most_bodies = 1 << 20;

Vector3d read_gravity(TableReader table) {
  const Vector3d gravity{table.number("x", 0.0), table.number("y", 0.0), table.number("z", 0.0)};
  table.finish();
  return gravity;
}

DriveEntry read_drive(TableReader& table, const SolidsCase& scene) {
  DriveEntry drive{table.text("on"), {}, {}};
  if (scene.drive_of(drive.on)) table.fail("on", "there is another [[drive]] of this group");
  const auto read = [&](const char* key, auto& formulas) {
    const std::vector<Expression> found = table.expressions(key, 3);
    std::copy(found.begin(), found.end(), formulas.begin());
    return !found.empty();
  };
  const bool moves = read("velocity", drive.velocity), turns = read("spin", drive.spin);
  if (!moves && !turns) table.fail("on", "nothing is driven; give velocity or spin");
  table.finish();
  return drive;
}

/// A group that a key of the table names must be there.
void require_group(const TableReader& table, const std::string& key, const std::string& group,
                   const SolidsCase& scene) {
  if (std::ranges::find(scene.groups, group) != scene.groups.end()) return;
  const std::string likely = nearest(group, scene.groups);
  const std::string hint = likely.empty()
                               ? fmt::format("there are \"{}\"", fmt::join(scene.groups, "\", \""))
                               : fmt::format("did you mean \"{}\"?", likely);
  table.fail(key, fmt::format("no body is of the group \"{}\"; {}", group, hint));
}

SolidsContactEntry read_contact(TableReader& table, const SchemeChoice& scheme, SolidsCase& scene) {
  const std::vector<std::string> between = table.texts("between", 2, {"*", "*"});
  for (const std::string& group : between)
    if (group != "*") require_group(table, "between", group, scene);
  SolidsContactEntry entry{{between[0], between[1]}, std::nullopt};
  if (table.flag("touch", true)) {
    entry.law = read_contact_law(table, scheme.impact, scene.notes);
    entry.law->gap_tolerance =
        table.at_least_zero("gap_tolerance", relative_gap_tolerance * scene.size);
  }
  table.finish();
  return entry;
}

/// Across where the body is thinnest, along the axes of its frame.
double thickness_of(const SolidsCase& scene, const BodyEntry& body) {
  return box_of(std::get<collision::Convex>(scene.shape_of(body).shape)).minCoeff();
}

double size_of_smallest(const TableReader& root, const SolidsCase& scene) {
  double size = std::numeric_limits<double>::infinity();
  for (const BodyEntry& body : scene.bodies)
    if (scene.is_free(body)) size = std::min(size, thickness_of(scene, body));
  if (size == std::numeric_limits<double>::infinity())
    root.fail("body", "nothing can move: every body is fixed or driven");
  return size;
}

/// How many bodies a group has, and how many of them move as they are pushed.
struct GroupCount {
  int members = 0, free = 0;
};

std::map<std::string, GroupCount> counts_of(const SolidsCase& scene) {
  std::map<std::string, GroupCount> counts;
  for (const BodyEntry& body : scene.bodies) {
    ++counts[body.group].members;
    counts[body.group].free += scene.is_free(body);
  }
  return counts;
}

/// Bodies without a law would pass through one another unseen.
void require_laws(const TableReader& root, const SolidsCase& scene) {
  const std::map<std::string, GroupCount> counts = counts_of(scene);
  for (const auto& [a, of_a] : counts)
    for (const auto& [b, of_b] : counts) {
      const bool can_meet = a == b ? of_a.members > 1 && of_a.free > 0 : of_a.free + of_b.free > 0;
      if (can_meet && !scene.contact_between(a, b))
        root.fail("contact",
                  fmt::format("bodies of \"{0}\" and \"{1}\" can meet and have no law; add a "
                              "[[contact]] with between = [\"{0}\", \"{1}\"], or without `between` "
                              "for all, or with touch = false for none",
                              a, b));
    }
}

void read_detection(TableReader table, SolidsCase& scene) {
  scene.alert = table.positive("alert", relative_alert * scene.size);
  for (const SolidsContactEntry& entry : scene.contacts)
    if (entry.law && entry.law->gap_tolerance > scene.alert)
      table.fail("alert",
                 fmt::format("must be at least the gap tolerance of every [[contact]], {:g}",
                             entry.law->gap_tolerance));
  table.finish();
}

/// Hulls with a radius weigh what their cores do.
void note_cores(SolidsCase& scene) {
  for (const ShapeEntry& shape : scene.shapes) {
    const auto* convex = std::get_if<collision::Convex>(&shape.shape);
    if (convex && !convex->faces.empty() && convex->radius > 0.0 && shape.density > 0.0)
      scene.notes.push_back(fmt::format(
          "shape \"{}\": the density counts its core alone, without the radius; give bodies mass "
          "and inertia for more",
          shape.name));
  }
}

void require_theta(const TableReader& root, const SchemeChoice& scheme) {
  if (std::holds_alternative<dynamics::ThetaScheme>(scheme.scheme)) return;
  throw UserError(
      fmt::format("{}: time.scheme = \"{}\" advances systems with constant matrices, and those of "
                  "rigid bodies change as they turn; choose moreau-jean or moreau-jean-fremond",
                  root.file(), scheme.name));
}

void read_shapes(TableReader& root, SolidsCase& scene) {
  for (TableReader& table : root.tables("shape")) {
    ShapeEntry shape = read_shape(table, scene);
    for (const ShapeEntry& other : scene.shapes)
      if (other.name == shape.name) table.fail("name", "there is another shape of this name");
    scene.shapes.push_back(std::move(shape));
  }
}

}  // namespace

SolidsCase read_solids_case(TableReader& root, const SchemeChoice& scheme) {
  require_theta(root, scheme);
  SolidsCase scene;
  scene.gravity = read_gravity(root.table("gravity"));
  read_shapes(root, scene);
  std::vector<TableReader> drives = root.tables("drive");
  for (TableReader& table : drives) scene.drives.push_back(read_drive(table, scene));
  for (TableReader& table : root.tables("body")) read_bodies(table, scene);
  for (TableReader& table : root.tables("pattern")) read_pattern(table, scene);
  if (scene.bodies.size() >= most_bodies)
    root.fail("body", fmt::format("at most {} bodies are supported", most_bodies - 1));
  scene.size = size_of_smallest(root, scene);
  for (std::size_t i = 0; i < drives.size(); ++i)
    require_group(drives[i], "on", scene.drives[i].on, scene);
  for (TableReader& table : root.tables("contact"))
    scene.contacts.push_back(read_contact(table, scheme, scene));
  require_laws(root, scene);
  read_detection(root.table("detection"), scene);
  note_cores(scene);
  return scene;
}

}  // namespace slipwave::app
