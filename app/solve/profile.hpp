#pragma once

#include <Eigen/Core>

#include <vector>

/// Performance profiles [DM02]: the share of problems that a method solves within τ times what the
/// fastest takes,
///     ρ_m(τ) = |{f : t_fm ≤ τ min_k t_fk}| / n_f.
/// Numbers in, numbers out.
namespace slipwave::app {

/// t_fm / min_k t_fk of times (s) with a row per problem and a column per method. A time that is
/// infinite is of a problem that was not solved; such ratios are infinite too.
Eigen::ArrayXXd ratios_to_fastest(const Eigen::ArrayXXd& times);

/// ρ_m(τ) of one column of ratios; 0 without problems.
double share_within(const Eigen::Ref<const Eigen::ArrayXd>& ratios, double tau);

/// Corners of the steps of ρ_m from τ = 1 to a last one, x being log₂ τ.
struct ProfileSteps {
  std::vector<double> x, y;
};

/// Of one column of ratios; nothing where it is 0 up to last_tau.
ProfileSteps profile_steps(const Eigen::Ref<const Eigen::ArrayXd>& ratios, double last_tau);

/// The middle one, or the mean of both in the middle. Throws std::invalid_argument without numbers.
double median(std::vector<double> numbers);

}  // namespace slipwave::app
