#include "app/waves/interface_history.hpp"

namespace slipwave::app {

const std::array<LineField, 5>& line_fields() {
  static const std::array<LineField, 5> fields{{{"pressure", &LineHistory::pressure},
                                                {"shear", &LineHistory::shear},
                                                {"slip_velocity", &LineHistory::slip_velocity},
                                                {"slip", &LineHistory::slip},
                                                {"gap", &LineHistory::gap}}};
  return fields;
}

void LineHistory::resize(Eigen::Index rows) {
  status.resize(rows, node_count());
  for (const LineField& field : line_fields()) (this->*field.values).resize(rows, node_count());
}

void InterfaceHistory::resize(Eigen::Index rows) {
  t.resize(rows);
  step.resize(rows);
  for (LineHistory& line : lines) line.resize(rows);
}

}  // namespace slipwave::app
