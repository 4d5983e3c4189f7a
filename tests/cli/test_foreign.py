#!/usr/bin/env python3
"""tools/test_foreign certifies a folder of contact problems and says why one is not.

usage: test_foreign.py PROGRAM ROOT
"""

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

PROGRAM, ROOT = sys.argv[1], Path(sys.argv[2])
DATA = ROOT / "tests/data/fclib"
failures = []


def check(holds, what):
    if not holds:
        failures.append(what)


def judged(folder, *more):
    """Exit code and lines of the table."""
    command = [ROOT / "tools/test_foreign", "--program", PROGRAM, folder, *more]
    result = subprocess.run(command, capture_output=True, text=True)
    print(result.stdout, result.stderr, sep="")
    return result.returncode, result.stdout.splitlines()


with tempfile.TemporaryDirectory() as name:
    folder = Path(name)
    check(judged(folder)[0] == 2, "an empty folder is not judged")
    check(judged(folder / "nowhere")[0] == 2, "no folder is not judged")

    for file in DATA.glob("*.hdf5"):
        shutil.copy(file, folder)
    code, lines = judged(folder)
    check(code == 0, "good files are certified")
    check(lines[-1] == "3 of 3 certified at 1e-08", "they are counted")
    rows = {line.split()[0]: line.split()[1:] for line in lines[1:-1]}
    check(rows["random_3d.hdf5"][:4] == ["6", "3", "local", "yes"], "a local problem in 3D is told")
    check(rows["chain_global_2d.hdf5"][:4] == ["4", "2", "global", "yes"], "a global one in 2D is")
    for file, cells in rows.items():
        check(cells[-1] == "yes" and float(cells[4]) <= 1e-8 and float(cells[5]) <= 1e-8, file)
        check(float(cells[6]) > 0.0, f"{file}: milliseconds")

    (folder / "below").mkdir()
    whole = (DATA / "random_3d.hdf5").read_bytes()
    (folder / "below/cut.h5").write_bytes(whole[: len(whole) // 2])
    code, lines = judged(folder)
    check(code == 1, "a file that cannot be read is a failure")
    check(lines[-1] == "3 of 4 certified at 1e-08", "the others are certified nevertheless")
    check(any(line.startswith("below/cut.h5 ") and "no: is damaged" in line for line in lines), "why")

    code, lines = judged(folder, "--tolerance", "1e-300")
    check(code == 1, "an answer without certificate is a failure")
    check(any("no: a residual is above 1e-300" in line for line in lines), "it says so")

    code, lines = judged(folder, "--seconds", "0.0001")
    check(code == 1, "an answer that does not come in time is a failure")
    check(all("no: not within 0.0001 s" in line for line in lines[1:-1]), "it says so")

for what in failures:
    print("FAILED:", what)
sys.exit(1 if failures else 0)
