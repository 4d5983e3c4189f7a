// A disc of radius 20 on a plane through the origin that rises at 20 degrees: it touches the plane at the origin.
// size = target element size.
DefineConstant[ size = {4.0, Name "size"} ];
SetFactory("Built-in");
R = 20;
phi = 20 * Pi / 180;
// The contact point is a node.
cx = -R * Sin(phi);
cy = R * Cos(phi);
Point(1) = {cx, cy, 0, size};
Point(2) = {0, 0, 0, size};
Point(3) = {cx + R * Cos(phi), cy + R * Sin(phi), 0, size};
Point(4) = {2 * cx, 2 * cy, 0, size};
Point(5) = {cx - R * Cos(phi), cy - R * Sin(phi), 0, size};
Circle(1) = {2, 1, 3};
Circle(2) = {3, 1, 4};
Circle(3) = {4, 1, 5};
Circle(4) = {5, 1, 2};
Curve Loop(1) = {1, 2, 3, 4};
Plane Surface(1) = {1};
Physical Curve("rim") = {1, 2, 3, 4};
Physical Surface("disc") = {1};
