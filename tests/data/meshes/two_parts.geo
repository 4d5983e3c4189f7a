// A 2 x 1 rectangle in two parts that share the curve "interface"; two groups have no name.
// No parameter "size": the reader bounds the element size instead.
SetFactory("Built-in");
Point(1) = {0, 0, 0, 0.5};
Point(2) = {1, 0, 0, 0.5};
Point(3) = {2, 0, 0, 0.5};
Point(4) = {2, 1, 0, 0.5};
Point(5) = {1, 1, 0, 0.5};
Point(6) = {0, 1, 0, 0.5};
Line(1) = {1, 2};
Line(2) = {2, 3};
Line(3) = {3, 4};
Line(4) = {4, 5};
Line(5) = {5, 6};
Line(6) = {6, 1};
Line(7) = {2, 5};
Curve Loop(1) = {1, 7, 5, 6};
Curve Loop(2) = {2, 3, 4, -7};
Plane Surface(1) = {1};
Plane Surface(2) = {2};
Physical Curve("bottom") = {1, 2};
Physical Curve("sides") = {3, 6};
Physical Curve("interface") = {7};
Physical Curve(40) = {4, 5};
Physical Surface("left part") = {1};
Physical Surface(12) = {2};
