#include "contact/frames.hpp"
#include "dynamics/schemes/schemes.hpp"
#include "tests/support/case_run.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <utility>

using namespace slipwave;
using Eigen::Vector2d;
using Eigen::VectorXd;

namespace {

constexpr double h = 1e-4;

/// The sum over the nodes: what acts on the body as a whole, along x and along y.
Vector2d resultant(const VectorXd& x) {
  return {x(Eigen::seq(0, Eigen::last, 2)).sum(), x(Eigen::seq(1, Eigen::last, 2)).sum()};
}

/// The sliding block with damping, loads that change, friction, and obstacles that lean, so that
/// the second contact pushes on a component that is prescribed. `driven` moves its top.
dynamics::System held_block(bool driven, bool with_friction) {
  const tests::CaseRun run("sliding_block", tests::on_reference_mesh(4));
  dynamics::System system = run.integrator->system();
  system.C = 30.0 * system.M + 2e-5 * system.K;
  for (dynamics::Load& load : system.loads)
    load.amplitude = [](double t) { return 3.0 * std::sin(700.0 * t) - 2.0; };
  const contact::Jacobian given = std::exchange(system.H, contact::Jacobian());
  for (std::size_t a = 0; dynamics::ContactPoint contact : std::exchange(system.contacts, {})) {
    const double angle = 0.4 * std::sin(1.0 + static_cast<double>(a));
    contact.initial_gap = 1e-5 * static_cast<double>(a % 3);
    contact.law.friction = with_friction ? 0.6 : 0.0;
    contact.law.restitution = 0.2;
    system.add_contact(contact,
                       {{given.own_dof(static_cast<int>(a++)),
                         contact::local_frame({{0.0, 0.0}, {std::sin(angle), std::cos(angle)}})}});
  }
  using Kind = dynamics::PrescribedMotion::Kind;
  std::vector<int> top;
  for (const dynamics::PrescribedMotion& motion : system.prescribed)
    for (const int dof : motion.dofs) top.push_back(2 * (dof / 2));
  system.prescribed.push_back({{system.H.own_dof(1)}, Kind::velocity, [](double) { return 0.0; }});
  system.prescribed.push_back({top, Kind::displacement, [driven](double t) {
                                 return driven ? 2e-3 * std::sin(900.0 * t) : 0.0;
                               }});
  return system;
}

/// The impulse over each step of the forces F − Cv on the body as a whole, by the definition of its
/// scheme; the forces of K have none.
class ForceImpulse {
 public:
  ForceImpulse(const dynamics::System& system, const dynamics::Scheme& scheme,
               const dynamics::State& state)
      : system_(system), scheme_(scheme), phi_(force(state)) {}

  Vector2d of_step(const dynamics::State& before, const dynamics::State& after) {
    if (const auto* theta = std::get_if<dynamics::ThetaScheme>(&scheme_))
      return h * ((1.0 - theta->theta) * force(before) + theta->theta * force(after));
    const auto* newmark = std::get_if<dynamics::NewmarkScheme>(&scheme_);
    if (!newmark) {
      dynamics::State mixed = after;
      mixed.v = before.v;
      return h * force(mixed);
    }
    const double m = newmark->alpha_m, f = newmark->kh ? m : newmark->alpha_f;
    const Vector2d phi_0 = phi_;
    phi_ = ((1.0 - f) * force(after) + f * force(before) - m * phi_0) / (1.0 - m);
    return h * (newmark->gamma * phi_ + (1.0 - newmark->gamma) * phi_0);
  }

 private:
  Vector2d force(const dynamics::State& state) const {
    VectorXd F(system_.dof_count());
    dynamics::external_force(system_, state.time(h), F);
    return resultant(F - system_.C * state.v);
  }

  const dynamics::System& system_;
  const dynamics::Scheme& scheme_;
  Vector2d phi_;
};

struct Imbalance {
  double worst = 0.0;    ///< largest |ΔP − impulses| over the impulses in magnitude
  double support = 0.0;  ///< largest share of the obstacle in what a prescribed dof got
};

Imbalance run_block(const dynamics::Scheme& scheme, bool driven, bool with_friction) {
  const dynamics::System system = held_block(driven, with_friction);
  const auto integrator = dynamics::make_integrator(system, scheme, h, {});
  dynamics::State state;
  state.q = state.v = VectorXd::Zero(system.dof_count());
  dynamics::impose_initial_motion(system, h, state.q, state.v);
  integrator->start(state);
  const std::vector<bool> prescribed = dynamics::prescribed_dofs(system);
  ForceImpulse force(system, scheme, state);
  Imbalance result;
  for (int k = 0; k < 400; ++k) {
    const dynamics::State before = state;
    REQUIRE(integrator->advance(state).contact.converged);
    VectorXd contacts = VectorXd::Zero(system.dof_count()), motions = contacts;
    for (int a = 0; a < system.contact_count(); ++a)
      system.H.add_transposed(a, integrator->contact_impulses().segment<2>(2 * a), contacts);
    const VectorXd& reaction = integrator->reaction_impulse();
    for (int i = 0; i < system.dof_count(); ++i) {
      if (prescribed[static_cast<std::size_t>(i)])
        motions[i] = reaction[i];
      else
        REQUIRE(reaction[i] == contacts[i]);
    }
    const int held = system.H.own_dof(1);
    if (contacts[held] != 0.0)
      result.support = std::max(result.support, std::abs(contacts[held] / motions[held]));
    const Vector2d left = resultant(system.M * (state.v - before.v));
    const Vector2d loads = force.of_step(before, state);
    const Vector2d right = loads + resultant(motions) + resultant(contacts);
    const double scale = motions.lpNorm<1>() + contacts.lpNorm<1>() + loads.norm() + left.norm();
    result.worst = std::max(result.worst, (left - right).lpNorm<Eigen::Infinity>() / scale);
  }
  return result;
}

}  // namespace

TEST_CASE("verification/momentum: balances with the reactions in every scheme") {
  for (const dynamics::SchemeEntry& entry : dynamics::schemes()) {
    dynamics::SchemeValues values;
    for (const dynamics::SchemeParameter& parameter : entry.parameters)
      if (parameter.fallback) values[parameter.name] = *parameter.fallback;
    CAPTURE(entry.name);
    const Imbalance of_run = run_block(entry.make(values), false, entry.name != "newmark-position");
    MESSAGE(entry.name << ": momentum off by " << of_run.worst);
    CHECK(of_run.worst <= 1e-12);
    CHECK(of_run.support > 0.01);
  }
}

TEST_CASE("verification/momentum: balances whatever the parameters, numerical damping included") {
  dynamics::NewmarkScheme position = dynamics::newmark_position(0.8, 0.5);
  for (const dynamics::Scheme& scheme : std::vector<dynamics::Scheme>{
           dynamics::moreau_jean(0.8), dynamics::moreau_jean_fremond(0.7),
           dynamics::moreau_jean_midpoint(0.9), dynamics::newmark(0.7, 0.4), dynamics::hht(0.3),
           dynamics::generalized_alpha(0.2), dynamics::kh_alpha(dynamics::generalized_alpha(0.2)),
           position}) {
    const auto* newmark = std::get_if<dynamics::NewmarkScheme>(&scheme);
    CHECK(run_block(scheme, false, !newmark || !newmark->position_level).worst <= 1e-12);
  }
}

TEST_CASE("verification/momentum: balances with the reactions on a body that is driven") {
  for (const dynamics::Scheme& scheme : std::vector<dynamics::Scheme>{
           dynamics::moreau_jean_fremond(0.5), dynamics::moreau_jean_fremond(0.8),
           dynamics::moreau_jean(0.5), dynamics::moreau_jean(1.0)})
    CHECK(run_block(scheme, true, true).worst <= 1e-12);
}
