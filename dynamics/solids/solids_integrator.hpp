#pragma once

#include "dynamics/integrator.hpp"
#include "dynamics/schemes/theta_scheme.hpp"
#include "dynamics/solids/body_contact_step.hpp"
#include "dynamics/solids/solid_contacts.hpp"
#include "dynamics/solids/solids.hpp"

#include <Eigen/Core>

#include <vector>

namespace slipwave::dynamics {

/// The θ-schemes for rigid bodies in space, everything that depends on places taken at q_k:
///     m(ẋ' − ẋ) = h m g + Σ Fᵀp,   J(ω' − ω) + h ω_θ × Jω_θ = Σ Rᵀ(r × Fᵀp),
///     x' = x + h ẋ_θ,   q' = q (1, hω_θ/2)/|…|   (Cayley).
/// The gyroscopic term does no work, ω_θ · (ω_θ × Jω_θ) = 0, so that with u_θ = H(q_k) v_θ
///     Δ(½ vᵀMv) = h v_θ · mg + Σ u_θ · p + (½−θ) ‖Δv‖²_M   for any p,
/// and what the papers prove of Moreau–Jean–Frémond holds for finite rotations
/// (docs/rigid-bodies.md). Motion is exact for the impulses found, and the certificate is of that
/// motion: where bodies spin, impulses and gyroscopic term are found in turns until it holds.
class SolidsIntegrator : public Integrator {
 public:
  /// The scene must outlive the integrator.
  SolidsIntegrator(const Solids& solids, const ThetaScheme& scheme, double h,
                   const contact::SolverOptions& solver);

  /// Quaternions of unit length, driven bodies with the velocities of their drives.
  void start(State& state) const override;
  Energy energy(const State& state) const override;
  StepReport advance(State& state) override;
  void continue_from(const Integrator& other) override { contact_.continue_from(other.contact()); }
  void restore(const ContactMemory& memory) override { contact_.restore(memory); }

  double h() const override { return h_; }
  const BodyContactStep& contact() const override { return contact_; }

  const Solids& solids() const { return solids_; }
  /// The contacts of the last step, in the order of contact(), where the step began.
  const std::vector<SolidContact>& contacts() const { return contacts_.list(); }
  /// Hᵀp on every body in the last step: impulse in the frame of space, and its moment about the
  /// body's origin in the frame of the body.
  const Eigen::VectorXd& impulses() const { return impulses_; }

 private:
  void see_who_is_present(const State& state);
  void begin_contacts(const State& state);
  void move_freely(const State& state);
  void sum_impulses();
  void find_velocities(const State& state);
  void find_increments(const State& state);
  contact::SolverReport solve(const State& state);
  void move(State& state);
  EnergyBalance balance(const State& state);
  double norm2(int body, const Eigen::VectorXd& v) const;
  bool is_free(int body) const {
    return solids_.bodies[static_cast<std::size_t>(body)].kind == Solid::Kind::free;
  }
  bool moves_freely(int body) const {
    return is_free(body) && present_[static_cast<std::size_t>(body)];
  }

  const Solids& solids_;
  ThetaScheme scheme_;
  double h_;
  std::vector<int> number_;  // of each free body among these, -1 of others
  SolidContacts contacts_;
  BodyContactStep contact_;
  std::vector<StepContact> laws_;     // of the contacts
  std::vector<char> present_;         // per body
  Eigen::VectorXd v_next_, v_theta_;  // of the step
  Eigen::VectorXd increments_;        // v_next − v less what impulses add by M⁻¹
  Eigen::VectorXd v_0_, impulses_;
};

}  // namespace slipwave::dynamics
