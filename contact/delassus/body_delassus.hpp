#pragma once

#include "contact/delassus/delassus.hpp"

#include <Eigen/Core>
#include <Eigen/SparseCore>
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
               const std::vector<std::vector<Touch>>& contacts);
  /// The same from sparse matrices: M of all bodies, Hᵀ of d columns per contact, velocities of a
  /// body one after the other. Nothing where M couples bodies, or sizes do not fit.
  static std::optional<BodyDelassus> from(const Eigen::SparseMatrix<double>& M,
                                          const Eigen::SparseMatrix<double>& H_transposed,
                                          int dimension);

  int dimension() const { return dimension_; }  ///< d
  int contact_count() const { return static_cast<int>(rho_.size()); }
  int body_count() const { return body_count_; }
  double far_norm() const { return 0.0; }
  double rho(int contact) const { return rho_[contact]; }  ///< d / trace W_aa
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
  void add_contact(const std::vector<Touch>& touches, const std::vector<Eigen::MatrixXd>& inverse);

  int dimension_, body_count_;
  std::vector<int> first_, bodies_;  // of each contact's touches; the body of each
  std::vector<double> H_, Y_;        // of each touch, by columns: H and M⁻¹Hᵀ
  std::vector<double> M_;            // of each body
  std::vector<double> diagonal_;     // d x d per contact
  Eigen::VectorXd rho_;
  double max_rho_ = 0.0;
};

static_assert(MovingDelassus<BodyDelassus>);

}  // namespace slipwave::contact
