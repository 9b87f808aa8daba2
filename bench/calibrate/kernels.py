#!/usr/bin/env python3
# ===- kernels.py - counts of whole kernels, predicted and by ncu -------------===//
#
# Part of tgc, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===-------------------------------------------------------------------------===//
"""Compares what `tgc explain` predicts with what ncu counts, for the schedules of kernels.tgc and of the examples.

    python3 bench/calibrate/kernels.py --tgc build/bin/tgc --out bench/results/calibrate/kernels-NAME.csv

Needs a GPU, and ncu and cuobjdump of the CUDA Toolkit (`tgc explain --measure`). A line a counter; those named sass_ are how
many instructions of a kind the machine code has, which shows where ptxas joined loads. Prints, for every kernel, the counters
that differ; scripts/calibration writes docs/calibration.md from the file.
"""

import argparse
import collections
import csv
import json
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
SMALL = [("256x256x64", []), ("257x129x65", ["--offset", "B=1"])]
LARGE = [("1024x1024x1024", [])]
COLUMNS = "gpu,driver,cuda,date,commit,kernel_hash,program,schedule,variant,backend,m,n,k,options,counter,predicted,ncu"


def list_calls():
    """(program, schedule, backend, size, options)."""
    for program, sizes in [("bench/calibrate/kernels.tgc", SMALL), ("examples/ladder.tgc", LARGE), ("examples/sgemm.tgc", LARGE)]:
        for schedule in re.findall(r"^schedule (\w+)", (ROOT / program).read_text(), re.M):
            for size, options in sizes:
                yield program, schedule, "cuda", size, options
            yield program, schedule, "ptx", *sizes[0]


def explain(tgc, commit, program, schedule, backend, size, options):
    command = [tgc, "explain", program, "--schedule", schedule, "--backend", backend, "--size", size, *options]
    command += ["--measure", "--format=json", "--commit", commit]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    if run.returncode != 0:
        sys.exit(f"kernels.py: error: {' '.join(command)}: {run.stderr.strip()}")
    return json.loads(run.stdout)["reports"][0]


def count_instructions(tgc, program, schedule, backend, variant):
    """Opcode -> how often the kernel's machine code has it; those that the report predicts."""
    with tempfile.TemporaryDirectory() as folder:
        cubin = pathlib.Path(folder, "kernel.cubin")
        command = [tgc, "build", program, "--schedule", schedule, "--backend", backend, "--emit=cubin", "-o", str(cubin)]
        subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
        text = subprocess.run(["cuobjdump", "-sass", str(cubin)], check=True, capture_output=True, text=True).stdout
    counts = collections.Counter()
    for part in re.split(r"Function : ", text)[1:]:
        if not variant or part.split()[0].endswith("_" + variant):
            counts.update(re.findall(r"\b(LDS(?:\.64|\.128)?|STS(?:\.64|\.128)?|LDG|STG|LDGSTS|FFMA)[. ]", part))
    return counts


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tgc", default=str(ROOT / "build" / "bin" / "tgc"))
    parser.add_argument("--out", required=True)
    parser.add_argument("--commit", default="")
    arguments = parser.parse_args()
    tgc = str(pathlib.Path(arguments.tgc).resolve())
    rows, equal = [], 0
    calls = list(list_calls())
    for program, schedule, backend, size, options in calls:
        report = explain(tgc, arguments.commit, program, schedule, backend, size, options)
        measured = report["measured"]
        if "counters" not in measured:
            sys.exit(f"kernels.py: error: no counters: {measured['counters_missing']}")
        head = [measured[key] for key in ("gpu", "driver", "cuda", "date", "commit", "kernel_hash")]
        head += [program, schedule, report["variant"], backend, *(report["size"][key] for key in "mnk"), " ".join(options)]
        differ = []
        for counter, value in measured["counters"].items():
            predicted = report["predictions"].get(counter)
            rows.append([*head, counter, "" if predicted is None else int(predicted), int(value)])
            if predicted is not None and predicted != value:
                differ.append(f"{counter} {int(predicted)} {int(value)}")
        if not options:
            counted = count_instructions(tgc, program, schedule, backend, report["variant"])
            rows += [[*head, f"sass_{opcode}", "", number] for opcode, number in sorted(counted.items())]
        equal += not differ
        print(f"{schedule} {backend} {size} {report['variant']}: {', '.join(differ) or 'equal'}", flush=True)
    with open(arguments.out, "w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(COLUMNS.split(","))
        writer.writerows(rows)
    print(f"{equal} of {len(calls)} kernels equal in every counter")


if __name__ == "__main__":
    main()
