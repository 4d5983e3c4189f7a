#pragma once

#include "contact/laws/coulomb2d.hpp"
#include "dynamics/integrator.hpp"
#include "dynamics/state.hpp"

namespace slipwave::app {

/// What a contact of a line does in a step, as frames and interface.h5 have it.
struct ContactSample {
  contact::Status status;
  double gap;              ///< g_N at the step's end
  double p_N, p_T;         ///< impulses of the step
  double pressure, shear;  ///< p_N / (h A) and p_T / (h A)
  double u_T;
};

/// Contact a of an integrator's system after a step, standing for an area A.
ContactSample sample_contact(const dynamics::SystemIntegrator& integrator,
                             const dynamics::State& state, int a, double area);

}  // namespace slipwave::app
