#include "linear/contact_last_matrix.hpp"

#include "linear/blocks.hpp"
#include "linear/submatrix.hpp"

#include <array>
#include <cassert>

namespace slipwave::linear {

namespace {

/// The free dofs of the contacts, in the contacts' order.
std::vector<int> free_among(const std::vector<int>& contacts, const std::vector<int>& free_index) {
  std::vector<int> result;
  for (const int dof : contacts)
    if (free_index[static_cast<std::size_t>(dof)] >= 0) result.push_back(dof);
  return result;
}

ContactLastFactor factorise(const fem::SparseMatrix& A, const StepDofs& dofs) {
  const std::vector<int> free_index = numbering(dofs.free, static_cast<int>(A.rows()));
  const int n = static_cast<int>(dofs.free.size());
  std::vector<int> last = free_among(dofs.contacts, free_index);
  for (int& dof : last) dof = free_index[static_cast<std::size_t>(dof)];
  try {
    return {submatrix(A, free_index, n, free_index, n), last};
  } catch (const NotPositiveDefinite& error) {
    throw NotPositiveDefinite(dofs.free[static_cast<std::size_t>(error.row)]);
  }
}

}  // namespace

ContactLastMatrix::ContactLastMatrix(const fem::SparseMatrix& A, const StepDofs& dofs)
    : dofs_(dofs),
      factor_(factorise(A, dofs)),
      place_(static_cast<std::size_t>(A.rows()), -1),
      y_(Eigen::VectorXd::Zero(factor_.L().work_size())),
      y_last_(y_),
      work_(y_) {
  assert(A.rows() == A.cols());
  for (std::size_t k = 0; k < dofs.free.size(); ++k)
    place_[static_cast<std::size_t>(dofs.free[k])] = factor_.position()[k];
  free_on_contacts_ = free_among(dofs.contacts, place_);
  assert(static_cast<int>(free_on_contacts_.size()) == factor_.last_count());
}

Eigen::MatrixXd ContactLastMatrix::on_contacts() const {
  Eigen::MatrixXd on_free = factor_.inverse_on_last();
  if (free_on_contacts_.size() == dofs_.contacts.size()) return on_free;
  const auto n = static_cast<Eigen::Index>(dofs_.contacts.size());
  std::vector<int> index;
  for (std::size_t k = 0; k < dofs_.contacts.size(); ++k)
    if (place_[static_cast<std::size_t>(dofs_.contacts[k])] >= 0)
      index.push_back(static_cast<int>(k));
  Eigen::MatrixXd result = Eigen::MatrixXd::Zero(n, n);
  result(index, index) = on_free;
  return result;
}

void ContactLastMatrix::begin(Form b, Eigen::VectorXd& x) {
  assert(x.size() == dof_count());
  for_each_dof_block(dof_count(), [&, y = y_.data()](int first, int last) {
    std::array<double, dofs_per_block> values;
    b(first, last, values.data());
    for (int i = first; i < last; ++i) {
      const int place = place_[static_cast<std::size_t>(i)];
      if (place >= 0) y[place] = values[static_cast<std::size_t>(i - first)];
    }
  });
  const SupernodalTriangle& L = factor_.L();
  L.forward(y_);
  const int first_last = factor_.size() - factor_.last_count();
  y_last_.segment(first_last, factor_.last_count()) = y_.segment(first_last, factor_.last_count());
  L.backward_last(y_last_);
  for (const int dof : free_on_contacts_) x[dof] = y_last_[place_[static_cast<std::size_t>(dof)]];
}

/// L⁻ᵀ (y + L⁻¹ f), the second term living on the trailing block alone.
void ContactLastMatrix::finish(const Eigen::VectorXd& f, Eigen::VectorXd& x, Use use) {
  assert(f.size() == dof_count() && x.size() == dof_count());
  for (const int dof : free_on_contacts_) y_last_[place_[static_cast<std::size_t>(dof)]] = f[dof];
  const SupernodalTriangle& L = factor_.L();
  L.forward_last(y_last_);
  const int first_last = factor_.size() - factor_.last_count();
  y_.segment(first_last, factor_.last_count()) += y_last_.segment(first_last, factor_.last_count());
  L.backward(y_);
  for_each_dof_block(dof_count(), [&, y = y_.data(), out = x.data()](int first, int last) {
    for (int i = first; i < last; ++i) {
      const int place = place_[static_cast<std::size_t>(i)];
      if (place >= 0) out[i] = y[place];
    }
    use(first, last);
  });
}

void ContactLastMatrix::solve(const Eigen::VectorXd& b, Eigen::VectorXd& x) const {
  assert(b.size() == dof_count() && x.size() == dof_count());
  for (std::size_t dof = 0; dof < place_.size(); ++dof)
    if (place_[dof] >= 0) work_[place_[dof]] = b[static_cast<Eigen::Index>(dof)];
  factor_.L().forward(work_);
  factor_.L().backward(work_);
  for (std::size_t dof = 0; dof < place_.size(); ++dof)
    x[static_cast<Eigen::Index>(dof)] = place_[dof] >= 0 ? work_[place_[dof]] : 0.0;
}

std::unique_ptr<StepMatrix> contact_last(const fem::SparseMatrix& A, const StepDofs& dofs) {
  return std::make_unique<ContactLastMatrix>(A, dofs);
}

}  // namespace slipwave::linear
