#include "contact/delassus/body_delassus.hpp"

#include "contact/delassus/colouring.hpp"

#include <fmt/format.h>
#include <Eigen/LU>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <stdexcept>

namespace slipwave::contact {

namespace {

using Eigen::MatrixXd;

std::vector<MatrixXd> inverses(const std::vector<MatrixXd>& M) {
  std::vector<MatrixXd> result;
  for (std::size_t i = 0; i < M.size(); ++i) {
    const Eigen::FullPivLU<MatrixXd> lu(M[i]);
    if (!lu.isInvertible())
      throw std::invalid_argument(fmt::format("body {}: its part of M is singular", i));
    result.push_back(lu.inverse());
  }
  return result;
}

void append(std::vector<double>& numbers, const MatrixXd& block) {
  numbers.insert(numbers.end(), block.data(), block.data() + block.size());
}

/// The diagonal blocks of M; nothing where there are others.
std::optional<std::vector<MatrixXd>> diagonal_blocks(const Eigen::SparseMatrix<double>& M, int s) {
  if (M.rows() % s != 0) return std::nullopt;
  std::vector<MatrixXd> blocks(static_cast<std::size_t>(M.rows() / s), MatrixXd::Zero(s, s));
  for (int j = 0; j < M.outerSize(); ++j)
    for (Eigen::SparseMatrix<double>::InnerIterator entry(M, j); entry; ++entry) {
      const auto i = static_cast<int>(entry.row());
      if (i / s == j / s)
        blocks[static_cast<std::size_t>(j / s)](i % s, j % s) += entry.value();
      else if (entry.value() != 0.0)
        return std::nullopt;
    }
  return blocks;
}

/// What a contact touches, by its columns of Hᵀ.
std::vector<BodyDelassus::Touch> touches_of(const Eigen::SparseMatrix<double>& H_transposed,
                                            int contact, int d) {
  const int s = BodyDelassus::velocities(d);
  std::vector<BodyDelassus::Touch> touches;
  for (int j = 0; j < d; ++j)
    for (Eigen::SparseMatrix<double>::InnerIterator entry(H_transposed, d * contact + j); entry;
         ++entry) {
      if (entry.value() == 0.0) continue;
      const auto row = static_cast<int>(entry.row());
      auto touch = std::ranges::find(touches, row / s, &BodyDelassus::Touch::body);
      if (touch == touches.end()) touch = touches.insert(touch, {row / s, MatrixXd::Zero(d, s)});
      touch->H(j, row % s) += entry.value();
    }
  std::ranges::sort(touches, {}, &BodyDelassus::Touch::body);
  return touches;
}

}  // namespace

BodyDelassus::BodyDelassus(int dimension, const std::vector<MatrixXd>& M,
                           const std::vector<std::vector<Touch>>& contacts)
    : dimension_(dimension), body_count_(static_cast<int>(M.size())), first_(1, 0) {
  assert(dimension == 2 || dimension == 3);
  for (const MatrixXd& block : M) append(M_, block);
  for (const MatrixXd& block : inverses(M)) append(inverse_, block);
  for (const std::vector<Touch>& touches : contacts)
    dimension == 2 ? add_contact_of<2>(touches) : add_contact_of<3>(touches);
}

template <int d>
void BodyDelassus::add_contact_of(const std::vector<Touch>& touches) {
  std::vector<int> bodies;
  std::vector<Eigen::Matrix<double, d, velocities(d)>> parts_of_H;
  for (const Touch& touch : touches) {
    assert(touch.H.rows() == d && touch.H.cols() == velocities(d));
    bodies.push_back(touch.body);
    parts_of_H.emplace_back(touch.H);
  }
  add_contact<d>(bodies, parts_of_H.data());
}

void BodyDelassus::clear_contacts() {
  first_.resize(1);
  bodies_.clear();
  for (std::vector<double>* values : {&H_, &Y_, &diagonal_, &rho_}) values->clear();
  max_rho_ = 0.0;
}

/// The last contact's, once its block of W is known.
void BodyDelassus::add_rho(double W_NN, double least_W_TT, double trace) {
  if (!(W_NN > 0.0 && least_W_TT >= 0.0 && std::isfinite(trace)))
    throw std::invalid_argument(
        fmt::format("contact {}: its diagonal block of W has W_NN = {:g}, W_TT = {:g}; its normal "
                    "motion must be free",
                    rho_.size(), W_NN, least_W_TT));
  rho_.push_back(dimension_ / trace);
  max_rho_ = std::max(max_rho_, rho_.back());
}

std::optional<BodyDelassus> BodyDelassus::from(const Eigen::SparseMatrix<double>& M,
                                               const Eigen::SparseMatrix<double>& H_transposed,
                                               int dimension) {
  if (M.cols() != M.rows() || H_transposed.rows() != M.rows() ||
      H_transposed.cols() % dimension != 0)
    return std::nullopt;
  const auto blocks = diagonal_blocks(M, velocities(dimension));
  if (!blocks) return std::nullopt;
  std::vector<std::vector<Touch>> contacts;
  for (int a = 0; a < H_transposed.cols() / dimension; ++a)
    contacts.push_back(touches_of(H_transposed, a, dimension));
  return BodyDelassus(dimension, *blocks, contacts);
}

double BodyDelassus::norm2(const Eigen::VectorXd& x) const {
  const int s = velocities(dimension_);
  double sum = 0.0;
  for (int i = 0; i < body_count_; ++i) {
    const Eigen::Map<const MatrixXd> M(M_.data() + i * s * s, s, s);
    for (int j = 0; j < s; ++j) sum += x[s * i + j] * M.col(j).dot(x.segment(s * i, s));
  }
  return sum;
}

Colours BodyDelassus::colours() const {
  const double products =
      2.0 * static_cast<double>(bodies_.size()) * dimension_ * velocities(dimension_);
  std::vector<std::vector<int>> on(static_cast<std::size_t>(body_count_)), seen;
  for (int a = 0; a < contact_count(); ++a)
    for (const int i : bodies(a)) on[static_cast<std::size_t>(i)].push_back(a);
  for (int a = 0; a < contact_count(); ++a) {
    std::vector<int>& sees = seen.emplace_back();
    for (const int i : bodies(a)) {
      const std::vector<int>& there = on[static_cast<std::size_t>(i)];
      sees.insert(sees.end(), there.begin(), there.end());
    }
    std::ranges::sort(sees);
    sees.erase(std::unique(sees.begin(), sees.end()), sees.end());
  }
  return coloured(contact_count(), products,
                  [&](int a) { return std::span<const int>(seen[static_cast<std::size_t>(a)]); });
}

}  // namespace slipwave::contact
