"""Breaks every kernel of tile programs in every way of a list, one operation at a time, and says what the simulator finds.

    fault_mutants.py EQUIVALENT FILE.tgc...

The mutants are of the thread program (L3), by text:

    barrier deleted, wait deleted, commit deleted
    barrier guarded   thread 0 does not come to it
    wait raised       one group more may be in flight
    wait lowered      one group fewer
    zeros deleted     zeros are not stored to registers: where a sum starts, and what stands for elements past an edge
    valid dropped     a copy is of full width at an edge, too
    edge ignored      a condition that makes elements past an edge zeros, or drops them, is always true
    edge moved        an element past the edge is inside
    tiles overlap     the tiles of C that blocks compute start one row or column too early
    shift             an index of an access of shared or global memory is 1 more

Each runs on shapes with tails, of several k tiles, of fewer than the pipeline has slots, and of whole tiles, until there is a
fault. A mutant that gives the right C on all shapes has to match a line of EQUIVALENT, `PATTERN: reason`, and whatever a
pattern matches has to survive. The last thing printed is a table of mutations by what found them.
"""

import collections
import concurrent.futures
import fnmatch
import os
import re
import subprocess
import sys

# What a fault's message has, by kind; the first that fits.
KINDS = [
    ("in flight", r"is in flight"),
    ("global race", r"give each element to one thread"),
    ("race", r"with no gpu\.barrier in between"),
    ("unwritten", r"which no thread has written|which it has not written"),
    ("bounds", r"outside its|in a gap between the rows"),
    ("alignment", r"bytes past a multiple of"),
    ("barrier", r"all threads of a block must arrive"),
]
COLUMNS = [kind for kind, _ in KINDS] + ["wrong C", "equivalent"]

Mutant = collections.namedtuple("Mutant", "kernel mutation ordinal detail text")


def run(command, text=None):
    return subprocess.run(command, input=text, capture_output=True, text=True)


class Kernel:
    """A function of a module that is left alone with it, and the calls that it is run on."""

    def __init__(self, module, name):
        lines = module.split("\n")
        starts = [i for i, line in enumerate(lines) if line.startswith("    gpu.func @")]
        ends = [next(j for j in range(i, len(lines)) if lines[j] == "    }") for i in starts]
        self.name = name
        # The other variants go.
        own = next(i for i, start in enumerate(starts) if f"gpu.func @{name}(" in lines[start])
        # Messages name shared memory by its location.
        buffer = re.compile(r"%(\w+) : (memref<[\dx]+xf32, #gpu\.address_space<workgroup>>)")
        self.before = lines[: starts[0]] + [buffer.sub(r'%\1 : \2 loc("\1")', lines[starts[own]])]
        self.body = lines[starts[own] + 1 : ends[own]]
        self.after = lines[ends[own] :] if own == len(starts) - 1 else lines[ends[own] : ends[own] + 1] + lines[ends[-1] + 1 :]
        self.calls = self.get_calls(lines[starts[own]])

    def get_calls(self, header):
        m, n, k = (int(x) for x in re.search(r"tgc\.schedule<block = <(\d+)x(\d+)x(\d+)>", header).groups())
        slots = int(re.search(r" pipeline = (\d+)", header).group(1))
        multiples = {name: int(number) for name, number in re.findall(r'#tgc\.fact<multiple "(\w+)" (\d+)>', header)}

        def round_up(name, number):
            return -(-number // multiples.get(name, 1)) * multiples.get(name, 1)

        calls = []
        for sizes in [(5, 7, k + 3), (m + 3, n + 5, (slots + 1) * k + 1), (m, n, (slots + 2) * k), (m - 1, 3, 1)]:
            sizes = [round_up(name, size) for name, size in zip("MNK", sizes)]
            rows = re.findall(r'tgc\.dims = \["\w+", "(\w+)"\], tgc\.name = "(\w+)"', header)
            # A gap after each row, so that what is past its end is no element of the next one.
            lds = [f"{operand}={round_up('ld' + operand, sizes['MNK'.index(dim)] + 1)}" for dim, operand in rows]
            calls.append(["--size", "x".join(map(str, sizes)), "--ld", ",".join(lds), "--fill", "integers"])
        return calls

    def simulate(self, body):
        """What finds a mistake: a kind of fault, "wrong C", or "equivalent"."""
        text = "\n".join(self.before + body + self.after)
        verdict, detail = "equivalent", ""
        for call in self.calls:
            result = run(["tgc-simulate", "-"] + call, text)
            fault = re.search(r"^<stdin>:\d+:\d+: error: (.*)", result.stderr, re.MULTILINE)
            if fault:
                kind = next((kind for kind, pattern in KINDS if re.search(pattern, fault.group(1))), None)
                return kind or sys.exit(f"{self.name}: unknown fault, or no L3: {result.stderr}"), fault.group(1)
            if result.returncode == 1 and ", wrong, " in result.stdout:
                verdict, detail = "wrong C", detail or " ".join(call)
            elif result.returncode != 0:
                sys.exit(f"{self.name}: exit code {result.returncode}: {result.stderr}")
        return verdict, detail


def shifts(line):
    """(name, changed line) for each index of an access of shared or global memory."""
    access = re.match(r" *(?:%\S+ = )?(memref\.load|memref\.store|vector\.load|vector\.store|tgc\.cp_async) ", line)
    if not access or "address_space<private>" in line:
        return
    indent = line[: len(line) - len(line.lstrip())]
    for place in re.finditer(r"%(\w+)\[([^\]]*)\]", line.split(" : ")[0]):
        indices = place.group(2).split(", ")
        for i, index in enumerate(indices):
            shifted = ", ".join(indices[:i] + ["%shifted"] + indices[i + 1 :])
            changed = line[: place.start(2)] + shifted + line[place.end(2) :]
            before = f"{indent}%by = arith.constant 1 : index\n{indent}%shifted = arith.addi {index}, %by : index\n"
            yield f"{access.group(1)} {place.group(1)}[{place.group(2)}] at {i}", before + changed


def mutations(line):
    """(mutation, detail, what stands in place of the line)."""
    operation = line.strip()
    indent = line[: len(line) - len(line.lstrip())]
    if operation.startswith("gpu.barrier"):
        yield "barrier deleted", "", ""
        yield "barrier guarded", "", "\n".join(
            [
                "%id = gpu.thread_id x",
                "%zero = arith.constant 0 : index",
                "%others = arith.cmpi ne, %id, %zero : index",
                "scf.if %others {",
                "  gpu.barrier",
                "}",
            ]
        )
    if operation.startswith("tgc.cp_async_commit"):
        yield "commit deleted", "", ""
    wait = re.match(r"tgc\.cp_async_wait (\d+)", operation)
    if wait:
        yield "wait deleted", "", ""
        yield "wait raised", "", f"{indent}tgc.cp_async_wait {int(wait.group(1)) + 1}"
        if wait.group(1) != "0":
            yield "wait lowered", "", f"{indent}tgc.cp_async_wait {int(wait.group(1)) - 1}"
    if re.match(r"(memref|vector)\.store %cst\b.*address_space<private>", operation):
        yield "zeros deleted", operation.split(" : ")[0], ""
    valid = re.search(r" valid %\w+", line)
    if valid:
        yield "valid dropped", operation.split(" : ")[0], line.replace(valid.group(0), "")
    # A select of 0 that a slot's number wraps with is not of an edge: it has 0 in the other place.
    select = re.match(r"(%\w+ = arith\.select %\w+, (%\w+)), %c0 : index", operation)
    if select:
        yield "edge ignored", operation.split(" : ")[0], f"{indent}{select.group(1)}, {select.group(2)} : index"
    branch = re.match(r"(.*scf\.if )%\w+( .*)", operation)
    if branch:
        always = f"{indent}%always = arith.constant true\n{indent}{branch.group(1)}%always{branch.group(2)}"
        yield "edge ignored", operation, always
    origin = re.match(r"(%[mn]0 = arith\.muli %\w+,) %c(\d+) : index", operation)
    if origin:
        less = f"{indent}%less = arith.constant {int(origin.group(2)) - 1} : index\n"
        yield "tiles overlap", origin.group(0), f"{less}{indent}{origin.group(1)} %less : index"
    if re.match(r"%\w+ = arith\.cmpi slt, ", operation):
        yield "edge moved", operation.split(" : ")[0], line.replace("cmpi slt", "cmpi sle")
    for detail, changed in shifts(line):
        yield "shift", detail, changed


def get_mutants(kernel):
    counts = collections.Counter()
    for i, line in enumerate(kernel.body):
        for mutation, detail, changed in mutations(line):
            counts[mutation] += 1
            yield Mutant(kernel, mutation, counts[mutation], detail, kernel.body[:i] + [changed] + kernel.body[i + 1 :])


def get_kernels(path):
    ir = run(["tgc", "build", path, "--emit=mlir"])
    if ir.returncode != 0:
        sys.exit(ir.stderr)
    for part in re.findall(r"^  gpu\.module @.*?^  }$", ir.stdout, re.MULTILINE | re.DOTALL):
        module = "module {\n" + part + "\n}\n"
        for name in re.findall(r"gpu\.func @(\w+)\(", module):
            yield Kernel(module, name)


def describe(mutant):
    detail = f" ({mutant.detail})" if mutant.detail else ""
    return f"{mutant.kernel.name}, {mutant.mutation} {mutant.ordinal}{detail}"


def read_equivalent(path):
    entries = []
    for line in open(path):
        if line.strip() and not line.startswith("#"):
            pattern, reason = line.strip().split(": ", 1)
            entries.append((pattern, reason))
    return entries


def matches(pattern, name):
    return fnmatch.fnmatchcase(name, pattern.replace("[", "[[]"))


def print_table(table):
    print("mutation".ljust(16), "mutants", *COLUMNS, sep="  ")
    for mutation, row in sorted(table.items()):
        cells = [str(row[column] or "-").rjust(len(column)) for column in COLUMNS]
        print(mutation.ljust(16), str(sum(row.values())).rjust(7), *cells, sep="  ")


def main():
    equivalent = read_equivalent(sys.argv[1])
    kernels = [kernel for path in sys.argv[2:] for kernel in get_kernels(path)]
    mutants = [mutant for kernel in kernels for mutant in get_mutants(kernel)]
    used, table, failures = collections.Counter(), {}, []
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for kernel, (verdict, detail) in zip(kernels, pool.map(lambda kernel: kernel.simulate(kernel.body), kernels)):
            if verdict != "equivalent":
                failures.append(f"{kernel.name} is not right itself: {verdict}: {detail}")
        outcomes = pool.map(lambda mutant: mutant.kernel.simulate(mutant.text), mutants)
        for mutant, (verdict, detail) in zip(mutants, outcomes):
            name = describe(mutant)
            print(f"{name}: {verdict}" + (f": {detail}" if detail else ""))
            table.setdefault(mutant.mutation, collections.Counter())[verdict] += 1
            patterns = [pattern for pattern, _ in equivalent if matches(pattern, name)]
            used.update(patterns)
            if verdict == "equivalent" and not patterns:
                failures.append(f"not noticed: {name}")
            if verdict != "equivalent" and patterns:
                failures.append(f"listed as equivalent, but found: {name}: {verdict}")
    failures += [f"no mutant is: {pattern}" for pattern, _ in equivalent if not used[pattern]]
    for failure in failures:
        print("FAILED:", failure, file=sys.stderr)
    print_table(table)
    return 1 if failures else 0


sys.exit(main())
