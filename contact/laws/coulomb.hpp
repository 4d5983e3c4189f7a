#pragma once

#include "contact/laws/friction_step.hpp"

#include <array>

namespace slipwave::contact {

/// Coulomb's law with one coefficient, |p_T| ≤ μ p_N. It remembers nothing.
struct Coulomb {
  double mu = 0.0;  ///< μ

  constexpr Coulomb(double friction = 0.0) : mu(friction) {}  // NOLINT: a number is Coulomb's law

  static constexpr const char* name = "coulomb";
  static constexpr std::array<const char*, 0> columns{};
  double largest() const { return mu; }
  void start(double* /*state*/) const {}
  double friction(const double* /*state*/) const { return mu; }
  void advance(const FrictionStep& /*step*/, double* /*state*/) const {}
};

}  // namespace slipwave::contact
