"""What every part of the writer of random statements shares: the random source, the lines so far, the expressions."""

from __future__ import annotations

from random import Random

from property.expressions import Expressions
from property.scope import NAMES_PER_KIND, Scope


class Writer:
    """Lines of one function, and the choices behind them."""

    def __init__(self, random: Random, features: set[str], kinds: list[str], size: int):
        self.random, self.features, self.kinds, self.size = random, features, kinds, size
        self.expressions = Expressions(random, features)
        self.pick, self.chance = self.expressions.pick, self.expressions.chance
        self.lines: list[str] = []
        self.counters = 0
        self.loops = 0  # nesting at the moment

    def emit(self, depth: int, text: str) -> None:
        self.lines.append("    " * depth + text)

    def expr(self, kind: str, scope: Scope, depth: int = 0) -> str:
        return self.expressions.write(kind, scope, depth)

    def target(self, kind: str, scope: Scope) -> str:
        """A name to assign: never an argument, nor one that only reads here."""
        names = [f"{kind}{k}" for k in range(NAMES_PER_KIND)]
        return self.pick(*(n for n in names if n not in scope.frozen))
