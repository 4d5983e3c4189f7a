#include "contact/solvers/joints.hpp"

#include "contact/solvers/newton_matrix.hpp"
#include "tests/support/bodies.hpp"

#include <doctest/doctest.h>
#include <Eigen/LU>

#include <random>

namespace slipwave::contact {

namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using tests::Bodies;

/// E R Eᵀ.
template <int d>
MatrixXd product(const Joints<d>& joints, int contacts) {
  constexpr int s = Joints<d>::s;
  MatrixXd E = MatrixXd::Zero(d * contacts, s * joints.count()), R(E.cols(), E.cols());
  R.setZero();
  for (int a = 0; a < contacts; ++a) E.block<d, s>(d * a, s * joints.of(a)) = joints.E(a);
  for (int g = 0; g < joints.count(); ++g)
    for (std::size_t k = 0; k < joints.seen(g).size(); ++k)
      R.block<s, s>(s * g, s * joints.seen(g)[k]) = joints.R(g, static_cast<int>(k));
  return E * R * E.transpose();
}

template <int d>
void check_found(const Bodies& bodies, int joint_count) {
  const MatrixXd W = bodies.W();
  const BlockSparse blocks(bodies.W(), d);
  const auto joints = Joints<d>::in(blocks);
  REQUIRE(joints.has_value());
  CHECK(joints->count() == joint_count);
  CHECK((product(*joints, blocks.contact_count()) - W).norm() <= 1e-11 * W.norm());
}

/// By joints as with a dense I + W D, for right-hand sides that W gives.
template <int d>
double error_by_joints(const Bodies& bodies, std::mt19937_64& generator) {
  const MatrixXd W = bodies.W();
  const BlockSparse blocks(bodies.W(), d);
  REQUIRE(Joints<d>::in(blocks).has_value());
  NewtonMatrix<BlockSparse, d> matrix(blocks);
  const int n = bodies.contact_count();
  double worst = 0.0;
  for (int trial = 0; trial < 5; ++trial) {
    std::vector<Eigen::Matrix<double, d, d>> D;
    MatrixXd A = MatrixXd::Identity(d * n, d * n);
    for (int a = 0; a < n; ++a) {
      D.emplace_back(a % 5 == trial ? MatrixXd(MatrixXd::Zero(d, d))
                                    : tests::random_positive(d, 0.2, generator));
      A.middleCols<d>(d * a) += W.middleCols<d>(d * a) * D.back();
    }
    REQUIRE(matrix.factorise(blocks, D));
    const VectorXd right = W * tests::random_vector(d * n, 0.0, generator);
    VectorXd x = right;
    matrix.solve(blocks, x);
    const VectorXd expected = A.partialPivLu().solve(right);
    worst = std::max(worst, (x - expected).norm() / expected.norm());
  }
  return worst;
}

/// Bodies of which each pair of neighbours is joined by so many contacts with random H.
Bodies random_joints(int d, int body_count, int contacts_each, std::mt19937_64& generator) {
  Bodies bodies = tests::random_bodies(d, body_count, 0, 0.0, generator);
  for (int i = 0; i + 1 < body_count; ++i)
    for (int k = 0; k < contacts_each; ++k) {
      const MatrixXd seen = tests::random_matrix(d, bodies.s(), generator);
      bodies.contacts.push_back({{i, seen}, {i + 1, -seen}});
    }
  return bodies;
}

}  // namespace

TEST_CASE("contact/joints: the corners of bricks on each other are joints, E R E^T = W") {
  // Bricks of a row lie on 2 lower ones each, but for one at the end; the lowest on the ground.
  check_found<3>(tests::brick_wall(3, 4, 3), 3 + 3 * 5);
  check_found<3>(tests::brick_wall(3, 6, 1), 6);
}

TEST_CASE("contact/joints: of any number of points and positions, 2D and 3D") {
  std::mt19937_64 generator(1);
  check_found<3>(random_joints(3, 6, 4, generator), 5);
  check_found<3>(random_joints(3, 6, 9, generator), 5);
  check_found<2>(random_joints(2, 6, 4, generator), 5);
}

TEST_CASE("contact/joints: nothing where bodies do not join contacts, or too few of them") {
  std::mt19937_64 generator(2);
  Bodies bodies = random_joints(3, 6, 4, generator);
  MatrixXd W = bodies.W();
  W(1, 2) += 1e-6;  // no longer the velocities of two bodies
  CHECK_FALSE(Joints<3>::in(BlockSparse(W.sparseView(), 3)).has_value());
  W = bodies.W();
  W(2, 13) += 1e-6;  // between joints
  CHECK_FALSE(Joints<3>::in(BlockSparse(W.sparseView(), 3)).has_value());
  const MatrixXd full = tests::random_positive(24, 0.0, generator);  // 8 contacts, all see all
  CHECK_FALSE(Joints<3>::in(BlockSparse(full.sparseView(), 3)).has_value());
  CHECK_FALSE(Joints<3>::in(BlockSparse(random_joints(3, 6, 2, generator).W(), 3)).has_value());
  CHECK_FALSE(Joints<2>::in(BlockSparse(MatrixXd::Identity(8, 8).sparseView(), 2)).has_value());
  CHECK_FALSE(Joints<3>::in(BlockSparse(Eigen::SparseMatrix<double>(0, 0), 3)).has_value());
}

TEST_CASE("contact/newton_matrix: with joints solves I + W D as a dense LU does") {
  std::mt19937_64 generator(3);
  CHECK(error_by_joints<3>(tests::brick_wall(3, 4, 3), generator) <= 1e-9);
  CHECK(error_by_joints<3>(random_joints(3, 6, 7, generator), generator) <= 1e-9);
  CHECK(error_by_joints<2>(random_joints(2, 6, 4, generator), generator) <= 1e-9);
}

}  // namespace slipwave::contact
