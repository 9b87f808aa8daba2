"""Runs every pass and every translation on hostile IR.

hostile_ir.py CHUNKS.mlir PROGRAM.tgc [COUNT [SEED]]

The inputs are the chunks of CHUNKS.mlir, and COUNT random versions (by default 50) of each schedule of PROGRAM.tgc
after each pass, with one attribute `tgc.*` of the wrong kind or one number replaced. Each must end in a result or in a
diagnostic: a crash, a silent failure and a run of more than two minutes are errors, printed with the input.
"""

import concurrent.futures
import pathlib
import random
import re
import subprocess
import sys

SEPARATOR = "\n// -----\n"
LEVELS = ["complete-schedule", "specialize", "tile-blocks", "stage-shared", "tile-threads", "pipeline-copies"]
LEVELS += ["prefetch-fragments", ""]
PASSES = ["raise-linalg", "complete-schedule", "check-schedule", "specialize", "tile-blocks", "stage-shared"]
PASSES += ["tile-threads", "pipeline-copies", "prefetch-fragments", "lower-to-threads", "verify-threads"]
PASSES += ["convert-to-nvvm", "pipeline"]
TRANSLATIONS = ["cuda", "cuda-header", "ptx"]
VALUES = ["unit", "-1 : i64", '"x"', "[]", '["M", 1]', "{x = 1}", "f16", "array<i64: 1>", "#tgc.schedule<>"]
VALUES += ["#tgc.launch<threads = 32, tile = <1x1>>", '[#tgc.fact<equal "M" 0>]']
VALUES += ["170141183460469231731687303715884105727 : i128"]
NUMBERS = ["0", "-1", "3", "65536", "4294967296", "9223372036854775807"]
COMMANDS = [["tgc-opt", "--tgc-" + name] for name in PASSES]
COMMANDS += [["tgc-translate", "--tgc-to-" + name] for name in TRANSLATIONS]


OPTIONS = ["--allow-unregistered-dialect", "--split-input-file", "-"]


def run(arguments, text):
    return subprocess.run(arguments, input=text, capture_output=True, text=True, timeout=120)


def getLevels(program):
    """The text of each schedule of `program` after each pass that changes it."""
    texts = []
    text = pathlib.Path(program).read_text(encoding="utf-8")
    for schedule in re.findall(r"^schedule (\w+)", text, re.M):
        for level in LEVELS:
            options = ["--after", level] if level else []
            built = run(["tgc", "build", program, "--schedule", schedule, "--emit=mlir", *options], "")
            if built.returncode != 0:
                sys.exit(built.stderr)
            if built.stdout not in texts:
                texts.append(built.stdout)
    return texts


def findEnd(text, start):
    """The place behind the attribute value at `start`."""
    depth = 0
    for at in range(start, len(text)):
        if text[at] in "[<({":
            depth += 1
        elif text[at] in "]>)}" or (text[at] == "," and depth == 0):
            if depth == 0:
                return at
            depth -= text[at] != ","
    return len(text)


def getVersions(text):
    """`text` with one attribute of the dialect, or one number of them or of a type, replaced."""
    names = "schedule|launch|facts|dims|name|source|target|variant|comment|ld_name|sizes|unroll|reads_output"
    for match in re.finditer(rf"\btgc\.(?:{names})\b( = )?", text):
        end = findEnd(text, match.end()) if match[1] else match.end()
        for value in VALUES:
            yield text[: match.start()] + match[0].removesuffix(" = ") + " = " + value + text[end:]
    for match in re.finditer(r"\b\d+\b|(?<=x)\d+|\d+(?=x)", text):
        for number in NUMBERS:
            yield text[: match.start()] + number + text[match.end() :]


def crashes(command, chunks):
    """What is wrong with the run on `chunks`, or nothing."""
    try:
        result = run([*command, *OPTIONS], SEPARATOR.join(chunks))
    except subprocess.TimeoutExpired:
        return "does not end"
    if result.returncode not in (0, 1):
        return f"ends with {result.returncode}: {result.stderr[-2000:]}"
    if (result.returncode == 1) != (" error: " in result.stderr):
        return f"ends with {result.returncode}: {result.stderr[-2000:] or 'no error'}"
    return None


def check(command, chunks):
    """Reports one chunk that `command` crashes on, and says whether there is none."""
    what = crashes(command, chunks)
    if not what:
        return True
    while len(chunks) > 1:
        half = chunks[: len(chunks) // 2]
        chunks = half if crashes(command, half) else chunks[len(half) :]
    print(f"{' '.join(command)} {crashes(command, chunks) or what}, on\n{chunks[0]}\n")
    return False


def main():
    file, program = sys.argv[1:3]
    count, seed = [int(argument) for argument in (sys.argv[3:] + ["50", "1"][len(sys.argv) - 3 :])]
    generator = random.Random(seed)
    chunks = re.split(r"^// -----$", pathlib.Path(file).read_text(encoding="utf-8"), flags=re.M)
    levels = getLevels(program)
    versions = []
    for text in levels:
        all_versions = list(getVersions(text))
        versions += generator.sample(all_versions, min(count, len(all_versions)))
    chunks += levels + versions
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        isFine = list(pool.map(lambda command: check(command, chunks), COMMANDS))
    print(f"{len(chunks)} inputs, {len(COMMANDS)} commands, {isFine.count(False)} failed")
    sys.exit(not all(isFine))


if __name__ == "__main__":
    main()
