"""Shows the results in this folder in ParaView; written by `slipwave view`, yours to change.

  paraview --script=view.py                  the window: time controls, every filter to play with
  pvpython view.py --png FILE [--time T]     one picture, of the frame nearest to T (default: the last frame)
  pvpython view.py --movie FILE              all frames: .avi or .ogv for a film, .png for numbered pictures

  --warp F       draw displacements F times as large as they are
  --field NAME   colour by NAME: displacement, velocity, reaction, von_mises, stress:YY, strain:XY ...
  --all-times    give a picture the camera, colours and axes that suit all times, as a movie has them

Left the body, deformed, with its contact points coloured by what they do; right what happens along the contact line.
Without a screen: xvfb-run -a pvpython view.py ...
"""
import argparse
import json
import os
import sys

import paraview
from paraview.simple import *
from vtkmodules.vtkRenderingCore import vtkRenderWindow

# --- What you may want to change

# Displacements are drawn this many times as large as they are.
WARP = 100.0
FIELD = "displacement"
COLOURS = "Viridis (matplotlib)"  # colour-blind people can read it, and so can a grey printer
SIGNED_COLOURS = "Cool to Warm"  # for components, which have a sign
SIZE = (1600, 900)  # of a picture, in pixels
FILM_RATE = 15  # pictures per second
BODY_SHARE = 0.6  # of the width; the rest is for the contact line
MESH_UP_TO = 5000  # triangles: then a picture shows the mesh
FRAMES_LOOKED_AT = 200  # at most, to find the camera, colours and axes that suit all times

INK, FAINT = [0.1, 0.1, 0.1], [0.6, 0.6, 0.6]
STATUS = (  # name, colour: in the order of the numbers in contact.pvd
    ("open", [0.55, 0.55, 0.55]),
    ("sticking", [0.0, 0.0, 0.0]),
    ("sliding forward", [0.337, 0.706, 0.914]),
    ("sliding backward", [0.835, 0.369, 0.0]),
)
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


# --- The body


def warped(source, factor, name):
    if source.PointData["displacement"] is None:
        return source  # a rigid body: its frames are where it is
    warp = WarpByVector(registrationName=name, Input=source)
    warp.Vectors = ["POINTS", "displacement"]
    warp.ScaleFactor = factor
    return warp


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
    colours = GetColorTransferFunction(name)
    colours.ApplyPreset(SIGNED_COLOURS if has_sign else COLOURS, True)
    colours.AutomaticRescaleRangeMode = "Never"
    colours.RescaleTransferFunction(*widened(*value_range))
    return colours


def show_colour_bar(colours, view, label):
    bar = GetScalarBar(colours, view)
    bar.Title, bar.ComponentTitle = label, ""
    bar.Orientation, bar.WindowLocation, bar.Position = "Horizontal", "Any Location", [0.2, 0.05]
    bar.ScalarBarLength, bar.ScalarBarThickness = 0.6, 14
    bar.TitleColor = bar.LabelColor = INK
    bar.TitleFontSize, bar.LabelFontSize = 16, 14
    bar.AutomaticLabelFormat, bar.LabelFormat, bar.RangeLabelFormat = 0, "%.3g", "%.3g"
    bar.Visibility = 1


def show_status(points, view):
    """The contact points, and a legend of what they do."""
    shown = Show(points, view)
    shown.Representation = "Points"
    shown.PointSize, shown.RenderPointsAsSpheres = 8, 1
    ColorBy(shown, ("POINTS", "status"))
    colours = GetColorTransferFunction("status")
    colours.InterpretValuesAsCategories = 1
    colours.Annotations = [word for k, (name, _) in enumerate(STATUS) for word in (str(k), name)]
    colours.IndexedColors = [part for _, colour in STATUS for part in colour]
    shown.SetScalarBarVisibility(view, False)
    for k, (name, colour) in enumerate(STATUS):
        legend = Show(Text(registrationName=name, Text="\N{BULLET} " + name), view)
        legend.WindowLocation, legend.Position = "Any Location", [0.12 + 0.2 * k, 0.17]
        legend.Color, legend.FontSize, legend.Bold = colour, 15, 1


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
    body = warped(series, options.warp, "body")
    if body is series:
        ranges = ranges_over_time(body, times, [])
        ranges["y"] = joined(ranges["y"], (0, 0))
        show_rigid_body(body, view, ranges["x"])
    else:
        field = find_field(series, options.field)
        ranges = ranges_over_time(body, times, [field])
        label = with_unit(options.field.replace("_", " "), units.get(FIELD_UNITS.get(field[1])))
        with_mesh = len(times) == 1 and body.GetDataInformation().GetNumberOfCells() <= MESH_UP_TO
        show_field(body, view, field, ranges[field], label, with_mesh)
        title.append(f"displacements \N{MULTIPLICATION SIGN} {options.warp:g}")
    if field and len(times) > 1:
        show_outline(series, view)
    if contact:
        show_status(warped(contact, options.warp, "contact points"), view)
    show_time(series, view, title, units.get("time", ""))
    SetActiveSource(body)
    return ranges["x"], ranges["y"]


# --- The contact line


def pieces_of(contact):
    """The connected pieces of the contact lines, each a curve of its own."""
    regions = Connectivity(registrationName="pieces", Input=contact)
    regions.UpdatePipeline()
    count = int(regions.PointData["RegionId"].GetRange()[1]) + 1
    if count == 1:
        return [contact]
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


def draw_curve(view, pieces, place, curve, value_range, label):
    array, _, _, colour = curve
    for piece in pieces:
        shown = Show(piece, view, "XYChartRepresentation")
        shown.AttributeType = "Point Data"
        shown.UseIndexForXAxis, shown.XArrayName = 0, place
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
    """One diagram per curve, over the place on the contact line (without displacement)."""
    pieces = pieces_of(contact)
    keys = [("PointData", curve[0], 0) for curve in CURVES]
    ranges = ranges_over_time(contact, times, keys)
    is_upright = ranges["y"][1] - ranges["y"][0] > ranges["x"][1] - ranges["x"][0]
    axis, place = ("y", "Points_Y") if is_upright else ("x", "Points_X")
    for view, curve, key in zip(views, CURVES, keys):
        draw_curve(view, pieces, place, curve, ranges[key], with_unit(curve[1], units.get(curve[2])))
        view.BottomAxisUseCustomRange = 1
        view.BottomAxisRangeMinimum, view.BottomAxisRangeMaximum = ranges[axis]
    views[-1].BottomAxisTitle = with_unit(f"{axis} along the contact line", units.get("length"))
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
    layout, view, charts = make_views(contact is not None)
    if contact:
        draw_contact(charts, contact, times, units_of(summary))
    x, y = draw_body(view, series, contact, times, options, summary)
    aim_camera(view, x, y)
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
