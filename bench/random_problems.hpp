#pragma once

#include "contact/problem.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

/// Contact problems for the tests of the solvers.
namespace slipwave::contact::tests {

/// Numbers 0 to n − 1.
inline std::vector<int> all_of(int n) {
  std::vector<int> active(static_cast<std::size_t>(n));
  for (int a = 0; a < n; ++a) active[static_cast<std::size_t>(a)] = a;
  return active;
}

/// A vector of normal numbers around a mean.
inline Eigen::VectorXd random_vector(int n, double mean, std::mt19937_64& generator) {
  std::normal_distribution<double> normal(mean, 1.0);
  Eigen::VectorXd b(n);
  for (double& entry : b) entry = normal(generator);
  return b;
}

/// W of a band like that of a boundary line, plus a random positive semi-definite part of a size.
inline Eigen::MatrixXd random_delassus(int n, int d, double random_part,
                                       std::mt19937_64& generator) {
  Eigen::MatrixXd G(d * n, d * n);
  for (int j = 0; j < d * n; ++j) G.col(j) = random_vector(d * n, 0.0, generator);
  Eigen::MatrixXd W = Eigen::MatrixXd::Identity(d * n, d * n) + random_part / n * G * G.transpose();
  for (int i = 0; i < d * n; ++i)
    for (int j = 0; j < d * n; ++j)
      if ((i - j) % d == 0) W(i, j) += std::exp(-0.5 * std::abs(i - j));
  return 0.5 * (W + W.transpose());
}

/// W that decays by `decay` per contact: banded, cond(W) about 10 for decay 0.6, normal and
/// tangential motion coupled.
inline Eigen::MatrixXd banded_delassus(int n, int d, double decay) {
  Eigen::MatrixXd W = Eigen::MatrixXd::Zero(d * n, d * n);
  for (int a = 0; a < n; ++a)
    for (int b = 0; b < n; ++b) {
      const double size = std::pow(decay, std::abs(a - b));
      for (int i = 0; i < d; ++i) W(d * a + i, d * b + i) = size * (1.0 + 0.1 * i);
      if (a != b) W(d * a, d * b + 1) = W(d * b + 1, d * a) = (a < b ? 0.2 : -0.2) * size;
    }
  return W;
}

/// A problem of all contacts with this W and friction; about half of them are pressed together.
inline Problem problem_with(const Eigen::MatrixXd& W, int d, double mu,
                            std::mt19937_64& generator) {
  const int n = static_cast<int>(W.rows()) / d;
  return {DenseBand(W, d), random_vector(d * n, -0.3, generator), Eigen::VectorXd::Constant(n, mu),
          all_of(n)};
}

/// The law, contact by contact, in its plain words.
inline bool law_holds(const Problem& problem, const Eigen::VectorXd& p, double tolerance) {
  const int d = problem.dimension();
  const Eigen::VectorXd w = problem.W.matrix() * p + problem.b;
  const double zero = tolerance * (1.0 + p.norm());
  for (const int a : problem.active) {
    const double p_N = p[d * a], w_N = w[d * a], bound = problem.mu[a] * p_N;
    const Eigen::VectorXd p_T = p.segment(d * a + 1, d - 1), w_T = w.segment(d * a + 1, d - 1);
    if (p_N < -zero || w_N < -zero || std::min(p_N, w_N) > zero) return false;
    if (p_T.norm() > bound + zero) return false;
    const Eigen::VectorXd missing = w_T.norm() * p_T + bound * w_T;  // p_T = −bound w_T / |w_T|
    if (missing.norm() > zero * (1.0 + w_T.norm())) return false;
  }
  return true;
}

}  // namespace slipwave::contact::tests
