#!/usr/bin/env python3
"""Turns the figures of tools/bench into docs/benchmarks.md or docs/benchmarks-output.md.

usage: tools/benchmark_page.py benchmarks|benchmarks-output FOLDER > PAGE
"""

import json
import math
import os
import platform
import re
import statistics
import subprocess
import sys
from pathlib import Path

# What a figure is held against; a page without these would only boast.
STEP_GOAL = {(1000, 1): 1.2, (10000, 1): 0.9, (100000, 1): 0.9, (300000, 1): 0.9, (1000000, 1): 0.9,
             (100000, 2): 0.6, (300000, 2): 0.6, (1000000, 2): 0.6}
CONTACT_GOAL = {"block_41": 3, "block_127": 5, "block_693": 8, "large_step": 15}
PAPER_GOAL_SECONDS = 1.5
GROWTH_GOAL = 1.15
MEMORY_GOAL_GIB = 12
THREADS_GOAL = 1.1
LOADS = {"0": "quiet", "1": "one process", "2": "two processes", "-1": "quota of one processor"}
OUTPUT_GOAL = {1000: 1.1, 100000: 1.02}
FRAMES_GOAL = 1.05

WHAT = {
    "block_41": "the paper's block and step",
    "block_127": "finer mesh, same step",
    "block_693": "finer still",
    "large_step": "h = 1e-2 ms",
    "high_friction": "mu = 1.5",
    "restitution": "e = 0.9",
    "ill_conditioned": "h = 0.1 ms, mu = 1.5, e = 0.9",
    "random_2d_24": "random, full W",
    "random_2d_100": "random, full W",
    "random_3d_12": "random, full W, 3D",
    "random_3d_50": "random, full W, 3D",
    "wandering_3d_100": "banded W, b wanders, 3D",
}


def rows(file):
    return json.loads(file.read_text())["benchmarks"]


def output_of(*command):
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout


def processor():
    match = re.search(r"^model name\s*: (.*)$", Path("/proc/cpuinfo").read_text(), re.MULTILINE)
    return match.group(1) if match else platform.processor()


def table(header, lines):
    print("| " + " | ".join(header) + " |")
    print("|" + "|".join("---" if i == 0 else "---:" for i in range(len(header))) + "|")
    for line in lines:
        print("| " + " | ".join(line) + " |")
    print()


def verdict(value, goal, at_most=True, unit=""):
    if goal is None:
        return "-"
    met = value <= goal if at_most else value >= goal
    return f"{'<=' if at_most else '>='} {goal:g}{unit}: {'met' if met else '**missed**'}"


def print_machine(about):
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    versions = dict(line.split(maxsplit=1)
                    for line in output_of("build/release/slipwave", "--version").splitlines())
    siconos = output_of("dpkg-query", "-W", "-f", "${Version}", "libsiconos-numerics-dev")
    print(f"Measured on {about['date']}: {processor()}, {os.cpu_count()} processors, "
          f"{memory:.0f} GiB, load before the run {about['load']:.1f}. "
          f"Slipwave {versions['slipwave']}, {versions['compiler']}, CHOLMOD {versions['cholmod']}, "
          f"Eigen {versions['eigen']}, Siconos {siconos or 'not installed'}.\n")


def machine_section(folder):
    print("# Benchmarks\n")
    print("Every figure here was measured in one run of `make bench`, which writes this page; run it\n"
          "on a quiet machine. Ratios are of things measured in turns in the same process, so that\n"
          "whatever else the machine did hit both. They are what to trust: the times are this\n"
          "machine's.\n")
    print_machine(json.loads((folder / "machine.json").read_text()))


def output_section(folder):
    print("# What writing costs\n")
    print("Time loops of the sliding block in turns in one process: with the ledger only; with\n"
          "`interface.h5` at every step; with frames at the default stride of 100 steps; with both, as\n"
          "runs are by default. Medians, one solver thread, the writer on another. `tools/bench --output`\n"
          "writes this page; goals are for the columns beside them.\n")
    about = json.loads((folder / "output_machine.json").read_text())
    print_machine(about)
    if about["realtime"]:
        print("Solver and writer had real-time priority, so that other programs waited for them.\n")
    lines = []
    for figure in rows(folder / "output.json"):
        nodes = int(figure["name"].split("/")[1])
        lines.append([f"{nodes:,}".replace(",", " "), f"{figure['plain_s']:.3g}",
                      f"{figure['interface_over_plain']:.3f}",
                      verdict(figure["interface_over_plain"], OUTPUT_GOAL[nodes]),
                      f"{figure['frames_over_plain']:.3f}",
                      verdict(figure["frames_over_plain"], FRAMES_GOAL),
                      f"{figure['both_over_plain']:.3f}"])
    table(["nodes, about", "ledger only (s)", "with interface.h5 / ledger only", "goal",
           "with frames / ledger only", "goal", "with both / ledger only"], lines)


def step_section(folder):
    figures = rows(folder / "step.json")
    print("## A step against one linear solve\n")
    print("A whole step of the sliding block (right-hand side, forward solve, contact, backward\n"
          "solve, energy ledger) on a structured mesh, against one plain single-threaded CHOLMOD\n"
          "supernodal solve of the same matrix with METIS ordering. Two threads are held against the\n"
          "same single-threaded solve. `triangles` is our forward and backward solve alone.\n")
    lines = []
    times = {}
    for figure in figures:
        nodes, threads = (int(part) for part in figure["name"].split("/")[1:3])
        times[nodes, threads] = figure["step_ms"]
        lines.append([f"{nodes:,}".replace(",", " "), f"{figure['contacts']:.0f}", str(threads),
                      f"{figure['plain_ms']:.3g}", f"{figure['step_ms']:.3g}",
                      f"{figure['triangles_ms']:.3g}", f"{figure['ratio']:.2f}",
                      verdict(figure["ratio"], STEP_GOAL.get((nodes, threads)))])
    lines.sort(key=lambda line: (int(line[2]), int(line[0].replace(" ", ""))))
    table(["nodes", "contacts", "threads", "CHOLMOD solve (ms)", "step (ms)", "triangles (ms)",
           "step / solve", "goal"], lines)
    growth = math.log(times[1000000, 1] / times[10000, 1]) / math.log(100)
    print(f"From 1e4 to 1e6 nodes the step's cost grows as n^{growth:.2f} "
          f"({verdict(growth, GROWTH_GOAL)}); the factor itself grows as n log n, and at 1e4 nodes it\n"
          "still fits the processor's cache.\n")


def paper_section(folder):
    seconds = [json.loads(file.read_text())["seconds"] for file in sorted(folder.glob("paper_*.json"))]
    loops = [s["time_loop"] for s in seconds]
    print("## The paper's run\n")
    print("`slipwave run cases/sliding_block.toml --set output.frames_every=0 --set output.interface_every=0\n"
          "--threads 1`: 10 000 steps, the ledger and the certificate at every one of them.\n")
    print(f"Time loop, median of {len(loops)} runs: {statistics.median(loops):.2f} s, shortest "
          f"{min(loops):.2f} s, longest {max(loops):.2f} s "
          f"({verdict(statistics.median(loops), PAPER_GOAL_SECONDS, unit=' s')}). Mesh, assembly, initial state and factorisation "
          f"take {statistics.median(sum(s.values()) - s['time_loop'] for s in seconds):.2f} s more.\n")


def contact_section(folder):
    contests = {}
    for figure in rows(folder / "contact.json"):
        _, sequence, solver = figure["name"].split("/")[:3]
        contests.setdefault(sequence, {})[solver] = figure
    print("## Contact solvers against Siconos\n")
    print("Medians over sequences of contact problems, solved one after the other from the last\n"
          "answer, all to 1e-10 by the same certificate: the natural map over all entries of W. Each\n"
          "solver of Siconos is given the loosest tolerance of its own, of 1e-10 to 1e-14, that\n"
          "reaches it, and the storage of W that suits it; only its solve call is timed. `ratio` is the\n"
          "fastest solver of Siconos that certifies every problem of the sequence over our `auto`;\n"
          "`worst` the smallest such ratio over single problems; `lost` counts problems that one of\n"
          "Siconos certifies and ours does not.\n")
    ours = ("auto", "nsgs", "newton")
    lines = []
    for sequence, solvers in contests.items():
        auto = solvers["auto"]
        theirs = {name: f for name, f in solvers.items() if name not in ours}
        whole = {n: f for n, f in theirs.items() if f["certified"] == f["problems"]}
        best = min(whole, key=lambda name: whole[name]["median_us"], default=None)
        ratio = auto.get("ratio")
        lines.append([f"`{sequence}`", WHAT.get(sequence, "FCLIB file"), f"{auto['contacts']:.0f}",
                      f"{auto['condition']:.1e}",
                      f"{auto['certified']:.0f} of {auto['problems']:.0f}",
                      *(f"{solvers[name]['median_us']:.3g}" for name in ours),
                      f"{best} {whole[best]['median_us']:.3g}" if best else "none certifies all",
                      f"{ratio:.1f}" if ratio else "-",
                      f"{auto['worst_ratio']:.1f}" if "worst_ratio" in auto else "-",
                      f"{auto['lost']:.0f}",
                      verdict(ratio, CONTACT_GOAL.get(sequence), at_most=False) if ratio else "-"])
    table(["sequence", "what", "contacts", "cond(W)", "certified", "auto (us)", "nsgs (us)",
           "newton (us)", "fastest of Siconos (us)", "ratio", "worst", "lost", "goal"], lines)
    print("All solvers of Siconos, median in microseconds and problems certified:\n")
    names = sorted({name for solvers in contests.values() for name in solvers if name not in ours})
    lines = []
    for sequence, solvers in contests.items():
        cells = []
        for name in names:
            f = solvers.get(name)
            cells.append(f"{f['median_us']:.3g} ({f['certified']:.0f}/{f['problems']:.0f})" if f else "")
        lines.append([f"`{sequence}`", *cells])
    table(["sequence", *names], lines)


def size_section(folder):
    print("## Size\n")
    print("Assembly of M and K, then everything up to the first step (ordering, factorisation, the\n"
          "Delassus operator), then 20 steps, on one thread, each size in a process of its own; memory\n"
          "is the largest resident size of that process.\n")
    lines = []
    largest = None
    for file in sorted(folder.glob("whole_*.json"), key=lambda f: int(f.stem.split("_")[1])):
        f = rows(file)[0]
        millions = f["nodes"] / 1e6
        lines.append([f"{f['nodes']:,.0f}".replace(",", " "), f"{f['assembly_ms'] * 1e-3 / millions:.2g}",
                      f"{f['factorisation_ms'] * 1e-3 / millions:.3g}", f"{f['steps_ms'] / 20:.3g}",
                      f"{f['peak_MiB']:.0f}", f"{f['peak_MiB'] * 2**20 / f['nodes'] / 1e3:.2g}"])
        largest = f
    table(["nodes", "assembly (s per million nodes)", "factorisation (s per million nodes)",
           "step (ms)", "peak memory (MiB)", "memory (kB per node)"], lines)
    gib = largest["peak_MiB"] / 1024
    print(f"A million nodes, two million dofs, factorise and run within {gib:.1f} GiB "
          f"({verdict(gib, MEMORY_GOAL_GIB, unit=' GiB')}).\n")


def threads_section(folder):
    print("## Threads on a busy machine\n")
    print("A step of the sliding block with `--threads` 1, 2, 4 and 8, in turns, while other processes\n"
          "that never rest compete for the processors, or in a control group with a quota of one\n"
          "processor. Each figure is the time of a step over that with one thread under the same load,\n"
          "medians of five stretches of 25 to 2500 steps. Never more than 1.1 is the goal: threads may\n"
          "help, and must not harm. More threads than processors are not started.\n")
    lines = []
    worst = 0.0
    for figure in rows(folder / "threads.json"):
        nodes, load = figure["name"].split("/")[1:3]
        if figure.get("error_occurred"):
            lines.append([f"{int(nodes):,}".replace(",", " "), LOADS[load], figure["error_message"], "", "", ""])
            continue
        ratios = [figure[f"ratio_{count}"] for count in (2, 4, 8)]
        worst = max(worst, *ratios)
        lines.append([f"{int(nodes):,}".replace(",", " "), LOADS[load], f"{figure['ms_1']:.3g}",
                      *(f"{ratio:.2f}" for ratio in ratios)])
    table(["nodes", "load", "1 thread (ms)", "2 threads", "4 threads", "8 threads"], lines)
    print(f"The largest: {worst:.2f} ({verdict(worst, THREADS_GOAL)}).\n")


def profile_section(_):
    print(Path("bench/profile.md").read_text(), end="")


def main():
    pages = {"benchmarks": (machine_section, step_section, threads_section, paper_section, contact_section,
                            size_section, profile_section),
             "benchmarks-output": (output_section,)}
    for section in pages[sys.argv[1]]:
        section(Path(sys.argv[2]))


if __name__ == "__main__":
    main()
