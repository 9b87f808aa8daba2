"""Runs `TOOL --import-tgc` and `--format-tgc` on truncated, mutated and hostile versions of PROGRAM.

Fails if a run crashes, hangs, or fails without saying where.
"""

import random
import re
import subprocess
import sys
import tempfile

tool, path = sys.argv[1:3]
rounds = int(sys.argv[3]) if len(sys.argv) > 3 else 30
program = open(path, "rb").read()
start = program.index(b"tgc 1")
program = program[start:]

inputs = [
    b"",
    b"\0",
    b"tgc",
    b"tgc 1",
    b"tgc 99999999999999999999999999",
    b"\xef\xbb\xbftgc 1\r\n// carriage returns\r\n",
    b"tgc 1 //",
    b"tgc 1 /",
    b"tgc 1 kernel",
    b"tgc 1 schedule",
    b"tgc 1 kernel kernel schedule schedule { { } }",
    b"tgc 1 schedule s for f { no",
    b"tgc 1 schedule s for f { no stage",
    b"tgc 1 schedule s for f { block 1x2x",
    b"tgc 1 schedule s for f { block {{{{",
    b"tgc 1 schedule s for f like s { no no no }",
    b"tgc 1 schedule s for f like",
    b"tgc 1 schedule s for f on",
    b"tgc 1 kernel f(A: f32[M, K], B: f32[K, N]) -> C: f32[M, N] { C = " + b"max(" * 100000,
    b"tgc 1 kernel f(A: f32[M, K], B: f32[K, N]) -> C: f32[M, N] { C = " + b"A@" * 100000,
    b"tgc 1 kernel f(A: f32[M, K], B: f32[K, N]) -> C: f32[M, N] { C = " + b"9" * 100000 + b"*A@B}",
    b"tgc 1 kernel f(A: f32[M, K], B: f32[K, N]) -> C: f32[M, N] { C = 0." + b"0" * 100000 + b"1*A@B}",
    b"tgc 1 kernel f(A: f32[M, K], B: f32[K, N]) -> C: f32[M, N] { C = 1e" + b"9" * 100000 + b"*A@B}",
    b"tgc 1 kernel " + b"f" * 100000 + b"(A: f32[M, K], B: f32[K, N]) -> C: f32[M, N] { C = A@B}",
    b"tgc 1 schedule s for f { block " + b"1x" * 100000 + b"1 }",
    bytes(range(256)) * 20,
    b"{" * 100000,
    b"tgc 1\n" + b"// c\n" * 10000,
]
generator = random.Random(0)
for _ in range(rounds):
    inputs.append(program[: generator.randrange(len(program))])
    mutated = bytearray(program)
    for _ in range(generator.randrange(1, 6)):
        at = generator.randrange(len(mutated))
        kind = generator.randrange(4)
        if kind == 0:
            mutated[at] = generator.randrange(256)
        elif kind == 1:
            del mutated[at : at + generator.randrange(1, 20)]
        elif kind == 2:
            other = generator.randrange(len(mutated))
            mutated[at:at] = mutated[other : other + generator.randrange(1, 40)]
        else:
            mutated[at:at] = generator.choice([b"{", b"}", b"(", b"'", b"\0", b"no ", b"99999999999", b"//", b"\xff"])
    inputs.append(bytes(mutated))

bad = 0
for data in inputs:
    for option in ("--import-tgc", "--format-tgc"):
        with tempfile.NamedTemporaryFile(suffix=".tgc") as file:
            file.write(data)
            file.flush()
            run = subprocess.run([tool, option, file.name], capture_output=True, timeout=60)
        located = re.search(rb"\.tgc:\d+:\d+: error: ", run.stderr)
        if run.returncode not in (0, 1) or (run.returncode == 1 and not located):
            bad += 1
            print(f"{option} on {data[:200]!r}: exit code {run.returncode}\n{run.stderr[-1000:]!r}")
sys.exit(bad != 0)
