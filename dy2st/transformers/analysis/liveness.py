"""Liveness: which names are still read after each statement, so which ones a generated function must hand on.

    for i in xs:
        t = i * 2       # t is dead at the loop's head and after it: a local of the loop body
        y = y + t       # y is live: carried by the loop

Works on code whose jumps became flags. Every block has a summary (reads before assigning, surely assigns, may assign);
one walk from the end then gives each If / While / For the names that are live after it.
"""

from __future__ import annotations

import dataclasses

import gast

from ..base import LOOPS, TRIES
from ..marks import STOP_FLAGS
from . import paths
from .events import CAPTURE, DELETE, LOAD, POP, PUSH, STORE, events_of

EVERYTHING = -1      # what follows a `raise` is never read


@dataclasses.dataclass
class Summary:
    """The effect of a piece of code on names; each field is a set of bits."""

    reads: int = 0       # read before the code surely assigned them
    kills: int = 0       # surely assigned
    writes: int = 0      # maybe assigned or deleted
    deletes: int = 0     # maybe deleted
    uses: int = 0        # occur at all

    def then(self, after: Summary) -> Summary:
        return Summary(self.reads | after.reads & ~self.kills, self.kills | after.kills, self.writes | after.writes,
                       self.deletes | after.deletes, self.uses | after.uses)

    def beside(self, other: Summary) -> Summary:
        """Either this or the other runs."""
        return Summary(self.reads | other.reads, self.kills & other.kills, self.writes | other.writes,
                       self.deletes | other.deletes, self.uses | other.uses)

    def maybe(self) -> Summary:
        return self.beside(Summary())

    def before(self, live: int) -> int:
        """The names live before this code, given those live after it."""
        return self.reads | live & ~self.kills


@dataclasses.dataclass
class StatementFacts:
    """What is known about one statement of control flow."""

    summary: Summary
    live_out: int
    live_head: int       # loops: live where the next round begins
    raised: int          # assigned inside and live where an exception raised inside would be handled in this function


class Liveness:
    """`facts`: the live names and the summary of each statement of control flow."""

    def __init__(self, names):
        self.names = names
        self.facts: dict[int, StatementFacts] = {}
        self.summaries: dict[int, Summary] = {}

    def run(self, statements) -> Liveness:
        self.walk(statements, live=0, raised=0)
        return self

    # Summaries, from the inside out

    def block(self, statements) -> Summary:
        total = Summary()
        for statement in statements:
            total = total.then(self.summary(statement))
        return total

    def summary(self, node) -> Summary:
        known = self.summaries.get(id(node))
        if known is None:
            method = getattr(self, "sum_" + type(node).__name__, self.sum_simple)
            known = self.summaries[id(node)] = method(node)
        return known

    def sum_simple(self, *nodes) -> Summary:
        result, saved = Summary(), []
        for kind, name, _ in events_of(*nodes):
            bit = self.names.bit(name)
            result.uses |= bit
            if kind in (LOAD, CAPTURE, DELETE):
                result.reads |= bit & ~result.kills
            if kind in (STORE, DELETE):
                result.kills |= bit
                result.writes |= bit
            if kind == DELETE:
                result.deletes |= bit
            elif kind == PUSH:
                saved.append(result.kills)
            elif kind == POP:
                result.kills = saved.pop()
        return result

    def sum_Raise(self, node):
        return self.sum_simple(node.exc, node.cause).then(Summary(kills=EVERYTHING))

    def sum_Return(self, node):
        return self.sum_simple(node.value).then(Summary(kills=EVERYTHING))

    def sum_If(self, node):
        return self.sum_simple(node.test).then(self.block(node.body).beside(self.block(node.orelse)))

    def sum_While(self, node):
        return self.sum_simple(node.test).then(self.block(node.body).maybe())

    def sum_For(self, node):
        return self.sum_simple(node.iter).then(self.round(node).maybe())

    def round(self, node: gast.While | gast.For) -> Summary:
        """One round of a loop, from its head to its head."""
        if isinstance(node, gast.While):
            return self.sum_simple(node.test).then(self.block(node.body))
        flags = self.sum_simple(*STOP_FLAGS.of(node))
        return flags.then(self.sum_simple(node.target)).then(self.block(node.body))

    def sum_Try(self, node):
        body = self.block(node.body)
        normal = body.then(self.block(node.orelse))
        whole = normal
        for handler in node.handlers:
            handled = self.sum_handler(handler)
            whole = whole.beside(body.maybe().then(handled))
        if not node.finalbody:
            return whole
        final = self.block(node.finalbody)
        both = whole.then(final)
        both.reads |= final.reads      # an exception may come before anything was assigned
        return both

    sum_TryStar = sum_Try

    def sum_handler(self, handler):
        result = self.sum_simple(handler.type)
        name = self.names.bit(handler.name.id) if handler.name else 0
        return result.then(Summary(kills=name, writes=name, deletes=name, uses=name)).then(self.block(handler.body))

    def sum_With(self, node):
        items = Summary()
        for item in node.items:
            items = items.then(self.sum_simple(item.context_expr, item.optional_vars))
        body = self.block(node.body)
        return items.then(body.maybe() if paths.may_swallow(node) else body)

    # Live names, from the end to the start

    def walk(self, statements, live, raised):
        for statement in reversed(statements):
            self.enter(statement, live, raised)
            live = self.summary(statement).before(live) | raised
        return live

    def enter(self, node, live, raised):
        if isinstance(node, gast.If):
            self.note(node, live, 0, raised)
            self.walk(node.body, live, raised)
            self.walk(node.orelse, live, raised)
        elif isinstance(node, LOOPS):
            after = live | self.block(node.orelse).before(live)
            head = self.round(node).before(after) | after
            self.note(node, after, head, raised)
            self.walk(node.body, head, raised)
        elif isinstance(node, TRIES):
            self.enter_try(node, live, raised)
        elif isinstance(node, gast.With):
            raised |= live if paths.may_swallow(node) else 0
            self.note(node, live, 0, raised)
            self.walk(node.body, live, raised)

    def note(self, node, live_out, live_head, raised):
        summary = self.summary(node)
        self.facts[id(node)] = StatementFacts(summary, live_out, live_head, summary.writes & raised)

    def enter_try(self, node, live, raised):
        final = self.block(node.finalbody)
        self.walk(node.finalbody, live | raised, raised)
        after, escaping = final.before(live), final.before(raised) | raised
        if node.finalbody:
            after |= escaping
        else:
            escaping = raised
        handled = escaping
        self.note(node, live, 0, raised)
        for handler in node.handlers:
            handled |= self.sum_handler(handler).before(after)
            self.walk(handler.body, after, escaping)
        self.walk(node.orelse, after, escaping)
        self.walk(node.body, self.block(node.orelse).before(after), handled)
        self.facts[id(node)].raised |= self.block(node.body).writes & handled | self.summary(node).writes & escaping
