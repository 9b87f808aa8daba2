# Prints a tile program whose scalars are named like the macros on standard input (the output of nvcc -E -Xcompiler -dM),
# those apart that no program may define.
import re
import sys

names = set(re.findall(r"^#define (\w+)", sys.stdin.read(), re.MULTILINE))
names = sorted(name for name in names if "__" not in name and not re.match("_[A-Z]|_$", name))
print("tgc 1")
for first in range(0, len(names), 400):
    some = names[first : first + 400]
    scalars = ", ".join(f"{name}: f32" for name in some)
    print(f"kernel k{first}(A: f32[M, K], B: f32[K, N], {scalars}) -> C: f32[M, N] {{\n  C = A @ B")
    print("".join(f"    + {name}\n" for name in some) + f"}}\nschedule s{first} for k{first} {{}}")
