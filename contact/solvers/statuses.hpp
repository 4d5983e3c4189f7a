#pragma once

#include "contact/problem.hpp"

#include <algorithm>
#include <cstddef>

namespace slipwave::contact {

/// Reads off what the active contacts do, from p and w: with x = p − ρ w open where x_N <= 0,
/// sticking where |x_T| <= mu x_N, sliding else; in 3D any sliding is forward.
template <int d, Delassus W>
void read_statuses(const ProblemOn<W>& problem, Solution& solution) {
  for (const int a : problem.active) {
    const Eigen::Matrix<double, d, 1> w = solution.w.segment<d>(d * a),
                                      x = solution.p.segment<d>(d * a) - problem.W.rho(a) * w;
    Status& status = solution.status[static_cast<std::size_t>(a)];
    if (x[0] <= 0.0)
      status = Status::open;
    else if (x.template tail<d - 1>().norm() <= problem.mu[a] * x[0])
      status = Status::sticking;
    else
      status = d == 2 && w[1] < 0.0 ? Status::sliding_backward : Status::sliding_forward;
  }
}

/// Forgets the impulses of contacts that are not active.
template <Delassus W>
void keep_active(const ProblemOn<W>& problem, Solution& solution) {
  const int d = problem.dimension();
  auto next = problem.active.begin();
  for (int a = 0; a < problem.W.contact_count(); ++a) {
    if (next != problem.active.end() && *next == a) {
      ++next;
      continue;
    }
    solution.p.segment(d * a, d).setZero();
    solution.status[static_cast<std::size_t>(a)] = Status::open;
  }
}

/// Whether every active contact's own problem has one solution: mu |W_NT| < W_NN.
template <int d, Delassus W>
bool all_unique(const ProblemOn<W>& problem) {
  return std::all_of(problem.active.begin(), problem.active.end(), [&](int a) {
    const auto row = problem.W.template diagonal<d>(a).row(0);
    return problem.mu[a] * row.template tail<d - 1>().norm() < row[0];
  });
}

}  // namespace slipwave::contact
