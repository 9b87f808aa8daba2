# matrix.py TGC PTXAS PROGRAM...: every schedule, both variants, for every target, through ptxas. Prints a line a kernel that
# ptxas refuses or spills, and how many kernels there were.
import os
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

TARGETS = ["sm_80", "sm_86", "sm_89", "sm_90", "sm_100", "sm_120"]
tgc, ptxas, programs = sys.argv[1], sys.argv[2], sys.argv[3:]


def read_schedules(path):
    with open(path) as file:
        text = re.sub(r"//[^\n]*", "", file.read())
    return [(path, name, kernel) for name, kernel in re.findall(r"\bschedule\s+(\w+)\s+for\s+(\w+)", text)]


def check(job):
    (path, schedule, kernel), target = job
    name = f"{os.path.basename(path)} {schedule} {target}"
    with tempfile.TemporaryDirectory() as folder:
        ptx = os.path.join(folder, "kernel.ptx")
        command = [tgc, "build", path, "--schedule", schedule, "--kernel", kernel, "--target", target]
        built = subprocess.run(command + ["--emit=ptx", "-o", ptx], capture_output=True, text=True)
        if built.returncode != 0:
            # The only reasons: the target has less memory, or is older than the schedule's.
            refused = re.search(r"error: .*(but \w+ allows|but an SM of|newer than the target)", built.stderr)
            return 0, [] if refused else [f"{name}: {built.stderr}"]
        command = [ptxas, "-v", "-arch=" + target, "-o", os.path.join(folder, "kernel.cubin"), ptx]
        report = subprocess.run(command, capture_output=True, text=True)
    if report.returncode != 0:
        return 0, [f"{name}: {report.stderr}"]
    kernels = re.findall(r"(\d+) bytes stack frame, (\d+) bytes spill stores, (\d+) bytes spill loads", report.stderr)
    return len(kernels), [f"{name}: stack, spill stores, spill loads {k}" for k in kernels if k != ("0", "0", "0")]


jobs = [(schedule, target) for path in programs for schedule in read_schedules(path) for target in TARGETS]
with ThreadPoolExecutor(os.cpu_count()) as pool:
    results = list(pool.map(check, jobs))
for _, problems in results:
    for problem in problems:
        print(problem)
print(f"{sum(count for count, _ in results)} kernels of {sum(count > 0 for count, _ in results)} builds")
