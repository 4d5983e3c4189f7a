// A block of 40 x 20 on a plane that rises to the left at 30 degrees: its lower side lies on the plane through
// the origin with the normal (sin 30, cos 30), so that it slides down towards +x. size = target element size.
DefineConstant[ size = {5.0, Name "size"} ];
SetFactory("Built-in");
angle = Pi / 6;
c = Cos(angle);
s = Sin(angle);
Point(1) = {0, 0, 0, size};
Point(2) = {40 * c, -40 * s, 0, size};
Point(3) = {40 * c + 20 * s, -40 * s + 20 * c, 0, size};
Point(4) = {20 * s, 20 * c, 0, size};
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
