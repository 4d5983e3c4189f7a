#include "app/waves/mode_growth.hpp"
#include "tests/support/recorded_run.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <complex>
#include <numbers>
#include <string>
#include <vector>

using namespace slipwave;

namespace {

using Complex = std::complex<double>;

constexpr double H = 25.0, E = 5750.0, nu = 0.358, rho = 1.17e-3;
const double c_s = std::sqrt(E / (2.0 * rho * (1.0 + nu)));
const double c_p = std::sqrt(E / (rho * (1.0 - nu * nu)));

/// A root c of the dispersion relation, over c_s.
struct LayerMode {
  std::string name;  ///< of the case
  double f, kH;
  Complex c;

  double growth() const { return kH / H * c.imag() * c_s; }
  double phase_speed() const { return c.real() * c_s; }
};

const LayerMode shear_05{"layer_instability", 0.5, 3.0, {1.4420847723, 0.1147913661}};
const LayerMode shear_03{"verify/layer_shear", 0.3, 2.8, {1.4976760527, 0.0766043331}};
const LayerMode pressure_05{"verify/layer_pressure", 0.5, 3.8, {-2.2925032368, 0.0991549670}};

/// (5) of docs/waves-physics.md: i a (1 − b²) − f ((1 + b²) coth(kHa) − 2ab coth(kHb)).
Complex dispersion(const LayerMode& mode) {
  const Complex a = std::sqrt(1.0 - std::pow(mode.c * c_s / c_p, 2));
  const Complex b = std::sqrt(1.0 - mode.c * mode.c);
  const auto coth = [](Complex z) { return 1.0 / std::tanh(z); };
  return Complex(0.0, 1.0) * a * (1.0 - b * b) -
         mode.f * ((1.0 + b * b) * coth(mode.kH * a) - 2.0 * a * b * coth(mode.kH * b));
}

/// What the layer does with elements of a size; steps follow it. Every contact slides forward all
/// the time, and the middle, which no signal from the ends has reached, is measured.
app::ModeGrowth measured(const LayerMode& mode, double size) {
  const app::InterfaceHistory history = tests::recorded_run(
      mode.name, {"mesh.size=" + std::to_string(size), "time.step=" + std::to_string(2e-4 * size)});
  const app::LineHistory& line = history.lines.at(0);
  CHECK((line.status.array() == 2).all());
  CHECK(line.pressure.minCoeff() > 0.9);
  const double wavelength = 2.0 * std::numbers::pi * H / mode.kH;
  return app::mode_growth(line, history.t, wavelength, {-60.0, 60.0});
}

}  // namespace

TEST_CASE("verification/layer_instability: the modes are roots of the dispersion relation") {
  for (const LayerMode& mode : {shear_05, shear_03, pressure_05})
    CHECK(std::abs(dispersion(mode)) < 1e-8);
}

TEST_CASE(
    "verification/layer_instability: steady sliding amplifies the modes at the rates of linear "
    "theory") {
  for (const LayerMode& mode : {shear_05, shear_03, pressure_05}) {
    CAPTURE(mode.name);
    const app::ModeGrowth found = measured(mode, 1.25);
    CHECK(found.growth == doctest::Approx(mode.growth()).epsilon(0.02));
    CHECK(found.phase_speed == doctest::Approx(mode.phase_speed()).epsilon(0.01));
  }
}

TEST_CASE("verification/layer_instability: the phase speed converges with order 2") {
  const double exact = shear_05.phase_speed();
  const double coarse = measured(shear_05, 5.0).phase_speed - exact;
  const double fine = measured(shear_05, 1.25).phase_speed - exact;
  CHECK(std::log(coarse / fine) / std::log(4.0) == doctest::Approx(2.0).epsilon(0.1));
}
