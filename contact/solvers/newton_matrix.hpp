#pragma once

#include "contact/delassus/block_sparse.hpp"
#include "contact/delassus/body_delassus.hpp"
#include "contact/problem.hpp"
#include "contact/solvers/block_lu.hpp"
#include "contact/solvers/joints.hpp"

#include <Eigen/Core>
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace slipwave::contact {

/// Where solvers that factorise look for the solution: x with w = b + H x, W p = H x and x = Y p.
/// Of bodies these are their velocities; where only W is given, H = I and Y = W.
template <Delassus W, int d>
struct Motion;

/// Where only W is given.
template <int d>
struct Motion<BlockSparse, d> {
  static int size(const BlockSparse& W) { return d * W.contact_count(); }
  static Eigen::Matrix<double, d, 1> at(const BlockSparse&, int a, const Eigen::VectorXd& x) {
    return x.segment<d>(d * a);
  }
  /// x = Y p.
  static void from(const BlockSparse& W, const Eigen::VectorXd& p, Eigen::VectorXd& x) {
    for (int a = 0; a < W.contact_count(); ++a)
      x.segment<d>(d * a) = W.template all_times<d>(a, p.data());
  }
  /// A norm of x, squared, in which contacts weigh as their masses.
  static double norm2(const BlockSparse& W, const Eigen::VectorXd& x) {
    double sum = 0.0;
    for (int a = 0; a < W.contact_count(); ++a) sum += W.rho(a) * x.segment<d>(d * a).squaredNorm();
    return sum;
  }
};

/// Of bodies.
template <int d>
struct Motion<BodyDelassus, d> {
  static int size(const BodyDelassus& W) { return W.motion_size(); }
  static Eigen::Matrix<double, d, 1> at(const BodyDelassus& W, int a, const Eigen::VectorXd& x) {
    return W.template at<d>(a, x.data());
  }
  static void from(const BodyDelassus& W, const Eigen::VectorXd& p, Eigen::VectorXd& x) {
    x.setZero();
    for (int a = 0; a < W.contact_count(); ++a)
      W.template add_motion<d>(a, p.segment<d>(d * a), x.data());
  }
  static double norm2(const BodyDelassus& W, const Eigen::VectorXd& x) { return W.norm2(x); }
};

/// I + Y D H for a D of one block per contact, factorised: I + W D where W is given, and for bodies
/// M⁻¹(M + HᵀDH). The pattern is found once; afterwards nothing allocates.
template <Delassus W, int d>
class NewtonMatrix;

/// I + W D by blocks of contacts, or of joints where W has them.
template <int d>
class NewtonMatrix<BlockSparse, d> {
 public:
  static constexpr int s = Joints<d>::s;
  using Block = Eigen::Matrix<double, d, d>;

  explicit NewtonMatrix(const BlockSparse& W) : joints_(Joints<d>::in(W)) {
    if (joints_)
      prepare_joints();
    else
      prepare_contacts(W);
  }
  /// See BlockLu::work().
  double work() const { return joints_ ? lu_of_joints_->work() : lu_->work(); }
  bool factorise(const BlockSparse& W, const std::vector<Block>& D) {
    return joints_ ? factorise_joints(D) : factorise_contacts(W, D);
  }
  /// x = (I + Y D H)⁻¹ x.
  void solve(const BlockSparse& W, Eigen::VectorXd& x) {
    if (!joints_) return lu_->solve(x);
    for (int g = 0; g < joints_->count(); ++g) y_.segment<s>(s * g) = joints_->at_rows(g, x);
    lu_of_joints_->solve(y_);
    for (int a = 0; a < W.contact_count(); ++a)
      x.segment<d>(d * a) = joints_->E(a) * y_.segment<s>(s * joints_->of(a));
  }

 private:
  void prepare_contacts(const BlockSparse& W) {
    std::vector<std::vector<int>> pattern;
    for (int a = 0; a < W.contact_count(); ++a)
      pattern.emplace_back(W.columns(a).begin(), W.columns(a).end());
    lu_.emplace(pattern);
    for (int a = 0; a < W.contact_count(); ++a)
      for (const int b : W.columns(a)) places_.push_back(lu_->place(a, b));
  }
  void prepare_joints() {
    std::vector<std::vector<int>> pattern;
    for (int g = 0; g < joints_->count(); ++g) pattern.push_back(joints_->seen(g));
    lu_of_joints_.emplace(pattern);
    for (int g = 0; g < joints_->count(); ++g)
      for (const int h : joints_->seen(g)) places_.push_back(lu_of_joints_->place(g, h));
    EDE_.resize(static_cast<std::size_t>(joints_->count()));
    y_.resize(s * joints_->count());
  }
  SLIPWAVE_CLONES bool factorise_contacts(const BlockSparse& W, const std::vector<Block>& D) {
    lu_->clear();
    auto place = places_.begin();
    for (int a = 0; a < W.contact_count(); ++a) {
      const std::span<const int> seen = W.columns(a);
      for (std::size_t k = 0; k < seen.size(); ++k) {
        Block& target = lu_->at(*place++);
        target.noalias() =
            W.template block<d>(a, static_cast<int>(k)) * D[static_cast<std::size_t>(seen[k])];
        if (seen[k] == a) target += Block::Identity();
      }
    }
    return lu_->factorise();
  }
  /// I + R EᵀDE, whose inverse gives x = E y.
  SLIPWAVE_CLONES bool factorise_joints(const std::vector<Block>& D) {
    for (auto& block : EDE_) block.setZero();
    for (std::size_t a = 0; a < D.size(); ++a) {
      const Eigen::Matrix<double, d, s>& E = joints_->E(static_cast<int>(a));
      const Eigen::Matrix<double, d, s> DE = D[a] * E;
      EDE_[static_cast<std::size_t>(joints_->of(static_cast<int>(a)))].noalias() +=
          E.transpose() * DE;
    }
    lu_of_joints_->clear();
    auto place = places_.begin();
    for (int g = 0; g < joints_->count(); ++g) {
      const std::vector<int>& seen = joints_->seen(g);
      for (std::size_t k = 0; k < seen.size(); ++k) {
        auto& target = lu_of_joints_->at(*place++);
        target.noalias() =
            joints_->R(g, static_cast<int>(k)) * EDE_[static_cast<std::size_t>(seen[k])];
        if (seen[k] == g) target += Eigen::Matrix<double, s, s>::Identity();
      }
    }
    return lu_of_joints_->factorise();
  }

  std::optional<Joints<d>> joints_;
  std::optional<BlockLu<d>> lu_;
  std::optional<BlockLu<s>> lu_of_joints_;
  std::vector<int> places_;                       // of W's blocks, or R's, in their order
  std::vector<Eigen::Matrix<double, s, s>> EDE_;  // EᵀDE per joint
  Eigen::VectorXd y_;
};

/// M + HᵀDH by blocks of bodies.
template <int d>
class NewtonMatrix<BodyDelassus, d> {
 public:
  static constexpr int s = BodyDelassus::velocities(d);
  using Block = Eigen::Matrix<double, d, d>;

  explicit NewtonMatrix(const BodyDelassus& W) : lu_(pattern(W)) {
    for (int a = 0; a < W.contact_count(); ++a)
      for (const int i : W.bodies(a))
        for (const int j : W.bodies(a)) places_.push_back(lu_.place(i, j));
    for (int i = 0; i < W.body_count(); ++i) own_.push_back(lu_.place(i, i));
  }
  /// See BlockLu::work().
  double work() const { return lu_.work(); }
  bool factorise(const BodyDelassus& W, const std::vector<Block>& D) {
    lu_.clear();
    for (int i = 0; i < W.body_count(); ++i)
      lu_.at(own_[static_cast<std::size_t>(i)]) = W.template M<d>(i);
    add_contacts(W, D);
    return lu_.factorise();
  }
  void solve(const BodyDelassus& W, Eigen::VectorXd& x) {
    for (int i = 0; i < W.body_count(); ++i)
      x.segment<s>(s * i) = (W.template M<d>(i) * x.segment<s>(s * i)).eval();
    lu_.solve(x);
  }

 private:
  SLIPWAVE_CLONES void add_contacts(const BodyDelassus& W, const std::vector<Block>& D) {
    auto place = places_.begin();
    for (int a = 0; a < W.contact_count(); ++a) {
      const Block& own = D[static_cast<std::size_t>(a)];
      const int touched = static_cast<int>(W.bodies(a).size());
      if (own.isZero(0.0)) {
        place += touched * touched;
        continue;
      }
      for (int i = 0; i < touched; ++i) {
        const Eigen::Matrix<double, s, d> HD = W.template H<d>(a, i).transpose() * own;
        for (int j = 0; j < touched; ++j) lu_.at(*place++).noalias() += HD * W.template H<d>(a, j);
      }
    }
  }
  static std::vector<std::vector<int>> pattern(const BodyDelassus& W) {
    std::vector<std::vector<int>> rows(static_cast<std::size_t>(W.body_count()));
    for (int a = 0; a < W.contact_count(); ++a)
      for (const int i : W.bodies(a))
        for (const int j : W.bodies(a)) rows[static_cast<std::size_t>(i)].push_back(j);
    return rows;
  }

  BlockLu<s> lu_;
  std::vector<int> places_;  // of each contact's pairs of bodies
  std::vector<int> own_;     // of each body's M
};

}  // namespace slipwave::contact
