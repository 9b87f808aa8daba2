"""A client of the language server: makes sessions for tests.

client.py messages FILE REQUEST...   messages for `tgc-lsp-server --delimited`, about the tile program FILE
client.py framed SERVER FILE         a session with Content-Length headers, checked here

A REQUEST is METHOD:TEXT[#N] or METHOD: the method behind textDocument/, at the N-th (1) character of the first TEXT
in the file. Positions count UTF-16 code units.
"""

import json
import pathlib
import subprocess
import sys

URI = "untitled:/test.tgc"


def message(method, params=None, request=None):
    result = {"jsonrpc": "2.0", "method": method}
    if request is not None:
        result["id"] = request
    if params is not None:
        result["params"] = params
    return result


def position_of(text, offset):
    before = text[:offset]
    line = before.rsplit("\n", 1)[-1]
    return {"line": before.count("\n"), "character": len(line.encode("utf-16-le")) // 2}


def session(text, requests):
    """The messages of a whole session: the program is opened, asked about, and closed."""
    document = {"uri": URI, "languageId": "tgc", "version": 1, "text": text}
    yield message("initialize", {"capabilities": {}}, 0)
    yield message("initialized", {})
    yield message("textDocument/didOpen", {"textDocument": document})
    for number, request in enumerate(requests, 1):
        method, _, place = request.partition(":")
        params = {"textDocument": {"uri": URI}}
        if place:
            name, _, index = place.partition("#")
            offset = text.find(name)
            if offset < 0:
                sys.exit(f"client.py: no '{name}' in the program")
            params["position"] = position_of(text, offset + int(index or 1) - 1)
        yield message(f"textDocument/{method}", params, number)
    yield message("textDocument/didClose", {"textDocument": {"uri": URI}})
    yield message("shutdown", None, "end")
    yield message("exit")


def framed(server, text):
    """Speaks to the server as an editor does: writes a message, reads the answer."""
    process = subprocess.Popen([server], stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def send(content):
        data = json.dumps(content, ensure_ascii=False).encode()
        process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(data), data))
        process.stdin.flush()

    def receive():
        header = process.stdout.readline()
        assert header.startswith(b"Content-Length: ") and process.stdout.readline() == b"\r\n", header
        return json.loads(process.stdout.read(int(header.split()[1])))

    answered = 0
    for content in session(text, ["hover:naive for", "documentSymbol", "nonsense"]):
        send(content)
        method = content["method"]
        if "id" in content:
            answer = receive()
            assert answer["id"] == content["id"], answer
            if method == "textDocument/nonsense":
                assert answer["error"]["code"] == -32601, answer
            else:
                assert "result" in answer, answer
            if method == "textDocument/hover":
                assert "256 threads" in answer["result"]["contents"]["value"], answer
            if method == "textDocument/documentSymbol":
                assert [symbol["name"] for symbol in answer["result"]][:2] == ["sgemm", "naive"], answer
            answered += 1
        elif method in ("textDocument/didOpen", "textDocument/didClose"):
            answer = receive()
            assert answer["method"] == "textDocument/publishDiagnostics", answer
            assert answer["params"]["diagnostics"] == [], answer
            answered += 1
    assert process.stdout.read() == b"" and process.wait() == 0
    print(f"{answered} answers")


def main():
    if sys.argv[1] == "framed":
        framed(sys.argv[2], pathlib.Path(sys.argv[3]).read_text())
        return
    text = pathlib.Path(sys.argv[2]).read_text()
    print("\n// -----\n".join(json.dumps(content) for content in session(text, sys.argv[3:])))


if __name__ == "__main__":
    main()
