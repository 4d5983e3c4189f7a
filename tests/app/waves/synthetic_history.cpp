#include "tests/app/waves/synthetic_history.hpp"

#include <algorithm>
#include <cmath>

namespace slipwave::app {

namespace {

using Eigen::Index;

/// Paints a state at a node for t_in < t <= t_out, and the slip it brings.
void paint_node(InterfaceHistory& h, LineHistory& line, Index node, double t_in, double t_out,
                NodeStatus status, double velocity) {
  for (Index j = 0; j < h.t.size(); ++j) {
    if (h.t[j] <= t_in || h.t[j] > t_out) continue;
    line.status(j, node) = status;
    line.slip_velocity(j, node) = static_cast<float>(velocity);
  }
}

void integrate_slip(InterfaceHistory& h, LineHistory& line) {
  for (Index i = 0; i < line.x.size(); ++i) {
    double slip = 0.0;
    for (Index j = 1; j < h.t.size(); ++j) {
      slip += double{line.slip_velocity(j, i)} * (h.t[j] - h.t[j - 1]);
      line.slip(j, i) = static_cast<float>(slip);
    }
  }
}

Wave expected(const LineHistory& line, WaveClass type, double x_0, double x_1, double t_0,
              double speed) {
  Wave wave;
  wave.line = line.name;
  wave.type = type;
  wave.start = {x_0, t_0};
  wave.end = {x_1, t_0 + (x_1 - x_0) / speed};
  wave.speed = speed;
  return wave;
}

}  // namespace

Eigen::VectorXd even_nodes(int n, double length) {
  return Eigen::VectorXd::LinSpaced(n, 0.0, length);
}

Eigen::VectorXd uneven_nodes(int n, double length, unsigned seed) {
  Eigen::VectorXd x = even_nodes(n, length);
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> shift(-0.3, 0.3);
  for (Index i = 1; i + 1 < n; ++i) x[i] += shift(random) * length / (n - 1);
  return x;
}

InterfaceHistory quiet_history(const Eigen::VectorXd& x, double dt, int rows, NodeStatus status) {
  InterfaceHistory h;
  h.t = Eigen::VectorXd::LinSpaced(rows, 0.0, dt * (rows - 1));
  h.step = Eigen::VectorXi::LinSpaced(rows, 0, rows - 1);
  LineHistory line;
  line.name = "bottom";
  line.x = x;
  line.place = Eigen::Matrix2Xd::Zero(2, x.size());
  line.place.row(0) = x;
  line.piece = Eigen::VectorXi::Zero(x.size());
  line.speeds = pmma;
  line.status.setConstant(rows, x.size(), status);
  for (auto* field : {&line.pressure, &line.shear, &line.slip_velocity, &line.slip, &line.gap})
    field->setZero(rows, x.size());
  h.lines.push_back(line);
  return h;
}

Wave paint(InterfaceHistory& h, const Pulse& p, int number) {
  LineHistory& line = h.lines[static_cast<std::size_t>(number)];
  const double t_1 = p.t_0 + (p.x_1 - p.x_0) / p.speed, duration = p.length / std::abs(p.speed);
  const double last = h.t[h.t.size() - 1];
  for (Index i = 0; i < line.x.size(); ++i) {
    const double arrival = p.t_0 + (line.x[i] - p.x_0) / p.speed;
    if (arrival > t_1 || arrival + duration < p.t_0) continue;
    const double t_in = std::max(arrival, p.t_0), t_out = std::min(arrival + duration, t_1);
    const bool at_end = i == 0 || i + 1 == line.x.size() || p.x_1 >= line.x.maxCoeff() ||
                        p.x_1 <= line.x.minCoeff();
    const double out = at_end ? arrival + duration : t_out;
    if (p.behind >= 0) paint_node(h, line, i, out, last, static_cast<NodeStatus>(p.behind), 0.0);
    paint_node(h, line, i, t_in, out, p.inside, p.velocity);
  }
  integrate_slip(h, line);
  Wave wave = expected(line, p.type, p.x_0, p.x_1, p.t_0, p.speed);
  wave.length = p.length;
  wave.duration = duration;
  wave.slip = p.velocity * duration;
  return wave;
}

Wave paint(InterfaceHistory& h, const Front& f, int number) {
  LineHistory& line = h.lines[static_cast<std::size_t>(number)];
  const double low = std::min(f.x_0, f.x_1), high = std::max(f.x_0, f.x_1);
  for (Index i = 0; i < line.x.size(); ++i)
    if (line.x[i] >= low && line.x[i] <= high)
      paint_node(h, line, i, f.t_0 + (line.x[i] - f.x_0) / f.speed, h.t[h.t.size() - 1], f.behind,
                 f.velocity);
  integrate_slip(h, line);
  Wave wave = expected(line, f.type, f.x_0, f.x_1, f.t_0, f.speed);
  wave.slip = 0.5 * f.velocity * (wave.end.t - wave.start.t);
  return wave;
}

Wave add_surface_pulse(InterfaceHistory& h, double x_0, double t_0, double speed, double width,
                       double height) {
  LineHistory& line = h.lines.front();
  for (Index i = 0; i < line.x.size(); ++i)
    for (Index j = 0; j < h.t.size(); ++j) {
      const double s = (h.t[j] - t_0 - (line.x[i] - x_0) / speed) / width;
      const double bell = std::exp(-0.5 * s * s);
      line.slip_velocity(j, i) += static_cast<float>(height * bell);
      line.gap(j, i) += static_cast<float>(0.6 * height * width * bell);
    }
  integrate_slip(h, line);
  const double end = speed > 0.0 ? line.x.maxCoeff() : line.x.minCoeff();
  return expected(line, WaveClass::surface_pulse, x_0, end, t_0, speed);
}

void flip_statuses(InterfaceHistory& h, double share, std::mt19937& random) {
  std::uniform_real_distribution<double> chance;
  std::uniform_int_distribution<int> other(1, 3);
  for (LineHistory& line : h.lines)
    for (Index j = 0; j < line.status.size(); ++j)
      if (chance(random) < share)
        line.status.data()[j] =
            static_cast<std::uint8_t>((line.status.data()[j] + other(random)) % 4);
}

void jitter_arrivals(InterfaceHistory& h, double rows, std::mt19937& random) {
  std::normal_distribution<double> normal;
  for (LineHistory& line : h.lines) {
    for (Index i = 0; i < line.x.size(); ++i) {
      const auto shift = static_cast<Index>(std::lround(rows * normal(random)));
      const auto status = line.status.col(i).eval();
      const auto velocity = line.slip_velocity.col(i).eval();
      for (Index j = 0; j < h.t.size(); ++j) {
        const Index from = std::clamp<Index>(j - shift, 0, h.t.size() - 1);
        line.status(j, i) = status[from];
        line.slip_velocity(j, i) = velocity[from];
      }
    }
    integrate_slip(h, line);
  }
}

namespace {

double middle_x(const Wave& wave) { return 0.5 * (wave.start.x + wave.end.x); }
double middle_t(const Wave& wave) { return 0.5 * (wave.start.t + wave.end.t); }

void note(Comparison& c, const Wave& found, const Wave& there) {
  const auto keep = [](double& worst, double a, double b) {
    worst = std::max(worst, std::abs(a - b));
  };
  keep(c.worst_speed, found.speed / there.speed, 1.0);
  keep(c.worst_place, found.start.x, there.start.x);
  keep(c.worst_place, found.end.x, there.end.x);
  keep(c.worst_time, found.start.t, there.start.t);
  keep(c.worst_time, found.end.t, there.end.t);
  keep(c.worst_length, found.length, there.length);
  keep(c.worst_duration, found.duration, there.duration);
  keep(c.worst_slip, found.slip, there.slip);
  c.deviations.push_back((found.speed - there.speed) / found.speed_error);
}

}  // namespace

Comparison compare(const std::vector<Wave>& found, const std::vector<Wave>& there, double near_x,
                   double near_t) {
  Comparison c;
  std::vector<bool> used(found.size(), false);
  for (const Wave& wave : there) {
    double nearest = 1.0;
    std::size_t best = found.size();
    for (std::size_t k = 0; k < found.size(); ++k) {
      const Wave& f = found[k];
      if (used[k] || f.type != wave.type || f.line != wave.line || f.speed * wave.speed < 0.0)
        continue;
      const double apart = std::max(std::abs(middle_x(f) - middle_x(wave)) / near_x,
                                    std::abs(middle_t(f) - middle_t(wave)) / near_t);
      if (apart >= nearest) continue;
      nearest = apart;
      best = k;
    }
    if (best == found.size()) {
      ++c.missed;
      continue;
    }
    used[best] = true;
    note(c, found[best], wave);
  }
  c.invented = static_cast<int>(std::count(used.begin(), used.end(), false));
  return c;
}

}  // namespace slipwave::app
