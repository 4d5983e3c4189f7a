#pragma once

#include <string>

namespace slipwave::cli_tests {

/// A unit square of two triangles, as block.msh: surfaces "lower" and "upper", one curve a side.
inline const std::string small_mesh = R"($MeshFormat
2.2 0 8
$EndMeshFormat
$PhysicalNames
6
1 1 "bottom"
1 2 "right"
1 3 "top"
1 4 "left"
2 5 "lower"
2 6 "upper"
$EndPhysicalNames
$Nodes
4
1 0 0 0
2 1 0 0
3 1 1 0
4 0 1 0
$EndNodes
$Elements
6
1 1 2 1 1 1 2
2 1 2 2 2 2 3
3 1 2 3 3 3 4
4 1 2 4 4 4 1
5 2 2 5 1 1 2 3
6 2 2 6 2 1 3 4
$EndElements
)";

/// A case on it, as block.toml, that runs two steps. The tests of messages count its lines.
inline const std::string small_case = R"([mesh]
file = "block.msh"

[material]
young_modulus = 1000.0
poisson_ratio = 0.3
density = 1.0
hypothesis = "plane-strain"

[gravity]
y = "-1 - t"

[initial]
static = true

[[initial.prescribed]]
on = "bottom"
displacement_x = 0.0
displacement_y = 0.0

[[prescribed]]
on = "top"
velocity_y = 0.0

[[traction]]
on = "left"
x = 1.0

[[contact]]
on = "bottom"
friction = 0.5
restitution = 0.0

[time]
theta = 0.5
step = 1e-3
end = 2e-3
)";

}  // namespace slipwave::cli_tests
