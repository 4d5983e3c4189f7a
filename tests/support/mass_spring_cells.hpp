#pragma once

#include "dynamics/systems/mass_spring.hpp"

#include <cmath>
#include <random>

namespace slipwave::tests {

/// A random model in one cell of [BLP05, Table 1]: signs of A and of μ − K_t/|W|, and of W.
inline dynamics::MassSpring random_cell(std::mt19937& random, int sign_of_A, int sign_of_friction,
                                        int sign_of_W = 1) {
  const auto draw = [&](double lower, double upper) {
    return std::uniform_real_distribution<double>(lower, upper)(random);
  };
  dynamics::MassSpring model;
  model.mass = draw(0.3, 3.0);
  model.K_t = draw(0.5, 2.0);
  model.K_n = draw(1.5, 6.0);
  model.W = sign_of_W * draw(0.2, 0.9) * std::sqrt(model.K_t * model.K_n);
  const double critical = sign_of_W == 0 ? 1.0 : model.K_t / std::abs(model.W);
  model.friction = critical * (sign_of_friction < 0   ? draw(0.1, 0.9)
                               : sign_of_friction > 0 ? draw(1.1, 2.0)
                                                      : 1.0);
  model.F_t = draw(-1.0, 1.0);
  model.F_n = model.W * model.F_t / model.K_t + sign_of_A * draw(0.1, 1.0);
  return model;
}

/// A fixed model in the same cell.
inline dynamics::MassSpring plain_cell(int sign_of_A, int sign_of_friction, int sign_of_W = 1) {
  dynamics::MassSpring model;
  model.mass = 1.3;
  model.K_t = 1.0;
  model.K_n = 4.0;
  model.W = 1.25 * sign_of_W;
  model.friction = sign_of_friction < 0 ? 0.4 : sign_of_friction > 0 ? 1.2 : 0.8;
  model.F_t = sign_of_W < 0 ? -0.5 : 0.5;
  model.F_n = model.W * model.F_t + 0.4 * sign_of_A;
  return model;
}

}  // namespace slipwave::tests
