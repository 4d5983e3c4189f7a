#!/usr/bin/env python3
"""Installs Slipwave into a temporary folder and builds a program of somebody else against it, with several flags.

usage: test_install.py BUILD SOURCE, the build folder and the source folder of Slipwave

  - with -O2, with -O3 -march=native and with -O0 -fsanitize=address the program finds at each step of a block at rest
    that the force of the floor is the weight, and the same numbers to 1e-12
  - without the alignment that our targets ask for, a header of ours stops the compiler and says what to define
  - uninstalling removes what was installed, and nothing else
"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

FLAGS = ("-O2", "-O3 -march=native", "-O0 -fsanitize=address")


def run(*command, **options):
    """What a program prints; ends the test if it fails."""
    result = subprocess.run(list(map(str, command)), capture_output=True, text=True, **options)
    if result.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}\n{result.stdout}{result.stderr}exit code {result.returncode}")
    return result.stdout


def numbers_with(flags, project, prefix, build):
    run("cmake", "-S", project, "-B", build, "-G", "Ninja", f"-DCMAKE_PREFIX_PATH={prefix}", f"-DCMAKE_CXX_FLAGS={flags}")
    run("cmake", "--build", build)
    text = run(build / "rest", project / "block.geo", env={**os.environ, "ASAN_OPTIONS": "detect_leaks=0"})
    return [float(line.split()[1]) for line in text.splitlines()]


def check_forces(flags, numbers, expected):
    weight, *forces = numbers
    if len(forces) != 5:
        sys.exit(f"{flags}: printed {numbers}")
    for force in forces:
        if not abs(force - weight) <= 1e-9 * weight:
            sys.exit(f"{flags}: a block of {weight!r} N at rest, the floor pushes with {force!r} N")
    for number, other in zip(numbers, expected):
        if not abs(number - other) <= 1e-12 * abs(other):
            sys.exit(f"{flags}: {number!r}, with {FLAGS[0]}: {other!r}")


def check_alignment(project, prefix):
    eigen = run("pkg-config", "--cflags", "eigen3").split()
    command = ["c++", "-std=c++20", "-fsyntax-only", f"-I{prefix}/include/slipwave", *eigen, project / "rest.cpp"]
    result = subprocess.run(command, capture_output=True, text=True)
    if result.returncode == 0 or "-DEIGEN_MAX_ALIGN_BYTES=64" not in result.stderr:
        sys.exit(f"compiled without our alignment: exit code {result.returncode}\n{result.stderr}")


def check_uninstall(source, prefix):
    foreign = prefix / "include" / "slipwave" / "foreign.hpp"
    foreign.touch()
    run("cmake", f"-DPREFIX={prefix}", "-P", source / "cmake" / "uninstall.cmake")
    left = [path for path in prefix.rglob("*") if not path.is_dir()]
    if left != [foreign]:
        sys.exit(f"after uninstalling there is {left}")


def main():
    build, source = map(Path, sys.argv[1:])
    project = source / "tests" / "install"
    with tempfile.TemporaryDirectory() as folder:
        prefix = Path(folder) / "prefix"
        run("cmake", "--install", build, "--prefix", prefix)
        expected = None
        for number, flags in enumerate(FLAGS):
            numbers = numbers_with(flags, project, prefix, Path(folder) / str(number))
            expected = expected or numbers
            check_forces(flags, numbers, expected)
            print(f"{flags}: weight {numbers[0]:.6f} N, force {numbers[-1]:.6f} N")
        check_alignment(project, prefix)
        check_uninstall(source, prefix)


main()
