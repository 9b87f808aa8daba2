"""Breaks one kernel in every way there is, one line at a time, and says what the simulator makes of it.

    mutants.py FILE KERNEL SIZE LD

At L2: each wait becomes a front, which does not wait; each wait lets one slot more, or one less, be in flight; each release
and each commit goes. At L3: each barrier, wait and commit goes. A mutant that gives the right C is "not noticed".
"""

import re
import subprocess
import sys

LOWER = "builtin.module(gpu.module(tgc-lower-to-threads))"


def simulate(text, kernel, size, ld, passes):
    command = ["tgc-simulate", "-", "--kernel", kernel, "--size", size, "--ld", ld]
    if passes:
        command.append("--pass-pipeline=" + passes)
    return subprocess.run(command, input=text, capture_output=True, text=True)


def report(name, result):
    if result.returncode == 0:
        print(name + ": not noticed")
    elif result.returncode == 1 and "error:" in result.stderr:
        message = result.stderr.split("error: ", 1)[1].splitlines()[0]
        message = re.sub(r"\d+", "#", message.split(";")[0])
        print(f"{name}: {message}")
    else:
        print(f"{name}: exit code {result.returncode}: {result.stderr.strip()}")


def in_flight(line, more):
    found = re.search(r" in_flight (\d+)", line)
    count = (int(found.group(1)) if found else 0) + more
    if count < 0:
        return None
    if found:
        return line.replace(found.group(0), f" in_flight {count}")
    return line.replace(" :", f" in_flight {count} :", 1)


def main():
    path, kernel, size, ld = sys.argv[1:]
    lines = open(path).read().split("\n")
    start = next(i for i, line in enumerate(lines) if line.startswith(f"gpu.module @{kernel} "))
    end = next(i for i in range(start, len(lines)) if lines[i] == "}")

    mutations = []
    counts = {}
    for i in range(start, end):
        found = re.search(r"tgc\.(wait|release|commit) ", lines[i])
        if not found:
            continue
        op = found.group(1)
        counts[op] = counts.get(op, 0) + 1
        name = f"{op} {counts[op]}"
        if op == "wait":
            front = re.sub(r" in_flight \d+", "", lines[i].replace("tgc.wait", "tgc.front"))
            mutations.append((i, name + " deleted", front))
            mutations.append((i, name + " of one slot less", in_flight(lines[i], 1)))
            mutations.append((i, name + " of one slot more", in_flight(lines[i], -1)))
        else:
            mutations.append((i, name + " deleted", ""))
    for i, name, line in mutations:
        if line is not None:
            mutant = "\n".join(lines[:i] + [line] + lines[i + 1 :])
            report(f"{kernel}, {name}", simulate(mutant, kernel, size, ld, LOWER))

    lowered = subprocess.run(
        ["tgc-opt", path, "--pass-pipeline=" + LOWER, "--mlir-print-debuginfo"], capture_output=True, text=True, check=True
    ).stdout.split("\n")
    start = next(i for i, line in enumerate(lowered) if f"gpu.module @{kernel} " in line)
    end = next((i for i in range(start + 1, len(lowered)) if "gpu.module @" in lowered[i]), len(lowered))
    counts = {}
    for i in range(start, end):
        found = re.search(r"^ *(gpu\.barrier|tgc\.cp_async_wait|tgc\.cp_async_commit)\b", lowered[i])
        if not found:
            continue
        op = found.group(1)
        counts[op] = counts.get(op, 0) + 1
        mutant = "\n".join(lowered[:i] + lowered[i + 1 :])
        report(f"{kernel} at L3, {op} {counts[op]} deleted", simulate(mutant, kernel, size, ld, ""))


main()
