#include "contact/solvers/joints.hpp"

#include <algorithm>
#include <cmath>
#include <span>

namespace slipwave::contact {

namespace {

/// What W may differ from E R Eᵀ, relative to the geometric mean of the diagonal.
constexpr double round_off = 1e-11;
/// Diagonal entries of a Schur complement below this part of the first are none.
constexpr double independent = 1e-8;

/// The rows of a nonnegative matrix that give the others, at most so many: those of the largest
/// pivots of its Cholesky factor.
std::vector<int> pivots_of(Eigen::MatrixXd A, int most) {
  std::vector<int> pivots;
  const double size = A.diagonal().maxCoeff();
  while (static_cast<int>(pivots.size()) < most) {
    Eigen::Index k = 0;
    const double pivot = A.diagonal().maxCoeff(&k);
    if (!(pivot > independent * size)) break;
    pivots.push_back(static_cast<int>(k));
    A -= (A.col(k) * A.row(k) / pivot).eval();
  }
  std::ranges::sort(pivots);
  return pivots;
}

}  // namespace

template <int d>
std::optional<Joints<d>> Joints<d>::in(const BlockSparse& W) {
  Joints joints;
  joints.find_groups(W);
  if (W.contact_count() == 0) return std::nullopt;
  const int count = joints.group_.back() + 1;
  // Blocks of s instead of d pay from twice as many contacts as joints on, and then some.
  if (5 * count > 2 * W.contact_count()) return std::nullopt;
  joints.E_.resize(static_cast<std::size_t>(W.contact_count()));
  std::vector<std::vector<int>> contacts(static_cast<std::size_t>(count));
  for (int a = 0; a < W.contact_count(); ++a)
    contacts[static_cast<std::size_t>(joints.of(a))].push_back(a);
  for (const std::vector<int>& joint : contacts)
    if (!joints.find_rows(W, joint)) return std::nullopt;
  if (!joints.find_blocks(W)) return std::nullopt;
  return joints;
}

template <int d>
void Joints<d>::find_groups(const BlockSparse& W) {
  for (int a = 0; a < W.contact_count(); ++a) {
    const bool joins = a > 0 && std::ranges::equal(W.columns(a - 1), W.columns(a));
    group_.push_back(a == 0 ? 0 : group_.back() + (joins ? 0 : 1));
  }
}

/// E of a joint: W_gP W_PP⁻¹ at its rows P.
template <int d>
bool Joints<d>::find_rows(const BlockSparse& W, const std::vector<int>& contacts) {
  const int count = static_cast<int>(contacts.size()), first = d * contacts.front();
  Eigen::MatrixXd own(d * count, d * count);
  const std::span<const int> seen = W.columns(contacts.front());
  const auto place =
      static_cast<int>(std::lower_bound(seen.begin(), seen.end(), contacts.front()) - seen.begin());
  for (int i = 0; i < count; ++i)
    for (int j = 0; j < count; ++j)
      own.template block<d, d>(d * i, d * j) = W.template block<d>(contacts.front() + i, place + j);
  const std::vector<int> pivots = pivots_of(own, s);
  const Eigen::MatrixXd from_pivots = own(Eigen::all, pivots);
  const Eigen::MatrixXd E = Eigen::MatrixXd(from_pivots(pivots, Eigen::all))
                                .transpose()
                                .partialPivLu()
                                .solve(from_pivots.transpose())
                                .transpose();
  Rows& rows = rows_.emplace_back();
  rows.fill(-1);
  for (std::size_t i = 0; i < pivots.size(); ++i) rows[i] = first + pivots[i];
  for (std::size_t k = 0; k < contacts.size(); ++k) {
    Eigen::Matrix<double, d, s>& part = E_[static_cast<std::size_t>(contacts[k])];
    part.setZero();
    part.leftCols(E.cols()) = E.middleRows(d * static_cast<Eigen::Index>(k), d);
  }
  return E.allFinite();
}

template <int d>
void Joints<d>::find_seen(const BlockSparse& W) {
  for (int a = 0; a < W.contact_count(); ++a) {
    if (of(a) < static_cast<int>(seen_.size())) continue;
    std::vector<int>& seen = seen_.emplace_back();
    for (const int b : W.columns(a))
      if (seen.empty() || seen.back() != of(b)) seen.push_back(of(b));
    R_.emplace_back(seen.size(), Across(Across::Zero()));
  }
}

/// Calls visit(a, b, place of b's joint among those that a's sees, block) for each block of W.
template <int d>
template <class Visit>
void Joints<d>::for_each_block(const BlockSparse& W, const Visit& visit) const {
  for (int a = 0; a < W.contact_count(); ++a) {
    const std::span<const int> columns = W.columns(a);
    std::size_t joint = 0;
    for (std::size_t c = 0; c < columns.size(); ++c) {
      while (seen(of(a))[joint] != of(columns[c])) ++joint;
      visit(a, columns[c], joint, W.template block<d>(a, static_cast<int>(c)));
    }
  }
}

/// R, and whether E R Eᵀ is W.
template <int d>
bool Joints<d>::find_blocks(const BlockSparse& W) {
  find_seen(W);
  const auto rows_in = [&](int contact) -> const Rows& {
    return rows_[static_cast<std::size_t>(of(contact))];
  };
  for_each_block(W, [&](int a, int b, std::size_t joint, const auto& block) {
    Across& R = R_[static_cast<std::size_t>(of(a))][joint];
    for (int i = 0; i < s; ++i)
      for (int j = 0; j < s; ++j) {
        const int row = rows_in(a)[static_cast<std::size_t>(i)] - d * a;
        const int column = rows_in(b)[static_cast<std::size_t>(j)] - d * b;
        if (row >= 0 && row < d && column >= 0 && column < d) R(i, j) = block(row, column);
      }
  });
  bool fits = true;
  for_each_block(W, [&](int a, int b, std::size_t joint, const auto& block) {
    const Eigen::Matrix<double, d, s> ER = E(a) * R(of(a), static_cast<int>(joint));
    const double error = (block - ER * E(b).transpose()).norm();
    fits = fits && error <= round_off / std::sqrt(W.rho(a) * W.rho(b));
  });
  return fits;
}

template class Joints<2>;
template class Joints<3>;

}  // namespace slipwave::contact
