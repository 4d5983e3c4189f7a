#include "app/waves/wave.hpp"

namespace slipwave::app {

const std::array<WaveClassKey, 6>& wave_classes() {
  static constexpr std::array<WaveClassKey, 6> classes{{
      {WaveClass::slip_front, "slip-front"},
      {WaveClass::slip_pulse, "slip-pulse"},
      {WaveClass::separation_front, "separation-front"},
      {WaveClass::separation_pulse, "separation-pulse"},
      {WaveClass::schallamach, "schallamach"},
      {WaveClass::surface_pulse, "surface-pulse"},
  }};
  return classes;
}

std::string name_of(WaveClass type) {
  switch (type) {
    case WaveClass::slip_front:
      return "slip front";
    case WaveClass::slip_pulse:
      return "slip pulse";
    case WaveClass::separation_pulse:
      return "separation pulse";
    case WaveClass::schallamach:
      return "Schallamach-type";
    case WaveClass::separation_front:
      return "separation front";
    case WaveClass::surface_pulse:
      return "surface pulse";
  }
  return "";
}

}  // namespace slipwave::app
