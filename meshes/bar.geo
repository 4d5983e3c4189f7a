// A bar of length 10 and height 1 whose left end stands at x = 5. size = target element size.
DefineConstant[ size = {0.5, Name "size"} ];
SetFactory("Built-in");
Point(1) = {5, 0, 0, size};
Point(2) = {15, 0, 0, size};
Point(3) = {15, 1, 0, size};
Point(4) = {5, 1, 0, size};
Line(1) = {1, 2};
Line(2) = {2, 3};
Line(3) = {3, 4};
Line(4) = {4, 1};
Curve Loop(1) = {1, 2, 3, 4};
Plane Surface(1) = {1};
// Rows of equal elements: the bar stays a bar, and both of its long sides are alike.
n = Ceil(10 / size);
m = Ceil(1 / size);
Transfinite Curve {1, 3} = n + 1;
Transfinite Curve {2, 4} = m + 1;
Transfinite Surface {1} Alternate;
Physical Curve("side") = {1, 3};
Physical Curve("free end") = {2};
Physical Curve("impact end") = {4};
Physical Surface("bar") = {1};
