#!/usr/bin/env python3
"""A program for any x86-64 has instructions of AVX only in the functions that the loader chooses (SLIPWAVE_CLONES).

usage: test_any_processor.py PROGRAM
"""

import re
import subprocess
import sys

FUNCTION = re.compile(r"^[0-9a-f]+ <(.*)>:$")
AVX = re.compile(r"\tv[a-z0-9]+ .*%[xyz]mm")

chosen, breaches, name = set(), {}, ""
with subprocess.Popen(["objdump", "-d", "--no-show-raw-insn", sys.argv[1]], stdout=subprocess.PIPE, text=True) as listing:
    for line in listing.stdout:
        match = FUNCTION.match(line)
        if match:
            name = match.group(1)
        elif AVX.search(line):
            if ".arch_x86_64_v3" in name:
                chosen.add(name)
            else:
                breaches.setdefault(name, line.strip())
for name, line in breaches.items():
    print(f"{name}: {line}")
print(f"{len(chosen)} functions for AVX2, {len(breaches)} others with its instructions")
if breaches or not chosen:
    sys.exit(1)
