#!/usr/bin/env python3
# ===- random_test.py - random tile programs against the compiler ------------===//
#
# Part of tgc, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===-------------------------------------------------------------------------===//
"""Runs random tile programs through tgc. Case I of seed S is the same on every machine.

legal: a random kernel, schedule, target, size, leading dimensions and alignment. `tgc compare` runs the schedule and
the naive one on the simulator; both have to agree with float64, and with each other bit for bit. Then `tgc build` has
to turn the schedule into machine code that uses no local memory, and with --host-check its CUDA C++ has to give the
same bits on the CPU. A draw that the compiler refuses, with one diagnostic, is drawn again and counted as refused.

nearly-legal: a legal case with one thing broken. It has to end in exit code 1, one diagnostic at a place in the file
and no output file, or to be legal still and then to pass as a legal case.

Prints each failure with the command that repeats it and a reduced program, then `N passed, N failed, ...`. Exit code
1 if a case failed, 2 if nothing could run. Needs a `tgc` and Python, and to reduce a `tgc-reduce` beside that `tgc`.
"""

import argparse
import concurrent.futures
import csv
import os
import random
import re
import shlex
import shutil
import struct
import subprocess
import sys
import tempfile
import time
from collections import Counter, namedtuple

import programs
import spoiling

MAX_DRAWS = 40
SECONDS = 120  # the longest a call of tgc may take
MAX_REDUCE_SECONDS = 600

# `status` is "passed", "refused" or "failed"; `kind` is the sort of failure, which stays the same while a program is
# reduced; `schedules` have run.
Outcome = namedtuple("Outcome", "status kind detail diagnostics schedules", defaults=("", "", 1, 0))
Result = namedtuple("Result", "index case outcome draws")


class SetupError(Exception):
    """Nothing can run."""


def failed(kind, detail):
    return Outcome("failed", kind, detail.strip())


# ===-- Calls of tgc -----------------------------------------------------------===//

Call = namedtuple("Call", "code out err")


def call(command, timeout=SECONDS):
    try:
        done = subprocess.run(command, capture_output=True, timeout=timeout, stdin=subprocess.DEVNULL)
    except subprocess.TimeoutExpired:
        return None
    return Call(done.returncode, done.stdout.decode(errors="replace"), done.stderr.decode(errors="replace"))


def check_refusal(result, path):
    """Exit code 1 is right only with a diagnostic: at a place in the program, or about all of it, or the problem. A
    program that breaks rules in several places may get one for each."""
    errors = [line for line in result.err.splitlines() if re.search(r"\berror:|LLVM ERROR|Assertion", line)]
    if not errors or len({line.split("error:")[0] for line in errors}) != len(errors):
        return failed("diagnostics", f"{len(errors)} diagnostics, or two at one place\n{result.err}")
    place = rf"{re.escape(path)}:\d+:\d+: error: "
    whole = rf"tgc: error: (--(size|ld|offset|schedule) |'{re.escape(path)}' (has|holds) )"
    if not all(re.match(f"{place}|{whole}", line) for line in errors):
        return failed("diagnostics", f"no place in the program\n{result.err}")
    if re.search(r"ptxas|nvJitLink|LLVM|PTX", " ".join(errors)):
        return failed("assembler", result.err)
    return Outcome("refused", "", errors[0], diagnostics=len(errors))


def check_exit(result):
    """A failure, or None for the exit codes 0 and 1."""
    if result is None:
        return failed("timeout", f"no end after {SECONDS} s")
    if result.code not in (0, 1):
        return failed(f"exit {result.code}", f"exit code {result.code}\n{result.err}")
    return None


def uses_local_memory(cubin):
    """Whether a function of the ELF file has a stack frame, by the records of its section .nv.info."""
    offset, size, count, names = struct.unpack_from("<Q10xHHH", cubin, 40)
    sections = [struct.unpack_from("<IIQQQQ", cubin, offset + i * size) for i in range(count)]
    for name, _, _, _, begin, length in sections:
        start = sections[names][4] + name
        if cubin[start : cubin.index(b"\0", start)] != b".nv.info":
            continue
        at = begin
        while at < begin + length:
            form, attribute, payload = struct.unpack_from("<BBH", cubin, at)
            if (form, attribute) == (4, 0x11) and struct.unpack_from("<I", cubin, at + 8)[0]:  # frame size
                return True
            at += 4 + (payload if form == 4 else 0)
    return False


class Tester:
    def __init__(self, args, folder):
        self.args = args
        self.folder = folder

    def compare(self, path, case):
        """Runs all schedules of a program; C has to be right, and the same in each."""
        table = path + ".csv"
        command = [self.args.tgc, "compare", path, "--on", "sim", "--size", "x".join(map(str, case.size))]
        result = call(command + case.options + ["--csv", table])
        if problem := check_exit(result):
            return problem
        if "WRONG" in result.out or "FAULT" in result.out:
            return failed("wrong", result.out + result.err)
        if result.code == 1:
            return check_refusal(result, path)
        with open(table, newline="") as file:
            rows = list(csv.DictReader(file))
        os.remove(table)
        if len({row["c_hash"] for row in rows}) != 1:
            return failed("bits", result.out)
        return Outcome("passed", schedules=len(rows))

    def build(self, path):
        """Makes machine code of the schedule `s`; a refused program leaves no file."""
        output = path + ".cubin"
        result = call([self.args.tgc, "build", path, "--schedule", "s", "--emit=cubin", "-o", output])
        if problem := check_exit(result):
            return problem
        if result.code == 1:
            left = os.path.exists(output)
            return failed("output", "a file was left behind") if left else check_refusal(result, path)
        with open(output, "rb") as file:
            local = uses_local_memory(file.read())
        os.remove(output)
        if local:
            return failed("local memory", f"the estimate of registers let it pass\n{result.err}")
        return Outcome("passed")

    def check_on_host(self, path, case, outcome):
        """The emitted CUDA C++ of the schedule `s`, built for the CPU under sanitizers, has to give the simulator's bits."""
        command = [self.args.host_check, path, "--schedule", "s", "--tgc", self.args.tgc, "--jobs", "1"]
        result = call(command + ["--size", "x".join(map(str, case.size))] + case.options)
        return outcome if result.code == 0 else failed("host", result.out + result.err)

    def check(self, program, case, machine_code=True):
        """Refused, passed or failed: what `program`, text or bytes, is on the problem of `case`."""
        handle, path = tempfile.mkstemp(suffix=".tgc", dir=self.folder)
        with os.fdopen(handle, "wb") as file:
            file.write(program if isinstance(program, bytes) else program.encode())
        try:
            outcome = self.compare(path, case)
            if outcome.status == "failed" or not self.args.machine_code or not machine_code:
                return outcome
            built = self.build(path)
            if outcome.status == "passed" and built.detail.startswith("tgc: error: --schedule s: "):
                return outcome  # it goes by another name now
            if outcome.status == "passed" and built.status == "refused":
                return failed("assembler", f"runs on the simulator, but: {built.detail}")
            if outcome.status == "passed" and built.status == "passed" and self.args.host_check:
                outcome = self.check_on_host(path, case, outcome)
            return built if built.status == "failed" else outcome
        finally:
            os.remove(path)

    # ===-- Cases --------------------------------------------------------------===//

    def run(self, index):
        """The first draw that is not refused, spoiled if it is to be, what became of it, and the number of draws."""
        spoils = self.args.kind == "nearly-legal"
        for attempt in range(1, MAX_DRAWS + 1):
            case = programs.draw_case(random.Random(f"{self.args.seed} {index} {attempt}"))
            outcome = self.check(case.program, case, machine_code=not spoils)
            if outcome.status == "refused":
                continue
            if outcome.status == "passed" and outcome.schedules < 2:
                outcome = failed("schedules", "one schedule has nothing to be equal to")
            if spoils and outcome.status == "passed":
                case.program = spoiling.spoil(random.Random(f"{self.args.seed} {index} spoil"), case.program)
                outcome = self.check(case.program, case)
            return Result(index, case, outcome, attempt)
        return Result(index, case, failed("draws", f"{MAX_DRAWS} draws in a row were refused"), MAX_DRAWS)

    # ===-- Failures -----------------------------------------------------------===//

    def fails_alike(self, program, case, kind):
        outcome = self.check(program, case)
        return outcome.status == "failed" and outcome.kind == kind

    def command(self, *words):
        common = ["--kind", self.args.kind, "--tgc", self.args.tgc]
        return [sys.executable, os.path.abspath(__file__), *common, *self.args.check_options, *words]

    def reduce_program(self, case, kind):
        """The smallest program that fails alike, or a reason why there is none."""
        if not self.args.reduce:
            return None, "no tgc-reduce beside tgc; give --reduce"
        path, output = os.path.join(self.folder, "failed.tgc"), os.path.join(self.folder, "reduced.tgc")
        with open(path, "wb") as file:
            file.write(case.program if isinstance(case.program, bytes) else case.program.encode())
        size = "x".join(map(str, case.size))
        test = self.command("--fails", kind, "--size", size, "--options", " ".join(case.options))
        command = [self.args.reduce, path, "-o", output, "--test", test[0]]
        result = call(command + [f"--test-arg={word}" for word in test[1:]], MAX_REDUCE_SECONDS)
        if result is None or result.code != 0:
            return None, result.err.strip() if result else f"no end after {MAX_REDUCE_SECONDS} s"
        with open(output, "rb") as file:
            return file.read(), None

    def reduce_problem(self, case, kind):
        """Makes sizes smaller and drops options while the program fails alike."""
        changed = True
        while changed:
            changed = False
            candidates = [(case.size, case.options[:at] + case.options[at + 2 :]) for at in range(0, len(case.options), 2)]
            for role, extent in enumerate(case.size):
                for value in sorted({0, 1, extent // 2, max(extent - 1, 0)} - {extent}):
                    if value < extent:
                        candidates.append((case.size[:role] + (value,) + case.size[role + 1 :], case.options))
            for size, options in candidates:
                smaller = programs.Case(case.program, size, options)
                if self.fails_alike(case.program, smaller, kind):
                    case, changed = smaller, True
                    break
        return case

    def report(self, result):
        case, outcome = result.case, result.outcome
        lines = [f"FAILED {self.args.kind} case {result.index} of seed {self.args.seed}: {outcome.kind}"]
        lines += ["  " + line for line in outcome.detail.splitlines()[:20]]
        repeat = self.command("--seed", str(self.args.seed), "--only", str(result.index))
        lines.append("repeat: " + shlex.join(repeat))
        if outcome.kind != "draws" and self.args.reduces:
            reduced, reason = self.reduce_program(case, outcome.kind)
            if reduced:
                case = self.reduce_problem(programs.Case(reduced, case.size, case.options), outcome.kind)
            lines.append(f"not reduced: {reason}" if reason else "reduced:")
        size = "x".join(map(str, case.size))
        lines.append(shlex.join(["tgc", "compare", "FILE.tgc", "--on", "sim", "--size", size, *case.options]))
        program = case.program if isinstance(case.program, bytes) else case.program.encode()
        lines += ["  " + line for line in program.decode(errors="backslashreplace").splitlines()]
        print("\n".join(lines), flush=True)


def run_all(tester, args):
    indices = range(args.count) if args.only is None else [args.only]
    statuses, draws, several, start = Counter(), 0, 0, time.monotonic()
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        for result in pool.map(tester.run, indices):
            statuses[result.outcome.status] += 1
            draws += result.draws
            several += result.outcome.diagnostics > 1
            if args.verbose:
                print(f"{result.index}: {result.outcome.status} {result.outcome.detail}", flush=True)
            if result.outcome.status == "failed":
                tester.report(result)
    seconds, times = time.monotonic() - start, os.times()
    busy = times.children_user + times.children_system
    refused = draws - len(indices)
    print(f"seed {args.seed}: {len(indices)} {args.kind} cases in {seconds:.0f} s, {busy:.0f} s of processor time")
    print(f"refused draws: {refused} of {draws}, {100 * refused / draws:.0f}%")
    ends = ""
    if args.kind == "nearly-legal":
        print(f"refused in several places: {several}")
        ends = f", {statuses['refused']} refused"
    print(f"{statuses['passed']} passed{ends}, {statuses['failed']} failed")
    return 1 if statuses["failed"] else 0


# ===-- Command line ------------------------------------------------------------===//


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kind", choices=["legal", "nearly-legal"], default="legal", help="default: legal")
    parser.add_argument("--seed", type=int, default=0, help="default: 0")
    parser.add_argument("--count", type=int, default=100, help="cases 0 to N - 1 (default: 100)", metavar="N")
    parser.add_argument("--only", type=int, help="run this case alone", metavar="I")
    parser.add_argument("--jobs", type=int, default=1, help="calls of tgc at a time (default: 1)", metavar="J")
    parser.add_argument("--tgc", help="default: the one on PATH", metavar="PATH")
    parser.add_argument("--reduce", help="tgc-reduce (default: beside tgc)", metavar="PATH")
    parser.add_argument("--no-reduce", action="store_false", dest="reduces", help="print failures as they are")
    parser.add_argument("--no-machine-code", action="store_false", dest="machine_code", help="only simulate")
    parser.add_argument("--host-check", help="scripts/host-check: run each program's CUDA C++ on the CPU too", metavar="PATH")
    parser.add_argument("--verbose", action="store_true", help="a line a case")
    group = parser.add_argument_group("what tgc-reduce calls", "exit code 0 if FILE fails in the way KIND")
    group.add_argument("--fails", metavar="KIND")
    group.add_argument("--size", metavar="MxNxK")
    group.add_argument("--options", default="")
    group.add_argument("file", nargs="?", metavar="FILE")
    args = parser.parse_args()
    args.check_options = [] if args.machine_code else ["--no-machine-code"]
    args.check_options += ["--host-check", args.host_check] if args.host_check else []
    tgc = args.tgc or "tgc"
    args.tgc = shutil.which(tgc)
    if not args.tgc:
        raise SetupError(f"--tgc {tgc}: not found")
    args.tgc = os.path.abspath(args.tgc)
    beside = os.path.join(os.path.dirname(os.path.realpath(args.tgc)), "tgc-reduce")
    args.reduce = args.reduce or shutil.which(beside) or shutil.which("tgc-reduce")
    if args.count < 1 or args.jobs < 1:
        raise SetupError(f"--count {args.count} --jobs {args.jobs}: expected at least 1")
    return args


def main():
    try:
        args = parse_arguments()
    except SetupError as error:
        print(f"random_test.py: error: {error}", file=sys.stderr)
        return 2
    with tempfile.TemporaryDirectory(prefix="tgc-random-") as folder:
        tester = Tester(args, folder)
        if args.fails:
            with open(args.file, "rb") as file:
                case = programs.Case(file.read(), args.size.split("x"), shlex.split(args.options))
            return 0 if tester.fails_alike(case.program, case, args.fails) else 1
        return run_all(tester, args)


if __name__ == "__main__":
    sys.exit(main())
