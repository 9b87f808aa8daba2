"""Sends programs with mistakes to the server named by argv[1], and asks about every one at random places.

Each request has to be answered, without an error, and each version of the text has to get its diagnostics.
"""

import json
import pathlib
import random
import re
import subprocess
import sys

VERSIONS = 60
WORDS = """block warp thread stage pipeline prefetch product store walk blocks_per_sm no in lanes k_major pad swizzle
by cp.async order i_inner zigzag unroll vector grouped kernel schedule for on like where tgc ld col_major { } ( ) [ ] :
, -> = += @ ' % == <= 0 3 64 1024 2147483647 99999999999 64x64 0x0 A B C M N K // """.split() + list("\U0001d6fc\u00fc\0\r\n")
NUMBERS = ["0", "1", "3", "24", "100", "1024", "1025", "65536", "2147483647"]
METHODS = ["hover", "hover", "definition", "completion", "completion", "documentSymbol", "formatting"]
URI = "file:///hostile.tgc"


def mutate(text, rng):
    for _ in range(rng.randint(1, 4)):
        at = rng.randint(0, len(text))
        numbers = list(re.finditer(r"\d+", text))
        match rng.choice(["cut", "insert", "insert", "truncate", "number"]):
            case "cut":
                text = text[:at] + text[at + rng.randint(0, 30) :]
            case "insert":
                text = f"{text[:at]} {rng.choice(WORDS)} {text[at:]}"
            case "truncate":
                text = text[: at + len(text) // 2]
            case "number" if numbers:
                number = rng.choice(numbers)
                text = text[: number.start()] + rng.choice(NUMBERS) + text[number.end() :]
    return text


def session(sources, rng):
    yield {"id": 0, "method": "initialize", "params": {"capabilities": {}}}
    for version in range(VERSIONS):
        document = {"uri": URI, "languageId": "tgc", "version": version, "text": mutate(rng.choice(sources), rng)}
        yield {"method": "textDocument/didOpen", "params": {"textDocument": document}}
        for method in METHODS:
            position = {"line": rng.randint(-1, 30), "character": rng.randint(-1, 60)}
            params = {"textDocument": {"uri": URI}, "position": position}
            yield {"id": f"{version} {method}", "method": f"textDocument/{method}", "params": params}
    yield {"id": "end", "method": "shutdown"}
    yield {"method": "exit"}


def main():
    rng = random.Random(1)
    messages = list(session([pathlib.Path(path).read_text() for path in sys.argv[2:]], rng))
    data = b""
    for message in messages:
        text = json.dumps({"jsonrpc": "2.0", **message}, ensure_ascii=rng.random() < 0.5).encode()
        data += b"Content-Length: %d\r\n\r\n%s" % (len(text), text)
    process = subprocess.run([sys.argv[1]], input=data, capture_output=True)
    # The server escapes line ends in strings, so a header can only be one.
    answers = [json.loads(text) for text in re.split(rb"Content-Length: \d+\r\n\r\n", process.stdout)[1:]]
    asked = [message["id"] for message in messages if "id" in message]
    assert process.returncode == 0, (process.returncode, answers[-1], process.stderr)
    assert [answer["id"] for answer in answers if "result" in answer] == asked
    assert [answer["params"]["version"] for answer in answers if "method" in answer] == list(range(VERSIONS))
    print(f"{len(answers)} answers")


if __name__ == "__main__":
    main()
