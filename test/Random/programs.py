# ===- programs.py - random tile programs and problems to run them on --------===//
#
# Part of tgc, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===-------------------------------------------------------------------------===//
"""Draws a kernel, a schedule for it and a problem.

The draw keeps to most rules of docs/schedule.md so that most programs are legal, and strays from each of them now and
then: the compiler is the judge.
"""

from dataclasses import dataclass, field

TARGETS = ["sm_80", "sm_86", "sm_89", "sm_90", "sm_100", "sm_120"]
LANES = [(4, 8), (8, 4), (2, 16), (16, 2), (1, 32), (32, 1)]
PRIMES = [2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 53, 61, 67, 79, 97, 101, 113, 127, 131, 151, 199, 257]
MAX_FMA = 3_000_000  # of one problem on the simulator
MAX_UNROLLED = 1024  # fused multiply-adds of a thread in one k tile


@dataclass
class Matrix:
    """A parameter: a scalar has no dims, a vector one, a matrix two."""

    name: str
    dims: list
    col_major: bool = False
    ld_name: str = ""

    def text(self):
        words = f"{self.name}: f32" + (f"[{', '.join(self.dims)}]" if self.dims else "")
        words += f" ld {self.ld_name}" if self.ld_name else ""
        return words + (" col_major" if self.col_major else "")

    def contiguous(self):
        return self.dims[0] if self.col_major else self.dims[-1]


@dataclass
class Kernel:
    dims: list  # the names, or numbers, that play M, N and K
    params: list
    output: Matrix
    statement: str
    facts: list = field(default_factory=list)

    def text(self):
        where = f" where {', '.join(self.facts)}" if self.facts else ""
        params = ", ".join(param.text() for param in self.params)
        return f"kernel k({params}) -> {self.output.text()}{where} {{ {self.statement} }}"


@dataclass
class Tile:
    """What the draw of clauses and of problems has to know of a schedule."""

    block: tuple = (16, 16, 1)
    thread: tuple = None
    group: tuple = None
    threads: int = 256
    stages: int = 1
    staged: list = field(default_factory=list)
    by_registers: int = 0  # elements a thread holds of copies


@dataclass
class Case:
    """A program, and the options of `tgc compare` that make the problem."""

    program: str
    size: tuple
    options: list


def chance(rng, probability):
    return rng.random() < probability


# ===-- Kernels ----------------------------------------------------------------===//


class KernelDraw:
    def __init__(self, rng):
        self.rng = rng
        names = rng.choice([["M", "N", "K"]] * 6 + [["rows", "cols", "depth"], ["K", "M", "N"]])
        self.dims = [str(rng.choice([1, 7, 16, 32, 64, 96])) if chance(rng, 0.06) else name for name in names]
        if self.dims[0] == self.dims[1]:  # equal numbers cannot tell rows from columns
            self.dims[0] = names[0]
        self.params = []

    def matrix(self, name, rows, cols):
        """A matrix of this logical shape, stored in one of four ways; the second result is how it is written."""
        transposed = chance(self.rng, 0.3)
        dims = [cols, rows] if transposed else [rows, cols]
        ld_name = "stride" + name if chance(self.rng, 0.15) else ""
        self.params.append(Matrix(name, dims, chance(self.rng, 0.2), ld_name))
        return name + ("'" if transposed else "")

    def operand(self, depth):
        """An operand of the epilogue that is no product; each parameter is new."""
        number = len(self.params)
        kind = self.rng.choice(["scalar", "scalar", "number", "rows", "cols", "matrix", "old", "call"])
        if kind == "call" and depth < 3:
            return self.call(self.operand(depth + 1), depth + 1)
        if kind == "number" or number > 8:
            return self.rng.choice(["0.5", "2", "1.25", "3e-1", "1"])
        if kind == "old":
            return "C"
        if kind == "matrix":
            return self.matrix(f"R{number}", self.dims[0], self.dims[1])
        dims = {"rows": [self.dims[0]], "cols": [self.dims[1]]}.get(kind, [])
        self.params.append(Matrix(f"v{number}", dims))
        return f"v{number}"

    def call(self, value, depth):
        name = self.rng.choice(["relu", "relu", "max", "min"])
        return f"relu({value})" if name == "relu" else f"{name}({value}, {self.operand(depth + 1)})"

    def epilogue(self, product):
        value = product
        for depth in range(self.rng.choice([1, 1, 2, 3, 4])):
            form = self.rng.choice(["+", "+", "-", "*", "/", "call", "negate", "swapped"])
            if form == "call":
                value = self.call(value, depth)
            elif form == "negate":
                value = f"-({value})"
            elif form == "swapped":
                value = f"{self.operand(depth)} {self.rng.choice('+-*')} ({value})"
            elif form == "/":
                value = f"({value}) / {self.rng.choice(['2', '0.75', '3'])}"
            else:
                value = f"({value}) {form} {self.operand(depth)}"
        return value

    def draw(self):
        rng = self.rng
        m, n, k = self.dims
        product = f"{self.matrix('A', m, k)} @ {self.matrix('B', k, n)}"
        output = Matrix("C", [m, n], chance(rng, 0.15))
        kind = rng.choice(["plain"] * 4 + ["add", "scaled", "bias"] + ["epilogue"] * 3)
        assign = "+=" if kind == "add" or kind == "epilogue" and chance(rng, 0.2) else "="
        value = product
        if kind == "scaled":
            self.params += [Matrix("alpha", []), Matrix("beta", [])]
            value = f"alpha * {product} + beta * C"
        elif kind == "bias":
            self.params.append(Matrix("bias", [n]))
            value = f"relu({product} + bias)"
        elif kind == "epilogue":
            value = self.epilogue(product)
        return Kernel(self.dims, self.params, output, f"C {assign} {value}")


# ===-- Schedules --------------------------------------------------------------===//


class ScheduleDraw:
    """`clauses` maps the key of a clause to its text."""

    def __init__(self, rng, kernel):
        self.rng = rng
        self.kernel = kernel
        self.tile = Tile()
        self.clauses = {}

    def block_alone(self):
        rng = self.rng
        self.tile.block = (rng.choice([1, 2, 8, 16, 32, 64]), rng.choice([4, 8, 16, 24, 32, 64]), self.depth(16))

    def depth(self, most):
        fits = [bk for bk in (1, 2, 4, 8, 8, 16, 16, 32, 3, 5, 6, 12) if bk <= most]
        return self.rng.choice(fits)

    def warp_tiles(self):
        rng = self.rng
        lanes = rng.choice(LANES)
        thread = (rng.choice([1, 2, 4, 8, 4, 8, 3, 6]), rng.choice([1, 2, 4, 8, 4, 8, 3, 16]))
        if not chance(rng, 0.6):
            thread = (min(thread[0], 4), min(thread[1], 4))
        warp = (lanes[0] * thread[0], lanes[1] * thread[1])
        warps = rng.choice([(1, 1), (1, 2), (2, 1), (2, 2), (2, 2), (4, 1), (1, 4), (2, 4), (4, 2), (4, 4)])
        depth = self.depth(MAX_UNROLLED // (thread[0] * thread[1]))
        self.tile.block = (warp[0] * warps[0], warp[1] * warps[1], depth)
        self.tile.threads = 32 * warps[0] * warps[1]
        if chance(rng, 0.1):
            self.clauses["warp"] = f"warp {warp[0]}x{warp[1]}"
            return
        self.tile.thread = thread
        text = f"thread {thread[0]}x{thread[1]}"
        divisors = [[d for d in range(1, extent + 1) if extent % d == 0] for extent in thread]
        if chance(rng, 0.6):
            self.tile.group = (rng.choice(divisors[0]), rng.choice(divisors[1][-2:]))
            text += f" in {self.tile.group[0]}x{self.tile.group[1]}"
        if chance(rng, 0.7):
            text += f" lanes {lanes[0]}x{lanes[1]}"
        if chance(rng, 0.7):
            self.clauses["warp"] = f"warp {warp[0]}x{warp[1]}"
        self.clauses["thread"] = text

    def stage(self, name):
        """A stage clause for A or B, by the rule `stage` of docs/schedule.md."""
        rng = self.rng
        matrix = next(param for param in self.kernel.params if param.name == name)
        outer = self.tile.block[0 if name == "A" else 1]
        depth = self.tile.block[2]
        along_k = matrix.contiguous() == self.kernel.dims[2]
        contiguous = depth if along_k else outer
        words = [f"stage {name}"]
        order = rng.choice(["", "row_major", "k_major", "k_major"])
        words.append(order)
        row = depth if along_k and order != "k_major" else outer
        transposes = along_k and order == "k_major"
        pad = 0
        if chance(rng, 0.4):
            pad = rng.choice([1, 2, 4, 4, 8, 3])
            words.append(f"pad {pad}")
        elif chance(rng, 0.4):
            fits = [s for s in (2, 4, 8) if row % (4 * s) == 0] or [2]
            words.append(f"swizzle {rng.choice(fits)}")
        by = rng.choice(["", "plain", "registers", "cp.async", "cp.async"])
        if by:
            fits = [b for b in (4, 8, 16) if contiguous % (b // 4) == 0]
            if by == "cp.async":
                fits = [b for b in fits if (row + pad) * 4 % b == 0 and not (transposes and b > 4)]
            if chance(rng, 0.05):
                fits = [4, 8, 16]
            words += ["by", by] + ([str(rng.choice(fits))] if chance(rng, 0.6) else [])
        if by in ("", "registers"):
            self.tile.by_registers += outer * depth // self.tile.threads + 1
        self.tile.staged.append((row, outer * depth // row, pad))
        self.clauses["stage " + name] = " ".join(word for word in words if word)

    def pipeline(self):
        most = 96 * 1024 // (4 * sum(rows * (row + pad) for row, rows, pad in self.tile.staged))
        stages = self.rng.choice([1, 2, 2, 3, 3, 4, 5, 6, 9])
        self.tile.stages = stages if chance(self.rng, 0.03) else max(1, min(stages, most))
        if self.tile.stages > 1 or chance(self.rng, 0.3):
            self.clauses["pipeline"] = f"pipeline {self.tile.stages}"

    def compute(self):
        rng = self.rng
        depth = self.tile.block[2]
        strays = chance(rng, 0.03)
        can_prefetch = self.tile.thread and len(self.tile.staged) == 2 and self.tile.stages > 1 and depth % 2 == 0
        if (can_prefetch and chance(rng, 0.5)) or strays:
            self.clauses["prefetch"] = "prefetch"
        words = []
        if chance(rng, 0.5):
            words.append("order " + rng.choice(["i_inner", "j_inner"]) + rng.choice(["", " zigzag"]))
        if "prefetch" not in self.clauses and chance(rng, 0.3):
            words.append(f"unroll {rng.choice([d for d in range(1, depth + 1) if depth % d == 0])}")
        if words:
            rng.shuffle(words)
            self.clauses["product"] = "product " + " ".join(words)

    def launch(self):
        rng = self.rng
        columns = (self.tile.group or self.tile.thread or (1, 1))[1]
        can_vector = columns % 2 == 0 and not self.kernel.output.col_major
        if chance(rng, 0.6):
            self.clauses["store"] = "store " + ("vector" if can_vector and chance(rng, 0.8) else "scalar")
        if chance(rng, 0.5):
            self.clauses["walk"] = rng.choice(["walk rows", f"walk grouped {rng.choice([1, 2, 3, 4, 8, 16])}"])
        if chance(rng, 0.4):
            tm, tn = self.tile.thread or (4, 4)
            fragments = (tm + tn) * (2 if "prefetch" in self.clauses else 1)
            needs = (tm * tn + fragments + self.tile.by_registers + 28) * self.tile.threads
            fits = [b for b in (1, 2, 3, 4, 8) if b * needs <= 65536 and b * self.tile.threads <= 1536]
            self.clauses["blocks_per_sm"] = f"blocks_per_sm {rng.choice(fits or [1])}"

    def draw(self):
        if chance(self.rng, 0.15):
            self.block_alone()
        else:
            self.warp_tiles()
        self.clauses["block"] = "block " + "x".join(map(str, self.tile.block))
        for name in ("A", "B"):
            if chance(self.rng, 0.75):
                self.stage(name)
        if self.tile.staged:
            self.pipeline()
        self.compute()
        self.launch()
        return self

    def text(self, name, head, keys=None, more=()):
        lines = [self.clauses[key] for key in (keys or self.clauses)] + list(more)
        self.rng.shuffle(lines)
        return f"schedule {name} for k{head} {{\n" + "".join(f"  {line}\n" for line in lines) + "}\n"


# ===-- Problems ---------------------------------------------------------------===//


def draw_extent(rng, tile, most):
    around = [tile - 1, tile, tile + 1, 2 * tile - 1, 2 * tile, 2 * tile + 1, 3 * tile]
    kind = rng.random()
    value = rng.choice(around) if kind < 0.6 else rng.choice(PRIMES) if kind < 0.9 else rng.choice([0, 1, 1])
    return max(0, min(value, most))


def draw_size(rng, kernel, tile):
    bm, bn, bk = tile.block
    fixed = [int(dim) if dim.isdigit() else None for dim in kernel.dims]
    m = fixed[0] or draw_extent(rng, bm, 4 * bm + 1)
    n = fixed[1] or draw_extent(rng, bn, 4 * bn + 1)
    padded = max(1, -(-m // bm) * bm * -(-n // bn) * bn)
    fills = rng.choice([bk, bk * tile.stages, bk * max(1, tile.stages - 1)])
    k = fixed[2] or draw_extent(rng, fills, max(bk, MAX_FMA // padded))
    return m, n, k


def draw_problem(rng, kernel, tile):
    """The size, the options of the call, and the facts that it makes true."""
    size = draw_size(rng, kernel, tile)
    values = dict(zip(kernel.dims, size))
    facts = [f"{dim} % {d} == 0" for dim in values for d in (2, 4, 8, 16) if values[dim] % d == 0]
    facts += [f"{dim} <= {values[dim] + rng.choice([0, 1, 100])}" for dim in values if values[dim]]
    facts += [f"{dim} == {values[dim]}" for dim in values if values[dim]]
    lds, offsets = [], []
    aligned = chance(rng, 0.5)
    for param in [*kernel.params, kernel.output]:
        if not param.dims:
            continue
        offset = 0 if chance(rng, 0.6) else rng.choice([4, 8, 64]) if aligned else rng.choice([1, 2, 3, 4, 7])
        if offset:
            offsets.append(f"{param.name}={offset}")
        facts += [f"aligned({param.name}, {bytes})" for bytes in (4, 8, 16, 32) if offset * 4 % bytes == 0]
        if len(param.dims) < 2:
            continue
        ld = values[param.contiguous()]
        if chance(rng, 0.4):
            ld += -ld % 4 + rng.choice([0, 4, 16]) if aligned else rng.choice([1, 2, 3, 4, 5, 8])
            lds.append(f"{param.name}={ld}")
        name = param.ld_name or "ld" + param.name
        facts += [f"{name} % {d} == 0" for d in (2, 4, 8) if ld % d == 0]
    options = ["--ld", ",".join(lds)] if lds else []
    options += ["--offset", ",".join(offsets)] if offsets else []
    options += ["--fill", "integers"] if chance(rng, 0.3) else []
    options += ["--seed", str(rng.randrange(1000))]
    return size, options, facts


def draw_facts(rng, facts, dims):
    """A few of `facts`, at most one of a kind about a name; numbers need none."""
    chosen = {}
    for fact in rng.sample(facts, min(len(facts), rng.choice([0, 0, 0, 1, 2, 4]))):
        subject = fact.split("(")[1].split(",")[0] if fact.startswith("aligned") else fact.split()[0]
        kind = "aligned" if fact.startswith("aligned") else fact.split()[1]
        if not (subject in dims and subject.isdigit()):
            chosen.setdefault((subject, kind), fact)
    return list(chosen.values())


def draw_case(rng):
    """A kernel with the schedules `naive` and `s`, in most cases legal."""
    kernel = KernelDraw(rng).draw()
    schedule = ScheduleDraw(rng, kernel).draw()
    size, options, facts = draw_problem(rng, kernel, schedule.tile)
    kernel.facts = draw_facts(rng, facts, kernel.dims)
    target = f" on {rng.choice(TARGETS)}" if chance(rng, 0.75) else ""
    program = f"tgc 1\n\n{kernel.text()}\n\nschedule naive for k {{}}\n\n"
    if chance(rng, 0.15) and len(schedule.clauses) > 1:
        # The block stays; what else goes to the base has to be legal without the rest.
        base = [key for key in schedule.clauses if key in ("block", "warp", "thread", "stage A", "stage B")]
        program += schedule.text("base", target, base, ["walk grouped 5"]) + "\n"
        rest = [key for key in schedule.clauses if key not in base] + rng.sample(base, 1)
        program += schedule.text("s", " like base", rest, [] if "walk" in rest else ["no walk"])
    else:
        program += schedule.text("s", target)
    return Case(program, size, options)
