#include "contact/jacobian.hpp"

#include <stdexcept>

namespace slipwave::contact {

void Jacobian::add(const std::vector<JacobianBlock>& blocks) {
  if (blocks.empty()) throw std::invalid_argument("a contact must touch something");
  for (const JacobianBlock& given : blocks) {
    if (given.block.rows() != dimension_ || given.block.cols() == 0 || given.dof < 0)
      throw std::invalid_argument("a block of a contact has a row per dimension, and columns");
    blocks_.push_back(
        {given.dof, static_cast<int>(given.block.cols()), values_.size(), index_.size()});
    values_.insert(values_.end(), given.block.data(), given.block.data() + given.block.size());
    for (int dof = given.dof; dof < given.dof + given.block.cols(); ++dof) {
      if (dof >= static_cast<int>(place_.size()))
        place_.resize(static_cast<std::size_t>(dof) + 1, -1);
      int& place = place_[static_cast<std::size_t>(dof)];
      if (place < 0) {
        place = static_cast<int>(dofs_.size());
        dofs_.push_back(dof);
      }
      index_.push_back(place);
    }
  }
  start_.push_back(blocks_.size());
}

/// The blocks B_k S_kl B_lᵀ of two contacts summed, contact by contact.
Eigen::MatrixXd Jacobian::times_transposed(const Eigen::MatrixXd& S) const {
  assert(S.rows() == static_cast<Eigen::Index>(dofs_.size()) && S.cols() == S.rows());
  Eigen::MatrixXd result = Eigen::MatrixXd::Zero(row_count(), row_count());
  const auto entry = [&](const Block& row, int i, const Block& column, int j) {
    return S(index_[row.index + static_cast<std::size_t>(i)],
             index_[column.index + static_cast<std::size_t>(j)]);
  };
  const auto add = [&](const Block& row, const Block& column, auto to) {
    if (is_plane_node(row) && is_plane_node(column)) {
      Eigen::Matrix2d block;
      for (int i = 0; i < 2; ++i)
        for (int j = 0; j < 2; ++j) block(i, j) = entry(row, i, column, j);
      const Eigen::Matrix2d product = plane(row) * block * plane(column).transpose();
      to += product;
      return;
    }
    Eigen::MatrixXd block(row.columns, column.columns);
    for (int i = 0; i < row.columns; ++i)
      for (int j = 0; j < column.columns; ++j) block(i, j) = entry(row, i, column, j);
    to += dense(row) * block * dense(column).transpose();
  };
  for (int b = 0; b < contact_count(); ++b)
    for (int a = 0; a < contact_count(); ++a)
      for (const Block* row = begin(a); row != end(a); ++row)
        for (const Block* column = begin(b); column != end(b); ++column)
          add(*row, *column, result.block(dimension_ * a, dimension_ * b, dimension_, dimension_));
  return result;
}

}  // namespace slipwave::contact
