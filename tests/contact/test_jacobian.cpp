#include "contact/jacobian.hpp"

#include "contact/frames.hpp"

#include <doctest/doctest.h>

#include <random>
#include <stdexcept>

using namespace slipwave;
using contact::Jacobian;
using contact::JacobianBlock;
using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

/// Contacts of every kind, drawn at random, with H written out beside them.
struct Drawn {
  explicit Drawn(int d, unsigned seed) : random(seed), H(d), dense(0, dofs) {
    const auto block = [&](int columns) {
      return MatrixXd(MatrixXd::NullaryExpr(d, columns, [&] { return number(); }));
    };
    add({{4, block(d)}});                                             // a node on an obstacle
    add({{0, block(d)}, {9, block(d)}});                              // a node on a node
    add({{12, block(d)}, {4, block(d)}, {0, block(d)}});              // a node on an edge
    add({{15, block(d == 2 ? 3 : 6)}, {21, block(d == 2 ? 3 : 6)}});  // two rigid bodies
  }
  void add(const std::vector<JacobianBlock>& blocks) {
    H.add(blocks);
    const int d = H.dimension();
    dense.conservativeResize(dense.rows() + d, dofs);
    dense.bottomRows(d).setZero();
    for (const JacobianBlock& b : blocks)
      dense.bottomRows(d).middleCols(b.dof, b.block.cols()) += b.block;
  }
  double number() { return std::uniform_real_distribution<double>(-1.0, 1.0)(random); }
  VectorXd vector(Eigen::Index size) {
    return VectorXd::NullaryExpr(size, [&] { return number(); });
  }

  static constexpr int dofs = 30;
  std::mt19937 random;
  Jacobian H;
  MatrixXd dense;
};

}  // namespace

TEST_CASE("contact/jacobian: is the dense H whatever touches what, in 2D and 3D") {
  for (const int d : {2, 3}) {
    Drawn drawn(d, 3);
    const Jacobian& H = drawn.H;
    const VectorXd v = drawn.vector(Drawn::dofs), p = drawn.vector(H.row_count());
    const VectorXd u = drawn.dense * v;
    VectorXd F = VectorXd::Zero(Drawn::dofs);
    REQUIRE(H.contact_count() == 4);
    for (int a = 0; a < H.contact_count(); ++a) {
      CHECK((H.times(a, v).head(d) - u.segment(d * a, d)).norm() <= 1e-14);
      CHECK((H.times(a, 2.0 * v - v).head(d) - u.segment(d * a, d)).norm() <= 1e-14);
      for (int i = 0; i < d; ++i) CHECK(std::abs(H.row_times(a, i, v) - u[d * a + i]) <= 1e-14);
      H.add_transposed(a, p.segment(d * a, d), F);
    }
    CHECK((F - drawn.dense.transpose() * p).norm() <= 1e-14);
    CHECK(std::abs(u.dot(p) - v.dot(F)) <= 1e-13);  // power is the same on both sides
  }
}

TEST_CASE("contact/jacobian: H S H' for any S between the touched dofs, each listed once") {
  for (const int d : {2, 3}) {
    Drawn drawn(d, 5);
    const Jacobian& H = drawn.H;
    const MatrixXd A =
        MatrixXd::NullaryExpr(Drawn::dofs, Drawn::dofs, [&] { return drawn.number(); });
    const MatrixXd S = A * A.transpose();
    const MatrixXd W = H.times_transposed(S(H.dofs(), H.dofs()));
    CHECK((W - drawn.dense * S * drawn.dense.transpose()).norm() <= 1e-12 * W.norm());
    VectorXd F = VectorXd::Ones(Drawn::dofs);
    H.clear(F);
    CHECK(F.sum() == Drawn::dofs - static_cast<double>(H.dofs().size()));
    CHECK(drawn.dense.cwiseAbs().rowwise().sum().minCoeff() > 0.0);
  }
}

TEST_CASE("contact/jacobian: a node on a plane is its frame") {
  const Eigen::Matrix2d frame = contact::local_frame({{0.0, 0.0}, {0.6, 0.8}});
  Jacobian H;
  H.add({{2, frame}});
  CHECK(H.own_dof(0) == 2);
  CHECK(H.own_block(0) == frame);
  CHECK(H.dofs() == std::vector<int>{2, 3});
}

TEST_CASE("contact/jacobian: refuses contacts without blocks, and blocks of another dimension") {
  Jacobian H(3);
  CHECK_THROWS_AS(H.add({}), std::invalid_argument);
  CHECK_THROWS_AS(H.add({{0, MatrixXd::Identity(2, 2)}}), std::invalid_argument);
}
