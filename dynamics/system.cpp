#include "dynamics/system.hpp"

#include "linear/submatrix.hpp"
#include "parallel/clones.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <stdexcept>

namespace slipwave::dynamics {

void add_load(const Load& load, double amplitude, Eigen::VectorXd& F) {
  for (Eigen::SparseVector<double>::InnerIterator entry(load.direction); entry; ++entry)
    F[entry.index()] += amplitude * entry.value();
}

void external_force(const System& system, double t, Eigen::VectorXd& F) {
  F.setZero();
  for (const Load& load : system.loads) add_load(load, load.amplitude(t), F);
}

void System::add_contact(const ContactPoint& contact,
                         const std::vector<contact::JacobianBlock>& rows) {
  assert(H.contact_count() == contact_count());
  H.add(rows);
  assert(H.dofs().empty() || M.rows() == 0 ||
         *std::max_element(H.dofs().begin(), H.dofs().end()) < dof_count());
  contacts.push_back(contact);
  if (!contact.key) contacts.back().key = static_cast<contact::Key>(contacts.size() - 1);
}

std::vector<bool> prescribed_dofs(const System& system) {
  std::vector<bool> is_prescribed(static_cast<std::size_t>(system.dof_count()), false);
  for (const PrescribedMotion& motion : system.prescribed)
    for (const int dof : motion.dofs) {
      if (is_prescribed[static_cast<std::size_t>(dof)])
        throw std::invalid_argument(
            fmt::format("component {} of node {} (counted from 0) is prescribed twice",
                        dof % 2 == 0 ? "x" : "y", dof / 2));
      is_prescribed[static_cast<std::size_t>(dof)] = true;
    }
  return is_prescribed;
}

void impose_initial_motion(const System& system, double h, Eigen::VectorXd& q, Eigen::VectorXd& v) {
  for (const PrescribedMotion& motion : system.prescribed) {
    const bool displacement = motion.kind == PrescribedMotion::Kind::displacement;
    const auto& u = motion.value;
    const double velocity = displacement ? (-3.0 * u(0.0) + 4.0 * u(0.5 * h) - u(h)) / h : u(0.0);
    for (const int dof : motion.dofs) {
      if (displacement) q[dof] = u(0.0);
      v[dof] = velocity;
    }
  }
}

void require_rest(const System& system, double t) {
  for (const PrescribedMotion& motion : system.prescribed)
    if (motion.value(t) !=
        (motion.kind == PrescribedMotion::Kind::velocity ? 0.0 : motion.value(0.0)))
      throw Unsupported(
          "this scheme takes prescribed dofs at rest only; use moreau-jean-fremond or moreau-jean "
          "for bodies that are driven");
}

std::vector<int> resting_dofs(const System& system, double h) {
  for (const double t : {0.0, h}) require_rest(system, t);
  return linear::indices_where(prescribed_dofs(system), true);
}

SLIPWAVE_CLONES void take_out_rigid_motions(const System& system, const Eigen::VectorXd& x,
                                            Eigen::VectorXd& relative) {
  for (int node = 0; node < system.dof_count() / 2; ++node)
    relative.segment<2>(2 * node) = x.segment<2>(2 * node) - system.at_anchor(node, x);
  take_out_rotations(system.bodies, relative);
}

Eigen::VectorXd in_bodies(const System& system, const Eigen::VectorXd& x) {
  Eigen::VectorXd relative(x.size());
  take_out_rigid_motions(system, x, relative);
  return relative;
}

}  // namespace slipwave::dynamics
