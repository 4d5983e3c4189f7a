#include "app/waves/track_waves.hpp"
#include "tests/app/waves/synthetic_history.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cmath>
#include <cstdlib>

namespace slipwave::app {

namespace {

constexpr double length = 40.0;

/// Rows that a wave of this speed needs for the line, and some more, at a step of a quarter of what
/// a pressure wave needs from node to node.
InterfaceHistory history_for(const Eigen::VectorXd& x, double speed, NodeStatus status,
                             double times = 1.6) {
  const double dt = 0.24 * length / static_cast<double>(x.size() - 1) / pmma.pressure;
  const int rows = static_cast<int>(times * length / std::abs(speed) / dt) + 40;
  return quiet_history(x, dt, rows, status);
}

std::string listed(const std::vector<Wave>& waves) {
  std::string text;
  for (const Wave& w : waves)
    text += fmt::format(
        "\n{:17} x {:.3f} -> {:.3f}  t {:.5f} -> {:.5f}  c {:.2f} ± {:.2f}  L {:.3f} d {:.5f} s "
        "{:.5f}",
        name_of(w.type), w.start.x, w.end.x, w.start.t, w.end.t, w.speed, w.speed_error, w.length,
        w.duration, w.slip);
  return text;
}

/// All waves found, none invented, and every figure as exact as nodes and rows allow. `late` is how
/// long a state must last to be seen.
void check_exact(const InterfaceHistory& h, const std::vector<Wave>& there, double late = 0.0) {
  const auto found = track_waves(h);
  const double dx =
      (h.lines[0].x.tail(h.lines[0].x.size() - 1) - h.lines[0].x.head(h.lines[0].x.size() - 1))
          .maxCoeff();
  const double dt = h.t[1] - h.t[0];
  double slowest = 1e300, fastest = 0.0;
  for (const Wave& w : there) {
    slowest = std::min(slowest, std::abs(w.speed));
    fastest = std::max(fastest, std::abs(w.speed));
  }
  const Comparison c = compare(found, there, 2.0 * dx, 2.0 * dt + 2.0 * dx / slowest);
  INFO("there:", listed(there));
  INFO("found:", listed(found));
  CHECK(c.missed == 0);
  CHECK(c.invented == 0);
  CHECK(c.worst_speed <= 0.01);
  CHECK(c.worst_place <= dx * (1.0 + 1e-9) + late * fastest);
  CHECK(c.worst_time <= dx / slowest + dt + late);
  CHECK(c.worst_duration <= 1.0001 * dt);
  CHECK(c.worst_length <= dx + fastest * dt);
}

const std::vector<double> speeds{0.05 * pmma.rayleigh, 0.3 * pmma.rayleigh, pmma.rayleigh,
                                 pmma.pressure, 1.5 * pmma.pressure};

Pulse pulse_of(WaveClass type, double x_0, double x_1, double t_0, double speed) {
  const double c = x_1 > x_0 ? speed : -speed;
  if (type == WaveClass::slip_pulse) return {type, x_0, x_1, t_0, c, 4.3, forward_, 20.0};
  return {type, x_0, x_1, t_0, c, 4.3, open_, 20.0};
}

}  // namespace

TEST_CASE("app/waves/track_waves: pulses of every class, both ways, from 0.05 c_R to 1.5 c_p") {
  for (const double speed : speeds)
    for (const bool even : {true, false})
      for (const bool right : {true, false})
        for (const WaveClass type :
             {WaveClass::slip_pulse, WaveClass::separation_pulse, WaveClass::schallamach}) {
          const auto x = even ? even_nodes(41, length) : uneven_nodes(61, length, 7);
          const bool slides = type == WaveClass::separation_pulse;
          auto h = history_for(x, speed, slides ? forward_ : stick_);
          const double t_0 = 10.0 * h.t[1];
          const Wave wave =
              paint(h, pulse_of(type, right ? 0.0 : length, right ? length : 0.0, t_0, speed));
          CAPTURE(speed);
          CAPTURE(right);
          CAPTURE(even);
          check_exact(h, {wave});
          const auto found = track_waves(h);
          REQUIRE(found.size() == 1);
          CHECK(std::abs(found[0].slip - wave.slip) <= 20.0 * h.t[1]);
          CHECK(found[0].peak_velocity == 20.0);
        }
}

TEST_CASE("app/waves/track_waves: fronts of slip and of arrest, of opening and of closing") {
  for (const double speed : speeds)
    for (const bool right : {true, false})
      for (const auto& [from, to, type] :
           {std::tuple{stick_, forward_, WaveClass::slip_front},
            std::tuple{backward_, stick_, WaveClass::slip_front},
            std::tuple{forward_, open_, WaveClass::separation_front},
            std::tuple{stick_, open_, WaveClass::separation_front},
            std::tuple{open_, forward_, WaveClass::separation_front}}) {
        auto h = history_for(even_nodes(41, length), speed, from);
        const Front front{type,
                          right ? 0.0 : length,
                          right ? length : 0.0,
                          10.0 * h.t[1],
                          right ? speed : -speed,
                          to,
                          to == forward_ ? 10.0 : 0.0};
        const Wave wave = paint(h, front);
        check_exact(h, {wave});
        const auto found = track_waves(h);
        REQUIRE(found.size() == 1);
        CHECK(std::abs(found[0].slip - wave.slip) <= 0.03 * std::abs(wave.slip));
      }
}

TEST_CASE("app/waves/track_waves: sliding ahead and sticking behind is a separation pulse, once") {
  auto h = history_for(even_nodes(41, length), pmma.rayleigh, forward_);
  Pulse pulse{
      WaveClass::separation_pulse, 0.0, length, 20.0 * h.t[1], pmma.rayleigh, 5.0, open_, 3.0};
  pulse.behind = stick_;
  check_exact(h, {paint(h, pulse)});
  h = history_for(even_nodes(41, length), pmma.rayleigh, stick_);
  pulse.behind = forward_;
  check_exact(h, {paint(h, pulse)});
}

TEST_CASE("app/waves/track_waves: a pulse that starts and stops within the line") {
  const double settle = length / 80.0 / pmma.pressure;  // nodes it stays at shorter are not seen
  for (const double speed : speeds) {
    auto h = history_for(even_nodes(81, length), speed, stick_, 1.0);
    check_exact(h, {paint(h, pulse_of(WaveClass::slip_pulse, 9.0, 31.0, 15.0 * h.t[1], speed))},
                settle);
    h = history_for(uneven_nodes(81, length, 3), speed, stick_, 1.0);
    check_exact(h, {paint(h, pulse_of(WaveClass::schallamach, 30.0, 7.0, 15.0 * h.t[1], speed))},
                settle);
  }
}

TEST_CASE("app/waves/track_waves: crossing pulses go straight on through each other") {
  for (const double ratio : {1.0, 0.6, 0.3}) {
    auto h = history_for(even_nodes(81, length), 0.3 * pmma.rayleigh, stick_, 2.0);
    std::vector<Wave> waves;
    waves.push_back(
        paint(h, pulse_of(WaveClass::slip_pulse, 0.0, length, 10.0 * h.t[1], pmma.rayleigh)));
    waves.push_back(paint(
        h, pulse_of(WaveClass::slip_pulse, length, 0.0, 12.0 * h.t[1], ratio * pmma.rayleigh)));
    CAPTURE(ratio);
    check_exact(h, waves);
  }
}

TEST_CASE(
    "app/waves/track_waves: a fast pulse overtakes a slow one and both are followed to the end") {
  auto h = history_for(even_nodes(161, length), 0.3 * pmma.rayleigh, stick_, 2.0);
  std::vector<Wave> waves;
  Pulse slow = pulse_of(WaveClass::slip_pulse, 0.0, length, 10.0 * h.t[1], 0.4 * pmma.rayleigh);
  slow.length = 3.0;
  Pulse fast = pulse_of(WaveClass::slip_pulse, 0.0, length, 700.0 * h.t[1], pmma.rayleigh);
  fast.length = 3.0;
  waves.push_back(paint(h, slow));
  waves.push_back(paint(h, fast));
  check_exact(h, waves);
}

TEST_CASE("app/waves/track_waves: fronts that meet end where they meet") {
  auto h = history_for(even_nodes(81, length), pmma.rayleigh, stick_);
  std::vector<Wave> waves;
  const double c = 0.5 * pmma.rayleigh, t_0 = 10.0 * h.t[1];
  waves.push_back(paint(h, Front{WaveClass::slip_front, 0.0, 20.0, t_0, c, forward_, 1.0}));
  waves.push_back(paint(h, Front{WaveClass::slip_front, length, 20.0, t_0, -c, forward_, 1.0}));
  check_exact(h, waves);
}

TEST_CASE("app/waves/track_waves: slip that nucleates within the line runs both ways") {
  auto h = history_for(even_nodes(81, length), 0.5 * pmma.rayleigh, stick_);
  std::vector<Wave> waves;
  const double t_0 = 10.0 * h.t[1];
  waves.push_back(
      paint(h, Front{WaveClass::slip_front, 15.0, 0.0, t_0, -0.5 * pmma.rayleigh, forward_, 1.0}));
  waves.push_back(paint(
      h, Front{WaveClass::slip_front, 15.0, length, t_0, 0.9 * pmma.rayleigh, forward_, 1.0}));
  check_exact(h, waves);
}

TEST_CASE("app/waves/track_waves: every pulse of a train") {
  for (const WaveClass type : {WaveClass::slip_pulse, WaveClass::schallamach}) {
    auto h = history_for(even_nodes(81, length), 0.2 * pmma.rayleigh, stick_, 3.0);
    std::vector<Wave> waves;
    const double c = 0.2 * pmma.rayleigh;
    for (int k = 0; k < 8; ++k)
      waves.push_back(paint(h, pulse_of(type, 0.0, length, 10.0 * h.t[1] + k * 8.0 / c, c)));
    check_exact(h, waves);
  }
}

TEST_CASE("app/waves/track_waves: a pulse reflected at the end is two waves") {
  auto h = history_for(even_nodes(81, length), 0.5 * pmma.rayleigh, stick_, 2.5);
  std::vector<Wave> waves;
  const double c = 0.5 * pmma.rayleigh, t_0 = 10.0 * h.t[1];
  waves.push_back(paint(h, pulse_of(WaveClass::slip_pulse, 0.0, length, t_0, c)));
  waves.push_back(paint(h, pulse_of(WaveClass::slip_pulse, length, 0.0, t_0 + length / c, c)));
  const auto found = track_waves(h);
  INFO("there:", listed(waves));
  INFO("found:", listed(found));
  const Comparison result = compare(found, waves, 4.3, 4.3 / c);
  CHECK(result.missed == 0);
  CHECK(result.invented == 0);
  CHECK(result.worst_speed <= 0.01);
  CHECK(result.worst_place <= 0.5 * 4.3 + 0.5);  // hidden by the other for half its length
}

TEST_CASE("app/waves/track_waves: pieces and lines have their own waves") {
  auto h = history_for(even_nodes(81, length), 0.5 * pmma.rayleigh, stick_);
  h.lines[0].piece.tail(40).setOnes();  // a hole between x = 20 and 20.5
  h.lines.push_back(h.lines[0]);
  h.lines[1].name = "left";
  const double c = 0.5 * pmma.rayleigh, t_0 = 10.0 * h.t[1];
  std::vector<Wave> waves;
  waves.push_back(paint(h, Pulse{WaveClass::slip_pulse, 0.0, 20.0, t_0, c, 4.3, forward_, 1.0}));
  waves.push_back(
      paint(h, Pulse{WaveClass::schallamach, length, 0.0, t_0, -c, 4.3, open_, 1.0}, 1));
  const auto found = track_waves(h);
  INFO("found:", listed(found));
  REQUIRE(found.size() == 3);  // the second crosses both pieces
  CHECK(found[0].line == "bottom");
  CHECK(std::abs(found[0].end.x - 20.0) <= 0.5);
  CHECK(found[1].line == "left");
  CHECK(found[2].end.x == 0.0);
  for (const Wave& wave : found) CHECK(std::abs(std::abs(wave.speed) / c - 1.0) <= 0.01);
}

TEST_CASE("app/waves/track_waves: chatter shorter than a node's crossing time changes nothing") {
  auto h = history_for(even_nodes(41, length), 0.3 * pmma.rayleigh, stick_);
  const Wave wave =
      paint(h, pulse_of(WaveClass::schallamach, 0.0, length, 10.0 * h.t[1], 0.3 * pmma.rayleigh));
  for (Eigen::Index i = 0; i < 41; ++i)
    for (Eigen::Index j = 3 + i % 5; j < h.t.size(); j += 11) {
      auto& status = h.lines[0].status;
      if (j + 8 < h.t.size() && status(j - 3, i) == status(j + 8, i))
        status(j, i) = status(j, i) == open_ ? forward_ : open_;
    }
  check_exact(h, {wave});
}

TEST_CASE(
    "app/waves/track_waves: an accelerating front is one wave, its error covers its speeds' "
    "spread") {
  auto h = history_for(even_nodes(81, length), 0.3 * pmma.rayleigh, stick_);
  const double a = 0.2 * pmma.rayleigh, b = pmma.rayleigh;  // slowness falls evenly in x
  for (Eigen::Index i = 0; i < 81; ++i) {
    const double x = h.lines[0].x[i];
    const double arrival = h.t[10] + x / a + 0.5 * x * x / length * (1.0 / b - 1.0 / a);
    for (Eigen::Index j = 0; j < h.t.size(); ++j)
      if (h.t[j] > arrival) h.lines[0].status(j, i) = forward_;
  }
  const auto found = track_waves(h);
  INFO("found:", listed(found));
  REQUIRE(found.size() == 1);
  CHECK(found[0].start.x == 0.0);
  CHECK(found[0].end.x == length);
  CHECK(std::abs(found[0].speed - 2.0 / (1.0 / a + 1.0 / b)) <= 0.05 * found[0].speed);
  CHECK(found[0].speed_error >= 0.02 * found[0].speed);
  CHECK(found[0].path.size() == 81);
}

TEST_CASE("app/waves/track_waves: what changes all at once is not a wave") {
  auto h = quiet_history(even_nodes(41, length), 1e-4, 300, stick_);
  h.lines[0].status.middleRows(100, 80).setConstant(forward_);
  h.lines[0].status.block(200, 10, 60, 20).setConstant(open_);
  CHECK(track_waves(h).empty());
}

TEST_CASE("app/waves/track_waves: nothing in histories where nothing happens, and none crashes") {
  for (const NodeStatus status : {open_, stick_, forward_, backward_}) {
    CHECK(track_waves(quiet_history(even_nodes(41, length), 1e-4, 300, status)).empty());
    CHECK(track_waves(quiet_history(even_nodes(41, length), 1e-4, 1, status)).empty());
    CHECK(track_waves(quiet_history(even_nodes(1, length), 1e-4, 300, status)).empty());
    CHECK(track_waves(quiet_history(even_nodes(2, length), 1e-4, 2, status)).empty());
  }
  CHECK(track_waves({}).empty());
}

TEST_CASE("app/waves/track_waves: pulses on a free surface to 0.1 %") {
  for (const double speed : {pmma.rayleigh, pmma.shear, pmma.pressure})
    for (const SurfaceSignal signal :
         {SurfaceSignal::magnitude, SurfaceSignal::tangential, SurfaceSignal::normal}) {
      auto h = quiet_history(uneven_nodes(81, length, 2), 1e-4, 600, open_);
      h.lines[0].gap.setConstant(0.1F);
      const double width = 15e-4;
      add_surface_pulse(h, 0.0, 80e-4, speed, width, 3.0);
      TrackerOptions options;
      options.signal = signal;
      const auto found = track_waves(h, options);
      INFO("found:", listed(found));
      CAPTURE(speed);
      // The rate of the gap has two humps, before and behind the middle.
      REQUIRE(found.size() == (signal == SurfaceSignal::normal ? 2 : 1));
      for (const Wave& wave : found) {
        CHECK(wave.type == WaveClass::surface_pulse);
        CHECK(std::abs(wave.speed / speed - 1.0) <= 1e-3);
      }
    }
}

TEST_CASE("app/waves/track_waves: pulses on a free surface that cross, one half as high") {
  auto h = quiet_history(even_nodes(81, length), 1e-4, 600, open_);
  h.lines[0].gap.setConstant(0.1F);
  std::vector<Wave> waves;
  waves.push_back(add_surface_pulse(h, 0.0, 80e-4, pmma.rayleigh, 10e-4, 3.0));
  waves.push_back(add_surface_pulse(h, length, 80e-4, -pmma.rayleigh, 10e-4, 1.5));
  const auto found = track_waves(h);
  INFO("found:", listed(found));
  const Comparison c = compare(found, waves, 2.0, 1e-3);
  CHECK(c.missed == 0);
  CHECK(c.invented == 0);
  CHECK(c.worst_speed <= 5e-3);
}

}  // namespace slipwave::app
