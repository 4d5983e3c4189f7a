#pragma once

#include "contact/delassus/delassus.hpp"

#include <Eigen/Core>
#include <Eigen/SparseCore>
#include <cassert>
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace slipwave::contact {

/// The Delassus operator of bodies that contacts alone couple, W = H M⁻¹ Hᵀ, which is never formed:
/// M is a block per body, of s = 3 velocities in 2D and 6 in 3D, and H has a block per contact and
/// body that it touches. Sweeps, certificates and Newton's matrices work on x = M⁻¹Hᵀp, what the
/// impulses add to the bodies' velocities. M may be unsymmetric, W singular.
class BodyDelassus {
 public:
  /// A contact's part of H on one body, d x s.
  struct Touch {
    int body = 0;
    Eigen::MatrixXd H;
  };

  /// Velocities per body in d dimensions.
  static constexpr int velocities(int d) { return d == 3 ? 6 : 3; }

  /// M of each body, s x s, and what each contact touches. Throws std::invalid_argument where an M
  /// is singular, or a contact's normal motion is not free.
  BodyDelassus(int dimension, const std::vector<Eigen::MatrixXd>& M,
               const std::vector<std::vector<Touch>>& contacts = {});
  /// Without contacts, for those of another configuration: memory and the bodies' M are kept.
  void clear_contacts();
  /// One contact more, by its parts of H on one or several bodies.
  template <int d>
  void add_contact(std::span<const int> bodies,
                   const Eigen::Matrix<double, d, velocities(d)>* parts_of_H);
  /// Whether the contacts touch the same bodies as those of the other.
  bool has_pattern_of(const BodyDelassus& other) const {
    return body_count_ == other.body_count_ && first_ == other.first_ && bodies_ == other.bodies_;
  }
  /// The same from sparse matrices: M of all bodies, Hᵀ of d columns per contact, velocities of a
  /// body one after the other. Nothing where M couples bodies, or sizes do not fit.
  static std::optional<BodyDelassus> from(const Eigen::SparseMatrix<double>& M,
                                          const Eigen::SparseMatrix<double>& H_transposed,
                                          int dimension);

  int dimension() const { return dimension_; }  ///< d
  int contact_count() const { return static_cast<int>(rho_.size()); }
  int body_count() const { return body_count_; }
  double far_norm() const { return 0.0; }
  double rho(int contact) const {  ///< d / trace W_aa
    return rho_[static_cast<std::size_t>(contact)];
  }
  double max_rho() const { return max_rho_; }
  /// Neighbouring contacts of the same bodies are a group; groups of one colour share no body. One
  /// group where a sweep is too short to share.
  Colours colours() const;

  /// The bodies that a contact touches.
  std::span<const int> bodies(int contact) const {
    const auto a = static_cast<std::size_t>(contact);
    return std::span(bodies_).subspan(static_cast<std::size_t>(first_[a]),
                                      static_cast<std::size_t>(first_[a + 1] - first_[a]));
  }
  /// A contact's part of H on the k-th body that it touches.
  template <int d>
  Eigen::Map<const Eigen::Matrix<double, d, velocities(d)>> H(int contact, int k) const {
    return Eigen::Map<const Eigen::Matrix<double, d, velocities(d)>>(part(H_, contact, k));
  }
  template <int d>
  Eigen::Map<const Eigen::Matrix<double, velocities(d), velocities(d)>> M(int body) const {
    constexpr int s = velocities(d);
    return Eigen::Map<const Eigen::Matrix<double, s, s>>(M_.data() + body * s * s);
  }
  /// W_aa.
  template <int d>
  Eigen::Map<const Eigen::Matrix<double, d, d>> diagonal(int contact) const {
    return Eigen::Map<const Eigen::Matrix<double, d, d>>(diagonal_.data() + contact * d * d);
  }

  /// Size of x.
  int motion_size() const { return body_count_ * velocities(dimension_); }
  /// H_a x.
  template <int d>
  Eigen::Matrix<double, d, 1> at(int contact, const double* x) const {
    constexpr int s = velocities(d);
    const std::span<const int> touched = bodies(contact);
    Eigen::Matrix<double, d, 1> sum = Eigen::Matrix<double, d, 1>::Zero();
    for (std::size_t k = 0; k < touched.size(); ++k)
      sum.noalias() += H<d>(contact, static_cast<int>(k)) *
                       Eigen::Map<const Eigen::Matrix<double, s, 1>>(x + s * touched[k]);
    return sum;
  }
  /// x += M⁻¹H_aᵀ p_a.
  template <int d>
  void add_motion(int contact, const Eigen::Matrix<double, d, 1>& p, double* x) const {
    constexpr int s = velocities(d);
    const std::span<const int> touched = bodies(contact);
    for (std::size_t k = 0; k < touched.size(); ++k)
      Eigen::Map<Eigen::Matrix<double, s, 1>>(x + s * touched[k]).noalias() +=
          Eigen::Map<const Eigen::Matrix<double, s, d>>(part(Y_, contact, static_cast<int>(k))) * p;
  }
  /// xᵀMx where M is symmetric.
  double norm2(const Eigen::VectorXd& x) const;

 private:
  const double* part(const std::vector<double>& parts, int contact, int k) const {
    const int size = dimension_ * velocities(dimension_);
    return parts.data() + (first_[static_cast<std::size_t>(contact)] + k) * size;
  }
  template <int d>
  void add_contact_of(const std::vector<Touch>& touches);
  void add_rho(double W_NN, double least_W_TT, double trace);

  int dimension_, body_count_;
  std::vector<int> first_, bodies_;  // of each contact's touches; the body of each
  std::vector<double> H_, Y_;        // of each touch, by columns: H and M⁻¹Hᵀ
  std::vector<double> M_, inverse_;  // of each body
  std::vector<double> diagonal_;     // d x d per contact
  std::vector<double> rho_;
  double max_rho_ = 0.0;
};

template <int d>
void BodyDelassus::add_contact(std::span<const int> bodies,
                               const Eigen::Matrix<double, d, velocities(d)>* parts_of_H) {
  constexpr int s = velocities(d);
  assert(dimension_ == d);
  Eigen::Matrix<double, d, d> W = Eigen::Matrix<double, d, d>::Zero();
  for (std::size_t k = 0; k < bodies.size(); ++k) {
    assert(bodies[k] >= 0 && bodies[k] < body_count_);
    const Eigen::Matrix<double, d, s>& H = parts_of_H[k];
    const Eigen::Map<const Eigen::Matrix<double, s, s>> inverse(inverse_.data() +
                                                                bodies[k] * s * s);
    const Eigen::Matrix<double, s, d> Y = inverse * H.transpose();
    bodies_.push_back(bodies[k]);
    H_.insert(H_.end(), H.data(), H.data() + H.size());
    Y_.insert(Y_.end(), Y.data(), Y.data() + Y.size());
    W += H * Y;
  }
  first_.push_back(static_cast<int>(bodies_.size()));
  diagonal_.insert(diagonal_.end(), W.data(), W.data() + W.size());
  add_rho(W(0, 0), W.diagonal().template tail<d - 1>().minCoeff(), W.trace());
}

static_assert(MovingDelassus<BodyDelassus>);

}  // namespace slipwave::contact
