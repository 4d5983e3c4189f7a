#!/usr/bin/python3
"""interface.h5 by h5py, as docs/case-file.md shows it: of a run that goes on, and of one that was stopped.

usage: test_h5py.py SLIPWAVE ROOT
"""
import os
import signal
import subprocess
import sys
import tempfile
import time

import h5py
import numpy

SLIPWAVE, ROOT = sys.argv[1:3]
FIELDS = ("status", "pressure", "shear", "slip_velocity", "slip", "gap")


def rows_read(file):
    """The number of whole rows; every field must have them."""
    with h5py.File(file, "r", libver="latest", swmr=True) as history:
        rows = history["time"].shape[0]
        line = history["bottom"]
        for field in FIELDS:
            values = line[field][:rows]
            assert values.shape == (rows, line["x"].shape[0]), field
            assert numpy.isfinite(values).all(), field
        steps = history["step"][:rows]
        assert (steps == numpy.arange(1, rows + 1)).all(), steps
        return rows


def wait_for(condition, what, seconds=60):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, f"waited {seconds} s for {what}"
        time.sleep(0.05)


def start(out):
    """A run that would go on for long, once its first rows can be read."""
    run = subprocess.Popen(
        [SLIPWAVE, "run", f"{ROOT}/cases/sliding_block.toml", "--out", out, "--quiet",
         "--set", "mesh.size=2", "--set", "time.end=1000", "--set", "output.frames_every=0"],
        stderr=subprocess.DEVNULL)
    file = os.path.join(out, "interface.h5")
    wait_for(lambda: os.path.exists(file) or run.poll() is not None, "the file")
    wait_for(lambda: rows_read(file) > 0, "the first rows")
    return run, file


def interrupted(out):
    run, file = start(out)
    first = rows_read(file)
    wait_for(lambda: rows_read(file) > first, "more rows")
    print(f"rows grow while the run goes on: {first}, then {rows_read(file)}")
    run.send_signal(signal.SIGINT)
    assert run.wait(60) == 130
    with open(os.path.join(out, "energy.csv")) as ledger:
        last = int(ledger.read().splitlines()[-1].split(",")[0])
    assert rows_read(file) == last, (rows_read(file), last)
    print(f"interrupted after step {last}: every step is there")
    # A plain reader, without swmr, after the run.
    with h5py.File(file) as history:
        line = history["bottom"]
        assert line["pressure"].attrs["unit"] == b"MPa"
        assert abs(line.attrs["c_R"] - 1239.7) < 0.1
        assert (line["status"][:].max() <= 3) and (numpy.diff(line["x"][:]) > 0).all()
        # Coulomb's law, to single precision.
        assert (abs(line["shear"][:]) <= 0.5 * line["pressure"][:] * (1 + 1e-5) + 1e-6).all()
    print("and it reads as an ordinary file")


def killed(out):
    run, file = start(out)
    run.kill()
    run.wait()
    print(f"killed: {rows_read(file)} rows can still be read")


with tempfile.TemporaryDirectory() as folder:
    interrupted(os.path.join(folder, "interrupted"))
    killed(os.path.join(folder, "killed"))
