// A long flat block of 100 mm x 10 mm. size = target element size in mm.
DefineConstant[ size = {1.0, Name "size"} ];
SetFactory("Built-in");
Point(1) = {0, 0, 0, size};
Point(2) = {100, 0, 0, size};
Point(3) = {100, 10, 0, size};
Point(4) = {0, 10, 0, size};
Line(1) = {1, 2};
Line(2) = {2, 3};
Line(3) = {3, 4};
Line(4) = {4, 1};
Curve Loop(1) = {1, 2, 3, 4};
Plane Surface(1) = {1};
Physical Curve("bottom") = {1};
Physical Curve("right") = {2};
Physical Curve("top") = {3};
Physical Curve("left") = {4};
Physical Surface("block") = {1};
