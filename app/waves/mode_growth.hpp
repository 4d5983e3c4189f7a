#pragma once

#include "app/waves/interface_history.hpp"

#include <complex>
#include <limits>
#include <vector>

namespace slipwave::app {

/// From where to where, both included.
struct Window {
  double from = -std::numeric_limits<double>::infinity();
  double to = std::numeric_limits<double>::infinity();
};

/// How a wavelength of the slip velocity grows and runs:
///     slip velocity = mean + Re(A(t) exp(ikx)),   A(t) ~ exp((growth - ik phase_speed) t).
struct ModeGrowth {
  double growth = 0.0, growth_error = 0.0;            ///< 1/time, and one standard deviation
  double phase_speed = 0.0, phase_speed_error = 0.0;  ///< positive towards larger x
  Window x, t;                                        ///< that were used
  int wavelengths = 0;                                ///< in the window in x
  std::vector<double> times;
  std::vector<std::complex<double>> amplitude;  ///< A at the times
};

/// Fits mean, cosine and sine of a wavelength to the slip velocity at each recorded step, by least
/// squares with each node weighted by the length it stands for, and lines to log |A| and arg A. The
/// window in x is cut to whole wavelengths, from its left end. The errors come from the scatter
/// about the lines, with its autocorrelation. Throws UserError if the windows hold less than one
/// wavelength, fewer than four nodes per wavelength or fewer than three steps.
ModeGrowth mode_growth(const LineHistory& line, const Eigen::VectorXd& t, double wavelength,
                       Window in_x = {}, Window in_t = {});

}  // namespace slipwave::app
