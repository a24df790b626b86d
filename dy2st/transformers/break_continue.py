"""`break` and `continue` set flags, which end the loop and guard the statements that they skip.

    while c:                 break_0 = False
        ...                  while not break_0 and c:
        break         ->         ...
                                 break_0 = True

`continue_0` starts as False in every round. The flags of a `for` are a mark on it (`STOP_FLAGS`), which `for_loops` tests
before it asks the iterator for more.
"""

import gast

from . import builders as build
from .analysis.paths import is_true
from .base import locate
from .marks import RETEST, STOP_FLAGS


class LoopJumps:
    """The jumps of one loop."""

    def __init__(self, naming):
        self.naming = naming
        self.names: dict[type, str] = {}

    def flags(self) -> set[str]:
        return set(self.names.values())

    def lower(self, node, at_the_end: bool):
        """The statements for one jump, and the flags that it sets."""
        kind = type(node)
        if kind is gast.Continue and at_the_end:
            return [], set()
        if kind not in self.names:
            self.names[kind] = self.naming.fresh(kind.__name__.lower())
        flag = self.names[kind]
        return [locate(build.assign(flag, build.constant(True)), node)], {flag}

    def finish(self, node, body, exits):
        """Gives the loop its new body and test; returns what goes before the loop, and the flags that stop it."""
        stops = exits - {self.names.get(gast.Continue)}
        if gast.Continue in self.names:
            body.insert(0, locate(build.assign(self.names[gast.Continue], build.constant(False)), node.body[0]))
        node.body = self.with_retest(node, body, stops) or [locate(gast.Pass(), node.body[0])]
        if stops:
            self.stop_at(node, sorted(stops))
        if gast.Break not in self.names:
            return [], stops
        return [locate(build.assign(self.names[gast.Break], build.constant(False)), node)], stops

    def with_retest(self, node: gast.While | gast.For, body: list, stops: set[str]) -> list:
        """A `while` whose test binds names computes it anew at the end of each round (see `walrus`)."""
        retest = RETEST.of(node)
        if retest and stops:
            return [*body, locate(build.branch(build.negation(build.disjunction(sorted(stops))), retest), node.test)]
        return [*body, *retest]

    def stop_at(self, node: gast.While | gast.For, stops: list[str]) -> None:
        if isinstance(node, gast.For):
            STOP_FLAGS.set(node, [build.load(flag) for flag in stops])
            return
        going = [build.negation(build.load(flag)) for flag in stops]
        parts = going if is_true(node.test) else [*going, node.test]
        node.test = locate(parts[0] if len(parts) == 1 else gast.BoolOp(gast.And(), parts), node.test)
