#!/usr/bin/env python3
# ===- gpu_suite.py - every schedule, both back ends, every shape ------------===//
#
# Part of tgc, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===-------------------------------------------------------------------------===//
"""Runs every schedule of the given tile programs through both back ends on every shape, on a GPU.

A case passes if `tgc run` verifies it against float64, all launches give the same bits, and C has the bits that the
simulator, the other schedules of the kernel and the other back end give. Needs only a `tgc` (a static build) and
Python. With --on sim the schedules are compared on the simulator, without a GPU. With --sanitize the small shapes run
under the four tools of compute-sanitizer instead, and every report is a failure.

Prints one line a case and `N passed, N failed`; exit code 1 if one failed, 2 if the suite could not run.
"""

import argparse
import concurrent.futures
import csv
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections import namedtuple

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PROGRAMS = ["examples/ladder.tgc", "examples/sgemm.tgc", "test/GPU/Inputs/kernels.tgc"]
TOOLS = ["memcheck", "racecheck", "initcheck", "synccheck"]

# `product` is the kernel's text without its name: schedules of the same product have to give the same bits.
Schedule = namedtuple("Schedule", "program kernel name product")
Shape = namedtuple("Shape", "size options flags")
Case = namedtuple("Case", "schedule backend shape tool")
Result = namedtuple("Result", "case row error")  # row: what `tgc run` put into its results file, or None


class SuiteError(Exception):
    """The suite cannot run."""


def read_shapes(path):
    shapes = []
    with open(path) as file:
        for number, line in enumerate(file, 1):
            words = line.split("#")[0].split()
            if not words:
                continue
            options, flags = [], set()
            for word in words[1:]:
                if word.startswith(("ld=", "offset=")):
                    name, value = word.split("=", 1)
                    options += ["--" + name, value]
                elif word in ("small", "nosim", "alone"):
                    flags.add(word)
                else:
                    raise SuiteError(f"{path}:{number}: '{word}' is none of ld=, offset=, small, nosim, alone")
            if not re.fullmatch(r"\d+x\d+x\d+", words[0]):
                raise SuiteError(f"{path}:{number}: '{words[0]}' is not a size MxNxK")
            shapes.append(Shape(words[0], tuple(options), frozenset(flags)))
    return shapes


def read_schedules(path):
    with open(path) as file:
        text = re.sub(r"//[^\n]*", "", file.read())
    products = {}
    for name, rest in re.findall(r"\bkernel\s+(\w+)\s*(\([^{]*\{[^}]*\})", text):
        products[name] = re.sub(r"\s+", "", rest)
    found = re.findall(r"\bschedule\s+(\w+)\s+for\s+(\w+)", text)
    if not found:
        raise SuiteError(f"{path}: no schedule")
    return [Schedule(path, kernel, name, products[kernel]) for name, kernel in found]


def name_of(case):
    program = os.path.splitext(os.path.basename(case.schedule.program))[0]
    words = [program, case.schedule.name, case.backend, case.shape.size]
    words += [value for value in case.shape.options if not value.startswith("--")]
    return " ".join(words + ([case.tool] if case.tool else []))


def last_lines(text):
    return " | ".join(line.strip() for line in text.strip().splitlines()[-4:])


class Suite:
    def __init__(self, args, folder):
        self.args = args
        self.folder = folder
        self.cubins = {}
        self.sanitizer = None

    def find_sanitizer(self):
        self.sanitizer = shutil.which("compute-sanitizer") or "/usr/local/cuda/bin/compute-sanitizer"
        if not os.access(self.sanitizer, os.X_OK):
            raise SuiteError("--sanitize: no compute-sanitizer on PATH or in /usr/local/cuda/bin")

    def execute(self, command):
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=self.args.timeout)
        except subprocess.TimeoutExpired:
            return None, f"no end after {self.args.timeout} s"
        output = done.stdout + done.stderr
        if done.returncode != 0:
            return output, f"exit code {done.returncode}: {last_lines(output)}"
        return output, None

    def build(self, schedule, backend):
        """Makes the machine code of a schedule once for all its shapes."""
        path = os.path.join(self.folder, f"{len(self.cubins)}.cubin")
        self.cubins[schedule, backend] = (path, "not built")
        command = [self.args.tgc, "build", schedule.program, "--schedule", schedule.name, "--kernel", schedule.kernel]
        command += ["--emit=cubin", "--backend", backend, "-o", path]
        if self.args.target:
            command += ["--target", self.args.target]
        return (schedule, backend), path, command

    def build_all(self, pairs, pool):
        jobs = [self.build(*pair) for pair in pairs]
        for (pair, path, _), (_, error) in zip(jobs, pool.map(self.execute, [command for _, _, command in jobs])):
            self.cubins[pair] = (path, error)

    def run(self, case):
        """Runs one case; the result's hash is that of C, or None."""
        on = "sim" if case.backend == "sim" else "gpu"
        handle, path = tempfile.mkstemp(suffix=".csv", dir=self.folder)
        os.close(handle)
        command = [self.args.tgc, "run", case.schedule.program, "--schedule", case.schedule.name]
        command += ["--kernel", case.schedule.kernel, "--size", case.shape.size, "--on", on, "--csv", path]
        command += ["--commit", self.args.commit] if self.args.commit else []
        command += case.shape.options
        if on == "gpu":
            cubin, error = self.cubins[case.schedule, case.backend]
            if error:
                return Result(case, None, "build: " + error)
            command += ["--cubin", cubin, "--time=false"]
            command += ["--launches", "1" if case.tool else str(self.args.launches)]
        if case.tool:
            command = [self.sanitizer, "--tool", case.tool, "--error-exitcode", "99"] + command
        output, error = self.execute(command)
        if not error and case.tool:
            error = self.find_report(output)
        if error:
            return Result(case, None, error)
        with open(path) as file:
            rows = list(csv.DictReader(file))
        if len(rows) != 1:
            return Result(case, None, f"{len(rows)} lines in the results file, expected 1")
        return Result(case, rows[0], None)

    @staticmethod
    def find_report(output):
        """What compute-sanitizer reported, or None."""
        counts = re.findall(r"(?:ERROR|RACECHECK) SUMMARY: (\d+) (?:error|hazard)", output)
        if not counts:
            return "no summary of compute-sanitizer: " + last_lines(output)
        if any(int(count) for count in counts) or "========= Warning" in output:
            return "compute-sanitizer: " + last_lines("\n".join(re.findall(r"=========.*", output)))
        return None


class ResultsFile:
    """A line a case that ran, failed ones too."""

    COLUMNS = ["gpu", "driver", "cuda", "date", "commit", "program", "schedule", "backend", "variant", "m", "n", "k"]
    COLUMNS += ["options", "tool", "rel_err", "kernel_hash", "c_hash", "result"]

    def __init__(self, path):
        self.file = open(path, "w", newline="") if path else None
        if self.file:
            self.writer = csv.DictWriter(self.file, self.COLUMNS, restval="", extrasaction="ignore", lineterminator="\n")
            self.writer.writeheader()

    def write(self, result, error):
        if not self.file:
            return
        case = result.case
        m, n, k = case.shape.size.split("x")
        row = dict(result.row or {}, program=os.path.relpath(case.schedule.program, ROOT), backend=case.backend)
        row.update(schedule=f"{case.schedule.kernel}_{case.schedule.name}", m=m, n=n, k=k)
        row.update(options=" ".join(case.shape.options), tool=case.tool or "", result=error or "passed")
        self.writer.writerow(row)
        self.file.flush()


def make_cases(args, schedules, shapes):
    if args.sanitize:
        return [
            Case(schedule, backend, shape, tool)
            for tool in TOOLS
            for shape in shapes
            if "small" in shape.flags
            for schedule in schedules
            for backend in args.backends
        ]
    if args.on == "sim":
        return [Case(schedule, "sim", shape, None) for shape in shapes if "nosim" not in shape.flags for schedule in schedules]
    cases = []
    for shape in shapes:
        simulated = set()
        for schedule in schedules:
            # One schedule of each product on the simulator: the bits that all the others have to give.
            if "nosim" not in shape.flags and schedule.product not in simulated:
                simulated.add(schedule.product)
                cases.append(Case(schedule, "sim", shape, None))
            cases += [Case(schedule, backend, shape, None) for backend in args.backends]
    return cases


def run_suite(args):
    shapes = read_shapes(args.shapes)
    schedules = [schedule for program in args.program for schedule in read_schedules(program)]
    cases = [case for case in make_cases(args, schedules, shapes) if re.search(args.filter, name_of(case))]
    if not cases:
        raise SuiteError(f"--filter {args.filter}: no case matches")
    passed = failed = 0
    reference = {}  # (product, shape) -> the first result that verified
    results_file = ResultsFile(args.out)
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        suite = Suite(args, folder)
        if args.sanitize:
            suite.find_sanitizer()
        suite.build_all(sorted({(case.schedule, case.backend) for case in cases if case.backend != "sim"}), pool)
        shared = [case for case in cases if "alone" not in case.shape.flags]
        alone = [case for case in cases if "alone" in case.shape.flags]
        for results in (pool.map(suite.run, shared), map(suite.run, alone)):
            for result in results:
                case, error = result.case, result.error
                if not error:
                    first = reference.setdefault((case.schedule.product, case.shape), result)
                    if result.row["c_hash"] != first.row["c_hash"]:
                        error = f"C {result.row['c_hash']}, but {first.row['c_hash']} from {name_of(first.case)}"
                results_file.write(result, error)
                if error:
                    failed += 1
                    print(f"FAIL {name_of(case)}: {error}", flush=True)
                else:
                    passed += 1
                    print(f"pass {name_of(case)} {result.row['c_hash']}", flush=True)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", nargs="*", help="tile programs (default: the examples and test/GPU/Inputs/kernels.tgc)")
    parser.add_argument("--tgc", default="tgc", metavar="PATH", help="the driver (default: tgc on PATH)")
    parser.add_argument("--on", choices=["gpu", "sim"], default="gpu")
    parser.add_argument("--backends", default="ptx,cuda", help="default: ptx,cuda")
    parser.add_argument("--shapes", default=os.path.join(ROOT, "test", "GPU", "shapes.txt"), metavar="FILE")
    parser.add_argument("--launches", type=int, default=20, help="launches that have to agree (default: 20)")
    parser.add_argument("--sanitize", action="store_true", help="the small shapes under compute-sanitizer")
    parser.add_argument("--target", default="", metavar="sm_XX", help="target of the machine code (default: tgc's)")
    parser.add_argument("--filter", default="", metavar="REGEX", help="only cases whose line matches")
    parser.add_argument("--jobs", type=int, default=4, help="cases at a time (default: 4)")
    parser.add_argument("--out", default="", metavar="FILE", help="results as CSV, a line a case")
    parser.add_argument("--commit", default="", metavar="HASH", help="value of the column commit of --out")
    parser.add_argument("--timeout", type=int, default=300, metavar="SECONDS", help="of one case (default: 300)")
    args = parser.parse_args()
    args.program = args.program or [os.path.join(ROOT, program) for program in PROGRAMS]
    args.backends = args.backends.split(",")
    if not set(args.backends) <= {"ptx", "cuda"}:
        parser.error(f"--backends {','.join(args.backends)}: expected ptx, cuda or both, separated by a comma")
    if args.sanitize and args.on == "sim":
        parser.error("--sanitize needs a GPU: leave out --on sim")
    if args.jobs < 1 or args.launches < 1:
        parser.error("--jobs and --launches are at least 1")
    if not shutil.which(args.tgc):
        parser.error(f"--tgc {args.tgc}: no such program")
    try:
        re.compile(args.filter)
        return run_suite(args)
    except re.error as error:
        parser.error(f"--filter {args.filter}: {error}")
    except (SuiteError, OSError) as error:
        print(f"gpu_suite.py: error: {error}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
