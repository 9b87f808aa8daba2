"""Reads the messages of diagnostics out of C++ sources: a tokenizer, the calls that report, and what they say.

A message is a list of pieces: a string is fixed text, Variable what differs, Choice one of several lists of pieces. A
function that passes a parameter on to a call that reports, or returns the diagnostic to stream into, reports as well:
its callers then give the message.
"""

import dataclasses
import re

TOKEN = re.compile(
    r"""(?P<skip>\s+|//[^\n]*|/\*.*?\*/|^[ ]*\#(?:[^\n\\]|\\.)*)
      | (?P<string>"(?:[^"\\\n]|\\.)*")
      | (?P<char>'(?:[^'\\\n]|\\.)+')
      | (?P<word>[A-Za-z_]\w*)
      | (?P<number>\d[\w.']*)
      | (?P<symbol><<|->|::|==|!=|<=|>=|&&|\|\||\+=|-=|\+\+|--|.)""",
    re.S | re.M | re.X,
)
OPENING, CLOSING = {"(": ")", "[": "]", "{": "}"}, {")": "(", "]": "[", "}": "{"}
ESCAPES = {"n": "\n", "t": "\t", '"': '"', "\\": "\\", "'": "'"}

# Which argument is the message; None: only what is streamed into the result.
SINKS = {
    "emitError": 0,
    "emitOpError": 0,
    "emitWarning": 0,
    "emitRemark": 0,
    "attachNote": None,
    "createStringError": 0,
    "fault": 3,  # of the simulator
    "refuse": 2,  # of the language server
    "refuseIf": 1,  # in generated host code
}
NO_SINK = -1
# Variables whose value is printed by someone else.
ASSIGNED = ("error", "detail", "valueError")
# Calls around a piece that change nothing in it.
WRAPPERS = ("Twine", "StringRef", "string", "move", "str")
KEYWORDS = ("if", "for", "while", "switch", "return", "sizeof", "catch")


class Token:
    def __init__(self, kind, text, line):
        self.kind, self.text, self.line = kind, text, line

    def __repr__(self):
        return self.text


@dataclasses.dataclass(frozen=True)
class Variable:
    name: str


@dataclasses.dataclass(frozen=True)
class Parameter:
    """Of the function around the call: what its callers pass."""

    name: str


@dataclasses.dataclass(frozen=True)
class Choice:
    options: tuple


# What calls of helpers, and constants, stand for.
HELPERS = {
    "didYouMean": (Variable("hint"),),
    "hint": (Variable("hint"),),
    "hintFor": (Variable("hint"),),
    "itHas": ("; it has ", Variable("names"), Variable("hint")),
    "got": (", got ", Variable("token")),
    "kHelp": ("; see tgc --help",),
}


@dataclasses.dataclass
class Function:
    name: str
    parameters: list  # (name, has a default)
    streams: bool  # returns the diagnostic
    begin: int  # tokens of the body
    end: int


@dataclasses.dataclass
class Call:
    """A call that reports, or an assignment to a variable that is reported."""

    line: int
    message: tuple
    functions: list  # around it, innermost first
    callee: Function = None  # none: a base sink
    completes: bool = False  # the callee's message, with text of its own


def tokenize(text):
    tokens, line = [], 1
    for match in TOKEN.finditer(text):
        kind = match.lastgroup
        if kind != "skip":
            tokens.append(Token(kind, match.group(), line))
        line += match.group().count("\n")
    return tokens


def unescape(literal):
    return re.sub(r"\\(.)", lambda match: ESCAPES.get(match.group(1), match.group()), literal[1:-1])


def has_text(tokens):
    return any(token.kind == "string" for token in tokens)


def split(tokens, separators):
    """The parts of `tokens` between separators outside all brackets."""
    parts, depth = [[]], 0
    for token in tokens:
        if token.kind == "symbol":
            depth += (token.text in OPENING) - (token.text in CLOSING)
            if depth == 0 and token.text in separators:
                parts.append([])
                continue
        parts[-1].append(token)
    return parts


def join(pieces):
    """Neighbouring texts made one."""
    joined = []
    for piece in pieces:
        if isinstance(piece, str) and joined and isinstance(joined[-1], str):
            joined[-1] += piece
        elif piece != "":
            joined.append(piece)
    return tuple(joined)


def spell(words):
    """'numThreads' and 'getNumThreads' as 'num threads'; 'kMaxSize' as 'max size'."""
    words = re.sub(r"^(get|stringify|describe|format|quote|list)(?=[A-Z])|^k(?=[A-Z])", "", words)
    words = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", words).replace("_", " ")
    return words if words.isupper() else words.lower()


SILENT = {
    "std", "llvm", "mlir", "Twine", "to_string", "toString", "StringRef", "str", "string", "move", "quote", "const",
    "getValue", "getName", "name", "getSymName", "getNameAttr", "int", "uint64_t", "int64_t", "unsigned", "static_cast",
    "cast", "join", "this", "formatv", "value", "text", "type", "c_str", "getInt", "strerror",
}  # fmt: skip


def name_variable(tokens):
    """A word for what an expression gives: its last telling name."""
    depth, outer = 0, []
    for token in tokens:
        depth -= token.text == "]"
        if depth == 0 and token.text != "]":
            outer.append(token)
        depth += token.text == "["
    for operator in "*%/-":
        parts = split(outer, operator)
        if len(parts) > 1 and all(parts):
            return f" {operator} ".join(name_variable(part) for part in parts)
    words = [token.text for token in outer if token.kind == "word"]
    counted = words[-1:] == ["size"] and len(words) > 1 or "distance" in words
    if counted:
        words = [word for word in words if word not in ("size", "begin", "end", "distance")]
    telling = [word for word in words if word not in SILENT and not re.fullmatch(r"[a-zA-Z]", word)]
    if not words:
        return "".join(token.text for token in outer) or "number"
    return ("number of " if counted else "") + spell((telling or words)[-1])


class Source:
    def __init__(self, path):
        self.path = path
        self.tokens = tokenize(path.read_text())
        self.match = self.pair()
        self.functions = self.find_functions()

    def pair(self):
        """{index of a bracket: index of its partner}"""
        match, stack = {}, []
        for i, token in enumerate(self.tokens):
            if token.kind != "symbol":
                continue
            if token.text in OPENING:
                stack.append(i)
            elif token.text in CLOSING and stack:
                match[i] = stack.pop()
                match[match[i]] = i
        return match

    def text(self, i):
        return self.tokens[i].text if 0 <= i < len(self.tokens) else ""

    def find_functions(self):
        functions = []
        for begin, token in enumerate(self.tokens):
            if token.text != "{" or token.kind != "symbol":
                continue
            at = begin - 1
            while at > 0 and (self.tokens[at].kind == "word" or self.text(at) in ("::", "<", ">", "*", "&", "->", ",")):
                at -= 1
            if self.text(at) != ")" or at not in self.match:
                continue
            result = [token.text for token in self.tokens[at + 1 : begin]]
            opening = self.match[at]
            parameters = self.read_parameters(self.tokens[opening + 1 : at])
            if self.text(opening - 1) == "]":  # auto name = [...](...) {
                before = self.match[opening - 1] - 1
                if self.text(before) != "=":
                    continue
                name = self.text(before - 1)
            elif self.tokens[opening - 1].kind == "word" and self.text(opening - 1) not in KEYWORDS:
                name = self.text(opening - 1)
                line = opening - 2
                while line >= 0 and self.text(line) not in (";", "}", "{", ")", ":"):
                    result.append(self.text(line))
                    line -= 1
            else:
                continue
            streams = "InFlightDiagnostic" in result
            functions.append(Function(name, parameters, streams, begin, self.match[begin]))
        return functions

    @staticmethod
    def read_parameters(tokens):
        parameters = []
        for part in split(tokens, ",") if tokens else []:
            declared, *default = split(part, "=")
            words = [token.text for token in declared if token.kind == "word"]
            parameters.append((words[-1] if words else "", bool(default)))
        return parameters

    def around(self, at):
        """The functions around a token, innermost first."""
        return sorted((f for f in self.functions if f.begin < at < f.end), key=lambda f: f.end - f.begin)

    def statement_end(self, at):
        """Index of what ends the expression that goes on at `at`."""
        while at < len(self.tokens):
            text = self.text(at)
            if self.tokens[at].kind == "symbol":
                if text in OPENING:
                    at = self.match[at]
                elif text in CLOSING or text in (";", ","):
                    return at
            at += 1
        return at

    # What an expression says.

    def read(self, tokens, functions):
        """The pieces of an expression."""
        question = split(tokens, "?")
        if len(question) > 1 and has_text(question[1]):
            rest = tokens[len(question[0]) + 1 :]
            yes = split(rest, ":")[0]
            no = rest[len(yes) + 1 :]
            return (Choice((self.read(yes, functions), self.read(no, functions))),)
        for separator in ("<<", "+"):
            parts = split(tokens, separator)
            if len(parts) > 1 and (separator == "<<" or has_text(tokens) or self.has_parameter(tokens, functions)):
                return join(piece for part in parts for piece in self.read(part, functions))
        return self.read_operand(tokens, functions)

    def has_parameter(self, tokens, functions):
        names = {name for function in functions for name, _ in function.parameters}
        return len(tokens) > 1 and any(t.text in names for t in tokens[::2]) and all(
            t.kind in ("word", "string") for t in tokens[::2]
        )

    def read_operand(self, tokens, functions):
        if tokens and all(token.kind == "string" for token in tokens):
            return ("".join(unescape(token.text) for token in tokens),)
        words = [token.text for token in tokens]
        while words[:1] in (["std"], ["llvm"]) and words[1:2] == ["::"]:
            tokens, words = tokens[2:], words[2:]
        if words[-4:] == [".", "str", "(", ")"]:
            return self.read(tokens[:-4], functions)
        if words and words[0] in ("(", *WRAPPERS) and words[-1] == ")":
            inner = tokens[1:-1] if words[0] == "(" else tokens[2:-1]
            if len(split(tokens, "")) == 1 and self.closes_at_end(tokens[0 if words[0] == "(" else 1 :]):
                return self.read(inner, functions)
        if words and words[0] in HELPERS and (len(words) == 1 or self.closes_at_end(tokens[1:])):
            return HELPERS[words[0]]
        if words[:2] == ["formatv", "("] and self.closes_at_end(tokens[1:]):
            return self.read_format(split(tokens[2:-1], ","), functions)
        if words[:2] == ["createStringError", "("] and self.closes_at_end(tokens[1:]):
            arguments = split(tokens[2:-1], ",")
            return self.read(arguments[0 if has_text(arguments[0]) or len(arguments) == 1 else 1], functions)
        if len(tokens) == 1 and tokens[0].kind == "word":
            return self.read_name(tokens[0], functions)
        return (Variable(name_variable(tokens)),) if tokens else ()

    @staticmethod
    def closes_at_end(tokens):
        depth = 0
        for i, token in enumerate(tokens):
            if token.kind == "symbol":
                depth += (token.text in OPENING) - (token.text in CLOSING)
            if depth == 0:
                return i == len(tokens) - 1
        return False

    def read_format(self, arguments, functions):
        """Of llvm::formatv."""
        values = [self.read(argument, functions) for argument in arguments[1:]]

        def fill(form):
            for i, part in enumerate(re.split(r"\{(\d+)[^}]*\}", form)):
                yield from values[int(part)] if i % 2 else (part,)

        pieces = self.read(arguments[0], functions)
        if len(pieces) == 1 and isinstance(pieces[0], Choice):
            return (Choice(tuple(join(fill(option[0])) for option in pieces[0].options)),)
        return join(fill(pieces[0])) if pieces and isinstance(pieces[0], str) else pieces

    def read_name(self, token, functions):
        """A parameter, a local variable with a text, or any other name."""
        name = token.text
        for function in functions:
            if any(name == parameter for parameter, _ in function.parameters):
                return (Parameter(name),)
        texts = []
        at = self.tokens.index(token)
        if functions:
            begin, end = functions[-1].begin, min(at, functions[-1].end)
            if any(self.text(i) == "&" and self.text(i + 1) == name for i in range(begin, end)):
                return (Variable(name_variable([token])),)  # others set it, too
            for i in range(begin, end):
                if self.text(i) == name and self.text(i + 1) == "=" and self.text(i - 1) not in (".", "->"):
                    value = self.tokens[i + 2 : self.statement_end(i + 2)]
                    if has_text(value):
                        texts.append(self.read(value, functions))
        if len(texts) == 1:
            return texts[0]
        return (Choice(tuple(texts)),) if texts else (Variable(name_variable([token])),)

    # The calls that report.

    def calls(self, wrappers):
        """Every call that reports, base sinks and the functions of `wrappers`: {name: [(function, message)]}."""
        inside = -1  # the arguments of a call that takes a message
        for i, token in enumerate(self.tokens):
            if token.kind != "word":
                continue
            before, after = self.text(i - 1), self.text(i + 1)
            functions = self.around(i)
            if after == "=" and token.text in ASSIGNED and before in (";", "{", "}", ")", "else"):
                value = self.tokens[i + 2 : self.statement_end(i + 2)]
                yield Call(token.line, self.read(value, functions), functions)
            elif i > inside and after == "(" and i + 1 in self.match and not self.is_definition(i):
                for call in self.read_calls(i, wrappers, functions):
                    yield call
                    if call.completes:
                        inside = self.match[i + 1]

    def is_definition(self, i):
        """Whether the word is declared or defined here, not called."""
        if self.text(self.match[i + 1] + 1) in ("{", "const"):
            return True
        return self.tokens[i - 1].kind == "word" and self.text(i - 1) not in ("return", "else")

    def read_calls(self, i, wrappers, functions):
        """What the call of the word `i` reports."""
        token, closing = self.tokens[i], self.match[i + 1]
        arguments = split(self.tokens[i + 2 : closing], ",") if closing > i + 2 else []
        position = self.get_position(i, arguments)
        if token.text in ("fault", "refuse", "refuseIf") and len(arguments) <= position:
            position = NO_SINK  # another function of this name
        if position == 1 and len(arguments) == 4:  # Diagnostics::error with a note
            yield Call(token.line, self.read(arguments[3], functions), functions)
        if position != NO_SINK:
            given = arguments[position] if position is not None and position < len(arguments) else []
            pieces = self.read(given, functions)
            if token.text == "fault" or (token.text == "error" and position == 0):
                pieces = self.read_format(arguments[position:], functions)
            yield Call(token.line, join(pieces + self.read_stream(closing, functions)), functions)
            return
        for function, message in wrappers.get(token.text, []):
            needed = sum(not default for _, default in function.parameters)
            if not needed <= len(arguments) <= len(function.parameters) or function in functions:
                continue
            passed = dict(zip((name for name, _ in function.parameters), arguments))
            values = {name: self.read(argument, functions) for name, argument in passed.items()}
            streamed = self.read_stream(closing, functions) if function.streams else ()
            used = {piece.name for piece in flatten(message) if isinstance(piece, Parameter)}
            completes = function.streams or any(has_text(passed[name]) for name in used & set(passed))
            yield Call(token.line, join(substitute(message, values) + streamed), functions, function, completes)

    def get_position(self, i, arguments):
        """Which argument of the call of the word `i` is its message: see SINKS."""
        name, before, owner = self.text(i), self.text(i - 1), self.text(i - 2)
        member = before in (".", "->")
        if name in ("error", "warning"):
            if member and owner.lower().endswith("diagnostics"):
                return 1
            return {"WithColor": None, "Logger": 0}.get(owner, NO_SINK) if before == "::" else NO_SINK
        if name == "errs":
            return None if self.text(self.match[i + 1] + 1) == "<<" else NO_SINK
        if name == "createStringError":
            return 0 if has_text(arguments[0]) or len(arguments) == 1 else 1
        if name in ("emitError", "emitWarning", "emitRemark") and not member:
            return 1
        return SINKS.get(name, NO_SINK)

    def read_stream(self, closing, functions):
        """What is streamed into the call that ends at `closing`, and into the variable it initializes."""
        end = self.statement_end(closing + 1)
        pieces = ()
        if self.text(closing + 1) == "<<":
            pieces = self.read(self.tokens[closing + 2 : end], functions)
        begin = end
        while begin > 0 and self.text(begin - 1) not in (";", "{", "}"):
            begin -= 1
        statement = self.tokens[begin:end]
        equals = next((k for k, token in enumerate(statement) if token.text == "="), None)
        if equals is None or not functions or statement[0].text not in ("auto", "InFlightDiagnostic"):
            return pieces
        name = statement[equals - 1].text
        endings = []
        for i in range(end, functions[0].end):
            if self.text(i) != name or self.text(i + 1) != "<<":
                continue
            more = self.read(self.tokens[i + 2 : self.statement_end(i + 2)], functions)
            if self.text(i - 1) == "return":
                endings.append(more)
            else:
                pieces += (Choice((more, ())),) if self.text(i - 1) in (")", "else") else more
        return join(pieces + ((Choice(tuple(endings)),) if endings else ()))


def flatten(pieces):
    for piece in pieces:
        if isinstance(piece, Choice):
            for option in piece.options:
                yield from flatten(option)
        else:
            yield piece


def substitute(pieces, values):
    result = []
    for piece in pieces:
        if isinstance(piece, Choice):
            result.append(Choice(tuple(join(substitute(option, values)) for option in piece.options)))
        elif isinstance(piece, Parameter):
            result += values.get(piece.name, (Variable(spell(piece.name)),))
        else:
            result.append(piece)
    return tuple(result)


def has_own_text(pieces):
    return any(isinstance(piece, str) and re.search("[a-z]", piece) for piece in flatten(pieces))


def find_wrappers(source):
    """{name: [(function, message)]} of the functions whose callers give a part of the message: one message each."""
    wrappers = {}
    while True:
        found, seen = {}, set()
        for call in source.calls(wrappers):
            passed_on = call.callee and has_own_text(next(m for f, m in wrappers[call.callee.name] if f is call.callee))
            if passed_on and not call.callee.streams:
                continue
            parameters = {piece.name for piece in flatten(call.message) if isinstance(piece, Parameter)}
            for function in call.functions:
                names = {name for name, _ in function.parameters}
                if not parameters & names and not (function.streams and call.callee is None):
                    continue
                if function.begin not in seen:
                    found.setdefault(function.name, []).append((function, call.message))
                seen.add(function.begin)
                break
        if {name: len(of) for name, of in found.items()} == {name: len(of) for name, of in wrappers.items()}:
            return wrappers
        wrappers = found


def read_messages(path):
    """(line, message) of everything that a source file reports."""
    source = Source(path)
    wrappers = find_wrappers(source)
    calls = list(source.calls(wrappers))
    completed = {call.callee.begin for call in calls if call.completes}
    completed -= {call.callee.begin for call in calls if call.callee and not call.completes}
    templates = {(f.begin, m) for of in wrappers.values() for f, m in of if f.begin in completed}
    for call in calls:
        if call.callee and not call.completes:
            continue  # as the function itself has it
        if any((function.begin, call.message) in templates for function in call.functions):
            continue  # its callers have said it
        message = join(substitute(call.message, {}))
        if has_own_text(message):
            yield call.line, message
