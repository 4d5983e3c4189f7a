#pragma once

#include <Eigen/Core>

#include <concepts>
#include <vector>

namespace slipwave::contact {

/// Which contacts a Gauss–Seidel sweep may solve at once. The contacts of a group are solved one
/// after the other, in the order of their numbers. Groups of one colour do not see each other in W:
/// threads share them, and every number of threads gives the same bits.
struct Colours {
  std::vector<int> group;                 ///< of each contact
  std::vector<std::vector<int>> colours;  ///< the groups of each colour; every group once
};

/// What solvers and certificates ask of any Delassus operator W, d = 2 or 3 rows per contact,
/// normal first. Nobody asks for W as a matrix, nor that it be symmetric. Impulses p are d
/// contact_count() numbers.
template <class W>
concept AnyDelassus = requires(const W& operation, int contact) {
  { operation.dimension() } -> std::convertible_to<int>;
  { operation.contact_count() } -> std::convertible_to<int>;
  // W_aa.
  { operation.template diagonal<2>(contact) } -> std::convertible_to<Eigen::Matrix2d>;
  { operation.template diagonal<3>(contact) } -> std::convertible_to<Eigen::Matrix3d>;
  // ‖far(W) p‖ <= far_norm() ‖p‖.
  { operation.far_norm() } -> std::convertible_to<double>;
  // The impulse per velocity of a contact, ρ = d / trace W_aa, and the largest of them.
  { operation.rho(contact) } -> std::convertible_to<double>;
  { operation.max_rho() } -> std::convertible_to<double>;
  { operation.colours() } -> std::convertible_to<Colours>;
};

/// An operator that has its rows. It may leave out blocks far(W) in off_diagonal_times() if
/// far_norm() bounds what they can do; 0 where nothing is left out.
template <class W>
concept RowDelassus = AnyDelassus<W> && requires(const W& operation, int contact, const double* p) {
  // Σ_{b≠a} W_ab p_b, far blocks left out.
  { operation.template off_diagonal_times<2>(contact, p) } -> std::convertible_to<Eigen::Vector2d>;
  { operation.template off_diagonal_times<3>(contact, p) } -> std::convertible_to<Eigen::Vector3d>;
  // Σ_b W_ab p_b, all of it.
  { operation.template all_times<2>(contact, p) } -> std::convertible_to<Eigen::Vector2d>;
  { operation.template all_times<3>(contact, p) } -> std::convertible_to<Eigen::Vector3d>;
};

/// An operator that knows W p by way of x, motion_size() numbers that impulses cause and contacts
/// see: W p = H x, x = Y p.
template <class W>
concept MovingDelassus = AnyDelassus<W> &&
    requires(const W& operation, int contact, const double* x, double* moved) {
  { operation.motion_size() } -> std::convertible_to<int>;
  // H_a x.
  { operation.template at<2>(contact, x) } -> std::convertible_to<Eigen::Vector2d>;
  { operation.template at<3>(contact, x) } -> std::convertible_to<Eigen::Vector3d>;
  // x += Y_a p_a.
  operation.template add_motion<2>(contact, Eigen::Vector2d(), moved);
  operation.template add_motion<3>(contact, Eigen::Vector3d(), moved);
};

/// Either of them.
template <class W>
concept Delassus = RowDelassus<W> || MovingDelassus<W>;

}  // namespace slipwave::contact
