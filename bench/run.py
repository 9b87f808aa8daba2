#!/usr/bin/env python3
# ===- run.py - measures the examples ----------------------------------------===//
#
# Part of tgc, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===-------------------------------------------------------------------------===//
"""Measures every schedule of the examples through both back ends, beside cuBLAS, and prints a table.

    python3 bench/run.py --tgc build/bin/tgc --size 1024,2048 --out bench/results/NAME.csv

Wraps `tgc compare`; docs/tgc.md has the columns of the results file, to which lines are appended. Needs only a `tgc` (a
static build) and Python. With --on sim nothing is timed.
"""

import argparse
import csv
import os
import shutil
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PROGRAMS = ["examples/ladder.tgc", "examples/sgemm.tgc"]
COLUMNS = ["program", "schedule", "backend", "variant", "m", "n", "k", "ms", "tflops", "cublas_tflops", "ratio", "spills"]


def find_commit():
    """The commit of this checkout, with a '+' if files differ from it; empty without git."""
    try:
        git = ["git", "-C", ROOT]
        commit = subprocess.run(git + ["rev-parse", "--short=12", "HEAD"], capture_output=True, text=True, check=True)
        state = subprocess.run(git + ["status", "--porcelain", "-uno"], capture_output=True, text=True, check=True)
        return commit.stdout.strip() + ("+" if state.stdout.strip() else "")
    except (OSError, subprocess.CalledProcessError):
        return ""


def read_rows(path):
    if not os.path.exists(path):
        return []
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


def print_table(rows):
    table = [COLUMNS] + [[row[column] for column in COLUMNS] for row in rows]
    for line in table[1:]:
        line[0] = os.path.basename(line[0])
    widths = [max(len(line[i]) for line in table) for i in range(len(COLUMNS))]
    for line in table:
        print("  ".join(cell.ljust(width) for cell, width in zip(line, widths)).rstrip())


def print_best(rows):
    """The fastest schedule of every program, back end and size."""
    best = {}
    for row in rows:
        key = (os.path.basename(row["program"]), row["backend"], f"{row['m']}x{row['n']}x{row['k']}")
        if row["ms"] and (key not in best or float(row["ms"]) < float(best[key]["ms"])):
            best[key] = row
    for (program, backend, size), row in best.items():
        against = f", {row['ratio']} of cuBLAS" if row["ratio"] else ""
        print(f"best of {program} through {backend} at {size}: {row['schedule']}, {row['tflops']} TFLOP/s{against}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", nargs="*", help="tile programs (default: the ladder and sgemm examples)")
    parser.add_argument("--tgc", default="tgc", metavar="PATH", help="the driver (default: tgc on PATH)")
    parser.add_argument("--size", default="1024,2048", metavar="N,MxNxK,...", help="default: 1024,2048")
    parser.add_argument("--out", required=True, metavar="FILE", help="results file, appended to")
    parser.add_argument("--backend", choices=["ptx", "cuda", "both"], default="both")
    parser.add_argument("--on", choices=["gpu", "sim"], default="gpu")
    parser.add_argument("--commit", default=find_commit(), metavar="HASH", help="default: that of this checkout")
    args = parser.parse_args()
    if not shutil.which(args.tgc):
        parser.error(f"--tgc {args.tgc}: no such program")

    # Names of programs in the results do not depend on where the checkout is.
    programs = [os.path.abspath(program) for program in args.program] or [os.path.join(ROOT, p) for p in PROGRAMS]
    out = os.path.abspath(args.out)
    tgc = os.path.abspath(shutil.which(args.tgc))
    before = len(read_rows(out))
    status = 0
    for program in programs:
        command = [tgc, "compare", os.path.relpath(program, ROOT), "--size", args.size, "--on", args.on, "--csv", out]
        if args.on == "gpu":
            command += ["--backend", args.backend]
        if args.commit:
            command += ["--commit", args.commit]
        if subprocess.run(command, cwd=ROOT).returncode != 0:
            print(f"run.py: error: tgc compare {program} failed", file=sys.stderr)
            status = 1
    rows = read_rows(out)[before:]
    if rows:
        print()
        print_table(rows)
        print_best(rows)
    return status


if __name__ == "__main__":
    sys.exit(main())
