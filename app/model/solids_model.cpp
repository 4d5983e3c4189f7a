#include "app/model/solids_model.hpp"

#include "dynamics/solids/solids_integrator.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <utility>

namespace slipwave::app {

namespace {

using dynamics::Solid;
using dynamics::SolidContact;
using dynamics::Solids;

double value_at(const std::optional<Expression>& formula, double t) {
  return formula ? formula->value(t) : 0.0;
}

dynamics::Drive drive_from(const DriveEntry& entry) {
  return [entry](double t) {
    dynamics::Twist twist;
    for (int i = 0; i < 3; ++i) {
      twist.velocity[i] = value_at(entry.velocity[static_cast<std::size_t>(i)], t);
      twist.spin[i] = value_at(entry.spin[static_cast<std::size_t>(i)], t);
    }
    return twist;
  };
}

int number_of(const SolidsCase& scene, const std::string& group) {
  return static_cast<int>(std::ranges::find(scene.groups, group) - scene.groups.begin());
}

Solid make_solid(const SolidsCase& scene, const BodyEntry& entry) {
  const DriveEntry* drive = scene.drive_of(entry.group);
  Solid body;
  body.kind = drive ? Solid::Kind::driven : entry.fixed ? Solid::Kind::fixed : Solid::Kind::free;
  const ShapeEntry& shape = scene.shape_of(entry);
  body.collider = {shape.shape, shape.skin, number_of(scene, entry.group),
                   body.kind == Solid::Kind::free};
  if (body.kind == Solid::Kind::free) {
    body.mass = entry.mass;
    body.inertia = entry.inertia;
  }
  body.place = entry.place;
  body.attitude = entry.attitude.normalized();
  body.velocity = entry.velocity;
  body.spin = entry.spin;
  if (entry.birth) body.birth = *entry.birth;
  if (drive) body.drive = drive_from(*drive);
  return body;
}

/// A law per contact of the case, and which holds for bodies of two groups.
void add_laws(const SolidsCase& scene, Solids& solids) {
  for (const SolidsContactEntry& entry : scene.contacts)
    solids.laws.push_back(entry.law.value_or(dynamics::ContactLaw{}));
  for (const std::string& a : scene.groups) {
    std::vector<int>& row = solids.law_of_groups.emplace_back();
    for (const std::string& b : scene.groups) {
      const SolidsContactEntry* entry = scene.contact_between(a, b);
      const bool touch = entry && entry->law;
      row.push_back(touch ? static_cast<int>(entry - scene.contacts.data()) : -1);
    }
  }
}

Solids make_solids(const SolidsCase& scene) {
  Solids solids;
  for (const BodyEntry& entry : scene.bodies) solids.bodies.push_back(make_solid(scene, entry));
  solids.gravity = scene.gravity;
  solids.alert = scene.alert;
  add_laws(scene, solids);
  return solids;
}

const std::string& name_of(const SolidsModel& model, int body) {
  return model.scene().bodies[static_cast<std::size_t>(body)].name;
}

std::string contact_text(const SolidsModel& model, const SolidContact& contact) {
  return fmt::format("the contact of {} and {} at ({:.4g}, {:.4g}, {:.4g})",
                     name_of(model, contact.A), name_of(model, contact.B), contact.point[0],
                     contact.point[1], contact.point[2]);
}

/// The worst pair, and how many there are.
std::string overlap_warning(const SolidsModel& model, const std::vector<SolidContact>& contacts) {
  const SolidContact* worst = nullptr;
  std::set<std::pair<int, int>> pairs;
  for (const SolidContact& contact : contacts) {
    const double tolerance =
        model.solids().laws[static_cast<std::size_t>(contact.law)].gap_tolerance;
    if (contact.gap >= -tolerance) continue;
    pairs.emplace(contact.A, contact.B);
    if (!worst || contact.gap < worst->gap) worst = &contact;
  }
  if (!worst) return "";
  return fmt::format("{} pair(s) of bodies overlap at the start, worst {} and {}, by {:.3g}{}",
                     pairs.size(), name_of(model, worst->A), name_of(model, worst->B), -worst->gap,
                     model.case_file().unit("length"));
}

/// Bodies that a chain of contacts joins to one that nothing can push.
std::vector<char> supported(const SolidsModel& model, const std::vector<SolidContact>& contacts) {
  std::vector<char> held;
  for (const Solid& body : model.solids().bodies) held.push_back(body.kind != Solid::Kind::free);
  for (bool more = true; std::exchange(more, false);)
    for (const SolidContact& contact : contacts) {
      char &a = held[static_cast<std::size_t>(contact.A)],
           &b = held[static_cast<std::size_t>(contact.B)];
      if (a == b) continue;
      a = b = 1;
      more = true;
    }
  return held;
}

/// Bodies that hang in the air at rest, as if something should hold them.
std::string floating_warning(const SolidsModel& model, const std::vector<SolidContact>& contacts) {
  if (model.solids().gravity.isZero(0.0)) return "";
  const std::vector<char> held = supported(model, contacts);
  int count = 0;
  std::string first;
  for (std::size_t i = 0; i < held.size(); ++i) {
    const Solid& body = model.solids().bodies[i];
    if (held[i] || body.birth > 0.0 || !body.velocity.isZero(0.0)) continue;
    if (++count == 1) first = name_of(model, static_cast<int>(i));
  }
  if (count == 0) return "";
  return fmt::format(
      "{} bodies at rest stand on nothing at the start and will fall, the first is {}: see `at`, "
      "and detection.alert = {:g}{} within which bodies count as touching",
      count, first, model.scene().alert, model.case_file().unit("length"));
}

/// What a number of a body is called: place or velocity along an axis, attitude or spin.
std::string part_text(const SolidsModel& model, int number, int per_body, const char* turning) {
  const int part = number % per_body;
  const std::string& name = name_of(model, number / per_body);
  if (part < 3) return fmt::format("{} along {}", name, "xyz"[part]);
  return fmt::format("{}, {} {}", name, turning, part - 2);
}

}  // namespace

SolidsModel::SolidsModel(const Case& c) : c_(c), solids_(make_solids(*c.solids)) {}

dynamics::Stepper SolidsModel::make_stepper(double step) const {
  return dynamics::Stepper(std::make_unique<dynamics::SolidsIntegrator>(
      solids_, std::get<dynamics::ThetaScheme>(c_.scheme.scheme), step, c_.solver));
}

dynamics::State SolidsModel::initial_state() const {
  dynamics::State state;
  state.q.resize(dynamics::q_of(solids_.body_count()));
  state.v.resize(dynamics::v_of(solids_.body_count()));
  for (int i = 0; i < solids_.body_count(); ++i) {
    const Solid& body = solids_.bodies[static_cast<std::size_t>(i)];
    state.q.segment<7>(dynamics::q_of(i)) << body.place, body.attitude.w(), body.attitude.vec();
    state.v.segment<6>(dynamics::v_of(i)) << body.velocity, body.spin;
  }
  return state;
}

int SolidsModel::free_count() const {
  return static_cast<int>(std::ranges::count(solids_.bodies, Solid::Kind::free, &Solid::kind));
}

std::vector<SolidContact> contacts_at_start(const SolidsModel& model) {
  const dynamics::State state = model.initial_state();
  std::vector<char> present;
  for (const Solid& body : model.solids().bodies) present.push_back(body.birth <= 0.0);
  return dynamics::SolidContacts(model.solids()).find(state.q, state.v, 0.0, present);
}

Names names_of(const SolidsModel& model) {
  return {[&model](int number) { return part_text(model, number, 7, "attitude"); },
          [&model](int number) { return part_text(model, number, 6, "spin"); },
          [&model](const dynamics::Integrator& integrator, int contact) {
            const auto& solids = dynamic_cast<const dynamics::SolidsIntegrator&>(integrator);
            return contact_text(model, solids.contacts()[static_cast<std::size_t>(contact)]);
          }};
}

std::vector<std::string> warnings_about(const SolidsModel& model) {
  std::vector<std::string> warnings = model.case_file().warnings;
  const std::vector<SolidContact> contacts = contacts_at_start(model);
  for (const std::string& warning :
       {overlap_warning(model, contacts), floating_warning(model, contacts)})
    if (!warning.empty()) warnings.push_back(warning);
  return warnings;
}

}  // namespace slipwave::app
