#include "app/report/curve_data.hpp"

#include "app/report/envelope.hpp"
#include "app/report/packed.hpp"

#include <nlohmann/json.hpp>

namespace slipwave::app {

Json curve_data(const std::vector<double>& t, const std::vector<double>& y) {
  constexpr std::size_t bins = 1000;  // a screen has hardly more columns
  std::vector<double> drawn_t, drawn_y;
  for (const std::size_t row : envelope(y, bins)) {
    drawn_t.push_back(t[row]);
    drawn_y.push_back(y[row]);
  }
  return Json{{"t", packed(drawn_t)}, {"y", packed(drawn_y)}};
}

}  // namespace slipwave::app
