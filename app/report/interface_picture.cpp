#include "app/report/interface_picture.hpp"

#include "app/report/packed.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <initializer_list>
#include <utility>

namespace slipwave::app {

namespace {

/// Every so many rows and columns of a history, from the first.
struct Sampling {
  Eigen::Index row = 1, column = 1;
};

Eigen::Index ceiling(Eigen::Index a, Eigen::Index b) { return (a + b - 1) / b; }

Sampling sampling_of(Eigen::Index rows, Eigen::Index columns, const PictureBudget& budget) {
  const Eigen::Index column = std::max<Eigen::Index>(1, ceiling(columns, budget.nodes));
  const Eigen::Index kept = std::max<Eigen::Index>(1, ceiling(columns, column));
  return {std::max<Eigen::Index>(1, ceiling(rows * kept, budget.cells)), column};
}

template <class Vector>
std::vector<double> every(const Vector& values, Eigen::Index stride) {
  std::vector<double> kept;
  for (Eigen::Index i = 0; i < values.size(); i += stride)
    kept.push_back(static_cast<double>(values[i]));
  return kept;
}

template <class Value>
std::vector<Value> cells(const SpaceTime<Value>& values, const Sampling& sampling) {
  std::vector<Value> kept;
  for (Eigen::Index i = 0; i < values.rows(); i += sampling.row)
    for (Eigen::Index j = 0; j < values.cols(); j += sampling.column) kept.push_back(values(i, j));
  return kept;
}

Json field(const SpaceTime<float>& values, const Sampling& sampling) {
  const Quantised q = quantise(cells(values, sampling));
  return Json{{"low", q.low}, {"high", q.high}, {"levels", packed(q.levels)}};
}

Json line_table(const LineHistory& line, const Eigen::VectorXd& t, const PictureBudget& budget) {
  const Sampling sampling = sampling_of(line.status.rows(), line.status.cols(), budget);
  return Json{{"name", line.name},
              {"friction", line.friction},
              {"c_p", line.speeds.pressure},
              {"c_s", line.speeds.shear},
              {"c_R", line.speeds.rayleigh},
              {"nodes", int64_t{line.x.size()}},
              {"rows", int64_t{line.status.rows()}},
              {"every_step", int64_t{sampling.row}},
              {"every_node", int64_t{sampling.column}},
              {"x", packed(every(line.x, sampling.column))},
              {"piece", packed(every(line.piece, sampling.column))},
              {"t", packed(every(t, sampling.row))},
              {"status", packed(cells(line.status, sampling))},
              {"slip_velocity", field(line.slip_velocity, sampling)},
              {"pressure", field(line.pressure, sampling)}};
}

}  // namespace

Json interface_picture(const InterfaceHistory& history, PictureBudget budget) {
  budget.cells /= std::max(1, static_cast<int>(history.lines.size()));
  Json lines = Json::array();
  for (const LineHistory& line : history.lines)
    lines.push_back(line_table(line, history.t, budget));
  return Json{{"lines", lines}};
}

Json waves_table(const std::vector<Wave>& waves) {
  Json table = Json::array();
  for (const Wave& wave : waves) {
    std::vector<double> x, t;
    for (const WavePoint& point : wave.path) {
      x.push_back(point.x);
      t.push_back(point.t);
    }
    Json entry{{"line", wave.line},
               {"class", name_of(wave.type)},
               {"path_x", packed(x)},
               {"path_t", packed(t)}};
    const std::initializer_list<std::pair<const char*, double>> numbers{
        {"start_x", wave.start.x}, {"start_t", wave.start.t},   {"end_x", wave.end.x},
        {"end_t", wave.end.t},     {"speed", wave.speed},       {"speed_error", wave.speed_error},
        {"length", wave.length},   {"duration", wave.duration}, {"slip", wave.slip}};
    for (const auto& [name, value] : numbers) put(entry, name, value);
    table.push_back(std::move(entry));
  }
  return table;
}

}  // namespace slipwave::app
