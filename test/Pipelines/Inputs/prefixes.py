"""Simulates every schedule of a tile program after every tiling pass: prefixes.py FILE SIZE"""

import re
import subprocess
import sys


def run(*command):
    return subprocess.run(command, capture_output=True, text=True)


def main():
    path, size = sys.argv[1:]
    imported = run("tgc-translate", "--import-tgc", path).stdout
    kernels = re.findall(r"gpu\.module @(\w+)", imported)
    # The passes, as its help lists them.
    listed = run("tgc-opt", "--help").stdout.split("--tgc-pipeline ")[1].split("--stop")[0]
    passes = re.findall(r"^ +=([\w-]+)", listed, re.M)
    hashes = {}
    for name in passes:
        for kernel in kernels:
            result = subprocess.run(
                ["tgc-simulate", "-", f"--tgc-pipeline=after={name}", "--kernel", kernel, "--size", size, "--hash"],
                input=imported,
                capture_output=True,
                text=True,
            )
            found = re.search(r"correct, .* hash (\w+)", result.stdout)
            if not found:
                sys.exit(f"{kernel} after {name}: {result.stdout}{result.stderr}")
            hashes.setdefault(found.group(1), f"{kernel} after {name}")
    if len(hashes) != 1:
        sys.exit(f"different C: {hashes}")
    print(f"{len(kernels)} schedules, {len(passes)} passes: one C, {next(iter(hashes))}")


main()
