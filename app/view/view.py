"""Shows the results in this folder in ParaView; written by `slipwave view`, yours to change.

  paraview --script=view.py                  the window: time controls, every filter to play with
  pvpython view.py --png FILE [--time T]     one picture, of the frame nearest to T (default: the last frame)
  pvpython view.py --movie FILE              all frames: .avi or .ogv for a film, .png for numbered pictures

  --warp F       draw the deformation F times as large as it is; rigid motion is drawn as it is
  --field NAME   colour by NAME: displacement, velocity, reaction, von_mises, stress:YY, strain:XY ...;
                 of rigid bodies in space velocity, spin, kinetic_energy, group or id
  --all-times    give a picture the camera, colours and axes that suit all times, as a movie has them

Left the body, deformed, with its contact points coloured by what they do; right what happens along the contact line.
Without a screen: xvfb-run -a pvpython view.py ...
"""
import argparse
import json
import os
import sys

import numpy
import paraview
from paraview.simple import *
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkRenderingCore import vtkRenderWindow

# --- What you may want to change

# The deformation is drawn this many times as large as it is; None: as suits it.
WARP = None
FIELD = "displacement"
SIZE = (1600, 900)  # of a picture, in pixels
FILM_RATE = 15  # pictures per second
BODY_SHARE = 0.6  # of the width; the rest is for the contact line
MESH_UP_TO = 5000  # triangles: then a picture shows the mesh
FRAMES_LOOKED_AT = 200  # at most, to find the camera, colours and axes that suit all times

INK, FAINT = [0.1, 0.1, 0.1], [0.6, 0.6, 0.6]
# The palette of `slipwave plot` and `slipwave report`. Statuses (name, colour) in the order of the numbers in contact.pvd;
# colours from the least to the largest value, and for components, which have a sign, from the negative over 0.
STATUS, COLOURS, SIGNED_COLOURS = (), (), ()
CURVES = (  # array of contact.pvd, name, unit, colour
    ("pressure", "pressure", "stress", [0.0, 0.447, 0.698]),
    ("shear_traction", "shear traction", "stress", [0.835, 0.369, 0.0]),
    ("tangential_velocity", "slip velocity", "velocity", [0.0, 0.62, 0.451]),
)
FIELD_UNITS = {
    "displacement": "length",
    "velocity": "velocity",
    "reaction": "force",
    "stress": "stress",
    "von_mises": "stress",
}

# --- The folder


def this_folder():
    """The window does not tell a script where it is: on Linux its command line does, else it is where ParaView started."""
    script = globals().get("__file__")
    if script is None and os.path.exists("/proc/self/cmdline"):
        with open("/proc/self/cmdline", encoding="utf-8") as file:
            words = file.read().replace("--script\0", "--script=").split("\0")
        script = next((word[len("--script="):] for word in words if word.startswith("--script=")), None)
    return os.path.dirname(os.path.abspath(script or "view.py"))


def read_summary(folder):
    """Name of the case, scheme and units; nothing of it while the run goes on and there is no summary yet."""
    try:
        with open(os.path.join(folder, "summary.json"), encoding="utf-8") as file:
            return json.load(file)
    except FileNotFoundError:
        return {}


def units_of(summary):
    units = dict(summary.get("units", {}))
    if units.get("length") and units.get("time"):
        units["velocity"] = f"{units['length']}/{units['time']}"
    return units


def with_unit(name, unit):
    return f"{name} ({unit})" if unit else name


def open_series(folder, name):
    """A series over time; None if the run did not write it."""
    file = os.path.join(folder, name + ".pvd")
    if not os.path.exists(file):
        return None
    reader = PVDReader(registrationName=name, FileName=file)
    reader.UpdatePipeline()
    return reader


def times_of(series):
    times = series.TimestepValues
    return list(times) if hasattr(times, "__len__") else [times]


def parts_of(colour):
    """"#RRGGBB" as three numbers from 0 to 1."""
    return [int(colour[k:k + 2], 16) / 255 for k in (1, 3, 5)]


# --- Over all times


def looked_at(times):
    """All times, or so many of them, the last included."""
    stride = -(-len(times) // FRAMES_LOOKED_AT)
    return times[::-stride][::-1]


def joined(a, b):
    return b if a is None else (min(a[0], b[0]), max(a[1], b[1]))


def ranges_over_time(source, times, arrays):
    """Ranges of x, y and of arrays (key: fields, name, component; component -1 is the magnitude)."""
    ranges = dict.fromkeys(("x", "y", *arrays))
    for time in looked_at(times):
        source.UpdatePipeline(time)
        bounds = source.GetDataInformation().GetBounds()
        ranges["x"] = joined(ranges["x"], bounds[0:2])
        ranges["y"] = joined(ranges["y"], bounds[2:4])
        for fields, name, component in arrays:
            seen = getattr(source, fields)[name].GetRange(component)
            ranges[fields, name, component] = joined(ranges[fields, name, component], seen)
    return ranges


# --- Warping

SHOWN_SHARE = 0.06  # of the body's diagonal: what the deformation looks like if nobody says how large
TURNS_FROM = 10  # a rotation that moves nodes so many times as far as the deformation does is drawn as it is

def nodes_and_displacements(source, time):
    source.UpdatePipeline(time)
    data = servermanager.Fetch(source)
    return (vtk_to_numpy(data.GetPoints().GetData())[:, :2].astype(float),
            vtk_to_numpy(data.GetPointData().GetArray("displacement"))[:, :2])


def round_factor(wanted):
    """The nearest of 1, 2, 5, 10, 20, ... up to 5e6."""
    factors = [digit * 10.0**power for power in range(7) for digit in (1, 2, 5)]
    return min(factors, key=lambda factor: abs(numpy.log(factor / wanted)))


def usual_warp(series, times):
    """(factor, whether the rotation is drawn as it is), as `slipwave plot` finds them."""
    turning = deformation = without_translation = size = 0.0
    for time in looked_at(times):
        x, u = nodes_and_displacements(series, time)
        r, left = x - x.mean(0), u - u.mean(0)
        turn = (r[:, 0] * left[:, 1] - r[:, 1] * left[:, 0]).sum() / (r**2).sum()
        turned = turn * numpy.stack([-r[:, 1], r[:, 0]], 1)
        largest = lambda vectors: numpy.hypot(*vectors.T).max()
        size = max(size, numpy.hypot(*(x.max(0) - x.min(0))))
        turning, deformation = max(turning, largest(turned)), max(deformation, largest(left - turned))
        without_translation = max(without_translation, largest(left))
    turns = turning > TURNS_FROM * deformation
    shown = deformation if turns else without_translation
    return (round_factor(SHOWN_SHARE * size / shown) if shown > 1e-9 * max(size, turning) else 1.0), turns


def warped(source, series, warp, name):
    """Moved as the body `series` is, u_rigid, and deformed so many times as much: by u_rigid + factor (u - u_rigid)."""
    factor, turns = warp
    shift, centre = "mean(inputs[1].PointData['displacement'], axis=0)", "mean(inputs[1].Points, axis=0)"
    r, r_body = f"(inputs[0].Points - {centre})", f"(inputs[1].Points - {centre})"
    moment = f"sum(cross({r_body}, inputs[1].PointData['displacement'])[:, 2])"
    turned = f"({moment} / sum(dot({r_body}, {r_body}))) * make_vector(-{r}[:, 1], {r}[:, 0])"
    rigid = f"({shift} + {turned})" if turns else shift
    drawn = PythonCalculator(registrationName=name + ", displacement drawn", Input=[source, series])
    drawn.ArrayName = "drawn"
    drawn.Expression = f"{factor!r} * inputs[0].PointData['displacement'] - {factor - 1.0!r} * {rigid}"
    warp_filter = WarpByVector(registrationName=name, Input=drawn)
    warp_filter.Vectors, warp_filter.ScaleFactor = ["POINTS", "drawn"], 1.0
    return warp_filter


# --- The body


def find_field(source, text):
    """("PointData" or "CellData", name, component) of NAME or NAME:COMPONENT."""
    name, _, component = text.partition(":")
    for fields in ("PointData", "CellData"):
        array = getattr(source, fields)[name]
        if array is None:
            continue
        names = [array.GetComponentName(k) for k in range(array.GetNumberOfComponents())]
        if not component:
            return fields, name, -1 if len(names) > 1 else 0
        if component in names:
            return fields, name, names.index(component)
        sys.exit(f"view.py: {name} has no component {component!r}; it has {', '.join(names)}")
    there = [array.Name for fields in (source.PointData, source.CellData) for array in fields]
    sys.exit(f"view.py: no field {name!r}; there are {', '.join(there)}")


def show_plain(source, view, colour, width):
    """In one colour; width is that of lines."""
    shown = Show(source, view)
    shown.ColorArrayName = ["POINTS", ""]
    shown.AmbientColor = shown.DiffuseColor = colour
    shown.EdgeColor, shown.LineWidth = INK, width
    return shown


def show_rigid_body(body, view, x):
    """It moves by itself, over the ground y = 0."""
    show_plain(body, view, [0.337, 0.706, 0.914], 3).Representation = "Surface With Edges"
    margin = 0.2 * (x[1] - x[0])
    ground = Line(registrationName="ground", Point1=[x[0] - margin, 0, 0], Point2=[x[1] + margin, 0, 0])
    show_plain(ground, view, INK, 2)


def show_outline(frames, view):
    """Where the body was without displacement, as a thin line."""
    edges = FeatureEdges(registrationName="undeformed outline", Input=ExtractSurface(Input=frames))
    edges.FeatureEdges = edges.NonManifoldEdges = edges.ManifoldEdges = 0
    show_plain(edges, view, FAINT, 1)


def show_field(body, view, field, value_range, label, with_mesh):
    fields, name, component = field
    shown = Show(body, view)
    shown.Representation = "Surface With Edges" if with_mesh else "Surface"
    shown.EdgeColor, shown.LineWidth = INK, 0.5
    names = [] if component < 0 else [getattr(body, fields)[name].GetComponentName(component)]
    ColorBy(shown, ("POINTS" if fields == "PointData" else "CELLS", name, *filter(None, names)))
    show_colour_bar(colours_for(name, value_range), view, label)


def widened(low, high):
    """A range for colours, also for a field that is the same everywhere."""
    size = max(abs(low), abs(high))
    low = 0.0 if abs(low) < 1e-9 * size else low
    return (low, high) if high - low > 1e-6 * size else (low, low + (size or 1.0))


def colours_for(name, value_range):
    """From the least to the largest value; symmetric about zero where there are both signs."""
    has_sign = value_range[0] < 0 < value_range[1]
    if has_sign:
        largest = max(map(abs, value_range))
        value_range = (-largest, largest)
    (low, high), stops = widened(*value_range), SIGNED_COLOURS if has_sign else COLOURS
    colours = GetColorTransferFunction(name)
    colours.AutomaticRescaleRangeMode, colours.ColorSpace = "Never", "RGB"
    places = [low + (high - low) * k / (len(stops) - 1) for k in range(len(stops))]
    colours.RGBPoints = [number for place, stop in zip(places, stops) for number in (place, *parts_of(stop))]
    return colours


def show_colour_bar(colours, view, label):
    bar = GetScalarBar(colours, view)
    place_bar(bar, label, [0.2, 0.03], 0.6)
    bar.AutomaticLabelFormat, bar.LabelFormat, bar.RangeLabelFormat = 0, "%.3g", "%.3g"


def place_bar(bar, title, place, length):
    bar.Title, bar.ComponentTitle = title, ""
    bar.Orientation, bar.WindowLocation, bar.Position = "Horizontal", "Any Location", place
    bar.ScalarBarLength, bar.ScalarBarThickness = length, 14
    bar.TitleColor = bar.LabelColor = INK
    bar.TitleFontSize, bar.LabelFontSize = 16, 14
    bar.Visibility = 1


def show_points(points, view, size, lift):
    """Lifted towards the eye."""
    shown = Show(points, view)
    shown.Representation = "Points"
    shown.PointSize, shown.RenderPointsAsSpheres, shown.Position = size, 1, [0, 0, lift]
    return shown


def show_status(points, rims, view, lift):
    """The contact points, with dark rims so that light ones are seen on white, and a legend of what they do."""
    rim = show_points(rims, view, 11, lift)
    rim.ColorArrayName = ["POINTS", ""]
    rim.AmbientColor = rim.DiffuseColor = INK
    ColorBy(show_points(points, view, 8, 2 * lift), ("POINTS", "status"))
    colours = GetColorTransferFunction("status")
    colours.InterpretValuesAsCategories = 1
    colours.Annotations = [word for k, (name, _) in enumerate(STATUS) for word in (str(k), name)]
    colours.IndexedColors = [part for _, colour in STATUS for part in parts_of(colour)]
    legend = GetScalarBar(colours, view)
    place_bar(legend, "", [0.14, 0.16], 0.72)
    legend.AddRangeLabels = 0


def show_time(frames, view, words, unit):
    """One line above the body, with the time of the frame that is shown."""
    time = "%.4g" if GetParaViewVersion() < (5, 10) else "{time:.4g}"
    above = AnnotateTimeFilter(registrationName="time", Input=frames)
    above.Format = ", ".join([*words, f"t = {time} {unit}".strip()])
    shown = Show(above, view)
    shown.WindowLocation, shown.Color, shown.FontSize = "Upper Center", INK, 18


def aim_camera(view, x, y):
    """Looks along z at x times y, which fill the view but for the line above and the legends below."""
    left, right, bottom, top = 0.04, 0.96, 0.23, 0.92
    aspect = view.ViewSize[0] / view.ViewSize[1]
    height = max((y[1] - y[0]) / (top - bottom), (x[1] - x[0]) / (right - left) / aspect)
    centre = [sum(x) / 2, sum(y) / 2 + height * (0.5 - (bottom + top) / 2), 0]
    view.CameraParallelProjection = 1
    view.CameraFocalPoint, view.CameraPosition = centre, [*centre[:2], 10 * height]
    view.CameraViewUp, view.CameraParallelScale = [0, 1, 0], height / 2
    view.CenterOfRotation = centre


def draw_body(view, series, contact, times, options, summary):
    """Returns the ranges of x and y."""
    units, field = units_of(summary), None
    title = [summary[key] for key in ("case", "scheme") if key in summary]
    is_rigid = series.PointData["displacement"] is None  # its frames are where it is
    factor, turns = (1.0, False) if is_rigid else usual_warp(series, times)
    warp = (float(factor if options.warp is None else options.warp), turns)
    body = series if is_rigid else warped(series, series, warp, "body")
    if is_rigid:
        ranges = ranges_over_time(body, times, [])
        ranges["y"] = joined(ranges["y"], (0, 0))
        show_rigid_body(body, view, ranges["x"])
    else:
        field = find_field(series, options.field)
        ranges = ranges_over_time(body, times, [field])
        label = with_unit(options.field.replace("_", " "), units.get(FIELD_UNITS.get(field[1])))
        with_mesh = len(times) == 1 and body.GetDataInformation().GetNumberOfCells() <= MESH_UP_TO
        show_field(body, view, field, ranges[field], label, with_mesh)
        title.append(f"deformation \N{MULTIPLICATION SIGN} {warp[0]:.12g}")
    if field and len(times) > 1:
        show_outline(series, view)
    if contact:
        points, rims = (contact if is_rigid else warped(contact, series, warp, name) for name in ("contact points", "rims"))
        show_status(points, rims, view, 0.01 * (ranges["x"][1] - ranges["x"][0]))
    show_time(series, view, title, units.get("time", ""))
    SetActiveSource(body)
    return ranges["x"], ranges["y"]


# --- Rigid bodies in space


def is_scene(series):
    return series.CellData["spin"] is not None


def show_bodies(series, view, times, options, units):
    """Those that are there, by a field; what does not move is pale."""
    name = "velocity" if options.field == FIELD else options.field
    fields = find_field(series, name)
    value_range = scene_range(series, times, fields)
    there = cells_with(series, "present", 1, "bodies that are there")
    show_plain(cells_with(there, "fixed", 1, "fixed bodies"), view, [0.82, 0.8, 0.76], 1)
    moving = cells_with(there, "fixed", 0, "bodies")
    unit = {"velocity": "velocity", "kinetic_energy": "energy"}.get(name)
    label = with_unit(name.replace("_", " "), units.get(unit))
    show_field(moving, view, fields, value_range, label, True)
    return moving


def cells_with(source, array, value, name):
    cells = Threshold(registrationName=name, Input=source, Scalars=["CELLS", array])
    cells.LowerThreshold = cells.UpperThreshold = value
    return cells


def scene_range(series, times, field):
    fields, name, component = field
    seen = None
    for time in looked_at(times):
        series.UpdatePipeline(time)
        seen = joined(seen, getattr(series, fields)[name].GetRange(component))
    return seen


def show_forces(contact, view, size):
    """The forces of contacts as lines, the longest of the last frame a tenth of the scene."""
    contact.UpdatePipeline()
    largest = contact.PointData["force"].GetRange(-1)[1] if contact.PointData["force"] else 0.0
    glyphs = Glyph(registrationName="contact forces", Input=contact, GlyphType="Line")
    glyphs.OrientationArray, glyphs.ScaleArray = ["POINTS", "force"], ["POINTS", "force"]
    glyphs.ScaleFactor, glyphs.GlyphMode = 0.1 * size / (largest or 1.0), "All Points"
    Hide(glyphs, view)  # one click away: bodies hide most of them


def aim_at_scene(view, series):
    """From the side and above, z upwards."""
    (x0, x1, y0, y1, z0, z1) = series.GetDataInformation().GetBounds()
    centre = [(x0 + x1) / 2, (y0 + y1) / 2, (z0 + z1) / 2]
    size = ((x1 - x0) ** 2 + (y1 - y0) ** 2 + (z1 - z0) ** 2) ** 0.5
    view.CameraFocalPoint, view.CameraViewUp = centre, [0, 0, 1]
    view.CameraPosition = [centre[0] + 0.3 * size, centre[1] - 1.0 * size, centre[2] + 0.5 * size]
    view.CenterOfRotation = centre
    return size


def draw_scene(view, series, contact, times, time, options, summary):
    view.InteractionMode, view.UseLight = "3D", 1
    bodies = show_bodies(series, view, times, options, units_of(summary))
    series.UpdatePipeline(time)
    size = aim_at_scene(view, series)
    if contact:
        show_forces(contact, view, size)
    title = [summary[key] for key in ("case", "scheme") if key in summary]
    show_time(series, view, title, units_of(summary).get("time", ""))
    SetActiveSource(bodies)


# --- The contact line


def polylines_of(contact):
    """The points of the contact lines, and the numbers of those in each connected piece, in order."""
    data = servermanager.Fetch(contact)
    points, pieces = vtk_to_numpy(data.GetPoints().GetData())[:, :2].astype(float), []
    for k in range(data.GetNumberOfCells()):
        numbers = data.GetCell(k).GetPointIds()
        pieces.append([numbers.GetId(i) for i in range(numbers.GetNumberOfIds())])
    return points, pieces


def is_told_apart(points, pieces, k):
    """Whether pieces are longer along the axis k than across, and no two lie on the same stretch of it."""
    ends = sorted((points[piece, k].min(), points[piece, k].max()) for piece in pieces)
    along = all(numpy.ptp(points[piece, k]) >= numpy.ptp(points[piece, 1 - k]) for piece in pieces)
    return along and all(a[1] <= b[0] for a, b in zip(ends, ends[1:]))


def one_after_another(points, pieces):
    """Lengths along the pieces, with a gap before each but the first."""
    steps = [numpy.hypot(*numpy.diff(points[piece], axis=0).T) for piece in pieces]
    gap, start, place = 0.05 * sum(step.sum() for step in steps), 0.0, numpy.zeros(len(points))
    for piece, step in zip(pieces, steps):
        place[piece] = start + numpy.concatenate([[0.0], step.cumsum()])
        start += step.sum() + gap
    return place


def places_of(contact):
    """(name of the axis, place of each point on it)"""
    points, pieces = polylines_of(contact)
    for k, name in enumerate(("x along the contact line", "y along the contact line")):
        if is_told_apart(points, pieces, k):
            return name, points[:, k]
    return "length along the contact lines, one after another", one_after_another(points, pieces)


def pieces_of(contact, place):
    """The connected pieces of the contact lines, each a curve of its own, with the place of their points."""
    placed = PythonCalculator(registrationName="places", Input=contact, ArrayName="place")
    placed.Expression = f"0.0 * inputs[0].Points[:, 0] + {place.tolist()}"
    regions = Connectivity(registrationName="pieces", Input=placed)
    regions.UpdatePipeline()
    count = int(regions.PointData["RegionId"].GetRange()[1]) + 1
    if count == 1:
        return [placed]
    pieces = []
    for k in range(count):
        piece = Threshold(registrationName=f"piece {k + 1}", Input=regions, Scalars=["POINTS", "RegionId"])
        piece.LowerThreshold = piece.UpperThreshold = k
        pieces.append(piece)
    return pieces


def padded(value_range):
    low, high = min(value_range[0], 0), max(value_range[1], 0)
    pad = 0.05 * (high - low) or 1.0
    return low - pad, high + pad


def draw_curve(view, pieces, curve, value_range, label):
    array, _, _, colour = curve
    for piece in pieces:
        shown = Show(piece, view, "XYChartRepresentation")
        shown.AttributeType = "Point Data"
        shown.UseIndexForXAxis, shown.XArrayName = 0, "place"
        shown.SeriesVisibility = [array]
        shown.SeriesColor = [array, *map(str, colour)]
        shown.SeriesLineThickness = [array, "2"]
        shown.SeriesMarkerStyle, shown.SeriesMarkerSize = [array, "4"], [array, "4"]
    view.LeftAxisTitle = label
    view.LeftAxisUseCustomRange = 1
    view.LeftAxisRangeMinimum, view.LeftAxisRangeMaximum = padded(value_range)
    view.ShowLegend = 0
    for axis in ("Left", "Bottom"):
        setattr(view, axis + "AxisTitleFontSize", 14)
        setattr(view, axis + "AxisLabelFontSize", 12)
        setattr(view, axis + "AxisTitleBold", 0)


def draw_contact(views, contact, times, units):
    """One diagram per curve, over the place on the contact lines (without displacement)."""
    name, place = places_of(contact)
    pieces = pieces_of(contact, place)
    keys = [("PointData", curve[0], 0) for curve in CURVES]
    ranges = ranges_over_time(contact, times, keys)
    for view, curve, key in zip(views, CURVES, keys):
        draw_curve(view, pieces, curve, ranges[key], with_unit(curve[1], units.get(curve[2])))
        view.BottomAxisUseCustomRange = 1
        view.BottomAxisRangeMinimum, view.BottomAxisRangeMaximum = place.min(), place.max()
    views[-1].BottomAxisTitle = with_unit(name, units.get("length"))
    RenderAllViews()  # before any words stand beside the body: after them ParaView 5.11 letters the axes badly


# --- The window


def make_views(with_contact):
    """The view of the body, and one for each curve in a column beside it."""
    view = GetActiveViewOrCreate("RenderView")
    layout = GetLayout(view)
    view.InteractionMode = "2D"
    view.OrientationAxesVisibility = 0
    view.UseColorPaletteForBackground, view.Background = 0, [1, 1, 1]
    view.UseLight = 0  # the colours of the bar and of the legend, without shades
    charts = add_charts(layout, view) if with_contact else []
    layout.SeparatorWidth = 0
    layout.SetSize(*SIZE)
    return layout, view, charts


def add_charts(layout, view):
    """One for each curve; cell k of a layout splits into the cells 2k + 1 and 2k + 2."""
    charts, cell = [], layout.SplitViewHorizontal(view, BODY_SHARE) + 1
    for left in range(len(CURVES), 0, -1):
        charts.append(CreateView("XYChartView"))
        if left > 1:
            layout.SplitVertical(cell, 1 / left)
        layout.AssignView(2 * cell + 1 if left > 1 else cell, charts[-1])
        cell = 2 * cell + 2
    return charts


def draw(folder, options):
    """Draws everything at the time asked for; returns the layout of views."""
    series, contact = open_series(folder, "frames"), open_series(folder, "contact")
    if series is None:
        sys.exit(f"view.py: no frames.pvd in {folder}; run the case with output.frames_every > 0")
    summary, times = read_summary(folder), times_of(series)
    time = times[-1] if options.time is None else min(times, key=lambda t: abs(t - options.time))
    if options.png and not options.movie and not options.all_times:
        times = [time]
    in_space = is_scene(series)
    layout, view, charts = make_views(contact is not None and not in_space)
    if in_space:
        draw_scene(view, series, contact, times, time, options, summary)
    else:
        if contact:
            draw_contact(charts, contact, times, units_of(summary))
        aim_camera(view, *draw_body(view, series, contact, times, options, summary))
    scene = GetAnimationScene()
    scene.UpdateAnimationUsingDataTimeSteps()
    scene.PlayMode = "Snap To TimeSteps"
    scene.AnimationTime = time
    SetActiveView(view)
    RenderAllViews()
    return layout


def check_screen():
    """Such a ParaView crashes where it finds no screen."""
    if vtkRenderWindow().GetClassName() == "vtkXOpenGLRenderWindow" and not os.environ.get("DISPLAY"):
        sys.exit("view.py: this ParaView needs a screen to draw on; try xvfb-run -a pvpython view.py ...")


def output_file(*endings):
    """A check of an option: ParaView itself ends well when it cannot write."""

    def check(file):
        if not os.path.isdir(os.path.dirname(file) or "."):
            raise argparse.ArgumentTypeError(f"{file}: no such folder")
        if not file.endswith(endings):
            raise argparse.ArgumentTypeError(f"{file}: expected a name that ends with {', '.join(endings)}")
        return file

    return check


def read_options(arguments):
    parser = argparse.ArgumentParser(prog="view.py", description=__doc__, usage=argparse.SUPPRESS,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--png", metavar="FILE", type=output_file(".png"))
    parser.add_argument("--movie", metavar="FILE", type=output_file(".avi", ".ogv", ".png"))
    parser.add_argument("--time", metavar="T", type=float)
    parser.add_argument("--warp", metavar="F", type=float, default=WARP)
    parser.add_argument("--field", metavar="NAME", default=FIELD)
    parser.add_argument("--all-times", action="store_true")
    return parser.parse_args(arguments)


def main():
    in_window = paraview.fromGUI
    options = read_options(["--time", "0"] if in_window else sys.argv[1:])
    if not in_window:
        check_screen()
    layout = draw(this_folder(), options)
    if options.png:
        SaveScreenshot(options.png, layout, ImageResolution=SIZE)
    if options.movie:
        SaveAnimation(options.movie, layout, ImageResolution=SIZE, FrameRate=FILM_RATE)


main()
