#pragma once

#include <Eigen/Core>

#include <cassert>
#include <cstddef>
#include <vector>

namespace slipwave::contact {

/// What belongs to one contact: normal, then tangents; the last is 0 in two dimensions.
using LocalVector = Eigen::Vector3d;

/// How one of the things that meet at a contact moves it: u gains `block` times v from `dof` on.
struct JacobianBlock {
  int dof = 0;            ///< the first of its dofs; the others follow it
  Eigen::MatrixXd block;  ///< d rows; a column per dof: 2 or 3 of a node, 3 or 6 of a rigid body
};

/// H: the velocities u = H v of contacts in their frames (normal, then tangents), d rows each. It
/// alone knows what touches what:
///     node on a rigid obstacle    R
///     node on a node              R, −R
///     node on an edge             R, −(1−s) R, −s R
///     rigid body on rigid body    R A, −R B, with the points' velocities A v and B v'
/// with R the frame, rows n and tangents. The first block is that of the contact's own node.
class Jacobian {
 public:
  /// d = 2 or 3.
  explicit Jacobian(int dimension = 2) : dimension_(dimension) {
    assert(dimension == 2 || dimension == 3);
  }

  /// Adds a contact. Throws std::invalid_argument for one without blocks, or blocks without d rows.
  void add(const std::vector<JacobianBlock>& blocks);

  int dimension() const { return dimension_; }  ///< d
  int contact_count() const { return static_cast<int>(start_.size()) - 1; }
  int row_count() const { return dimension_ * contact_count(); }

  /// u = H v at a contact; v is a vector over all dofs or an expression of them.
  template <class Velocity>
  LocalVector times(int contact, const Eigen::MatrixBase<Velocity>& v) const;
  /// One row of it: 0 for u_N, then the tangents.
  template <class Velocity>
  double row_times(int contact, int row, const Eigen::MatrixBase<Velocity>& v) const;
  /// F += Hᵀp of a contact.
  template <class Impulse>
  void add_transposed(int contact, const Eigen::MatrixBase<Impulse>& p, Eigen::VectorXd& F) const;

  /// The dofs that contacts touch, each once, in the order of the contacts and their blocks.
  const std::vector<int>& dofs() const { return dofs_; }
  /// F := 0 on these dofs.
  void clear(Eigen::VectorXd& F) const {
    for (const int dof : dofs_) F[dof] = 0.0;
  }
  /// H S Hᵀ for an S given between dofs(), dense.
  Eigen::MatrixXd times_transposed(const Eigen::MatrixXd& S) const;

  /// The first dof of a contact's own node.
  int own_dof(int contact) const { return first(contact).dof; }
  /// The block of a contact's own node: its frame, rows n and tangents.
  Eigen::Map<const Eigen::MatrixXd> own_block(int contact) const { return dense(first(contact)); }

 private:
  struct Block {
    int dof, columns;
    std::size_t values;  // where it starts in values_, one column after the other
    std::size_t index;   // where the places of its dofs in dofs_ start, in index_
  };

  const Block& first(int contact) const {
    assert(contact >= 0 && contact < contact_count());
    return blocks_[start_[static_cast<std::size_t>(contact)]];
  }
  const Block* begin(int contact) const { return &first(contact); }
  const Block* end(int contact) const {
    return blocks_.data() + start_[static_cast<std::size_t>(contact) + 1];
  }
  Eigen::Map<const Eigen::MatrixXd> dense(const Block& block) const {
    return {values_.data() + block.values, dimension_, block.columns};
  }
  /// A plane node, whose products are worth knowing at compile time.
  bool is_plane_node(const Block& block) const { return dimension_ == 2 && block.columns == 2; }
  Eigen::Map<const Eigen::Matrix2d> plane(const Block& block) const {
    return Eigen::Map<const Eigen::Matrix2d>(values_.data() + block.values);
  }
  template <class Velocity>
  LocalVector times(const Block& block, const Eigen::MatrixBase<Velocity>& v) const;
  template <class Velocity>
  double row_times(const Block& block, int row, const Eigen::MatrixBase<Velocity>& v) const;

  int dimension_;
  std::vector<Block> blocks_;
  std::vector<std::size_t> start_ = {0};  // of each contact in blocks_
  std::vector<double> values_;
  std::vector<int> dofs_, index_;
  std::vector<int> place_;  // of each dof in dofs_, -1 if no contact touches it
};

template <class Velocity>
LocalVector Jacobian::times(const Block& block, const Eigen::MatrixBase<Velocity>& v) const {
  LocalVector u = LocalVector::Zero();
  if (is_plane_node(block)) {
    u.head<2>() = plane(block) * v.template segment<2>(block.dof);
    return u;
  }
  const auto B = dense(block);
  for (int j = 0; j < block.columns; ++j)
    for (int i = 0; i < dimension_; ++i) u[i] += B(i, j) * v[block.dof + j];
  return u;
}

template <class Velocity>
LocalVector Jacobian::times(int contact, const Eigen::MatrixBase<Velocity>& v) const {
  LocalVector u = times(first(contact), v);
  for (const Block* block = begin(contact) + 1; block != end(contact); ++block)
    u += times(*block, v);
  return u;
}

template <class Velocity>
double Jacobian::row_times(const Block& block, int row,
                           const Eigen::MatrixBase<Velocity>& v) const {
  if (is_plane_node(block)) return plane(block).row(row).dot(v.template segment<2>(block.dof));
  double u = 0.0;
  for (int j = 0; j < block.columns; ++j) u += dense(block)(row, j) * v[block.dof + j];
  return u;
}

template <class Velocity>
double Jacobian::row_times(int contact, int row, const Eigen::MatrixBase<Velocity>& v) const {
  double u = row_times(first(contact), row, v);
  for (const Block* block = begin(contact) + 1; block != end(contact); ++block)
    u += row_times(*block, row, v);
  return u;
}

template <class Impulse>
void Jacobian::add_transposed(int contact, const Eigen::MatrixBase<Impulse>& p,
                              Eigen::VectorXd& F) const {
  assert(p.size() >= dimension_);
  for (const Block* block = begin(contact); block != end(contact); ++block)
    if (is_plane_node(*block))
      F.segment<2>(block->dof) += plane(*block).transpose() * p.template head<2>();
    else
      for (int j = 0; j < block->columns; ++j)
        for (int i = 0; i < dimension_; ++i) F[block->dof + j] += dense(*block)(i, j) * p[i];
}

}  // namespace slipwave::contact
