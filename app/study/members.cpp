#include "app/study/members.hpp"

#include "app/case/toml_reader.hpp"
#include "app/messages/user_error.hpp"
#include "app/results/force_columns.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace slipwave::app {

namespace {

/// A folder's name: letters, digits, points, signs.
std::string folder_name(const Study& study, const std::vector<std::size_t>& values) {
  std::string name;
  for (std::size_t a = 0; a < values.size(); ++a)
    name += fmt::format("{}{}_{}", name.empty() ? "" : "_", study.axes[a].short_name(),
                        study.axes[a].values[values[a]]);
  std::string clean;
  for (const char c : name)
    if (std::isalnum(static_cast<unsigned char>(c)) || std::string("._-+").find(c) < 4) clean += c;
  return clean;
}

double fastest_wave(const Case& c) {
  double fastest = 0.0;
  for (const MaterialEntry& entry : c.materials)
    fastest = std::max(fastest, fem::wave_speeds(entry.material).pressure);
  return fastest;
}

/// The largest step that divides the run evenly and lets a pressure wave cross at most so many
/// elements.
std::string step_for(const Study& study, const StudyAxis& axis, double size,
                     const std::vector<std::string>& set) {
  const Case base = read_case(study.case_file.string(), set);
  if (!base.has_mesh()) throw UserError("an axis with `courant` needs a case with a mesh");
  const double end = base.time_after(base.step_count);
  const double largest = *axis.courant * size / fastest_wave(base);
  return fmt::format("time.step={}", end / std::ceil(end / largest * (1.0 - 1e-12)));
}

/// What the case file and the study's replacements say of the output: nothing of it is overruled.
class OutputWishes {
 public:
  OutputWishes(const std::string& case_file, const std::vector<std::string>& set)
      : source_(read_toml(case_file, set)) {}

  bool has(std::string_view key) const { return static_cast<bool>(source_.root["output"][key]); }
  /// The times of output.frames_at, as they are written.
  std::vector<std::string> frames_at() const {
    std::vector<std::string> times;
    if (const auto* list = source_.root["output"]["frames_at"].as_array())
      for (const toml::node& time : *list) times.push_back(to_text(time));
    return times;
  }

 private:
  TomlSource source_;
};

/// The times at which some quantity needs fields, after those that are asked for.
std::string frames_of(const Study& study, const Case& c, std::vector<std::string> times) {
  for (const StudyQuantity& quantity : study.quantities)
    if (!std::holds_alternative<LedgerQuantity>(quantity.what) &&
        !std::holds_alternative<ForceQuantity>(quantity.what) && !quantity.of_history())
      times.push_back(fmt::format("{}", time_of(quantity, c)));
  return fmt::format("output.frames_at=[{}]", fmt::join(times, ", "));
}

/// What members write: what is asked for, what quantities need, and no more.
void choose_output(const Study& study, StudyMember& member) {
  const OutputWishes wishes(study.case_file.string(), member.set);
  if (!wishes.has("frames_every")) member.set.push_back("output.frames_every=0");
  const Case c = read_case(study.case_file.string(), member.set);
  member.set.push_back(frames_of(study, c, wishes.frames_at()));
  if (!c.has_mesh() || wishes.has("interface_every")) return;
  const bool needs_history = std::any_of(study.quantities.begin(), study.quantities.end(),
                                         [](const auto& q) { return q.of_history(); });
  member.set.push_back(needs_history ? "output.interface_every=1" : "output.interface_every=0");
}

/// A column that members will not have is better known before they run.
void require_column(const StudyQuantity& quantity, const Case& c) {
  const std::vector<std::string> columns = force_columns(c);
  const std::string& wanted = std::get<ForceQuantity>(quantity.what).column;
  if (c.forces_every == 0)
    throw UserError(fmt::format("quantity \"{}\": output.forces_every = 0: members write no forces",
                                quantity.name));
  if (std::find(columns.begin(), columns.end(), wanted) == columns.end())
    throw UserError(fmt::format("quantity \"{}\": no column \"{}\" in forces.csv; it has {}",
                                quantity.name, wanted, fmt::join(columns, ", ")));
}

/// Bodies and groups that members will not have, likewise.
void require_bodies(const StudyQuantity& quantity, const SolidsCase& scene) {
  if (const auto* body = std::get_if<BodyQuantity>(&quantity.what))
    if (!scene.names.contains(body->body))
      throw UserError(
          fmt::format("quantity \"{}\": the case has no body \"{}\"", quantity.name, body->body));
  if (const auto* displaced = std::get_if<DisplacedQuantity>(&quantity.what))
    for (const std::string& group : displaced->groups)
      if (std::ranges::find(scene.groups, group) == scene.groups.end())
        throw UserError(fmt::format("quantity \"{}\": the case has no group \"{}\"; it has \"{}\"",
                                    quantity.name, group, fmt::join(scene.groups, "\", \"")));
}

/// Whether the results of a case can have a quantity.
void require_measurable(const StudyQuantity& quantity, const Case& c) {
  const bool is_ledger = std::holds_alternative<LedgerQuantity>(quantity.what);
  const bool is_force = std::holds_alternative<ForceQuantity>(quantity.what);
  if (is_force) require_column(quantity, c);
  if (quantity.of_bodies() && !c.solids)
    throw UserError(fmt::format("quantity \"{}\": the case has no rigid bodies", quantity.name));
  if (c.solids) require_bodies(quantity, *c.solids);
  if (!c.has_mesh() && !is_ledger && !is_force && !quantity.of_bodies())
    throw UserError(fmt::format(
        "quantity \"{}\": a case with {} has no fields to measure; use a ledger or forces quantity",
        quantity.name, c.solids ? "rigid bodies" : "a [system]"));
  const double end = c.time_after(c.step_count);
  if (quantity.at && (*quantity.at < 0.0 || *quantity.at > end * (1.0 + 1e-12)))
    throw UserError(fmt::format("quantity \"{}\": at = {:g} is not from 0 to the end, t = {:g}",
                                quantity.name, *quantity.at, end));
  const bool needs_contact = std::holds_alternative<ProfileQuantity>(quantity.what) ||
                             std::holds_alternative<ContactQuantity>(quantity.what) ||
                             quantity.of_history();
  if (needs_contact && c.contacts.empty())
    throw UserError(fmt::format("quantity \"{}\": the case has no [[contact]]", quantity.name));
  if (quantity.of_history() && c.interface_every == 0)
    throw UserError(
        fmt::format("quantity \"{}\": is measured over the history of the contact line, which "
                    "output.interface_every = 0 does not write; leave that key out, or set 1",
                    quantity.name));
}

StudyMember make_member(const Study& study, const std::vector<std::size_t>& values) {
  StudyMember member;
  member.values = values;
  member.name = folder_name(study, values);
  member.set = study.set;
  double size = 1.0;
  for (std::size_t a = 0; a < values.size(); ++a) {
    const StudyAxis& axis = study.axes[a];
    member.set.push_back(axis.key + "=" + axis.values[values[a]]);
    if (axis.key == "mesh.size") size = size_of(axis, values[a]);
  }
  for (const StudyAxis& axis : study.axes)
    if (axis.courant) member.set.push_back(step_for(study, axis, size, member.set));
  choose_output(study, member);
  member.c = read_case(study.case_file.string(), member.set);
  for (const StudyQuantity& quantity : study.quantities) require_measurable(quantity, member.c);
  member.weight = member.c.step_count / (size * size);
  return member;
}

/// Folders must differ and have names that a file system takes.
void give_own_name(std::vector<StudyMember>& members) {
  StudyMember& last = members.back();
  const bool is_taken = std::any_of(members.begin(), members.end() - 1,
                                    [&](const StudyMember& m) { return m.name == last.name; });
  if (is_taken || last.name.size() > 100)
    last.name = fmt::format("{}_{}", last.name.substr(0, 100), members.size());
}

}  // namespace

double time_of(const StudyQuantity& quantity, const Case& c) {
  return quantity.at.value_or(c.time_after(c.step_count));
}

double size_of(const StudyAxis& axis, std::size_t value) {
  return std::strtod(axis.values[value].c_str(), nullptr);
}

std::vector<StudyMember> make_members(const Study& study) {
  std::vector<StudyMember> members;
  std::vector<std::size_t> values(study.axes.size(), 0);
  for (;;) {
    try {
      members.push_back(make_member(study, values));
      give_own_name(members);
    } catch (const UserError& error) {
      throw UserError(fmt::format("member {}: {}", folder_name(study, values), error.what()));
    }
    std::size_t a = values.size();
    while (a > 0 && ++values[a - 1] == study.axes[a - 1].values.size()) values[--a] = 0;
    if (a == 0) return members;
  }
}

std::vector<std::string> warnings_about(const Study& study,
                                        const std::vector<StudyMember>& members) {
  const auto slips_badly = [](const StudyMember& member) {
    return std::any_of(
        member.c.contacts.begin(), member.c.contacts.end(),
        [](const ContactEntry& contact) { return largest_friction(contact.law.friction) >= 1.0; });
  };
  const auto found = std::find_if(members.begin(), members.end(), slips_badly);
  const bool refines = std::any_of(study.axes.begin(), study.axes.end(),
                                   [](const StudyAxis& axis) { return axis.key == "mesh.size"; });
  if (found == members.end() || !refines || !found->c.has_mesh()) return {};
  return {
      fmt::format("ill-posed as the mesh refines: friction >= 1 (member {}). Sliding with mu >= 1 "
                  "amplifies waves of every length, the shorter the faster: do not expect "
                  "convergence where something slides",
                  found->name)};
}

}  // namespace slipwave::app
