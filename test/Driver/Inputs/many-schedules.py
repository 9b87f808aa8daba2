# many-schedules.py KERNELS SCHEDULES                         prints a tile program with so many kernels and schedules each
# many-schedules.py KERNELS SCHEDULES --each TGC FILE FOLDER  compiles each alone and compares with the files of FOLDER
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

kernels, schedules = int(sys.argv[1]), int(sys.argv[2])
names = [(f"k{i // schedules}", f"s{i}") for i in range(kernels * schedules)]


def compile_alone(tgc, file, folder, kernel, schedule):
    command = [tgc, "build", file, "--kernel", kernel, "--schedule", schedule, "--emit=ptx"]
    alone = subprocess.run(command, capture_output=True, check=True).stdout
    with open(f"{folder}/{kernel}_{schedule}.ptx", "rb") as ptx:
        return None if alone == ptx.read() else f"{kernel}_{schedule}: other bytes in the folder"


if "--each" in sys.argv:
    with ThreadPoolExecutor() as pool:
        results = list(pool.map(lambda name: compile_alone(*sys.argv[4:7], *name), names))
    different = [result for result in results if result]
    sys.exit("\n".join(different) if different or len(results) != kernels * schedules else 0)

print("tgc 1")
for k in range(kernels):
    print(f"kernel k{k}(A: f32[M, K], B: f32[K, N]) -> C: f32[M, N] {{ C = A @ B }}")
for i, (kernel, schedule) in enumerate(names):
    block, thread = [("16x16x8", "1x1"), ("32x32x8", "2x2"), ("32x64x8", "2x4"), ("64x32x16", "4x2")][i % 4]
    stages = 1 + i // 4 % 3
    print(f"schedule {schedule} for {kernel} {{ block {block} thread {thread} stage A stage B by cp.async pipeline {stages} }}")
