#include "dynamics/theorems/stability.hpp"

#include "dynamics/theorems/mass_spring_motion.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>
#include <utility>

namespace slipwave::dynamics {

namespace {

using Eigen::Vector2d;

// So many steps in contact in a row: no bounce is to be resolved and the step may double.
constexpr int steps_to_double = 40;
// Windows of so many periods whose largest distances agree: the motion goes on for ever.
constexpr double periods_per_window = 5.0;
constexpr double same_distance = 1e-5;
constexpr double rest_speed = 1e-9;  // of the speed of the disturbance

/// One equilibrium with what its motions are measured by.
struct Neighbourhood {
  const MassSpring& model;
  const StabilityOptions& options;
  const Balance& balance;
  double reach;

  bool pressed() const { return balance.R[1] < 0.0; }
  double distance(const Vector2d& U, const Vector2d& V) const {
    return phase_distance(model, balance, U, V) / reach;
  }
};

struct Disturbance {
  Vector2d x, V;
};

/// Signs of x_t, x_n, V_t, V_n that respect (3); not all 0. Plain velocities first: where one
/// leaves, it is most often one of them.
std::vector<Eigen::Vector4i> directions() {
  std::vector<Eigen::Vector4i> result;
  for (const int x_n : {0, -1})
    for (const int x_t : {0, 1, -1})
      for (const int V_n : {0, -1, 1})
        for (const int V_t : {1, -1, 0})
          if ((x_n < 0 || V_n <= 0) && (x_n != 0 || x_t != 0 || V_n != 0 || V_t != 0))
            result.push_back({x_t, x_n, V_t, V_n});
  return result;
}

/// The disturbance whose components have each the same share of δ.
Disturbance disturbance(const Neighbourhood& around, const Eigen::Vector4i& signs, double size) {
  const MassSpring& model = around.model;
  const double share = size * around.reach / std::sqrt(signs.cwiseAbs().sum());
  const double r = -around.balance.R[1], energy = model.K_t * share * share;
  // K_n x_n² + 2 r x_n = K_t share², without cancellation
  const double x_n = energy / (r + std::sqrt(r * r + model.K_n * energy));
  const double speed = share * std::sqrt(model.K_t / model.mass);
  return {{signs[0] * share, signs[1] * x_n}, {signs[2] * speed, signs[3] * speed}};
}

enum class Ending { left, returned, rested, persisted };

struct Course {
  Ending ending = Ending::persisted;
  double max_distance = 0.0, last_distance = 0.0;  // in units of the reach
};

double step_size(const Neighbourhood& around, double size) {
  const StabilityOptions& options = around.options;
  const double step =
      around.pressed() ? std::min(options.step, options.step_per_size * size) : options.step;
  return step / around.model.highest_frequency();
}

/// A slide that nothing drives or brakes has the speed of the disturbance: it needs 1/δ.
double horizon(const Neighbourhood& around, double size) {
  const double drift = around.pressed() ? 10.0 * around.options.far / size : 0.0;
  return (2.0 * std::numbers::pi * around.options.periods + drift) /
         around.model.lowest_frequency();
}

/// Advances with short steps through bounces and with longer ones while the contact holds.
class Stepper {
 public:
  Stepper(const Neighbourhood& around, const Disturbance& start, double size)
      : short_(step_size(around, size)),
        long_(around.options.step / around.model.highest_frequency()),
        motion_(around.model, around.options.scheme, short_, around.balance.U + start.x, start.V) {}

  const Motion& motion() const { return motion_; }
  void advance() {
    const bool closed = motion_.advance().open == 0;
    closed_steps_ = closed ? closed_steps_ + 1 : 0;
    if (!closed && motion_.h() > short_) motion_.change_step(short_);
    if (closed_steps_ < steps_to_double || 2.0 * motion_.h() > long_) return;
    motion_.change_step(2.0 * motion_.h());
    closed_steps_ = 0;
  }

 private:
  double short_, long_;
  Motion motion_;
  int closed_steps_ = 0;
};

/// Compares the largest distances of one stretch of time and the next.
struct Windows {
  double length, end = length;
  double largest = 0.0, before = 0.0;

  /// How the motion ends at the end of a window, if it does.
  std::optional<Ending> ending(double t, double distance, double returned) {
    largest = std::max(largest, distance);
    if (t < end) return {};
    end += length;
    if (largest <= returned) return Ending::returned;
    if (std::abs(largest - before) <= same_distance * largest) return Ending::persisted;
    before = std::exchange(largest, 0.0);
    return {};
  }
};

/// Follows one motion until its ending is known.
Course follow(const Neighbourhood& around, const Disturbance& start, double size) {
  const MassSpring& model = around.model;
  const double last = horizon(around, size);
  const double rest = rest_speed * size * around.reach * std::sqrt(model.K_t / model.mass);
  Stepper stepper(around, start, size);
  Windows windows{2.0 * std::numbers::pi * periods_per_window / model.lowest_frequency()};
  Course course;
  std::optional<Ending> ending;
  for (const Motion& motion = stepper.motion(); !ending && motion.time() < last;) {
    stepper.advance();
    course.last_distance = around.distance(motion.U(), motion.V());
    course.max_distance = std::max(course.max_distance, course.last_distance);
    ending = windows.ending(motion.time(), course.last_distance, around.options.returned * size);
    if (course.last_distance > around.options.far) ending = Ending::left;
    if (motion.rests(rest)) ending = Ending::rested;
  }
  course.ending = ending.value_or(Ending::persisted);
  return course;
}

SizeReport observe_size(const Neighbourhood& around, double size) {
  SizeReport report{.size = size};
  for (const Eigen::Vector4i& signs : directions()) {
    const Course course = follow(around, disturbance(around, signs, size), size);
    ++report.motions;
    report.max_distance = std::max(report.max_distance, course.max_distance / size);
    report.last_distance = std::max(report.last_distance, course.last_distance / size);
    report.came_to_rest += course.ending == Ending::rested ? 1 : 0;
    if (course.ending != Ending::left) continue;
    ++report.left;
    break;
  }
  return report;
}

Observation conclude(const std::vector<SizeReport>& sizes, const StabilityOptions& options) {
  const auto all = [&](auto holds) { return std::all_of(sizes.begin(), sizes.end(), holds); };
  if (all([](const SizeReport& s) { return s.left > 0; })) return Observation::leaves;
  if (!all([&](const SizeReport& s) { return s.max_distance <= options.amplification; }))
    return Observation::undecided;
  if (all([&](const SizeReport& s) { return s.last_distance <= options.returned; }))
    return Observation::returns;
  return Observation::stays_near;
}

}  // namespace

double phase_distance(const MassSpring& model, const Balance& balance, const Vector2d& U,
                      const Vector2d& V) {
  const Vector2d x = U - balance.U;
  const double squared =
      x.dot(model.K() * x) + model.mass * V.squaredNorm() + 2.0 * std::abs(balance.R[1] * x[1]);
  return std::sqrt(squared / model.K_t);
}

bool StabilityReport::agrees() const {
  switch (equilibrium.stability) {
    case Stability::lyapunov_stable:
      return observed == Observation::stays_near || observed == Observation::returns;
    case Stability::asymptotically_stable:
      return observed == Observation::returns;
    case Stability::unstable:
      return observed == Observation::leaves;
  }
  return false;
}

std::vector<StabilityReport> observe_stability(const MassSpring& model,
                                               const StabilityOptions& options) {
  MassSpring unforced = model;
  unforced.epsilon = 0.0;
  std::vector<StabilityReport> reports;
  for (const Equilibrium& equilibrium : equilibria(unforced).members)
    for (const Balance& balance : sample(unforced, equilibrium)) {
      const Neighbourhood around{unforced, options, balance, reach(unforced, equilibrium, balance)};
      StabilityReport report{equilibrium, balance, around.reach, Observation::undecided, {}};
      for (const double size : options.sizes) report.sizes.push_back(observe_size(around, size));
      report.observed = conclude(report.sizes, options);
      reports.push_back(std::move(report));
    }
  return reports;
}

}  // namespace slipwave::dynamics
