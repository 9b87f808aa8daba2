"""Every word of the language, and every name, with one letter left out or two neighbours swapped: the word that was
meant is in the error."""

import re
import subprocess

KERNEL = "kernel gemm(left: f32[M, K], right: f32[K, N], alpha: f32) -> C: f32[M, N] { C = alpha * left @ right }"
EPILOGUE = "kernel f(A: f32[M, K] ld stride, B: f32[K, N] col_major, bias: f32[N]) -> C: f32[M, N] where aligned(A, 16), "
EPILOGUE += "stride % 4 == 0 { C = max(min(relu(A @ B), 1), bias) }"
CLAUSES = """schedule fast for gemm on sm_90 like base {
  block 128x128x8
  warp 32x64
  thread 8x8 in 4x4 lanes 4x8
  stage left k_major pad 4 by cp.async 4
  stage right row_major swizzle 8 by registers
  pipeline 2
  prefetch
  product order i_inner zigzag unroll 4
  store vector
  walk grouped 4
  no blocks_per_sm
}
schedule base for gemm { stage left by plain product order j_inner store scalar walk rows blocks_per_sm 2 }"""
PROGRAMS = (f"tgc 1\n{KERNEL}\n{CLAUSES}\n", f"tgc 1\n{EPILOGUE}\nschedule s for f {{}}\n")
WORD = r"(?<![\w.])[A-Za-z_][\w.]*"
# Words that the error expects at their place, or that it cannot miss.
NAMED = ("tgc", "for", "f32", "sm_90", "fast")


def misspell(word):
    """Each spelling once, without those of one letter."""
    shorter = [word[:i] + word[i + 1 :] for i in range(len(word))]
    swapped = [word[:i] + word[i + 1] + word[i] + word[i + 2 :] for i in range(len(word) - 1)]
    return sorted({w for w in shorter + swapped if re.fullmatch(r"[A-Za-z_][\w.]*[A-Za-z_]", w)} - {word})


def cases():
    """(program with one word misspelt, the word, the spelling) of every use of a word."""
    known = set(word for program in PROGRAMS for word in re.findall(WORD, program))
    for program in PROGRAMS:
        for match in re.finditer(WORD, program):
            word = match.group()
            if word in NAMED or len(word) < 2:
                continue
            for wrong in misspell(word):
                if wrong not in known:
                    yield program[: match.start()] + wrong + program[match.end() :], word, wrong


def main():
    missing, total = [], 0
    every = list(cases())
    separator = "// -----\n"
    command = ["tgc-translate", "--import-tgc", "--split-input-file"]
    run = subprocess.run(command, input=separator.join(program for program, _, _ in every), capture_output=True, text=True)
    # An error tells the line of the separator before its piece.
    starts, line = [], 1
    for program, _, _ in every:
        starts.append(line)
        line += program.count("\n") + 1
    errors = [[] for _ in every]
    for number, text in re.findall(r"<stdin>:(\d+) offset :\d+:\d+: error: (.*)", run.stderr):
        errors[max(i for i, start in enumerate(starts) if start <= int(number) + 1)].append(text)
    for (_, word, wrong), said in zip(every, errors):
        total += 1
        hints = re.findall(r"did you mean '(.*?)'\?", " ".join(said))
        # Where a name is declared, its uses are unknown; and a spelling may be one step from two words.
        meant = [hint == word or (hint == wrong and f"'{word}'" in said[0]) or wrong in misspell(hint) for hint in hints]
        if not any(meant):
            missing.append(f"{wrong} for {word}: {'; '.join(said) or 'no error'}")
    print(*missing, sep="\n")
    print(f"{total} misspelt words, {len(missing)} without a hint")


if __name__ == "__main__":
    main()
