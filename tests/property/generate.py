"""Random modules: a prelude of helpers and state, and a function `f(x0, n, b)` full of control flow over it.

A seed gives a text, always the same one. Each program uses a random share of the language (its features), so that a few
things meet often.
"""

from __future__ import annotations

import random

from property.prelude import PRELUDE
from property.scope import Scope, kind_of
from property.statements import Statements

FEATURES = (
    "unbound", "exceptions", "globals", "inplace", "closures", "text", "comprehensions", "match", "generators", "recursion",
    "order", "arguments", "slices", "unpack", "walrus",
)
SHARE = 0.25  # of the programs that have a feature
# Of an object the fields are returned, of a function what it gives: which of several it is, no file can tell.
SHOWN = {"o": "{0}.v, {0}.log", "q": "{0}.v, {0}.x", "j": "{0}(2)"}
ALWAYS = ["i", "x"]
KINDS = ["f", "c", "s", "g", "l", "l", "xs", "ll", "d", "p", "o", "m", "t", "u", "q", "r", "j"]


def write_module(seed: int, size: int = 14, without: tuple[str, ...] = ()) -> str:
    """The source text of a module that defines `f(x0, n, b)`: a float32 vector, an int64 and a bool scalar.

    without: features and kinds of names that this module must not use.
    """
    rnd = random.Random(seed)
    features = {f for f in FEATURES if rnd.random() < SHARE}.difference(without)
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
    shown = [SHOWN.get(kind_of(n), "{}").format(n) for n in writer.random.sample(names, min(len(names), 5))]
    return ", ".join([*shown, "COUNT, KEEP.v" if "globals" in writer.features else "x0"])
