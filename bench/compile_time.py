#!/usr/bin/env python3
# ===- compile_time.py - how long tgc takes for larger tiles -----------------===//
#
# Part of tgc, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===-------------------------------------------------------------------------===//
"""Times `tgc build --emit=ptx` over thread tiles of 1x1 to 16x16 in block tiles of up to 256x256, and over deeper k tiles.

Prints a table and writes it to the CSV file of --out; scripts/results finds the growth in it. With --most-growth N only
two k tiles are built, one 8 times as deep as the other, and the exit code is 1 if that takes more than N times as long.
Seconds are of processor time, the least of --runs.
"""

import argparse
import csv
import datetime
import os
import platform
import resource
import subprocess
import sys
import tempfile
from collections import namedtuple

COLUMNS = ["cpu", "date", "commit", "block", "thread", "threads", "fmas", "ptx_lines", "seconds", "refused"]
EXTENTS = [1, 2, 4, 8, 16]
BLOCKS = [16, 32, 64, 128, 256]
DEPTH = 8
DEPTHS = [16, 32, 64, 128]  # of 64x64 in 8x8
LANES = (4, 8)
MAX_THREADS = 1024

Built = namedtuple("Built", "seconds fmas lines refused")


def program(block, thread):
    shape = "x".join(map(str, block))
    return (
        "tgc 1\n"
        "kernel k(A: f32[M, K], B: f32[K, N]) -> C: f32[M, N] { C = A @ B }\n"
        f"schedule s for k on sm_90 {{ block {shape}  thread {thread[0]}x{thread[1]} lanes {LANES[0]}x{LANES[1]}\n"
        "  stage A k_major pad 4 by cp.async 4  stage B by cp.async 4  pipeline 2 }\n"
    )


def build(tgc, block, thread, runs):
    """What the fastest of `runs` builds took; `refused` has the diagnostic of a program that is not legal."""
    with tempfile.TemporaryDirectory(prefix="tgc-compile-time-") as folder:
        path, output = os.path.join(folder, "k.tgc"), os.path.join(folder, "k.ptx")
        with open(path, "w") as file:
            file.write(program(block, thread))
        seconds = []
        for _ in range(runs):
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            result = subprocess.run([tgc, "build", path, "--emit=ptx", "-o", output], capture_output=True, text=True)
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            seconds.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
            if result.returncode == 1:
                return Built(min(seconds), 0, 0, result.stderr.splitlines()[0].split("error: ")[-1])
            if result.returncode != 0:
                sys.exit(f"compile_time.py: error: exit code {result.returncode}: {result.stderr}")
        with open(output) as file:
            lines = file.read().splitlines()
        return Built(min(seconds), sum("fma.rn.f32" in line for line in lines), len(lines), "")


def tiles():
    """Block and thread tiles: for each thread tile the square block tiles that warps of LANES cover; then deeper ones."""
    for tm in EXTENTS:
        for tn in EXTENTS:
            for side in BLOCKS:
                warp = (LANES[0] * tm, LANES[1] * tn)
                threads = side * side // (tm * tn)
                if side % warp[0] == 0 and side % warp[1] == 0 and 32 <= threads <= MAX_THREADS:
                    yield (side, side, DEPTH), (tm, tn), threads
    for depth in DEPTHS:
        yield (64, 64, depth), (8, 8), 64


def cpu_name():
    try:
        with open("/proc/cpuinfo") as file:
            return next(line.split(":", 1)[1].strip() for line in file if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.processor() or platform.machine()


def commit_name():
    here = os.path.dirname(os.path.abspath(__file__))
    command = ["git", "-C", here, "describe", "--always", "--abbrev=12", "--dirty=+", "--exclude=*"]
    result = subprocess.run(command, capture_output=True, text=True)
    return result.stdout.strip()


def measure(args):
    date = datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    commit, cpu, rows = args.commit or commit_name(), cpu_name(), []
    for block, thread, threads in tiles():
        built = build(args.tgc, block, thread, args.runs)
        shapes = ["x".join(map(str, shape)) for shape in (block, thread)]
        values = [cpu, date, commit, *shapes, threads, built.fmas, built.lines, f"{built.seconds:.3f}", built.refused]
        print(f"{shapes[0]:>11} {shapes[1]:>5} {built.fmas:6} fmas {built.seconds:7.3f} s {built.refused}", flush=True)
        rows.append(dict(zip(COLUMNS, values)))
    if args.out:
        with open(args.out, "w", newline="") as file:
            writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
            writer.writeheader()
            writer.writerows(rows)
    return 0


def check_growth(args):
    ends = [build(args.tgc, (64, 64, depth), (8, 8), args.runs) for depth in (DEPTH, 8 * DEPTH)]
    if refused := [end.refused for end in ends if end.refused]:
        sys.exit(f"compile_time.py: error: {refused[0]}")
    growth = [getattr(ends[1], name) / getattr(ends[0], name) for name in ("fmas", "lines", "seconds")]
    print(f"fmas {growth[0]:.2f}, lines {growth[1]:.2f}, seconds {growth[2]:.2f} times as many")
    return 0 if growth[2] <= args.most_growth else 1


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tgc", default="tgc", help="default: the one on PATH", metavar="PATH")
    parser.add_argument("--runs", type=int, default=3, help="builds of each, of which the fastest counts (default: 3)")
    parser.add_argument("--out", help="write the rows to this CSV file", metavar="FILE")
    parser.add_argument("--commit", help="what to write as the commit (default: that of the repository)")
    parser.add_argument("--most-growth", type=float, metavar="N")
    args = parser.parse_args()
    return check_growth(args) if args.most_growth else measure(args)


if __name__ == "__main__":
    sys.exit(main())
