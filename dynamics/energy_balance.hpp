#pragma once

#include "dynamics/system.hpp"

#include <Eigen/Core>

namespace slipwave::dynamics {

/// The works of one step, or their sums over many, in units of energy (docs/theory.md section 9).
struct Works {
  double external = 0.0;            ///< W_ext = h v_{k+θ} · F_{k+θ}
  double damping = 0.0;             ///< W_damp = −h v_{k+θ} · C v_{k+θ}
  double prescribed = 0.0;          ///< W_presc = v_{k+θ,D} · reaction impulse on D
  double numerical = 0.0;           ///< W_num = (½−θ)(‖Δv‖²_M + ‖Δq‖²_K)
  double contact_normal = 0.0;      ///< W_N = Σ u_{N,k+θ} p_N
  double contact_tangential = 0.0;  ///< W_T = Σ u_{T,k+θ} p_T
  double projection = 0.0;          ///< of positions pushed back out of obstacles

  double sum() const;
  double sum_of_magnitudes() const;
  Works& operator+=(const Works& other);
};

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
