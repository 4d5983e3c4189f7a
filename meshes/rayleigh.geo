// Half a wavelength of surface at y = 0 and 4 wavelengths of depth, in rows of equal elements. size = target
// element size.
DefineConstant[ size = {0.05, Name "size"} ];
SetFactory("Built-in");
Point(1) = {0, -4, 0};
Point(2) = {0.5, -4, 0};
Point(3) = {0.5, 0, 0};
Point(4) = {0.25, 0, 0};
Point(5) = {0, 0, 0};
Line(1) = {1, 2};
Line(2) = {2, 3};
Line(3) = {3, 4};
Line(4) = {4, 5};
Line(5) = {5, 1};
Curve Loop(1) = {1, 2, 3, 4, 5};
Plane Surface(1) = {1};
n = Ceil(0.25 / size);
Transfinite Curve {1} = 2 * n + 1;
Transfinite Curve {3, 4} = n + 1;
Transfinite Curve {2, 5} = 16 * n + 1;
Transfinite Surface {1} = {1, 2, 3, 5} Alternate;
Physical Curve("bottom") = {1};
Physical Curve("sides") = {2, 5};
Physical Curve("right half") = {3};
Physical Curve("left half") = {4};
Physical Surface("ground") = {1};
