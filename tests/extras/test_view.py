#!/usr/bin/python3
"""`slipwave view` writes a script with which Debian's ParaView draws what a run computed.

usage: tests/extras/test_view.py PROGRAM SOURCE [PARAVIEW]      (default: SOURCE/build/paraview)
needs: xvfb, python3-vtk9, and ParaView, which tools/setup_paraview unpacks into PARAVIEW

Exits with 1 at the first statement that is not true, or if something is missing. With SLIPWAVE_WITHOUT_PARAVIEW=1 in the
environment it runs nothing and exits with 77.
"""
import contextlib
import os
import shutil
import struct
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

from vtkmodules.vtkIOImage import vtkPNGReader

SKIPPED = 77
PATIENCE = 300  # s
FRAMES = 6  # of the run, the first at t = 0 included
BULK = ("--set", "mesh.size=4", "--set", "output.frames_every=400", "--set", "time.end=0.2")


def expect(statement, is_true, *seen):
    if not is_true:
        raise AssertionError("\n".join([f"not so: {statement}", *map(str, seen)]))
    print(f"ok: {statement}", flush=True)


def run(*command):
    """A command's exit code and its words."""
    done = subprocess.run([str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          timeout=PATIENCE)
    return done.returncode, done.stdout


@contextlib.contextmanager
def screen():
    """A screen that nobody sees, on the first number that is free."""
    if not shutil.which("Xvfb"):
        raise AssertionError("Xvfb is not installed (tools/setup)")
    read_end, write_end = os.pipe()
    server = subprocess.Popen(["Xvfb", "-displayfd", str(write_end), "-noreset", "-screen", "0", "1920x1200x24"],
                              pass_fds=[write_end], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    os.close(write_end)
    try:
        with os.fdopen(read_end) as numbers:
            number = numbers.readline().strip()
        expect("a screen starts", number.isdigit(), server.poll())
        os.environ["DISPLAY"] = f":{number}"
        yield
    finally:
        server.terminate()
        server.wait()


class Picture:
    def __init__(self, file):
        reader = vtkPNGReader()
        reader.SetFileName(str(file))
        reader.Update()
        image = reader.GetOutput()
        self.width, self.height, _ = image.GetDimensions()
        scalars = image.GetPointData().GetScalars()
        count, data = scalars.GetNumberOfComponents(), bytes(memoryview(scalars))
        self.pixels = [data[k:k + 3] for k in range(0, len(data), count)]  # from the lowest row up

    def share_of_differing(self, other):
        return sum(a != b for a, b in zip(self.pixels, other.pixels)) / len(self.pixels)

    def coloured(self):
        """Columns of the left half whose pixels have the strong colours of the body, not grey or white."""
        strong = {pixel for pixel in set(self.pixels) if max(pixel) - min(pixel) > 60}
        half = self.width // 2
        return [x for x in range(half)
                if sum(self.pixels[y * self.width + x] in strong for y in range(self.height // 3, self.height)) > 20]


class Viewer:
    """pvpython with the script of a folder."""

    def __init__(self, paraview, pictures):
        self.program, self.pictures, self.count = paraview / "bin" / "pvpython", pictures, 0

    def __call__(self, folder, *options):
        return run(self.program, folder / "view.py", *options)

    def picture(self, folder, *options):
        self.count += 1
        file = self.pictures / f"{self.count}.png"
        code, words = self(folder, "--png", file, *options)
        expect(f"pvpython view.py --png {' '.join(options)} draws a picture", code == 0 and file.exists(), code, words)
        expect("and complains of nothing", "Traceback" not in words and "ERR|" not in words, words)
        return Picture(file)


def results(program, source, case, folder, *options):
    code, words = run(program, "run", source / "cases" / case, "--out", folder, "--quiet", *options)
    expect(f"{case} runs", code == 0, words)
    code, words = run(program, "view", folder, "--no-open")
    expect("slipwave view writes view.py", code == 0 and (folder / "view.py").exists(), words)
    return folder


def check_picture(view, block):
    first = view.picture(block, "--time", "0.12")
    colours = Counter(first.pixels)
    expect("the picture has the size of SIZE", (first.width, first.height) == (1600, 900))
    expect("it is neither blank nor of few colours", len(colours) > 500, len(colours))
    expect("its background is white", colours.most_common(1)[0][0] == b"\xff\xff\xff")
    again = view.picture(block, "--time", "0.125")
    expect("the nearest frame gives the same picture, pixel by pixel", first.pixels == again.pixels)
    later = view.picture(block, "--time", "0.2")
    expect("another time gives another picture", first.share_of_differing(later) > 0.05)
    expect("the body fills its view at either time", all(len(p.coloured()) > 0.4 * p.width for p in (first, later)),
           len(first.coloured()), len(later.coloured()))
    last = view.picture(block)
    expect("without a time it is the last frame", last.pixels == later.pixels)
    stress = view.picture(block, "--field", "stress:YY")
    expect("another field gives another picture", last.share_of_differing(stress) > 0.05)


def check_all_times(view, block):
    """The camera holds the undeformed block and all that it becomes. It slides by 0.4 mm, which are some 7 pixels; its own
    deformation is drawn larger, its sliding is not."""
    pictures = [view.picture(block, "--all-times", *options) for options in (("--warp", "1"), ("--time", "0"), ())]
    plain, start, end = (picture.coloured() for picture in pictures)
    sizes = [len(columns) for columns in (plain, start, end)]
    expect("the body is in view with either warp and at any time", min(sizes) > 100, sizes)
    expect("its sliding is not magnified", abs(sum(end) / len(end) - sum(start) / len(start)) < 30, start[0], end[0])
    expect("its deformation is", pictures[0].share_of_differing(pictures[2]) > 0.05)


def inside(view, folder, code):
    """What a piece of Python prints in place of the last line of view.py, main()."""
    script = folder / "view.py"
    text = script.read_text()
    expect("view.py ends with main()", text.endswith("\nmain()\n"))
    script.write_text(text[: -len("main()\n")] + code)
    code, words = view(folder)
    script.write_text(text)
    expect("and its parts can be run", code == 0, words)
    return words.strip().splitlines()[-1]


def check_warp(view, program, block):
    for time in ("0.12", "0.2"):
        factor, _ = eval(inside(view, block, f'print(usual_warp(open_series(this_folder(), "frames"), [{time}]))\n'))
        code, words = run(program, "plot", block, "--figure", "snapshot", "--time", time, "--out", block / "snapshot.svg")
        expect("slipwave plot draws a snapshot", code == 0, words)
        expect(f"ParaView and the figure warp by the same factor, {factor:g}",
               f"warp {factor:.0f}\u00d7" in (block / "snapshot.svg").read_text())


def check_second_line(view, program, source, root):
    """One line along the ground, one up a wall."""
    case = (source / "cases" / "sliding_block.toml").read_text().replace("../meshes", str(source / "meshes"))
    (root / "two.toml").write_text(case + '\n[[contact]]\non = "right"\nnormal = [-1.0, 0.0]\npoint = [40.0, 0.0]\nfriction = 0.3\n')
    folder = root / "two lines"
    code, words = run(program, "run", root / "two.toml", "--out", folder, "--quiet", "--set", "mesh.size=4", "--steps", "20",
                      "--set", "output.frames_every=10")
    expect("a case with two contact lines runs", code == 0, words)
    run(program, "view", folder, "--no-open")
    code = ('contact = open_series(this_folder(), "contact")\nname, place = places_of(contact)\n_, pieces = polylines_of(contact)\n'
            'print([numpy.diff(place[piece]).tolist() for piece in pieces])\n')
    steps = eval(inside(view, folder, code))
    expect("there are two pieces", len(steps) == 2, steps)
    expect("the curves of both go on along the axis: neither is a stroke", all(step > 0 for piece in steps for step in piece), steps)
    view.picture(folder)


def check_movie(view, block, folder):
    folder.mkdir()
    code, words = view(block, "--movie", folder / "film.png")
    files = sorted(folder.glob("film.*.png"))
    expect("--movie film.png writes one picture per frame", code == 0 and len(files) == FRAMES, code, files, words)
    pictures = [Picture(file) for file in files]
    expect("each differs from the one before",
           all(a.share_of_differing(b) > 0.001 for a, b in zip(pictures, pictures[1:])))
    code, words = view(block, "--movie", folder / "film.avi")
    head = (folder / "film.avi").read_bytes()[:52]
    expect("--movie film.avi writes a film of as many frames",
           head[:4] == b"RIFF" and struct.unpack("<I", head[48:52])[0] == FRAMES, head, words)


def check_elsewhere(view, block, folder):
    shutil.copytree(block, folder)
    reference = view.picture(block)
    expect("a folder that was moved gives the same picture", view.picture(folder).pixels == reference.pixels)
    (folder / "contact.pvd").unlink()
    (folder / "summary.json").unlink()
    alone = view.picture(folder)
    expect("without contact.pvd the body has the picture to itself",
           alone.share_of_differing(reference) > 0.1 and len(alone.coloured()) > len(reference.coloured()) / 2)


def check_refusals(view, block):
    for options, expected in (
        (("--field", "colour"), "no field 'colour'; there are displacement, "),
        (("--field", "stress:QQ"), "stress has no component 'QQ'; it has XX, YY"),
        (("--png", "/nowhere/x.png"), "/nowhere/x.png: no such folder"),
        (("--movie", "film.xyz"), "film.xyz: expected a name that ends with .avi, .ogv, .png"),
    ):
        code, words = view(block, *options)
        expect(f"{' '.join(options)} is refused with its reason", code != 0 and expected in words, code, words)
    display = os.environ.pop("DISPLAY")
    code, words = view(block, "--png", "x.png")
    os.environ["DISPLAY"] = display
    expect("without a screen it says so, and does not crash", code == 1 and "xvfb-run" in words, code, words)


def check_window(paraview, block, home):
    """The window runs the same script; it is ended from within, as its last act."""
    settings = home / ".config" / "ParaView"
    settings.mkdir(parents=True)
    (settings / "ParaView5.11.0.ini").write_text("[General]\nGeneralSettings.ShowWelcomeDialog=false\n")
    script = block / "view.py"
    text, shot = script.read_text(), home / "window.png"
    script.write_text(text + f"SaveScreenshot({str(shot)!r}, GetLayout())\nos._exit(0)\n")
    os.environ["HOME"] = str(home)
    code, words = run(paraview / "bin" / "paraview", f"--script={script}")
    script.write_text(text)
    expect("paraview --script=view.py draws in its window", code == 0 and shot.exists(), code, words)
    picture = Picture(shot)
    expect("and the body is there", len(picture.coloured()) > picture.width / 20, len(picture.coloured()))


def check_all(program, source, paraview, root):
    view = Viewer(paraview, root)
    block = results(program, source, "sliding_block.toml", root / "a block's results", *BULK)
    with screen():
        check_picture(view, block)
        check_all_times(view, block)
        check_warp(view, program, block)
        check_second_line(view, program, source, root)
        check_movie(view, block, root / "movie")
        check_elsewhere(view, block, root / "moved")
        check_refusals(view, block)
        rigid = results(program, source, "rocking_block.toml", root / "rigid", "--set", "output.frames_every=2000")
        pictures = [view.picture(rigid, "--time", time) for time in ("0", "0.4")]
        expect("a rigid body is drawn and moves", pictures[0].share_of_differing(pictures[1]) > 0.001)
        check_window(paraview, block, root / "home")


def main(program, source, paraview=None):
    if os.environ.get("SLIPWAVE_WITHOUT_PARAVIEW") == "1":
        print("skipped: SLIPWAVE_WITHOUT_PARAVIEW=1")
        return SKIPPED
    program, source = Path(program).resolve(), Path(source).resolve()
    paraview = Path(paraview or source / "build" / "paraview").resolve()
    code, words = run(source / "tools" / "setup_paraview", paraview)
    expect("ParaView is there", code == 0, words)
    with tempfile.TemporaryDirectory(prefix="slipwave_") as root:
        check_all(program, source, paraview, Path(root))
    return 0


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    try:
        sys.exit(main(*sys.argv[1:]))
    except AssertionError as failure:
        sys.exit(str(failure))
