#include "app/solve/profile.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace slipwave::app {

Eigen::ArrayXXd ratios_to_fastest(const Eigen::ArrayXXd& times) {
  Eigen::ArrayXXd ratios = Eigen::ArrayXXd::Constant(times.rows(), times.cols(),
                                                     std::numeric_limits<double>::infinity());
  for (Eigen::Index f = 0; f < times.rows(); ++f) {
    const double fastest = times.row(f).minCoeff();
    for (Eigen::Index m = 0; m < times.cols(); ++m)
      if (std::isfinite(times(f, m))) ratios(f, m) = times(f, m) / fastest;
  }
  return ratios;
}

double share_within(const Eigen::Ref<const Eigen::ArrayXd>& ratios, double tau) {
  if (ratios.size() == 0) return 0.0;
  return static_cast<double>((ratios <= tau).count()) / static_cast<double>(ratios.size());
}

ProfileSteps profile_steps(const Eigen::Ref<const Eigen::ArrayXd>& ratios, double last_tau) {
  if (share_within(ratios, last_tau) == 0.0) return {};
  std::vector<double> jumps(ratios.begin(), ratios.end());
  std::erase_if(jumps, [&](double ratio) { return ratio <= 1.0 || !(ratio <= last_tau); });
  std::sort(jumps.begin(), jumps.end());
  jumps.erase(std::unique(jumps.begin(), jumps.end()), jumps.end());
  ProfileSteps steps{{0.0}, {share_within(ratios, 1.0)}};
  for (const double tau : jumps) {
    steps.x.insert(steps.x.end(), 2, std::log2(tau));
    steps.y.insert(steps.y.end(), {steps.y.back(), share_within(ratios, tau)});
  }
  steps.x.push_back(std::log2(last_tau));
  steps.y.push_back(steps.y.back());
  return steps;
}

double median(std::vector<double> numbers) {
  if (numbers.empty()) throw std::invalid_argument("the median of no numbers");
  std::sort(numbers.begin(), numbers.end());
  const std::size_t n = numbers.size();
  return 0.5 * (numbers[(n - 1) / 2] + numbers[n / 2]);
}

}  // namespace slipwave::app
