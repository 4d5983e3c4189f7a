#include "dynamics/system.hpp"

#include "parallel/clones.hpp"

#include <fmt/format.h>

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
  return indices_where(prescribed_dofs(system), true);
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

std::vector<int> indices_where(const std::vector<bool>& flags, bool wanted) {
  std::vector<int> indices;
  for (std::size_t i = 0; i < flags.size(); ++i)
    if (flags[i] == wanted) indices.push_back(static_cast<int>(i));
  return indices;
}

std::vector<int> numbering(const std::vector<int>& dofs, int dof_count) {
  std::vector<int> index(static_cast<std::size_t>(dof_count), -1);
  for (std::size_t k = 0; k < dofs.size(); ++k)
    index[static_cast<std::size_t>(dofs[k])] = static_cast<int>(k);
  return index;
}

SparseMatrix submatrix(const SparseMatrix& A, const std::vector<int>& new_row, int rows,
                       const std::vector<int>& new_column, int columns) {
  SparseMatrix result(rows, columns);
  std::vector<Eigen::Triplet<double>> entries;
  for (int i = 0; i < A.outerSize(); ++i) {
    if (new_row[static_cast<std::size_t>(i)] < 0) continue;
    for (SparseMatrix::InnerIterator entry(A, i); entry; ++entry)
      if (new_column[static_cast<std::size_t>(entry.col())] >= 0)
        entries.emplace_back(new_row[static_cast<std::size_t>(i)],
                             new_column[static_cast<std::size_t>(entry.col())], entry.value());
  }
  result.setFromTriplets(entries.begin(), entries.end());
  return result;
}

}  // namespace slipwave::dynamics
