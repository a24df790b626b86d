"""Writes random functions full of control flow, for comparing plain Python with rewritten code.

Every function takes `log` (records what happens), `ask` (answers every condition, and stops endless loops by an
exception) and two numbers. Names `v0` ... may be unbound anywhere; that is the point.
"""

import linecache

NAMES = ["v0", "v1", "v2", "v3"]


class Exhausted(BaseException):
    """`ask` has no answers left."""


class Manager:
    """A context manager that records, and swallows ValueError if told so."""

    def __init__(self, log, swallow):
        self.log, self.swallow = log, swallow

    def __enter__(self):
        self.log("enter")
        return 7

    def __exit__(self, kind, error, traceback):
        self.log("exit")
        return self.swallow and kind is not None and issubclass(kind, ValueError)


class Writer:
    def __init__(self, random, size=22):
        self.random, self.size = random, size
        self.lines: list[str] = []

    def write(self):
        self.lines = ["def f(log, ask, a, b):"]
        self.block(1, loop=False, function=True)
        return "\n".join(self.lines) + "\n"

    def emit(self, depth, text):
        self.lines.append("    " * depth + text)

    def pick(self, *choices):
        return choices[self.random.randrange(len(choices))]

    def name(self):
        return self.pick(*NAMES)

    def expression(self, depth=0):
        kind = self.random.randrange(14 if depth < 2 else 5)
        if kind < 2:
            return str(self.random.randrange(9))
        if kind < 4:
            return self.name()
        if kind < 5:
            return self.pick("a", "b")
        inner = [self.expression(depth + 1) for _ in range(3)]
        return self.pick(
            f"({inner[0]} + {inner[1]})",
            f"({inner[0]} and {inner[1]})",
            f"({inner[0]} or {inner[1]})",
            f"(not {inner[0]})",
            f"({inner[0]} if {inner[1]} else {inner[2]})",
            f"({inner[0]} < {inner[1]} <= {inner[2]})",
            f"log({inner[0]})",
            f"({self.name()} := {inner[0]})",
            f"sum([v9 + {inner[0]} for v9 in range(2)])",
            f"(lambda v9: v9 + {inner[0]})({inner[1]})",
            f"[{inner[0]}, {inner[1]}][0]",
            f"f'{{{inner[0]}}}'.__len__()",
        )

    def test(self):
        return self.pick("ask()", "ask()", "ask()", f"ask() and {self.expression(1)}", f"({self.name()} := ask())",
                         f"ask() or ({self.name()} := ask())")

    def block(self, depth, loop, function=False):
        for _ in range(self.random.randrange(1, 4 if depth > 1 else 7)):
            self.statement(depth, loop)

    def statement(self, depth, loop):
        self.size -= 1
        deep = depth > 4 or self.size < 0
        kinds = ["assign", "assign", "log", "log", "augment", "delete", "exit"]
        if not deep:
            kinds += ["if", "if", "if", "while", "for", "for", "try", "with", "def", "match", "handler_name"]
        getattr(self, self.pick(*kinds))(depth, loop)

    def assign(self, depth, loop):
        self.emit(depth, self.pick(f"{self.name()} = {self.expression()}", f"{self.name()} = {self.expression()}",
                                   f"{self.name()}, {self.name()} = {self.expression()}, {self.expression()}"))

    def log(self, depth, loop):
        self.emit(depth, f"log({self.expression()})")

    def augment(self, depth, loop):
        self.emit(depth, f"{self.name()} += {self.expression()}")

    def delete(self, depth, loop):
        self.emit(depth, f"del {self.name()}")

    def exit(self, depth, loop):
        exits = [f"return {self.expression()}", "return", "raise ValueError('planted')", "log('stays')"]
        self.emit(depth, self.pick(*exits, *(["break", "continue"] * 3 if loop else [])))

    def nested(self, depth, head, loop):
        self.emit(depth, head)
        self.block(depth + 1, loop)

    def if_(self, depth, loop):
        self.nested(depth, f"if {self.test()}:", loop)
        while self.random.randrange(3) == 0:
            self.nested(depth, f"elif {self.test()}:", loop)
        if self.random.randrange(2):
            self.nested(depth, "else:", loop)

    def while_(self, depth, loop):
        self.emit(depth, f"while {self.pick(self.test(), self.test(), 'True')}:")
        self.emit(depth + 1, "log('round')")
        self.block(depth + 1, True)
        if self.random.randrange(3) == 0:
            self.nested(depth, "else:", loop)

    def for_(self, depth, loop):
        head = self.pick(f"for {self.name()} in range({self.random.randrange(4)}):",
                         f"for {self.name()} in [1, {self.expression()}]:",
                         f"for {self.name()}, {self.name()} in [(1, 2), (3, 4)]:")
        self.nested(depth, head, True)
        if self.random.randrange(3) == 0:
            self.nested(depth, "else:", loop)

    def try_(self, depth, loop):
        self.nested(depth, "try:", loop)
        handlers = self.random.randrange(3)
        if handlers:
            self.nested(depth, self.pick("except ValueError:", "except (ValueError, NameError):"), loop)
            if handlers == 2:
                self.nested(depth, "except Exception:", loop)
            if self.random.randrange(2):
                self.nested(depth, "else:", loop)
        if not handlers or self.random.randrange(3) == 0:
            self.emit(depth, "finally:")
            self.emit(depth + 1, f"log({self.expression()})")
            if self.random.randrange(3) == 0:
                self.block(depth + 1, loop)
            self.emit(depth + 1, f"{self.name()} = {self.expression()}")

    def handler_name(self, depth, loop):
        name = self.name()
        self.nested(depth, "try:", loop)
        self.nested(depth, f"except ValueError as {name}:", loop)

    def with_(self, depth, loop):
        self.nested(depth, f"with Manager(log, {self.pick(True, False)}) as {self.name()}:", loop)

    def def_(self, depth, loop):
        inner = self.pick("g", "h")
        self.emit(depth, f"def {inner}(p, q={self.expression()}):")
        if self.random.randrange(3) == 0:
            self.emit(depth + 1, f"nonlocal {NAMES[0]}")
            self.emit(depth + 1, f"{NAMES[0]} = p")
        self.emit(depth + 1, f"if p: return {self.expression()}")
        self.emit(depth + 1, f"return {self.expression()}")
        self.emit(depth, f"log({inner}({self.expression()}))")

    def match(self, depth, loop):
        self.emit(depth, f"match {self.expression()}:")
        self.nested(depth + 1, "case 1 | 2:", loop)
        if self.random.randrange(2):
            self.nested(depth + 1, f"case {self.name()} if {self.test()}:", loop)
        if self.random.randrange(2):
            self.nested(depth + 1, "case _:", loop)


for _word in ("if", "while", "for", "try", "with", "def"):
    setattr(Writer, _word, getattr(Writer, _word + "_"))

_count = 0


def compile_function(text):
    """The function `f` of the text, with its source where linecache finds it; None where Python refuses the text."""
    global _count
    _count += 1
    filename = f"<random function {_count}>"
    linecache.cache[filename] = (len(text), None, text.splitlines(True), filename)
    namespace = {"Manager": Manager}
    try:
        exec(compile(text, filename, "exec"), namespace)
    except SyntaxError:
        return None
    return namespace["f"]


def run(function, answers, a=1, b=2, steps=150):
    """What the function did: its log, and its value or the type of its exception."""
    history, left = [], list(answers)

    def log(value):
        history.append(repr(value))
        if len(history) > steps:
            raise Exhausted
        return value

    def ask():
        log("ask")
        return left.pop(0) if left else False

    try:
        result = "value", repr(function(log, ask, a, b))
    except NameError:
        result = ("NameError",)
    except (Exception, Exhausted) as error:
        result = type(error).__name__, str(error)
    return history, result
