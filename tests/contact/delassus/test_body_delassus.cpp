#include "contact/delassus/body_delassus.hpp"

#include "contact/residual.hpp"
#include "tests/contact/delassus/colours.hpp"
#include "tests/support/bodies.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>
#include <stdexcept>

namespace slipwave::contact {

namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using tests::Bodies;

template <int d>
void check_operator(const Bodies& bodies, const BodyDelassus& delassus, const VectorXd& p) {
  const MatrixXd W = bodies.W();
  VectorXd x = VectorXd::Zero(delassus.motion_size());
  for (int a = 0; a < delassus.contact_count(); ++a)
    delassus.add_motion<d>(a, p.segment<d>(d * a), x.data());
  const VectorXd whole = W * p;
  for (int a = 0; a < delassus.contact_count(); ++a) {
    const MatrixXd own = W.block<d, d>(d * a, d * a);
    CHECK((delassus.diagonal<d>(a) - own).norm() <= 1e-12 * own.norm());
    CHECK((delassus.at<d>(a, x.data()) - whole.segment<d>(d * a)).norm() <= 1e-12 * W.norm());
    CHECK(delassus.rho(a) == doctest::Approx(d / own.trace()));
    CHECK(delassus.rho(a) <= delassus.max_rho());
  }
  const MatrixXd M = bodies.sparse_M();
  CHECK(delassus.norm2(x) == doctest::Approx(x.dot(M * x)));
}

void check_operator(const Bodies& bodies, const BodyDelassus& delassus,
                    std::mt19937_64& generator) {
  const VectorXd p = tests::random_vector(bodies.d * bodies.contact_count(), 0.0, generator);
  bodies.d == 2 ? check_operator<2>(bodies, delassus, p) : check_operator<3>(bodies, delassus, p);
}

}  // namespace

TEST_CASE("contact/body_delassus: W = H M^-1 H^T, its diagonal and its products, M unsymmetric") {
  std::mt19937_64 generator(1);
  for (const int d : {2, 3})
    for (const double skew : {0.0, 0.3}) {
      const Bodies bodies = tests::random_bodies(d, 5, 14, skew, generator);
      const BodyDelassus delassus = bodies.delassus();
      CHECK(delassus.body_count() == 5);
      CHECK(delassus.contact_count() == 14);
      CHECK(delassus.motion_size() == bodies.motion_size());
      check_operator(bodies, delassus, generator);
    }
}

TEST_CASE("contact/body_delassus: the same from sparse M and H") {
  std::mt19937_64 generator(2);
  for (const int d : {2, 3}) {
    const Bodies bodies = tests::random_bodies(d, 4, 9, 0.2, generator);
    const auto delassus = BodyDelassus::from(bodies.sparse_M(), bodies.sparse_H().transpose(), d);
    REQUIRE(delassus.has_value());
    CHECK(delassus->body_count() == 4);
    CHECK(delassus->contact_count() == 9);
    for (int a = 0; a < 9; ++a) {
      CHECK(delassus->bodies(a).size() == bodies.contacts[static_cast<std::size_t>(a)].size());
      CHECK(std::ranges::is_sorted(delassus->bodies(a)));
    }
    check_operator(bodies, *delassus, generator);
  }
}

TEST_CASE("contact/body_delassus: nothing where M couples bodies or sizes do not fit") {
  std::mt19937_64 generator(3);
  const Bodies bodies = tests::random_bodies(3, 2, 3, 0.0, generator);
  const Eigen::SparseMatrix<double> M = bodies.sparse_M(), H = bodies.sparse_H().transpose();
  Eigen::SparseMatrix<double> coupled = M;
  coupled.insert(0, 6) = 0.0;
  CHECK(BodyDelassus::from(coupled, H, 3).has_value());  // an entry, but none that couples
  coupled.coeffRef(0, 6) = 1e-9;
  CHECK_FALSE(BodyDelassus::from(coupled, H, 3).has_value());
  const auto identity = [](int n) {
    Eigen::SparseMatrix<double> result(n, n);
    result.setIdentity();
    return result;
  };
  CHECK_FALSE(BodyDelassus::from(identity(8), Eigen::SparseMatrix<double>(8, 3), 3).has_value());
  CHECK_FALSE(BodyDelassus::from(M, Eigen::SparseMatrix<double>(18, 9), 3).has_value());
  CHECK_FALSE(BodyDelassus::from(M, Eigen::SparseMatrix<double>(12, 8), 3).has_value());
  CHECK_FALSE(BodyDelassus::from(Eigen::SparseMatrix<double>(12, 6), H, 3).has_value());
  CHECK(BodyDelassus::from(M, Eigen::SparseMatrix<double>(12, 0), 3)->contact_count() == 0);
}

TEST_CASE("contact/body_delassus: a body without mass and a contact that moves nothing are named") {
  std::mt19937_64 generator(4);
  Bodies bodies = tests::random_bodies(2, 2, 3, 0.0, generator);
  bodies.M[1].row(2).setZero();
  CHECK_THROWS_WITH_AS(bodies.delassus(), "body 1: its part of M is singular",
                       std::invalid_argument);
  bodies = tests::random_bodies(2, 2, 3, 0.0, generator);
  for (auto& touch : bodies.contacts[2]) touch.H.row(0).setZero();
  CHECK_THROWS_AS(bodies.delassus(), std::invalid_argument);
  bodies.contacts[2].clear();
  CHECK_THROWS_WITH_AS(bodies.delassus(),
                       "contact 2: its diagonal block of W has W_NN = 0, W_TT = 0; its normal "
                       "motion must be free",
                       std::invalid_argument);
}

TEST_CASE("contact/body_delassus: groups of one colour share no body") {
  for (const int d : {2, 3}) {
    const Bodies wall = tests::brick_wall(d, 40, d == 2 ? 90 : 30);
    const BodyDelassus delassus = wall.delassus();
    const Colours colours = delassus.colours();
    CHECK(colours.colours.size() > 2);
    CHECK(colours.group.back() + 1 == delassus.contact_count() / (d == 2 ? 2 : 4));
    std::vector<std::vector<int>> on(static_cast<std::size_t>(delassus.body_count()));
    for (int a = 0; a < delassus.contact_count(); ++a)
      for (const int body : delassus.bodies(a)) on[static_cast<std::size_t>(body)].push_back(a);
    tests::check_colours(colours, delassus.contact_count(), [&](int a) {
      std::vector<int> seen;
      for (const int body : delassus.bodies(a)) {
        const std::vector<int>& there = on[static_cast<std::size_t>(body)];
        seen.insert(seen.end(), there.begin(), there.end());
      }
      return seen;
    });
  }
}

TEST_CASE("contact/body_delassus: the certificate from p alone is that of the dense W") {
  std::mt19937_64 generator(5);
  for (const int d : {2, 3})
    for (const double skew : {0.0, 0.3}) {
      const Bodies bodies = tests::random_bodies(d, 4, 10, skew, generator);
      const VectorXd v = tests::random_vector(bodies.motion_size(), 0.0, generator);
      BodyProblem problem = tests::on_bodies(bodies, v, 0.7);
      problem.active = {0, 2, 3, 4, 5, 7, 9};
      const Problem dense = tests::on_dense_W(bodies, problem);
      const SparseProblem sparse = tests::on_W(bodies, problem);
      Solution one(10, d), other(10, d), third(10, d);
      for (const int a : problem.active)
        one.p.segment(d * a, d) = tests::random_vector(d, 1.0, generator);
      other.p = third.p = one.p;
      const Residual found = certify(problem, 1e-8, one), known = certify(dense, 1e-8, other),
                     on_blocks = certify(sparse, 1e-8, third);
      CHECK(known.worst() > 1e-2);
      CHECK(found.raw == doctest::Approx(known.raw).epsilon(1e-12));
      CHECK(found.scaled == doctest::Approx(known.scaled).epsilon(1e-12));
      CHECK(on_blocks.raw == doctest::Approx(known.raw).epsilon(1e-12));
      CHECK(on_blocks.scaled == doctest::Approx(known.scaled).epsilon(1e-12));
      CHECK((one.w - other.w).norm() <= 1e-12 * other.w.norm());
    }
}

}  // namespace slipwave::contact
