#pragma once

#include "dynamics/system.hpp"
#include "dynamics/works.hpp"

#include <Eigen/Core>

namespace slipwave::dynamics {

/// Kinetic ½ vᵀMv and strain ½ qᵀKq energy, and what a scheme's own energy has beside them.
struct Energy {
  double kinetic = 0.0;
  double strain = 0.0;
  double algorithmic = 0.0;

  double total() const { return kinetic + strain + algorithmic; }
};

/// One step of the identity (65): change = works.sum() up to round-off.
struct EnergyBalance {
  Works works;
  Energy energy;  ///< at the end of the step
  /// ΔE = ½(v_{k+1}+v_k)ᵀMΔv + ½(q_{k+1}+q_k)ᵀKΔq, not a difference of totals
  double change = 0.0;

  double residual() const { return change - works.sum(); }
};

/// Kinetic and strain energy of a state.
Energy mechanical_energy(const System& system, const Eigen::VectorXd& q, const Eigen::VectorXd& v);

}  // namespace slipwave::dynamics
