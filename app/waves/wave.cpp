#include "app/waves/wave.hpp"

namespace slipwave::app {

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
