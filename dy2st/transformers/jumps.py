"""`break`, `continue` and early `return` become flags, which guard the statements that they skip.

    for x in xs:                     break_0 = False
        if p(x):                     for x in xs:                      (goes on while not break_0)
            log(x)                       if p(x):
            break            ->              log(x)
        log("next")                          break_0 = True
        use(x)                           if not break_0:
                                             log("next")
                                             use(x)

Guards stand one after another, never inside each other. A jump at the end of what it would skip needs no flag. `returns`
and `break_continue` say what one jump becomes; this file walks the statements.
"""

import gast

from . import builders as build
from .analysis.paths import falls_through, may_swallow
from .base import LOOPS, TRIES, blocks, locate
from .break_continue import LoopJumps
from .finally_jumps import jumps_to_lower, lower_finally
from .returns import ReturnJumps

NOWHERE: frozenset = frozenset()


class JumpLowering:
    """Rewrites one function. `tail` is the set of jumps that lead to where a block's end leads anyway."""

    def __init__(self, function, naming):
        self.function, self.naming = function, naming
        self.returns = ReturnJumps(function, naming)
        self.loops: list[LoopJumps] = []

    def lower(self):
        body, _ = self.block(self.function.body, frozenset({gast.Return}))
        self.function.body = self.returns.finish(body)

    def block(self, statements, tail):
        """The statements without jumps, and the flags that they may have set."""
        result = part = []
        exits: set[str] = set()
        for position, node in enumerate(statements):
            arrives = falls_through([node])
            last = position == len(statements) - 1 or not arrives
            new, flags = self.statement(node, tail if last else NOWHERE)
            part.extend(new)
            exits |= flags
            if last:
                break
            if flags:
                part = []
                result.append(locate(guard(exits, part), statements[position + 1]))
        return [node for node in result if not _is_empty_guard(node)], exits

    def statement(self, node, tail):
        if isinstance(node, gast.Return):
            return self.returns.lower(node, gast.Return in tail)
        if isinstance(node, (gast.Break, gast.Continue)):
            return self.loops[-1].lower(node, type(node) in tail)
        if isinstance(node, LOOPS):
            return self.loop(node, tail)
        if isinstance(node, TRIES):
            return self.try_statement(node, tail)
        exits: set[str] = set()
        late = isinstance(node, gast.With) and may_swallow(node) and _may_raise_late(node.body)
        for block in blocks(node):
            block[:], flags = self.filled(block, tail)
            exits |= flags
        if late and exits:
            node.body = [_undone_by_exceptions(node.body, exits)]
        return [node], exits

    def filled(self, statements, tail):
        body, exits = self.block(statements, tail)
        return body or [locate(gast.Pass(), statements[0])], exits

    def loop(self, node, tail):
        jumps = LoopJumps(self.naming)
        self.loops.append(jumps)
        body, exits = self.block(node.body, frozenset({gast.Continue}))
        self.loops.pop()
        orelse, node.orelse = node.orelse, []
        before, stops = jumps.finish(node, body, exits)
        left = exits - jumps.flags()
        if not orelse:
            return [*before, node], left
        after, flags = self.filled(orelse, tail)
        if stops:
            after = [locate(guard(stops, after), orelse[0])]
        return [*before, node, *after], left | flags

    def try_statement(self, node, tail):
        if jumps_to_lower(self, node.finalbody):
            return lower_finally(self, node)
        risky = _may_raise_late(node.body)
        body_tail = NOWHERE if node.orelse else tail
        node.body, exits = self.filled(node.body, body_tail)
        left = set(exits)
        for handler in node.handlers:
            handler.body, flags = self.filled(handler.body, tail)
            if risky:
                handler.body[:0] = _undo(exits, handler)
            left |= flags
        if node.orelse:
            first = node.orelse[0]
            node.orelse, flags = self.filled(node.orelse, tail)
            if exits:
                node.orelse = [locate(guard(exits, node.orelse), first)]
            left |= flags
        if node.finalbody:
            node.finalbody, _ = self.filled(node.finalbody, NOWHERE)
        return [node], left


def guard(flags, body):
    """`if not (break_0 or return_0): body`"""
    return gast.If(build.negation(build.disjunction(sorted(flags))), body, [])


def _is_empty_guard(node):
    """Whether this is a guard of nothing: all that it would skip is a jump that needs no flag."""
    return isinstance(node, gast.If) and not node.body


def _undo(flags, origin):
    """A jump that an exception overtakes has not happened."""
    return [locate(build.assign(flag, build.constant(False)), origin) for flag in sorted(flags)]


def _undone_by_exceptions(body, flags):
    """The body of a context manager that may swallow an exception: one that overtakes a jump clears the flags."""
    handler = gast.ExceptHandler(build.load("BaseException"), None, [*_undo(flags, body[0]), gast.Raise(None, None)])
    return locate(gast.Try(body, [handler], [], []), body[0])


def _may_raise_late(statements) -> bool:
    """Whether leaving the block by a jump runs code that may raise: a `finally` block or a context manager's exit."""
    return any(isinstance(node, gast.With) or getattr(node, "finalbody", None)
               or any(_may_raise_late(block) for block in blocks(node)) for node in statements)
