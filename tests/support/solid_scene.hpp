#pragma once

#include "collision/mass_properties.hpp"
#include "collision/shape.hpp"
#include "dynamics/schemes/theta_scheme.hpp"
#include "dynamics/solids/solids.hpp"
#include "dynamics/solids/solids_integrator.hpp"
#include "dynamics/state.hpp"

#include <Eigen/Core>
#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>
#include <memory>

namespace slipwave::tests {

/// A scene of rigid bodies, all of one group and law, put together in a test.
struct SolidScene {
  SolidScene(double friction, double restitution, double g = 9.81) {
    solids.gravity = {0.0, 0.0, -g};
    dynamics::ContactLaw law;
    law.friction = contact::Coulomb{friction};
    law.restitution = restitution;
    law.gap_tolerance = 1e-9;
    solids.laws = {law};
    solids.law_of_groups = {{0}};
    solids.alert = 1e-3;
  }

  /// A body of density 1 or another, at rest; its number.
  int add(const collision::Convex& shape, const Eigen::Vector3d& place, double density = 1.0) {
    const collision::MassProperties properties = collision::mass_properties(shape);
    dynamics::Solid body;
    body.collider.shape = shape;
    body.mass = density * properties.volume;
    body.inertia = density * properties.inertia;
    body.place = place;
    solids.bodies.push_back(body);
    return solids.body_count() - 1;
  }
  /// A fixed half-space.
  int add_ground(const Eigen::Vector3d& normal = Eigen::Vector3d::UnitZ()) {
    dynamics::Solid body;
    body.collider.shape = collision::HalfSpace{Eigen::Vector3d::Zero(), normal.normalized()};
    body.kind = dynamics::Solid::Kind::fixed;
    solids.bodies.push_back(body);
    return solids.body_count() - 1;
  }
  /// The last body.
  dynamics::Solid& last() { return solids.bodies.back(); }

  /// Where everything is at the start.
  dynamics::State state() const {
    dynamics::State state;
    state.q.resize(dynamics::q_of(solids.body_count()));
    state.v.resize(dynamics::v_of(solids.body_count()));
    for (int i = 0; i < solids.body_count(); ++i) {
      const dynamics::Solid& body = solids.bodies[static_cast<std::size_t>(i)];
      state.q.segment<7>(dynamics::q_of(i)) << body.place, body.attitude.w(), body.attitude.vec();
      state.v.segment<6>(dynamics::v_of(i)) << body.velocity, body.spin;
    }
    return state;
  }

  dynamics::Solids solids;
};

/// A scene that moves, with its ledger looked at in every step.
struct SolidRun {
  SolidRun(const SolidScene& scene_, const dynamics::ThetaScheme& scheme, double h,
           double tolerance = 1e-12)
      : scene(scene_),
        integrator(scene.solids, scheme, h, {contact::Method::automatic, tolerance, 10000, 1.0}),
        state(scene.state()) {
    integrator.start(state);
    energy = integrator.energy(state).total();
  }

  dynamics::StepReport step() {
    dynamics::StepReport report = integrator.advance(state);
    const dynamics::EnergyBalance& balance = report.energy;
    exchanged += balance.works.sum_of_magnitudes();
    contact_work += balance.works.contact_normal + balance.works.contact_tangential;
    worst_balance = std::max(worst_balance, std::abs(balance.residual()));
    worst_gyroscopic = std::max(worst_gyroscopic, std::abs(balance.works.gyroscopic));
    worst_created = std::max({worst_created, report.max_tangential_work, report.max_normal_work});
    all_certified = all_certified && report.contact.converged;
    return report;
  }
  void steps(int count) {
    for (int k = 0; k < count; ++k) static_cast<void>(step());
  }

  Eigen::Vector3d place(int body) const { return dynamics::place_in(state.q, body); }
  Eigen::Vector3d velocity(int body) const { return state.v.segment<3>(dynamics::v_of(body)); }
  /// In the body's frame.
  Eigen::Vector3d spin(int body) const { return state.v.segment<3>(dynamics::v_of(body) + 3); }
  Eigen::Quaterniond attitude(int body) const { return dynamics::attitude_in(state.q, body); }

  SolidScene scene;
  dynamics::SolidsIntegrator integrator;
  dynamics::State state;
  double energy = 0.0, exchanged = 0.0, contact_work = 0.0;
  double worst_balance = 0.0, worst_gyroscopic = 0.0, worst_created = 0.0;
  bool all_certified = true;
};

}  // namespace slipwave::tests
