#pragma once

#include "dynamics/few_dofs_system.hpp"

#include <Eigen/Core>
#include <vector>

namespace slipwave::dynamics {

/// The one contact of a system at a configuration.
struct ContactAt {
  double gap = 0.0;            ///< g(q)
  double mu = 0.0;             ///< μ(q)
  double gap_tolerance = 0.0;  ///< a gap up to this counts as closed
  Eigen::MatrixXd H;           ///< 2 × n
  Eigen::MatrixXd response;    ///< M⁻¹Hᵀ, n × 2: velocity per impulse
  Eigen::Matrix2d W;           ///< H M⁻¹ Hᵀ

  bool closed() const { return gap <= gap_tolerance; }
  /// γ = W_NN − μ |W_NT|, [P15, section 3] up to a positive factor. Where it is negative friction
  /// can push the contact into the obstacle: Painlevé's paradoxes.
  double gamma() const;
  /// Whether γ is zero within 1e-12 W_NN, or farther below or above.
  bool is_critical() const;
  bool is_paradoxical() const { return gamma() < 0.0 && !is_critical(); }
  bool is_regular() const { return gamma() > 0.0 && !is_critical(); }
};

/// Throws std::invalid_argument if the system has not one contact, or W is not positive definite.
ContactAt contact_at(const FewDofsSystem& system, const Eigen::VectorXd& q);

/// Moreau's discrete law S(q, u⁻) of soft contact with friction, [P15, section 2]; u is the whole
/// generalised velocity and our gap has the opposite sign of g in [P15]:
///     S = u⁻ if g > 0 or u_N⁻ >= 0, and else the projection of 0, in the kinetic norm at q, on the
///     velocities u⁻ + M⁻¹Hᵀp, p ∈ K, that have w_N = 0.
/// That is Coulomb's law. On w_N = 0 the impulses are p_0 + τ (−W_NT, W_NN), and the kinetic energy
/// E has dE/dτ = w · dp/dτ = w_T W_NN, with d²E/dτ² = W_NN det W > 0. So E is least where w_T = 0
/// if that p is in the cone (sticking), and otherwise on the edge p_T = s μ p_N by which the line
/// leaves it while E still falls, s w_T <= 0: sliding, against friction.
/// A u_N⁻ that is round-off of its terms counts as 0.
Eigen::VectorXd discrete_contact_law(const ContactAt& contact, const Eigen::VectorXd& u_minus);

/// ũ of [P15, section 3], the same projection where u_N⁻ = 0, whatever the gap. If γ > 0 no impulse
/// keeps w_N = 0. Else a ray of them does, and ũ is where it sticks, w_T = 0; or u⁻ if the kinetic
/// energy grows along the ray.
Eigen::VectorXd tangential_projection(const ContactAt& contact, const Eigen::VectorXd& u_minus);

/// The cases of [P15, Theorem 1], each with its limit set 𝒜 of outcomes, and what is none of them.
enum class OutcomeCase {
  no_contact,             ///< g > 0: not studied
  not_tangential,         ///< u_N⁻ ≠ 0: not studied
  regular,                ///< γ > 0: {u⁻}
  paradoxical,            ///< γ < 0: {u⁻, ũ}
  critical_with_regular,  ///< γ = 0, and γ > 0 somewhere in any neighbourhood, g <= 0: [u⁻, ũ]
  critical_throughout  ///< γ = 0, and γ <= 0 all around: [u⁻, ũ], but only its ends are reached
};

/// How the outcomes are sampled.
struct OutcomeOptions {
  /// ε, decreasing. Where γ has a minimum 0 it is of the order of ε² around; below 1e-5 round-off
  /// in u_N, divided by it, is more than ε.
  std::vector<double> radii = {1e-1, 1e-2, 1e-3, 1e-4, 1e-5};
  double directed = 1.0;  ///< ε times the number of directed normal velocities, at most 1e6
};

/// How far the outcomes 𝒜_ε = {S(q_ε, u_ε⁻) : |q_ε − q| <= ε, |u_ε⁻ − u⁻| <= ε} are from 𝒜, in the
/// Euclidean norm of the generalised coordinates.
struct OutcomeRow {
  double epsilon = 0.0;
  double consistency = 0.0;    ///< excess of 𝒜_ε from 𝒜, [P15, (9)]
  double indeterminacy = 0.0;  ///< excess of 𝒜 from 𝒜_ε, [P15, (10)]
  double to_ends = 0.0;        ///< Hausdorff distance of 𝒜_ε and {u⁻, ũ}

  /// The Hausdorff distance of 𝒜_ε and 𝒜, [P15, (8)].
  double distance() const { return consistency > indeterminacy ? consistency : indeterminacy; }
};

/// Euclidean excesses: how far a point of one set can be from the other.
struct Excesses {
  double of_points = 0.0;    ///< of the points from the set given by a and b
  double from_points = 0.0;  ///< of that set from the points
};

/// Between some points and {a, b}.
Excesses excesses_from_ends(const std::vector<Eigen::VectorXd>& points, const Eigen::VectorXd& a,
                            const Eigen::VectorXd& b);

/// Between some points and the segment [a, b]; exact, in n log n operations.
Excesses excesses_from_segment(const std::vector<Eigen::VectorXd>& points, const Eigen::VectorXd& a,
                               const Eigen::VectorXd& b);

/// The discrete contact law around a configuration, next to what the theorem says of it.
struct [[nodiscard]] OutcomeStudy {
  OutcomeCase kind = OutcomeCase::no_contact;
  ContactAt contact;
  Eigen::Vector2d u = Eigen::Vector2d::Zero();  ///< (u_N⁻, u_T⁻)
  Eigen::VectorXd u_minus, u_tilde;
  std::vector<OutcomeRow> rows;  ///< one per ε; none if not studied
  /// Whether the distance tends to zero by [P15, Theorem 1]; it does where ũ = u⁻.
  bool predicted = true;
  bool observed = true;  ///< whether it does: order > 1/2
  double order = 0.0;    ///< power of ε with which it falls, over the smaller half of the ε

  bool studied() const { return !rows.empty(); }
  bool jumps() const { return u_tilde != u_minus; }
};

/// Samples 𝒜_ε for every ε: at points of the ball B(q, ε) on both sides of the obstacle, velocities
/// all over B(u⁻, ε), normal ones graded down to 1e-6 ε, and where γ(q_ε) > 1e-12 W_NN those that
/// the proof of [P15, Theorem 1] constructs, u_N = −f γ(q_ε) p̃_N with f in (0, 1), as far as they
/// are in the ball. Sliding with p_N = f p̃_N they end between u⁻ and ũ. About 6000 velocities and
/// directed / ε more for every ε; the same in every run.
OutcomeStudy sample_outcomes(const FewDofsSystem& system, const Eigen::VectorXd& q,
                             const Eigen::VectorXd& u_minus, const OutcomeOptions& options = {});

}  // namespace slipwave::dynamics
