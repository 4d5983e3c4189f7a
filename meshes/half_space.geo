// A quarter of the plane, as far as a pulse from its corner comes: 180 mm of surface y = 0 and 150 mm above it, x = 0 a plane
// of symmetry. size = target element size in mm.
DefineConstant[ size = {1.0, Name "size"} ];
SetFactory("Built-in");
source = 4;
Point(1) = {0, 0, 0};
Point(2) = {source, 0, 0};
Point(3) = {180, 0, 0};
Point(4) = {180, 150, 0};
Point(5) = {0, 150, 0};
Line(1) = {1, 2};
Line(2) = {2, 3};
Line(3) = {3, 4};
Line(4) = {4, 5};
Line(5) = {5, 1};
Curve Loop(1) = {1, 2, 3, 4, 5};
Plane Surface(1) = {1};
n = Ceil(source / size);
Transfinite Curve {1} = n + 1;
Transfinite Curve {2} = 44 * n + 1;
Transfinite Curve {4} = 45 * n + 1;
Transfinite Curve {3, 5} = Ceil(150 / size) + 1;
Transfinite Surface {1} = {1, 3, 4, 5} Alternate;
Physical Curve("source") = {1};
Physical Curve("surface") = {2};
Physical Curve("symmetry") = {5};
Physical Surface("body") = {1};
