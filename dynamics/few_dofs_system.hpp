#pragma once

#include "dynamics/contact_law.hpp"

#include <Eigen/Core>
#include <vector>

namespace slipwave::dynamics {

/// A system of a few degrees of freedom against rigid obstacles, everything depending on its
/// configuration:
///     M(q) v' = F(t, q) + f(q, v) + H(q)ᵀ p,   u = H(q) v,   g(q) ≥ 0,
/// with two rows of H per contact, normal and tangential, and f the inertial forces that come from
/// M changing with q, f_i = ½ vᵀ ∂_i M v − (∂_v M v)_i. The functions fill vectors and matrices
/// that have their size already.
class FewDofsSystem {
 public:
  virtual ~FewDofsSystem() = default;

  virtual int dof_count() const = 0;
  /// The laws of the contacts, of which friction() may replace μ.
  virtual const std::vector<ContactLaw>& contacts() const = 0;
  /// M(q), symmetric positive definite.
  virtual void inertia(const Eigen::VectorXd& q, Eigen::MatrixXd& M) const = 0;
  /// F(t, q): what does external work.
  virtual void applied_force(double t, const Eigen::VectorXd& q, Eigen::VectorXd& F) const = 0;
  /// f(q, v), zero where M is constant.
  virtual void inertial_force(const Eigen::VectorXd& q, const Eigen::VectorXd& v,
                              Eigen::VectorXd& f) const = 0;
  /// g(q), one per contact.
  virtual void gaps(const Eigen::VectorXd& q, Eigen::VectorXd& g) const = 0;
  /// H(q).
  virtual void directions(const Eigen::VectorXd& q, Eigen::MatrixXd& H) const = 0;
  /// μ of a contact at q.
  virtual double friction(int contact, const Eigen::VectorXd& q) const = 0;

  int contact_count() const { return static_cast<int>(contacts().size()); }
};

}  // namespace slipwave::dynamics
