#pragma once

#include "contact/laws/friction_step.hpp"

#include <array>
#include <limits>

namespace slipwave::contact {

/// Static and dynamic friction: |p_T| ≤ μ p_N with μ_s where the contact did not slide in the last
/// step, and for a time `healing` before it, and μ_d where it did. Frozen within a step, so every
/// proof of Coulomb's law holds; of first order in h where it changes.
struct StaticDynamic {
  double mu_static = 0.0, mu_dynamic = 0.0;  ///< μ_s, μ_d
  double healing = 0.0;                      ///< how long it must not slide to have μ_s again

  constexpr StaticDynamic(double at_rest, double sliding, double heals_after)
      : mu_static(at_rest), mu_dynamic(sliding), healing(heals_after) {}

  static constexpr const char* name = "static-dynamic";
  /// The time since it slid last, infinite if it never did.
  static constexpr std::array<const char*, 1> columns{"rest"};
  double largest() const { return mu_static > mu_dynamic ? mu_static : mu_dynamic; }
  void start(double* state) const { state[0] = std::numeric_limits<double>::infinity(); }
  double friction(const double* state) const {
    return state[0] > 0.0 && state[0] >= healing ? mu_static : mu_dynamic;
  }
  void advance(const FrictionStep& step, double* state) const {
    state[0] = step.slid() ? 0.0 : state[0] + step.h;
  }
};

}  // namespace slipwave::contact
