#pragma once

#include "contact/laws/coulomb2d.hpp"

namespace slipwave::contact {

/// What a contact did in a step, as far as its friction law may want to know.
struct FrictionStep {
  double h = 0.0;  ///< size of the step
  Status status = Status::open;
  double slip_speed = 0.0;  ///< |u_T| at which its impulse did work

  bool slid() const { return status != Status::open && status != Status::sticking; }
};

}  // namespace slipwave::contact
