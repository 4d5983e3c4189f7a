#include "dynamics/systems/ball.hpp"

#include "contact/frames.hpp"

namespace slipwave::dynamics {

System make_system(const Ball& ball) {
  System system;
  system.M = Eigen::MatrixXd(ball.mass * Eigen::Matrix2d::Identity()).sparseView();
  system.K.resize(2, 2);
  system.C.resize(2, 2);
  Load weight{Eigen::SparseVector<double>(2), [](double) { return 1.0; }};
  for (int i = 0; i < 2; ++i)
    if (ball.gravity[i] != 0.0) weight.direction.insert(i) = ball.mass * ball.gravity[i];
  system.loads = {weight};
  ContactPoint contact;
  contact.law = ball.law;
  contact.initial_gap = -ball.radius;
  contact.projection = ball.projection;
  system.add_contact(contact, {{0, contact::local_frame({})}});
  return system;
}

}  // namespace slipwave::dynamics
