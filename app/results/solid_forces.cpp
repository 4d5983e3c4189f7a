#include "app/results/solid_forces.hpp"

#include "app/results/columns.hpp"
#include "dynamics/solids/solids_integrator.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace slipwave::app {

namespace {

using dynamics::Solid;

/// The columns of pairs of groups, the lesser first, and of groups: where their sums begin.
struct Places {
  std::map<std::array<int, 2>, Eigen::Index> pairs;
  std::map<int, Eigen::Index> holding;
};

bool is_free(const Solid& body) { return body.kind == Solid::Kind::free; }

/// How many bodies of each group there are, and how many of them are free.
struct Census {
  std::vector<int> bodies, free;
};

Census census_of(const dynamics::Solids& solids) {
  Census census{std::vector<int>(solids.law_of_groups.size()),
                std::vector<int>(solids.law_of_groups.size())};
  for (const Solid& body : solids.bodies) {
    const auto group = static_cast<std::size_t>(body.collider.group);
    ++census.bodies[group];
    census.free[group] += is_free(body) ? 1 : 0;
  }
  return census;
}

bool can_touch(const dynamics::Solids& solids, const Census& census, std::size_t g, std::size_t h) {
  if (solids.law_of_groups[g][h] < 0 || census.free[g] + census.free[h] == 0) return false;
  return g != h || census.bodies[g] > 1;
}

Places places_in(const dynamics::Solids& solids) {
  const Census census = census_of(solids);
  const std::size_t groups = census.bodies.size();
  Places places;
  Eigen::Index at = 0;
  for (std::size_t g = 0; g < groups; ++g)
    for (std::size_t h = g; h < groups; ++h) {
      if (!can_touch(solids, census, g, h)) continue;
      places.pairs[{static_cast<int>(g), static_cast<int>(h)}] = at;
      at += sums_per_line;
    }
  for (std::size_t g = 0; g < groups; ++g) {
    if (census.free[g] == census.bodies[g]) continue;
    places.holding[static_cast<int>(g)] = at;
    at += 3;
  }
  return places;
}

void add_contacts(const dynamics::Solids& solids, const dynamics::SolidsIntegrator& integrator,
                  const Places& places, Eigen::Ref<Eigen::VectorXd> sums) {
  const auto group_of = [&](int body) {
    return solids.bodies[static_cast<std::size_t>(body)].collider.group;
  };
  const Eigen::VectorXd& p = integrator.contact().solution().p;
  for (const int a : integrator.contact().active()) {
    const dynamics::SolidContact& contact = integrator.contacts()[static_cast<std::size_t>(a)];
    const auto [g, h] = std::minmax({group_of(contact.A), group_of(contact.B)});
    const Eigen::Index at = places.pairs.at({g, h});
    sums[at] += p[3 * a];
    sums[at + 1] += p.segment<2>(3 * a + 1).norm();
  }
}

void add_holding(const dynamics::Solids& solids, const dynamics::SolidsIntegrator& integrator,
                 const Places& places, Eigen::Ref<Eigen::VectorXd> sums) {
  for (int i = 0; i < solids.body_count(); ++i) {
    const Solid& body = solids.bodies[static_cast<std::size_t>(i)];
    if (is_free(body)) continue;
    sums.segment<3>(places.holding.at(body.collider.group)) -=
        integrator.impulses().segment<3>(dynamics::v_of(i));
  }
}

}  // namespace

ForceLayout force_layout(const SolidsModel& model) {
  const std::vector<std::string>& groups = model.scene().groups;
  const auto name = [&](int group) { return groups[static_cast<std::size_t>(group)]; };
  const Places places = places_in(model.solids());
  std::set<std::string> pairs, holding;
  ForceLayout layout;
  layout.dimension = 3;
  for (const auto& [pair, at] : places.pairs)
    layout.lines.push_back({.name = own_cell(name(pair[0]) + "-" + name(pair[1]), pairs)});
  for (const auto& [group, at] : places.holding)
    layout.groups.push_back({.name = own_cell(name(group), holding), .on = name(group)});
  return layout;
}

AddImpulses add_impulses_of_solids(const SolidsModel& model) {
  return [&solids = model.solids(), places = places_in(model.solids())](
             const ForceLayout&, const dynamics::Integrator& integrator,
             Eigen::Ref<Eigen::VectorXd> sums) {
    const auto& of_solids = dynamic_cast<const dynamics::SolidsIntegrator&>(integrator);
    add_contacts(solids, of_solids, places, sums);
    add_holding(solids, of_solids, places, sums);
  };
}

}  // namespace slipwave::app
