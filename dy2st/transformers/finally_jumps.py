"""A jump out of a `finally` block swallows the exception that is on its way and replaces the jump that led there.

    while c:                       try:
        try:                           A          (its own jumps are flags already)
            A                      except BaseException:
        finally:                       B          (with break_1 for `break`)
            B; break       ->          if not break_1:
                                           raise
                                   else:
                                       B
                                   if break_1:
                                       return_0 = False      (whatever A had set)
                                       break_0 = True
"""

import copy

import gast

from . import builders as build
from .analysis.paths import escaping_jumps
from .base import locate
from .break_continue import LoopJumps

NOWHERE: frozenset = frozenset()


def jumps_to_lower(lowering, statements) -> list:
    """The jumps out of a `finally` block that must become flags; a plain `return` in straight code stays."""
    return [jump for jump in escaping_jumps(statements)
            if not isinstance(jump, gast.Return) or lowering.returns.active]


def lower_finally(lowering, node):
    """The statements for a `try` whose `finally` block jumps, and the flags that they may have set."""
    final, node.finalbody = node.finalbody, []
    body, exits = lowering.filled([node] if node.handlers else node.body, NOWHERE)
    inside = _InsideFinally(lowering)
    on_error, _ = inside.filled(copy.deepcopy(final))
    normally, flags = inside.filled(final)
    reraise = gast.Raise(None, None)
    if flags:      # none, where the jumps can't be reached
        reraise = build.branch(build.negation(build.disjunction(sorted(flags))), [reraise])
    handler = gast.ExceptHandler(build.load("BaseException"), None, [*on_error, reraise])
    result = [gast.Try(body, [handler], normally, [])]
    result[:0] = [build.assign(flag, build.constant(False)) for flag in sorted(flags)]
    for kind, flag in sorted(inside.flags(), key=str):
        jump, own = inside.outer_jump(kind, node)
        resets = [build.assign(other, build.constant(False)) for other in sorted(exits - own)]
        result.append(build.branch(build.load(flag), [*resets, *jump]))
        exits = exits | own
    for new in result:
        locate(new, node)
    return result, exits


class _InsideFinally:
    """Lowers the block with flags of its own: those set before it skip nothing in it."""

    def __init__(self, lowering):
        self.lowering = lowering
        self.returns, self.loop = copy.copy(lowering.returns), LoopJumps(lowering.naming)
        self.returns.flag = None

    def filled(self, statements):
        lowering = copy.copy(self.lowering)
        lowering.returns, lowering.loops = self.returns, [self.loop]
        return lowering.filled(statements, NOWHERE)

    def flags(self):
        """The kinds of jumps in the block, and the flag of each."""
        of_loop = list(self.loop.names.items())
        return [*of_loop, (gast.Return, self.returns.flag)] if self.returns.flag else of_loop

    def outer_jump(self, kind, origin):
        """The jump itself, as the code around the `try` makes it."""
        if kind is not gast.Return:
            return self.lowering.statement(locate(kind(), origin), NOWHERE)
        flag = self.lowering.returns.need_flag()
        return [build.assign(flag, build.constant(True))], {flag}
