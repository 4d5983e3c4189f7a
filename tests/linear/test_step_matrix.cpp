#include "linear/contact_last_matrix.hpp"
#include "parallel/team.hpp"
#include "tests/support/grid_matrix.hpp"
#include "tests/support/simplicial_matrix.hpp"

#include <doctest/doctest.h>

#include <Eigen/Cholesky>

using namespace slipwave;

namespace {

/// Two grids with every seventh dof held, and contacts on their lower edges, some of them held.
struct Grids {
  explicit Grids(int width) : A(tests::grid_matrix(width, 2)) {
    for (int i = 0; i < A.rows(); ++i)
      if (i % 7 != 3) dofs.free.push_back(i);
    dofs.contacts = tests::lower_edges(width, 2);
    b = Eigen::VectorXd::LinSpaced(A.rows(), -1.0, 2.0);
    f = Eigen::VectorXd::Zero(A.rows());
    for (const int dof : dofs.contacts) f[dof] = 1.0 + 0.1 * dof;
  }

  void begin(linear::StepMatrix& matrix, Eigen::VectorXd& x) const {
    matrix.begin(
        [&](int first, int last, double* out) {
          Eigen::Map<Eigen::VectorXd>(out, last - first) = b.segment(first, last - first);
        },
        x);
  }

  fem::SparseMatrix A;
  linear::StepDofs dofs;
  Eigen::VectorXd b, f;
};

constexpr double untouched = 77.0;

}  // namespace

TEST_CASE("linear/step_matrix: the two halves are the dense solve, on its dofs and no others") {
  const Grids g(9);
  Eigen::VectorXd free_b = Eigen::VectorXd::Zero(g.A.rows()), both = free_b;
  const Eigen::MatrixXd dense = Eigen::MatrixXd(g.A)(g.dofs.free, g.dofs.free);
  const Eigen::VectorXd b = g.b(g.dofs.free), b_and_f = (g.b + g.f)(g.dofs.free);
  free_b(g.dofs.free) = Eigen::VectorXd(dense.llt().solve(b));
  both(g.dofs.free) = Eigen::VectorXd(dense.llt().solve(b_and_f));
  for (const linear::MakeStepMatrix& make :
       {linear::MakeStepMatrix(linear::contact_last), linear::MakeStepMatrix(tests::simplicial)}) {
    const std::unique_ptr<linear::StepMatrix> matrix = make(g.A, g.dofs);
    const auto is_free = linear::numbering(g.dofs.free, static_cast<int>(g.A.rows()));
    Eigen::VectorXd x = Eigen::VectorXd::Constant(g.A.rows(), untouched);
    g.begin(*matrix, x);
    Eigen::VectorXd expected = Eigen::VectorXd::Constant(g.A.rows(), untouched);
    for (const int dof : g.dofs.contacts)
      if (is_free[static_cast<std::size_t>(dof)] >= 0) expected[dof] = free_b[dof];
    CHECK((x - expected).norm() <= 1e-12 * free_b.norm());

    std::vector<int> told(static_cast<std::size_t>(g.A.rows()), 0);
    matrix->finish(g.f, x, [&](int first, int last) {
      for (int i = first; i < last; ++i) ++told[static_cast<std::size_t>(i)];
    });
    for (int i = 0; i < g.A.rows(); ++i) {
      CHECK(told[static_cast<std::size_t>(i)] == 1);
      if (is_free[static_cast<std::size_t>(i)] < 0) CHECK(x[i] == untouched);
    }
    CHECK((x(g.dofs.free) - both(g.dofs.free)).norm() <= 1e-12 * both.norm());
    matrix->solve(g.b, x);
    CHECK((x - free_b).norm() <= 1e-12 * free_b.norm());
  }
}

TEST_CASE(
    "linear/step_matrix: on the contacts it is the dense inverse, and zero where one is held") {
  const Grids g(9);
  const Eigen::MatrixXd by_factor = linear::contact_last(g.A, g.dofs)->on_contacts();
  const Eigen::MatrixXd by_columns = tests::simplicial(g.A, g.dofs)->on_contacts();
  CHECK((by_factor - by_columns).norm() <= 1e-12 * by_columns.norm());
  int held = 0;
  for (std::size_t k = 0; k < g.dofs.contacts.size(); ++k)
    if (g.dofs.contacts[k] % 7 == 3) {
      ++held;
      CHECK(by_factor.row(static_cast<Eigen::Index>(k)).isZero(0.0));
      CHECK(by_factor.col(static_cast<Eigen::Index>(k)).isZero(0.0));
    }
  CHECK(held > 0);
}

TEST_CASE("linear/step_matrix: the same bits on one thread and on two, where blocks are shared") {
  const Grids g(120);
  const std::unique_ptr<linear::StepMatrix> matrix = linear::contact_last(g.A, g.dofs);
  const int threads = parallel::threads();
  std::vector<Eigen::VectorXd> results;
  for (const int count : {1, 2}) {
    parallel::set_threads(count);
    Eigen::VectorXd x = Eigen::VectorXd::Zero(g.A.rows());
    g.begin(*matrix, x);
    matrix->finish(g.f, x, [](int, int) {});
    results.push_back(x);
  }
  parallel::set_threads(threads);
  CHECK(results[0] == results[1]);
}

TEST_CASE("linear/step_matrix: names the dof where A is not positive definite") {
  Grids g(6);
  g.A.coeffRef(40, 40) = -30.0;
  int row = -1;
  try {
    (void)linear::contact_last(g.A, g.dofs);
  } catch (const linear::NotPositiveDefinite& error) {
    row = error.row;
  }
  // Elimination may notice it at the bad dof or at one that depends on it: of the second grid.
  CHECK(row >= 36);
  CHECK(row % 7 != 3);
}
