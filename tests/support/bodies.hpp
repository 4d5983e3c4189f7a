#pragma once

#include "bench/random_problems.hpp"
#include "contact/problem.hpp"

#include <Eigen/Core>
#include <Eigen/LU>
#include <Eigen/SparseCore>
#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

/// Contact problems of bodies for the tests of what is sparse: as bodies, as a sparse W, as a dense
/// one.
namespace slipwave::contact::tests {

/// A matrix of normal numbers.
inline Eigen::MatrixXd random_matrix(int rows, int columns, std::mt19937_64& generator) {
  return random_vector(rows * columns, 0.0, generator).reshaped(rows, columns);
}

/// A random matrix whose symmetric part is positive definite, its skew part of this size.
inline Eigen::MatrixXd random_positive(int n, double skew, std::mt19937_64& generator) {
  const Eigen::MatrixXd A = random_matrix(n, n, generator), B = random_matrix(n, n, generator);
  return Eigen::MatrixXd::Identity(n, n) + A * A.transpose() / n + skew * (B - B.transpose());
}

/// Bodies with what touches them.
struct Bodies {
  int d = 3;
  std::vector<Eigen::MatrixXd> M;
  std::vector<std::vector<BodyDelassus::Touch>> contacts;

  int s() const { return BodyDelassus::velocities(d); }
  int motion_size() const { return s() * static_cast<int>(M.size()); }
  int contact_count() const { return static_cast<int>(contacts.size()); }

  BodyDelassus delassus() const { return {d, M, contacts}; }
  Eigen::SparseMatrix<double> sparse_M(bool inverted = false) const {
    std::vector<Eigen::Triplet<double>> entries;
    for (std::size_t k = 0; k < M.size(); ++k) {
      const Eigen::MatrixXd block = inverted ? Eigen::MatrixXd(M[k].inverse()) : M[k];
      const int first = s() * static_cast<int>(k);
      for (int i = 0; i < s(); ++i)
        for (int j = 0; j < s(); ++j) entries.emplace_back(first + i, first + j, block(i, j));
    }
    Eigen::SparseMatrix<double> result(motion_size(), motion_size());
    result.setFromTriplets(entries.begin(), entries.end());
    return result;
  }
  Eigen::SparseMatrix<double> sparse_H() const {
    std::vector<Eigen::Triplet<double>> entries;
    for (int a = 0; a < contact_count(); ++a)
      for (const BodyDelassus::Touch& touch : contacts[static_cast<std::size_t>(a)])
        for (int i = 0; i < d; ++i)
          for (int j = 0; j < s(); ++j)
            entries.emplace_back(d * a + i, s() * touch.body + j, touch.H(i, j));
    Eigen::SparseMatrix<double> result(d * contact_count(), motion_size());
    result.setFromTriplets(entries.begin(), entries.end());
    return result;
  }
  /// H M⁻¹ Hᵀ.
  Eigen::SparseMatrix<double> W() const {
    const Eigen::SparseMatrix<double> H = sparse_H(), inverse = sparse_M(true);
    return H * inverse * Eigen::SparseMatrix<double>(H.transpose());
  }
};

/// Bodies with random M, and contacts that each touch one of them or two, with random H.
inline Bodies random_bodies(int d, int body_count, int contact_count, double skew,
                            std::mt19937_64& generator) {
  Bodies bodies{d, {}, {}};
  for (int i = 0; i < body_count; ++i)
    bodies.M.push_back(random_positive(bodies.s(), skew, generator));
  std::uniform_int_distribution<int> any(0, body_count - 1);
  for (int a = 0; a < contact_count; ++a) {
    const int one = any(generator), other = any(generator);
    bodies.contacts.push_back({{one, random_matrix(d, bodies.s(), generator)}});
    if (other != one)
      bodies.contacts.back().push_back({other, random_matrix(d, bodies.s(), generator)});
  }
  return bodies;
}

/// A contact's part of H on a body that it touches at r from its centre, the normal being up:
/// the velocity of that point, normal first.
inline Eigen::MatrixXd velocity_at(int d, const Eigen::Vector3d& r) {
  if (d == 2) {
    Eigen::MatrixXd H(2, 3);  // velocities x, z, and turning from x to z; r in (x, z)
    H << 0.0, 1.0, r[0], 1.0, 0.0, -r[2];
    return H;
  }
  Eigen::MatrixXd H(3, 6);
  H << 0, 0, 1, r[1], -r[0], 0,  //
      1, 0, 0, 0, r[2], -r[1],   //
      0, 1, 0, -r[2], 0, r[0];
  return H;
}

/// A wall of bricks, one long, half as high and half as deep: each lies on halves of two of the
/// row below, the lowest on the ground, and touches what is below at the corners of the face that
/// they share, 2 in 2D and 4 in 3D: a joint with more impulses than velocities.
inline Bodies brick_wall(int d, int rows, int columns) {
  Bodies wall{d, {}, {}};
  const Eigen::VectorXd mass = d == 2 ? Eigen::VectorXd(Eigen::Vector3d(1.0, 1.0, 0.1))
                                      : Eigen::VectorXd{{1.0, 1.0, 1.0, 0.04, 0.1, 0.1}};
  const auto x_of = [](int row, int column) { return column + 0.5 * (row % 2); };
  const auto touch = [&](int body, double x_body, double x, double y, double z) {
    return BodyDelassus::Touch{body, velocity_at(d, {x - x_body, y, z})};
  };
  const auto join = [&](int row, int column, int lower, double begin, double end) {
    for (const double y : d == 2 ? std::vector<double>{0.0} : std::vector<double>{-0.25, 0.25})
      for (const double x : {begin, end}) {
        auto& contact = wall.contacts.emplace_back();
        contact.push_back(touch(columns * row + column, x_of(row, column), x, y, -0.25));
        if (row == 0) continue;
        contact.push_back(touch(columns * (row - 1) + lower, x_of(row - 1, lower), x, y, 0.25));
        contact.back().H *= -1.0;
      }
  };
  for (int row = 0; row < rows; ++row)
    for (int column = 0; column < columns; ++column) {
      wall.M.push_back(mass.asDiagonal());
      const double x = x_of(row, column);
      if (row == 0) join(row, column, 0, x - 0.5, x + 0.5);
      for (int lower = 0; row > 0 && lower < columns; ++lower)
        if (const double apart = x_of(row - 1, lower) - x; std::abs(apart) < 0.9)
          join(row, column, lower, std::max(x, x + apart) - 0.5, std::min(x, x + apart) + 0.5);
    }
  return wall;
}

/// Velocities that fall, and a little of everything else.
inline Eigen::VectorXd falling(const Bodies& bodies, double noise, std::mt19937_64& generator) {
  Eigen::VectorXd v = noise * random_vector(bodies.motion_size(), 0.0, generator);
  for (std::size_t k = 0; k < bodies.M.size(); ++k)
    v[bodies.s() * static_cast<int>(k) + bodies.d - 1] -= 1.0;
  return v;
}

/// The problem whose bodies would move with v if nothing touched: b = H v.
inline BodyProblem on_bodies(const Bodies& bodies, const Eigen::VectorXd& v, double mu) {
  const int n = bodies.contact_count();
  return {bodies.delassus(), bodies.sparse_H() * v, Eigen::VectorXd::Constant(n, mu), all_of(n)};
}

/// The same with W as a sparse matrix.
inline SparseProblem on_W(const Bodies& bodies, const BodyProblem& problem) {
  return {BlockSparse(bodies.W(), bodies.d), problem.b, problem.mu, problem.active};
}

/// The same with W as a dense one.
inline Problem on_dense_W(const Bodies& bodies, const BodyProblem& problem) {
  return {DenseBand(Eigen::MatrixXd(bodies.W()), bodies.d), problem.b, problem.mu, problem.active};
}

}  // namespace slipwave::contact::tests
