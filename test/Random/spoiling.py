# ===- spoiling.py - breaks one thing of a tile program ----------------------===//
#
# Part of tgc, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===-------------------------------------------------------------------------===//
"""Breaks one thing of a program: a number, a word, a clause, a name, a limit, a byte, the end of the file."""

import re

TOKEN = re.compile(r"\w[\w.]*|[^\w\s]")
KEYWORDS = """block warp thread in lanes stage row_major k_major pad swizzle by plain registers cp.async pipeline prefetch
product order i_inner j_inner zigzag unroll store scalar vector walk rows grouped blocks_per_sm no like on for kernel
schedule where aligned relu max min f32 ld col_major tgc tma split_k persistent staged""".split()
BYTES = [b"\0", b"\xff", b"\xc3\xa9", b"\xe2\x80\xa8", b"\r", b"\x1a", b"\x7f", b'"', b"\\", b"{", b"}", b"//", b"/*", b"#"]
LIMITS = [
    ("pipeline", r"pipeline \d+", ["pipeline 60", "pipeline 64", "pipeline 1"]),
    ("thread", r"thread \d+x\d+", ["thread 32x32", "thread 16x16", "thread 1x1", "thread 64x1"]),
    ("warp", r"warp \d+x\d+", ["warp 1x32", "warp 256x256", "warp 8x8"]),
    ("block", r"block \d+x\d+x\d+", ["block 1024x1024x1", "block 1024x1024x1024", "block 1x1x1", "block 512x512x64"]),
    ("pad", r"pad \d+", ["pad 1024", "pad 1025", "swizzle 8", "swizzle 3", "pad 4 swizzle 2"]),
    ("bytes", r"cp\.async( \d+)?", ["cp.async 12", "cp.async 16", "cp.async 32", "registers 16", "tma"]),
    ("blocks_per_sm", r"blocks_per_sm \d+", ["blocks_per_sm 32", "blocks_per_sm 33", "blocks_per_sm 16"]),
    ("target", r"on sm_\d+", ["on sm_75", "on sm_86", "on sm_999", "on gfx90a", "on sm_", "on sm_90a", "on 90"]),
]


def replace(text, match, new):
    return text[: match.start()] + new + text[match.end() :]


def spoil_number(rng, text):
    match = rng.choice(list(re.finditer(r"\d+", text)))
    value = int(match[0])
    new = [value + 1, value - 1, value * 2 + 1, value * 3, value * 16, 0, -value, 1, 2**31 - 1, 2**31, 10**30]
    return replace(text, match, str(rng.choice(new)))


def spoil_word(rng, text):
    match = rng.choice([token for token in TOKEN.finditer(text) if token[0][0].isalpha()])
    word = match[0]
    at = rng.randrange(len(word))
    letter = rng.choice("aekx_7'")
    new = [word[:at] + word[at + 1 :], word[:at] + letter + word[at:], word[:at] + letter + word[at + 1 :]]
    new += [word[:at] + word[at : at + 2][::-1] + word[at + 2 :], word.upper(), rng.choice(KEYWORDS)]
    return replace(text, match, rng.choice(new))


def spoil_name(rng, text):
    """One use of a name becomes another name of the program."""
    names = [token for token in TOKEN.finditer(text) if token[0][0].isalpha() and token[0] not in KEYWORDS]
    return replace(text, rng.choice(names), rng.choice(names)[0])


def spoil_tokens(rng, text):
    """A token goes, is doubled, or changes places with the next."""
    tokens = list(TOKEN.finditer(text))
    at = rng.randrange(len(tokens) - 1)
    first, second = tokens[at], tokens[at + 1]
    if rng.randrange(3) == 0:
        return text[: first.start()] + f"{second[0]} {first[0]} " + text[second.end() :]
    return replace(text, first, rng.choice(["", f"{first[0]} {first[0]}"]))


def spoil_line(rng, text):
    """A clause, or another line, goes, is doubled or moves."""
    lines = text.split("\n")
    line = lines.pop(rng.randrange(len(lines)))
    for _ in range(rng.randrange(3)):
        lines.insert(rng.randrange(len(lines) + 1), line)
    return "\n".join(lines)


def spoil_operand(rng, text):
    stages = list(re.finditer(r"stage (\w+)", text))
    name = rng.choice(["A", "B", "C", "Z", "M", "k", "alpha", "1", ""])
    return replace(text, rng.choice(stages), "stage " + name) if stages else text.replace("{}", f"{{ stage {name} }}", 1)


def spoil_limit(rng, text):
    present = [(pattern, new) for _, pattern, new in LIMITS if re.search(pattern, text)]
    if not present:
        return text.replace("{}", "{ blocks_per_sm 99 }", 1)
    pattern, new = rng.choice(present)
    return replace(text, rng.choice(list(re.finditer(pattern, text))), rng.choice(new))


def spoil_end(rng, text):
    return text[: rng.randrange(len(text))]


WAYS = [spoil_number] * 4 + [spoil_word] * 3 + [spoil_name, spoil_tokens, spoil_line, spoil_operand, spoil_end]
WAYS += [spoil_limit] * 3


def spoil(rng, program):
    """The bytes of `program` with one thing broken, which at times is none."""
    if rng.randrange(12) == 0:
        data = program.encode()
        at = rng.randrange(len(data) + 1)
        return data[:at] + rng.choice(BYTES) + data[at:]
    return rng.choice(WAYS)(rng, program).encode()
