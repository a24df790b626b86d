"""Random choices among names and literals, which every writer of expressions makes."""

from __future__ import annotations

from random import Random

from property.scope import Scope

INTS = ("0", "1", "2", "3", "-1", "5", "7")
FLOATS = ("0.5", "1.5", "-2.0", "0.25", "3.0")
TEXTS = ('"a"', '"b"', '"ab"', '""')
KEYS = ('"a"', '"b"', '"k"')
COMPARISONS = ("<", "<=", ">", ">=", "==", "!=")


class Choices:
    """Choices; `features` says which parts of the language this program uses."""

    def __init__(self, random: Random, features: set[str]):
        self.random, self.features = random, features

    def pick(self, *choices):
        return choices[self.random.randrange(len(choices))]

    def chance(self, share: float) -> bool:
        return self.random.random() < share

    def write(self, kind: str, scope: Scope, depth: int = 0) -> str:
        """An expression of the kind."""
        return getattr(self, f"_{kind}")(scope, depth)

    def name(self, kind: str, scope: Scope) -> str | None:
        """A bound name of the kind; now and then one that may be unbound."""
        unsure = scope.unsure(kind)
        if unsure and "unbound" in self.features and self.chance(0.15):
            return self.pick(*unsure)
        bound = scope.of(kind)
        return self.pick(*bound) if bound else None

    def _or_name(self, kind: str, scope: Scope, share: float) -> str | None:
        return self.name(kind, scope) if self.chance(share) else None
