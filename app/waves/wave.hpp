#pragma once

#include <array>
#include <string>
#include <vector>

namespace slipwave::app {

/// What runs along an interface.
enum class WaveClass {
  slip_front,        ///< sticking nodes begin to slide, or sliding ones to stick, one after another
  slip_pulse,        ///< a sliding stretch that moves between sticking ones
  separation_pulse,  ///< an open stretch that moves between closed ones, at least one sliding
  schallamach,       ///< an open stretch that moves between sticking ones: slip by detachment
  separation_front,  ///< closed nodes open, or open ones close, one after another
  surface_pulse      ///< a disturbance that runs along a surface that touches nothing
};

/// A class with its key, as the command line and study files have it: "slip-front", ...
struct WaveClassKey {
  WaveClass type;
  const char* key;
};
/// All classes.
const std::array<WaveClassKey, 6>& wave_classes();

/// The name of a class as tables and files have it: "slip front", "Schallamach-type", ...
std::string name_of(WaveClass type);

/// A point of a wave's path.
struct WavePoint {
  double x = 0.0;
  double t = 0.0;
};

/// A wave that was followed along a contact line.
struct Wave {
  std::string line;
  WaveClass type = WaveClass::slip_front;
  WavePoint start, end;
  double speed = 0.0;        ///< signed: positive towards larger x; length/time
  double speed_error = 0.0;  ///< one standard deviation
  double length = 0.0;       ///< of the moving stretch along the line, its median; 0 for a front
  double duration = 0.0;     ///< how long a node is in it, its median; 0 for a front
  double slip = 0.0;         ///< that it leaves behind, signed, its mean over its nodes; of a
                             ///< front, what its nodes slip until it ends
  double peak_velocity =
      0.0;  ///< largest |slip velocity| at a node (of a surface pulse: of the
            ///< signal followed) while the wave passes, its median; 0 for a front
  std::vector<WavePoint> path;  ///< of its leading edge, in time
};

}  // namespace slipwave::app
