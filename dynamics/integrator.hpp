#pragma once

#include "dynamics/contact_step.hpp"
#include "dynamics/energy_balance.hpp"
#include "dynamics/state.hpp"
#include "dynamics/system.hpp"
#include "linear/step_matrix.hpp"

#include <Eigen/Core>
#include <optional>

namespace slipwave::dynamics {

/// What one step did and how well.
struct [[nodiscard]] StepReport : ContactFigures {
  contact::SolverReport contact;
  std::optional<contact::SolverReport> projection;  ///< after the step, where one was needed
  EnergyBalance energy;
  /// Nodes that push with friction on several obstacles at once: theirs may be one solution of
  /// several.
  int shared_nodes = 0;

  /// Whether positions should have been pushed out of obstacles, and were not.
  bool projection_failed() const { return projection && !projection->converged; }
};

/// Advances a system by steps of one size with one scheme. advance() allocates nothing.
class Integrator {
 public:
  virtual ~Integrator() = default;
  Integrator(const Integrator&) = delete;
  Integrator& operator=(const Integrator&) = delete;

  /// Completes a state of q and v with what else the scheme carries from step to step.
  virtual void start(State& state) const = 0;
  /// The energy of a started state: what the works of a step change.
  virtual Energy energy(const State& state) const = 0;
  virtual StepReport advance(State& state) = 0;
  /// Takes over what the contacts remember from the integrator that made the last step, which
  /// advanced the same system with another step size.
  virtual void continue_from(const Integrator& other) = 0;
  /// Goes on after the step whose memory contact() gave: with the state after that step, every
  /// later one has the same bits.
  virtual void restore(const ContactMemory& memory) = 0;

  virtual double h() const = 0;
  /// The contacts of the last step.
  virtual const StepContacts& contact() const = 0;
  /// The impulses of the contacts over the last step, two per contact in its frame: the solution's
  /// p, or what the forces of the position level add up to.
  virtual const Eigen::VectorXd& contact_impulses() const { return contact().solution().p; }

 protected:
  Integrator() = default;
};

/// An integrator of a system with constant matrices, which are factorised when it is made.
class SystemIntegrator : public Integrator {
 public:
  /// Tells that q was moved by Δq outside a step, with K Δq: what else the scheme carries follows.
  /// Returns what this adds to the algorithmic energy.
  virtual double displaced(State& state, const Eigen::VectorXd& K_dq) = 0;

  const ContactStep& contact() const override = 0;
  virtual const System& system() const = 0;
  /// The matrix of a step.
  virtual const linear::StepMatrix& matrix() const = 0;
  /// The impulse on each dof over the last step: on prescribed dofs that of the motion alone, on
  /// the others that of the obstacles. With the impulses of the contacts it balances the momentum
  /// exactly (docs/theory.md section 4): M Δv = impulse of F − Kq − Cv + of the motions + Hᵀp.
  virtual const Eigen::VectorXd& reaction_impulse() const = 0;
  /// The impulses of the contacts over the last step, two per contact in its frame, as that
  /// equation has them: the solution's p, or what the forces of the position level add up to.
  virtual const Eigen::VectorXd& contact_impulses() const { return contact().solution().p; }
};

}  // namespace slipwave::dynamics
