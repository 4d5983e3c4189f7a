#pragma once

#include "contact/jacobian.hpp"
#include "contact/key.hpp"
#include "dynamics/contact_law.hpp"
#include "dynamics/rigid_motion.hpp"
#include "fem/assembly.hpp"

#include <Eigen/Core>
#include <Eigen/SparseCore>
#include <functional>
#include <optional>
#include <stdexcept>
#include <vector>

namespace slipwave::dynamics {

using SparseMatrix = fem::SparseMatrix;

/// A number that changes with time.
using TimeFunction = std::function<double(double t)>;

/// External forces amplitude(t) * direction.
struct Load {
  Eigen::SparseVector<double> direction;
  TimeFunction amplitude;
};

/// Dofs that follow a given displacement or velocity, the same for all of them.
struct PrescribedMotion {
  enum class Kind { displacement, velocity };
  std::vector<int> dofs;
  Kind kind = Kind::velocity;
  TimeFunction value;
};

/// A contact of a system beside its rows of H.
struct ContactPoint {
  ContactLaw law;
  double initial_gap = 0.0;           ///< gap of the undeformed mesh: g = initial_gap + (H q)_N
  bool projection = false;            ///< whether penetration is removed after each step
  std::optional<contact::Key> key{};  ///< if none is given, its number among the contacts
};

/// A linear system in contact, M q'' + C q' + K q = F(t) + H^T p, with some dofs prescribed.
struct System {
  SparseMatrix M, K, C;
  std::vector<Load> loads;
  std::vector<PrescribedMotion> prescribed;
  contact::Jacobian H{};               ///< what the contacts touch, and their frames
  std::vector<ContactPoint> contacts;  ///< add_contact() adds one
  /// For each node, dofs 2 node and 2 node + 1, one node of its body; or empty. K does not see a
  /// body's translation: with anchors, K q is evaluated as K (q - q_anchor), which keeps its digits
  /// when the body has travelled far compared to its deformation.
  std::vector<int> anchor;
  /// The bodies whose rotations are taken out of q as well; or none.
  std::vector<TurningBody> bodies;

  /// x at the anchor of a node, zero without.
  Eigen::Vector2d at_anchor(int node, const Eigen::VectorXd& x) const {
    if (anchor.empty()) return Eigen::Vector2d::Zero();
    return x.segment<2>(2 * anchor[static_cast<std::size_t>(node)]);
  }
  /// Adds a contact with its rows of H.
  void add_contact(const ContactPoint& contact, const std::vector<contact::JacobianBlock>& rows);
  /// g(q) of a contact.
  double gap(int contact, const Eigen::VectorXd& q) const {
    return contacts[static_cast<std::size_t>(contact)].initial_gap + H.row_times(contact, 0, q);
  }
  int dof_count() const { return static_cast<int>(M.rows()); }
  int contact_count() const { return static_cast<int>(contacts.size()); }
};

/// F += amplitude * direction.
void add_load(const Load& load, double amplitude, Eigen::VectorXd& F);

/// F(t) into `F`; allocates nothing.
void external_force(const System& system, double t, Eigen::VectorXd& F);

/// For each dof whether it is prescribed. Throws std::invalid_argument naming a dof prescribed
/// twice.
std::vector<bool> prescribed_dofs(const System& system);

/// Gives the prescribed dofs the displacement and the velocity of their motions at t = 0. The
/// velocity of a prescribed displacement is its second-order difference over one step h.
void impose_initial_motion(const System& system, double h, Eigen::VectorXd& q, Eigen::VectorXd& v);

/// A system that a scheme cannot advance; what() says why.
class Unsupported : public std::invalid_argument {
 public:
  using std::invalid_argument::invalid_argument;
};

/// Throws Unsupported if a prescribed dof moves at time t: not every scheme can follow it.
void require_rest(const System& system, double t);

/// The prescribed dofs; throws Unsupported if one of them moves at the start of a step of size h.
std::vector<int> resting_dofs(const System& system, double h);

/// x less what it is at the anchor of its body and less the body's rotation, neither of which K
/// sees, into `relative`, which has the size of x.
void take_out_rigid_motions(const System& system, const Eigen::VectorXd& x,
                            Eigen::VectorXd& relative);

/// The same as a new vector.
Eigen::VectorXd in_bodies(const System& system, const Eigen::VectorXd& x);

}  // namespace slipwave::dynamics
