#include "app/model/memory_estimate.hpp"

#include <algorithm>
#include <cmath>
#include <set>

namespace slipwave::app {

namespace {

/// Steps of one size share an integrator, and each size has its own to the end.
double count_of_sizes(const Case& c) {
  std::set<double> sizes;
  for (const StepPiece& piece : c.pieces) sizes.insert(piece.step);
  return static_cast<double>(sizes.size());
}

}  // namespace

/// The peak is in the factorisation, where CHOLMOD's factor and ours exist at once, or where the
/// last of several step sizes is prepared.
double memory_needs_of(const Case& c, const Body& body, const dynamics::System& system) {
  const double nodes = body.mesh.node_count(), dofs = 2.0 * nodes;
  const double contacts = system.contact_count();
  const double more_sizes = count_of_sizes(c) - 1.0;
  const bool damped = system.C.nonZeros() > 0;
  const double factor = 8.0 * 5.6 * dofs * std::log2(std::max(2.0, dofs));  // nested dissection
  const double delassus = 3.0 * 8.0 * 4.0 * contacts * contacts;
  const double first = (4850.0 + (damped ? 2080.0 : 0.0)) * nodes + 2.0 * factor + delassus;
  const double further = (1700.0 + (damped ? 560.0 : 0.0)) * nodes + factor + delassus;
  return 90e6 + first + more_sizes * further;
}

double memory_needs_of(const SolidsModel& model, int contacts) {
  return 90e6 + 5e3 * model.solids().body_count() + 5e3 * contacts;
}

}  // namespace slipwave::app
