#pragma once

#include "dynamics/energy_balance.hpp"
#include "dynamics/system.hpp"
#include "linear/blocks.hpp"
#include "linear/node_matrices.hpp"

#include <Eigen/Core>

namespace slipwave::dynamics {

/// What a θ-step did, as the ledger needs it.
struct ThetaStep {
  double h = 0.0;
  double theta = 0.5;
  const Eigen::VectorXd& q;    ///< q_{k+1}
  const Eigen::VectorXd& v;    ///< v_{k+1}
  const Eigen::VectorXd& dv;   ///< v_{k+1} − v_k
  const Eigen::VectorXd& K_z;  ///< K (q_k + hθ v_k)
  const Eigen::VectorXd& F_theta;
  const Eigen::VectorXd& p;        ///< contact impulses, d per contact
  const Eigen::VectorXd& u_theta;  ///< H v_{k+θ}
};

/// Evaluates the energy identity of a step in one pass over the matrices. It reads K, M and C only,
/// never their factor: a wrong solve shows in the residual. Keeps its work space, so that it
/// allocates nothing.
class EnergyLedger {
 public:
  explicit EnergyLedger(const System& system);

  EnergyBalance balance(const System& system, const linear::NodeMatrices& matrices,
                        const ThetaStep& step);
  /// The impulse that the prescribed motions and the obstacles gave to each dof in the last step:
  /// the residual of the momentum equation on prescribed dofs, Hᵀp elsewhere.
  const Eigen::VectorXd& reaction_impulse() const { return reaction_; }

 private:
  /// Sums over the nodes of a block, or over all.
  struct Sums {
    linear::Four q_K{};    // q K q, q K Δv, q K v_{k+θ}
    linear::Four x_K_x{};  // q K q, Δv K Δv, v_{k+θ} K v_{k+θ}
    linear::Four m_M_m{};  // Δv M Δv and v_{k+1} M v_{k+1}, each in two parts
    linear::Four v_M{};    // v_{k+1} M Δv in two parts
    linear::Four m_F{};    // Δv F and v_{k+1} F, each in two parts
    double v_C_v = 0.0;

    Sums& operator+=(const Sums& other);
  };

  void apply_contact_impulses(const System& system, const Eigen::VectorXd& p);
  void pack(const System& system, const ThetaStep& step);
  void take_out_rotations_of(const System& system, int vector);
  Sums sum_over_nodes(const linear::NodeMatrices& matrices, const ThetaStep& step, int first,
                      int last) const;
  double prescribed_work(const linear::NodeMatrices& matrices, const ThetaStep& step);

  std::vector<int> prescribed_;
  /// Per node q_{k+1}, Δv, v_{k+θ} less the body's rigid motion for K, then Δv and v_{k+1} for M.
  std::vector<linear::NodeMatrices::Packed> packed_;
  Eigen::VectorXd reaction_;
  std::vector<Sums> block_sums_;
};

}  // namespace slipwave::dynamics
