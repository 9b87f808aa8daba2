"""Generated parts of Markdown files, between <!-- NAME --> and <!-- /NAME -->; shared by scripts/passes and results."""

import re
import sys


def parse_check(script):
    """Whether --check was given, the only option there is."""
    if sys.argv[1:] not in ([], ["--check"]):
        sys.exit(f"usage: {script} [--check]")
    return sys.argv[1:] == ["--check"]


def has(path, name):
    return f"<!-- {name} -->" in path.read_text()


def fill(path, name, content):
    """The text of the file with its part NAME replaced."""
    begin, end = f"<!-- {name} -->", f"<!-- /{name} -->"
    text, count = re.subn(
        re.escape(begin) + r".*?" + re.escape(end),
        lambda match: f"{begin}\n{content}\n{end}",
        path.read_text(),
        flags=re.S,
    )
    if count != 1:
        sys.exit(f"{path}: {count} parts {begin} ... {end}, expected 1")
    return text


def update(path, text, check):
    """Writes the file if it differs; with check, says so instead. Returns whether it is stale."""
    if path.exists() and path.read_text() == text:
        return False
    if not check:
        path.write_text(text)
        return False
    print(f"{path} is stale", file=sys.stderr)
    return True
