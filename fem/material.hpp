#pragma once

#include <Eigen/Core>
#include <array>
#include <string_view>
#include <utility>
#include <vector>

namespace slipwave::fem {

/// Plane stress (sigma_zz = 0) or plane strain (epsilon_zz = 0).
enum class Hypothesis { plane_stress, plane_strain };

/// The hypotheses by the names that people give them.
inline constexpr std::array<std::pair<std::string_view, Hypothesis>, 2> hypotheses{
    {{"plane-stress", Hypothesis::plane_stress}, {"plane-strain", Hypothesis::plane_strain}}};

/// A linear elastic isotropic material in a consistent set of units (for the paper's block: MPa,
/// g/mm^3, mm).
struct Material {
  double young_modulus = 0.0;
  double poisson_ratio = 0.0;
  double density = 0.0;
  double thickness = 1.0;
  Hypothesis hypothesis = Hypothesis::plane_stress;
  double rayleigh_mass = 0.0;       ///< alpha in C = alpha M + beta K, 1/time
  double rayleigh_stiffness = 0.0;  ///< beta in C = alpha M + beta K, time
};

/// A material for every triangle of a mesh.
struct MaterialMap {
  std::vector<Material> materials;
  std::vector<int> of_triangle;  ///< index into `materials`

  /// Whether each of so many triangles has one of the materials.
  bool covers(int triangle_count) const;
  const Material& at(int triangle) const {
    return materials[static_cast<std::size_t>(of_triangle[static_cast<std::size_t>(triangle)])];
  }
};

/// D in sigma = D epsilon for engineering strains [e_xx, e_yy, gamma_xy]; docs/theory.md section 2.
Eigen::Matrix3d elasticity(const Material& material);

/// Wave speeds in the plane: c_p of pressure, c_s of shear, c_R of Rayleigh (surface) waves.
struct WaveSpeeds {
  double pressure = 0.0;
  double shear = 0.0;
  double rayleigh = 0.0;
};

/// c_p^2 = D_11/rho, c_s^2 = D_33/rho, and c_R the root between 0 and c_s of Rayleigh's equation
///     (2 - c^2/c_s^2)^2 - 4 sqrt(1 - c^2/c_p^2) sqrt(1 - c^2/c_s^2) = 0.
WaveSpeeds wave_speeds(const Material& material);

}  // namespace slipwave::fem
