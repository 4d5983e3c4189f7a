#pragma once

#include <Eigen/Core>
#include <Eigen/Geometry>

namespace slipwave::dynamics {

/// One step of a free spin, J(ω' − ω) + h ω_θ × Jω_θ = L with ω_θ = (1−θ)ω + θω', to round-off by
/// Newton's method: the gyroscopic term does no work, ω_θ · (ω_θ × Jω_θ) = 0, whatever J and h.
/// Returns ω_θ. A body that turns by less than a radian in a step needs 2 to 5 iterations.
Eigen::Vector3d spin_between(const Eigen::Matrix3d& J, const Eigen::Vector3d& spin,
                             const Eigen::Vector3d& L, double theta, double h);

/// Cayley's update q' = q (1, hω/2) / |…|, ω in the body's frame: with ω = (ω_k + ω_{k+1})/2 the
/// spin RJω of a free body in space is kept exactly.
Eigen::Quaterniond turned_by_cayley(const Eigen::Quaterniond& q, const Eigen::Vector3d& spin,
                                    double h);

}  // namespace slipwave::dynamics
