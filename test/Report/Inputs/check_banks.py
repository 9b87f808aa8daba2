#!/usr/bin/env python3
"""Reads a JSON report: what its bank maps show of the first warp's first requests against the counts of all requests.

Where the maps of a line's loads or stores take the same passes, every request of that line has to take them; where they
differ, the mean has to lie between. So have the conflicts, of copies too. In a pass a bank gives one word.
"""

import json
import sys

COUNTS = {"shared_load": "shared_loads", "shared_store": "shared_stores", "async_copy": "async_copy_stores"}
LANES = BANKS = 32


def check_map(bank_map):
    """The passes serve each lane once; within a pass all words of a bank are the same."""
    words, width = bank_map["words"], bank_map["bytes"] // 4
    served = sorted(lane for wavefront in bank_map["wavefronts"] for lane in wavefront["lanes"])
    assert served == [lane for lane in range(LANES) if words[lane] is not None], served
    for wavefront in bank_map["wavefronts"]:
        bank_words = {}
        for lane in wavefront["lanes"]:
            for word in range(words[lane], words[lane] + width):
                assert bank_words.setdefault(word % BANKS, word) == word, (bank_map, wavefront)


def main():
    for report in json.load(sys.stdin)["reports"]:
        maps = {}
        for bank_map in report["banks"]:
            check_map(bank_map)
            maps.setdefault((bank_map["line"], bank_map["kind"]), []).append(bank_map)
        lines = {line["line"]: line for line in report["lines"]}
        for (line, kind), group in maps.items():
            count = lines[line][COUNTS[kind]]
            for what, of_map in (
                ("wavefronts", lambda bank_map: len(bank_map["wavefronts"])),
                ("conflicts", lambda bank_map: sum(wavefront["conflict"] for wavefront in bank_map["wavefronts"])),
            ):
                if kind == "async_copy" and what == "wavefronts":
                    continue  # they are by the lines that are read
                numbers = [of_map(bank_map) for bank_map in group]
                low, high = min(numbers) * count["requests"], max(numbers) * count["requests"]
                assert low <= count[what] <= high, (report["schedule"], line, kind, what, numbers, count)
        print(f"{report['schedule']}: {len(report['banks'])} maps of {len(maps)} accesses")


if __name__ == "__main__":
    main()
