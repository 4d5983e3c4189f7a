#pragma once

#include "app/waves/interface_history.hpp"
#include "app/waves/wave.hpp"

#include <random>
#include <vector>

namespace slipwave::app {

/// PMMA in plane stress, mm/ms.
inline constexpr ReferenceSpeeds pmma{2374.2, 1345.2, 1239.7};

enum NodeStatus : std::uint8_t { open_ = 0, stick_ = 1, forward_ = 2, backward_ = 3 };

/// n nodes from 0 to `length`, equally spaced or each moved by up to 30 % of the spacing.
Eigen::VectorXd even_nodes(int n, double length);
Eigen::VectorXd uneven_nodes(int n, double length, unsigned seed);

/// A line of one piece that is in one state all the time, over rows at multiples of dt.
InterfaceHistory quiet_history(const Eigen::VectorXd& x, double dt, int rows, NodeStatus status);

/// A stretch of the given length whose leading edge runs from x_0 at t_0 to x_1 at the given speed
/// (signed), there and gone at once where it starts and stops within the line. What is behind stays
/// in `behind`, whatever it was before; slips with `velocity` meanwhile.
struct Pulse {
  WaveClass type = WaveClass::slip_pulse;
  double x_0 = 0.0, x_1 = 0.0, t_0 = 0.0, speed = 0.0, length = 0.0;
  NodeStatus inside = forward_;
  double velocity = 0.0;
  int behind = -1;  ///< a NodeStatus, or -1: as it was
};

/// Paints the pulse and returns the wave that is to be found.
Wave paint(InterfaceHistory& history, const Pulse& pulse, int line = 0);

/// An edge from x_0 at t_0 to x_1, behind which everything is in `behind` and slips with
/// `velocity`.
struct Front {
  WaveClass type = WaveClass::slip_front;
  double x_0 = 0.0, x_1 = 0.0, t_0 = 0.0, speed = 0.0;
  NodeStatus behind = forward_;
  double velocity = 0.0;
};

/// Paints the front and returns the wave that is to be found.
Wave paint(InterfaceHistory& history, const Front& front, int line = 0);

/// Adds a bell-shaped tangential velocity and the derivative of one as normal velocity, of width
/// (standard deviation in time) and height, whose middle is at x_0 at t_0.
Wave add_surface_pulse(InterfaceHistory& history, double x_0, double t_0, double speed,
                       double width, double height);

/// Turns a share of all statuses into any other one.
void flip_statuses(InterfaceHistory& history, double share, std::mt19937& random);

/// Shifts each node's whole history in time by a normally distributed number of rows.
void jitter_arrivals(InterfaceHistory& history, double rows, std::mt19937& random);

/// How found waves compare with those that are there.
struct Comparison {
  int missed = 0, invented = 0;
  double worst_speed = 0.0;  ///< relative error
  double worst_place = 0.0;  ///< of start and end, along the line
  double worst_time = 0.0;   ///< of start and end
  double worst_length = 0.0, worst_duration = 0.0, worst_slip = 0.0;  ///< absolute
  std::vector<double> deviations;  ///< (found - true speed)/stated error
};

/// Pairs waves of the same class and direction on the same line whose middles are nearest, closer
/// than `near` along the line or in time.
Comparison compare(const std::vector<Wave>& found, const std::vector<Wave>& there, double near_x,
                   double near_t);

}  // namespace slipwave::app
