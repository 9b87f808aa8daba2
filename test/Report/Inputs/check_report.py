"""check_report.py REPORT.json SIMULATED: checks a report of tgc explain against itself and against what the simulator
counted in a run of all blocks (the output of tgc run --on sim)."""

import json
import re
import sys

with open(sys.argv[1]) as file:
    document = json.load(file)
assert document["schema"] == 1, document["schema"]
(report,) = document["reports"]
size, counts = report["size"], report["counts"]
assert counts["fma"] >= size["m"] * size["n"] * size["k"] > 0

# What is counted from one block of each kind is what all blocks do.
text = open(sys.argv[2]).read()
for what, name, unit in [
    ("shared loads", "shared_loads", "wavefronts"),
    ("shared stores", "shared_stores", "wavefronts"),
    ("global loads", "global_loads", "sectors"),
    ("global stores", "global_stores", "sectors"),
    ("async copies", "async_copies", "sectors"),
]:
    match = re.search(rf"{what}: (\d+) requests of warps, (\d+) {unit}", text)
    requests, units = (int(group) for group in match.groups()) if match else (0, 0)
    assert (counts[name]["requests"], counts[name][unit]) == (requests, units), (name, counts[name], requests, units)
blocks, threads, barriers, fma = re.search(r"(\d+) blocks of (\d+) threads, (\d+) barriers, (\d+) fma", text).groups()
assert (int(blocks), int(threads)) == (report["launch"]["blocks"], report["launch"]["threads"])
assert (int(barriers), int(fma)) == (counts["barriers"], counts["fma"])

# The lines' sums are the totals.
for name in ("shared_loads", "shared_stores", "global_loads", "global_stores", "async_copies", "async_copy_stores"):
    for key in counts[name]:
        assert sum(line[name][key] for line in report["lines"]) == counts[name][key], (name, key)
assert sum(line["fma"] for line in report["lines"]) == counts["fma"]

assert report["instructions"]["fma"] == counts["fma"]
assert report["instructions_per_thread"]["fma"] == counts["fma"] / (int(blocks) * int(threads))

metrics = {metric["id"]: metric for metric in report["metrics"]}
assert all(metric["value"] >= 0 and metric["formula"] and metric["title"] for metric in metrics.values())
read = 32 * (counts["global_loads"]["sectors"] + counts["async_copies"]["sectors"])
assert metrics["global_read_bytes"]["value"] == read
bounds = [bound["us"] for bound in report["bounds"]]
assert bounds == sorted(bounds, reverse=True) and bounds[0] > 0
assert all(decision["kind"] in ("default", "done", "declined") and decision["message"] for decision in report["decisions"])
print("report is consistent")
