#include "app/results/contact_sample.hpp"

#include <cassert>

namespace slipwave::app {

ContactSample sample_contact(const dynamics::SystemIntegrator& integrator,
                             const dynamics::State& state, int a, double area) {
  assert(0 <= a && a < integrator.system().contact_count() && area > 0.0);
  const dynamics::ContactStep& step = integrator.contact();
  const double p_N = step.solution().p[2 * a], p_T = step.solution().p[2 * a + 1];
  const double impulse_to_stress = 1.0 / (integrator.h() * area);
  return {.status = step.solution().status[static_cast<std::size_t>(a)],
          .gap = integrator.system().gap(a, state.q),
          .p_N = p_N,
          .p_T = p_T,
          .pressure = impulse_to_stress * p_N,
          .shear = impulse_to_stress * p_T,
          .u_T = step.u()[2 * a + 1]};
}

}  // namespace slipwave::app
