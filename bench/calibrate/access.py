#!/usr/bin/env python3
# ===- access.py - what one access of a warp costs, counted by ncu -----------===//
#
# Part of tgc, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===-------------------------------------------------------------------------===//
"""Counts wavefronts and sectors of single accesses on a GPU: the data behind lib/Simulator/AccessCosts.h, committed in
bench/results/calibrate.

access.py patterns FILE            writes patterns of addresses: chosen ones and, by a fixed seed, random ones
access.py measure FILE OUT.csv     runs each under ncu (access.cu, built by nvcc) and writes what was counted
"""

import csv
import os
import random
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
KINDS = ["shared_load", "shared_store", "global_load", "global_store", "async_copy"]
METRICS = {
    "shared_load_wavefronts": "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum",
    "shared_store_wavefronts": "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum",
    "shared_load_conflicts": "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum",
    "shared_store_conflicts": "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum",
    "shared_wavefronts": "l1tex__data_pipe_lsu_wavefronts_mem_shared.sum",
    "global_load_requests": "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum",
    "global_load_sectors": "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
    "global_store_requests": "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum",
    "global_store_sectors": "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum",
    "l2_sectors": "lts__t_sectors_srcunit_tex.sum",
}


def make_patterns():
    """Offsets of the 32 lanes in units of the access."""
    chosen = [[0] * 32, list(range(32)), [2 * i for i in range(32)], [8 * i for i in range(32)], [32 * i for i in range(32)]]
    for part in (2, 4, 8, 16):
        chosen += [[i // part for i in range(32)], [i % part for i in range(32)]]
        chosen += [[i // part * 8 for i in range(32)], [i // part * 8 + i % part for i in range(32)]]
        chosen += [[i % part * 8 for i in range(32)], [i % part * 33 for i in range(32)]]
    chosen += [[i if i < count else -1 for i in range(32)] for count in (1, 8, 9, 16, 17, 31)]
    rng = random.Random(1)
    for span in (2, 4, 8, 16, 32, 64, 128):
        chosen += [[rng.randrange(span) for _ in range(32)] for _ in range(4)]
        chosen += [sorted(rng.randrange(span) for _ in range(32)) for _ in range(2)]
        chosen += [[rng.randrange(span) if rng.random() < 0.6 else -1 for _ in range(32)]]
    # Loads in pairs of lanes with one address, in all lanes or some.
    for span in (4, 16, 64):
        beside = [rng.randrange(span) for _ in range(16)]
        apart = [rng.randrange(span) for _ in range(16)]
        one, two = [beside[i // 2] for i in range(32)], [apart[i // 4 * 2 + i % 2] for i in range(32)]
        chosen += [one, two, one[:16] + two[16:], two[:16] + one[16:], one[:16] + list(range(16))]
        chosen += [[unit if rng.random() < 0.7 else -1 for unit in pattern] for pattern in (one, two)]
    return chosen


def write_patterns(path):
    with open(path, "w") as file:
        for kind in KINDS:
            for width in (4, 8, 16):
                for pattern in make_patterns():
                    offsets = [unit * width if unit >= 0 else -1 for unit in pattern]
                    if kind == "async_copy":  # from the pattern, to the lane's own place
                        offsets = [o | lane * width << 16 if o >= 0 else -1 for lane, o in enumerate(offsets)]
                    print(kind, width, *offsets, file=file)


def measure(patterns, out):
    with tempfile.TemporaryDirectory() as folder:
        program = os.path.join(folder, "access")
        subprocess.run(["nvcc", "-arch=native", "-std=c++17", "-o", program, os.path.join(HERE, "access.cu")], check=True)
        command = ["ncu", "--clock-control", "none", "--csv", "--page", "raw", "--metrics", ",".join(METRICS.values())]
        report = subprocess.run(command + [program, patterns], capture_output=True, text=True)
    lines = report.stdout.splitlines()
    start = next((i for i, line in enumerate(lines) if line.startswith('"ID"')), None)
    if report.returncode != 0 or start is None:
        sys.exit(f"access.py: error: ncu: {report.stdout[-2000:]}{report.stderr[-2000:]}")
    rows = [row for row in csv.DictReader(lines[start:]) if row["ID"]]
    with open(patterns) as file:
        accesses = [line.split() for line in file]
    if len(rows) != len(accesses):
        sys.exit(f"access.py: error: {len(rows)} kernels measured, expected {len(accesses)}")
    with open(out, "w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["kind", "width", *METRICS, "offsets"])
        for access, row in zip(accesses, rows):
            counts = [row[metric].replace(",", "") for metric in METRICS.values()]
            writer.writerow([*access[:2], *counts, " ".join(access[2:])])


def main():
    arguments = sys.argv[1:]
    if len(arguments) == 2 and arguments[0] == "patterns":
        write_patterns(arguments[1])
    elif len(arguments) == 3 and arguments[0] == "measure":
        measure(*arguments[1:])
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main()
