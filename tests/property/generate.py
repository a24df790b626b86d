"""Random modules: a prelude of helpers and state, and a function `f(x0, n, b)` full of control flow over it.

A seed gives a text, always the same one. Each program uses a random share of the language (its features), so that a few
things meet often.
"""

from __future__ import annotations

import random

from property.prelude import PRELUDE
from property.scope import Scope
from property.statements import Statements

FEATURES = ("unbound", "exceptions", "globals", "inplace", "closures", "print", "comprehensions")
ALWAYS = ["i", "x"]
KINDS = ["f", "c", "s", "g", "l", "xs", "ll", "d", "p", "o", "m"]


def write_module(seed: int, size: int = 14, without: tuple[str, ...] = ()) -> str:
    """The source text of a module that defines `f(x0, n, b)`: a float32 vector, an int64 and a bool scalar.

    without: features and kinds of names that this module must not use.
    """
    rnd = random.Random(seed)
    features = {f for f in FEATURES if rnd.random() < 0.35}.difference(without)
    kinds = ALWAYS + rnd.sample([k for k in KINDS if k not in without], rnd.randrange(2, 6))
    writer = Statements(rnd, features, kinds, size)
    scope = Scope({"x0"}, {"x0"})
    writer.emit(0, "def f(x0, n, b):")
    if "globals" in features:
        writer.emit(1, "global COUNT")
    for kind in kinds:
        if rnd.random() < 0.75 and kind != "m":
            writer.emit(1, f"{kind}1 = {writer.expr(kind, scope, 2)}")
            scope.bind(f"{kind}1")
    if writer.block(1, scope, False):
        writer.emit(1, f"return {_result(writer, scope, kinds)}")
    return PRELUDE + "\n\n" + "\n".join(writer.lines) + "\n"


def _result(writer: Statements, scope: Scope, kinds: list[str]) -> str:
    """As much as possible of what the function holds at its end."""
    names = sorted(n for n in scope.bound if n != "x0")
    # Of an object the fields are returned: which of several objects it is, no file can tell.
    shown = [f"{n}.v, {n}.log" if n[0] == "o" else n for n in writer.random.sample(names, min(len(names), 5))]
    return ", ".join([*shown, "COUNT, KEEP.v" if "globals" in writer.features else "x0"])
