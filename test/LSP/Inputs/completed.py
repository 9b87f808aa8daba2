"""Checks that the completed schedule that hover shows is a schedule that says the same.

completed.py SERVER FILE: hovers over every schedule of FILE, puts what is shown in the schedule's place, hovers again.
"""

import json
import pathlib
import re
import subprocess
import sys

import client


def hover(server, text):
    """{schedule: (the completed schedule, what it takes)}"""
    names = re.findall(r"^schedule (\w+) for", text, flags=re.M)
    requests = [f"hover:{name} for" for name in names]
    messages = "\n// -----\n".join(json.dumps(message) for message in client.session(text, requests)) + "\n"
    output = subprocess.run([server, "--delimited"], input=messages, capture_output=True, check=True, text=True).stdout
    answers = [json.loads(answer) for answer in re.split(r"Content-Length: \d+\s+", output)[1:]]
    values = [a["result"]["contents"]["value"] for a in answers if a.get("id") in range(1, len(names) + 1)]
    matches = [re.fullmatch(r"```tgc\n(.*?)```\n(.*)", value, flags=re.S) for value in values]
    return {name: match.groups() for name, match in zip(names, matches, strict=True)}


def main():
    server, text = sys.argv[1], pathlib.Path(sys.argv[2]).read_text()
    before = hover(server, text)
    completed = re.split(r"^(?://.*\n)*schedule ", text, maxsplit=1, flags=re.M)[0]
    completed += "".join(schedule for schedule, _ in before.values())
    after = hover(server, completed)
    for name, (schedule, takes) in before.items():
        assert after[name][0] == schedule, (schedule, after[name][0])
        # The first paragraph says what was left out, if anything was; a thread tile that is left out stays so.
        assert after[name][1].lstrip("\n") == re.sub(r"^Left out.*\n", "", takes).lstrip("\n"), (takes, after[name][1])
    print(f"{len(before)} schedules")


if __name__ == "__main__":
    main()
