#include "app/results/run_statistics.hpp"

#include <algorithm>
#include <cmath>

namespace slipwave::app {

namespace {

/// The larger of two, or NaN once there has been one.
double worse(double a, double b) { return std::isnan(a) || a >= b ? a : b; }

}  // namespace

RunStatistics::RunStatistics(const dynamics::Energy& initial)
    : initial_energy(initial), final_energy(initial), exchanged(initial.total()) {}

void RunStatistics::add(const dynamics::StepReport& report) {
  final_energy = report.energy.energy;
  works += report.energy.works;
  exchanged += report.energy.works.sum_of_magnitudes();
  const double balance = std::abs(report.energy.residual());
  if (balance != 0.0) worst_balance = worse(worst_balance, balance / exchanged);
  worst_raw = worse(worst_raw, report.contact.residual.raw);
  worst_scaled = worse(worst_scaled, report.contact.residual.scaled);
  max_tangential_work = std::max(max_tangential_work, report.max_tangential_work);
  min_tangential_work = std::min(min_tangential_work, report.min_tangential_work);
  max_normal_work = std::max(max_normal_work, report.max_normal_work);
  penetration = std::max(penetration, report.penetration);
  iterations += report.contact.iterations;
  max_iterations = std::max(max_iterations, report.contact.iterations);
  newton_steps += report.contact.finished_by == contact::Method::newton ? 1 : 0;
  fallback_steps += report.contact.fell_back ? 1 : 0;
  failed_steps += report.contact.converged ? 0 : 1;
  non_unique_steps += report.contact.unique ? 0 : 1;
  several_steps += report.contact.several >= 0 ? 1 : 0;
  failed_projections += report.projection_failed() ? 1 : 0;
  shared_node_steps += report.shared_nodes > 0 ? 1 : 0;
}

}  // namespace slipwave::app
