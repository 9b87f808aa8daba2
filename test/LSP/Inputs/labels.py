"""Prints the labels of every completion among the answers of `tgc-lsp-server --delimited`: ID: LABEL LABEL ..."""

import json
import re
import sys

for answer in re.split(r"Content-Length: \d+\s+", sys.stdin.read())[1:]:
    answer = json.loads(answer)
    if isinstance(answer.get("result"), dict) and "items" in answer["result"]:
        print(f"{answer['id']}:", *(item["label"] for item in answer["result"]["items"]))
