"""The interface of every generated function: its parameters, results and declarations.

    carried       assigned inside and live afterwards (loops: or at the head): parameters and results
    kept          assigned inside, read there before, dead afterwards: parameters with the present value as default
    nonlocals     assigned inside but shared with inner functions or exception handlers: cells of the user's function
"""

from __future__ import annotations

import dataclasses
from functools import reduce
from operator import or_

import gast

from ..base import LOOPS, blocks, children, walk
from ..marks import NAME_OUTLIVES_HANDLER, PLAN
from .definite import Definite
from .liveness import Liveness, Summary
from .names import Names
from .paths import falls_through, may_swallow
from .scope import Scope, scope_of

CONTROL_FLOW = {gast.If, gast.Try, *LOOPS}


def is_control_flow(node) -> bool:
    """Whether a statement becomes functions. A `with` whose manager lets exceptions through stays a `with`."""
    return type(node) in CONTROL_FLOW or (type(node) is gast.With and may_swallow(node))


def parts_of(node) -> list[list]:
    """The blocks of a statement of control flow that become functions, empty ones too."""
    if isinstance(node, gast.Try):
        return [node.body, *(handler.body for handler in node.handlers), node.orelse, node.finalbody]
    return [node.body, node.orelse] if isinstance(node, gast.If) else [node.body]


@dataclasses.dataclass
class Plan:
    """How one statement of control flow becomes functions."""

    carried: list[str]
    absent: set[str]                 # carried names without a value so far, which no path reads
    kept: tuple[list[str], ...]      # per block
    nonlocals: tuple[list[str], ...]
    globals: tuple[list[str], ...]
    arrives: tuple[bool, ...]        # whether control reaches the block's end
    unneeded: set[str]               # carried names whose value so far no path reads

    def forget(self, part, names):
        """These names turned out to start inside the block: it need not keep a value from before."""
        self.kept[part][:] = [name for name in self.kept[part] if name not in names]


@dataclasses.dataclass
class UnboundReads:
    """Reads of names that may be unbound in plain Python: of the code while jumps are still jumps."""

    loads: dict[int, gast.AST]                # counting context managers that might swallow exceptions
    loads_without_managers: dict[int, gast.AST]
    deferred: dict[int, gast.AST]             # those of `loads` that a lambda will hold


def unbound_reads(scope: Scope) -> UnboundReads:
    function = scope.node
    names = Names(scope.bound)
    definite = Definite(names, scope.params).run(function.body)
    loads = definite.maybe_unbound
    strict = Definite(names, scope.params, managers_swallow=False).run(function.body).maybe_unbound if loads else loads
    return UnboundReads(loads, strict, definite.deferred)


class Planner:
    """Plans one user function whose jumps have become flags: every statement of control flow gets a `PLAN`."""

    def __init__(self, function, generated: set[str], user_locals: set[str], reads: UnboundReads, return_flag: str | None):
        self.function, self.generated, self.unbound_reads, self.return_flag = function, generated, reads, return_flag
        self.scope: Scope = scope_of(function)
        self.lost = user_locals - self.scope.locals      # bound in dead code only, which is gone
        self.scope.bound.update(dict.fromkeys(sorted(self.lost)))
        self.names = Names(self.scope.bound)
        self.liveness = Liveness(self.names).run(function.body)
        self.definite = Definite(self.names, self.scope.params).run(function.body)
        self.locals = self.names.mask(self.scope.locals)
        self.captured = self.names.mask(self.scope.captured())
        self.missing = 0
        self.dropped = 0      # names that control flow assigns in frames of its own, and nobody reads after it
        self.plans: dict[int, Plan] = {}      # by the id of the statement
        self.cells = self.find_cells()
        self.frame_writes(function.body)
        for plan in self.plans.values():
            plan.absent |= plan.unneeded & set(self.names.names(self.dropped))

    def find_cells(self) -> int:
        """Names that control flow assigns and that inner functions, or handlers of exceptions raised there, read."""
        shared = 0
        for facts in self.liveness.facts.values():
            shared |= facts.summary.writes & self.captured | facts.raised & ~self.names.mask(self.generated)
        return shared & self.locals

    # Which names each generated function assigns in its own frame

    def frame_writes(self, statements) -> int:
        writes = 0
        for node in statements:
            if is_control_flow(node):
                writes |= self.plan(node)
            else:
                inside = [self.frame_writes(block) for block in blocks(node)]
                writes |= self.liveness.summary(node).writes if not inside else self.header_writes(node)
                writes = reduce(or_, inside, writes)
        return writes

    def header_writes(self, node) -> int:
        parts = [item for item in children(node) if isinstance(item, (gast.expr, gast.withitem))]
        writes = self.liveness.sum_simple(*parts).writes
        for handler in getattr(node, "handlers", ()):
            writes |= self.names.bit(handler.name.id) if handler.name else 0
        return writes

    def plan(self, node: gast.stmt) -> int:
        """Plans a control flow statement; returns the names that it assigns in the frame around it."""
        facts, bound = self.liveness.facts[id(node)], self.definite.before[id(node)]
        shared = self.cells | ~self.locals
        parts = [self.frame_writes(block) for block in parts_of(node)]
        parts[0] |= self.targets(node).writes
        for position, handler in enumerate(getattr(node, "handlers", ()), 1):
            parts[position] |= self.names.bit(handler.name.id) if handler.name else 0
        writes = reduce(or_, parts)
        if isinstance(node, LOOPS):
            carried = needed = writes & facts.live_head & ~shared
            kept = [0]
        else:
            summaries = self.part_summaries(node)
            carried = (writes & facts.live_out | self.read_by_later_parts(node, parts, summaries)) & ~shared
            kept = [part & summary.reads & ~carried & ~shared for part, summary in zip(parts, summaries)]
            needed = carried & facts.summary.before(facts.live_out) | reduce(or_, kept)
        self.missing |= needed & ~bound
        self.dropped |= writes & ~carried & ~shared
        for part in parts:
            self.missing |= part & self.cells & ~bound
        plan = self.plans[id(node)] = Plan(
            carried=self.in_order(node, carried),
            absent=set(self.names.names(carried & ~needed & ~bound)),
            kept=tuple(self.names.names(names) for names in kept),
            nonlocals=tuple(self.names.names(part & (self.cells | self.names.mask(self.scope.nonlocals)))
                            for part in parts),
            globals=tuple(self.names.names(part & self.names.mask(self.scope.globals)) for part in parts),
            arrives=tuple(falls_through(block) for block in parts_of(node)),
            unneeded=set(self.names.names(carried & ~needed)))
        PLAN.set(node, plan)
        for part, block in enumerate(parts_of(node)):
            parameters = {*plan.carried, *plan.kept[part]}
            for inner in _planned(block):
                self.plans[id(inner)].absent |= self.plans[id(inner)].unneeded - parameters  # locals that may have no value yet
        for handler in getattr(node, "handlers", ()):
            outlives = handler.name and self.names.bit(handler.name.id) & (carried | shared)
            NAME_OUTLIVES_HANDLER.set(handler, bool(outlives))
        return carried | self.header_of(node).writes

    def header_of(self, node) -> Summary:
        """The summary of what a statement of control flow evaluates before its blocks."""
        if isinstance(node, gast.With):
            return self.liveness.sum_simple(*(item.context_expr for item in node.items))
        return self.liveness.sum_simple(getattr(node, "iter", None), getattr(node, "test", None))

    def targets(self, node) -> Summary:
        """The summary of the names that the header binds in the first block: the target of a `for`, the `as` of a `with`."""
        items = getattr(node, "items", ())
        return self.liveness.sum_simple(getattr(node, "target", None), *(item.optional_vars for item in items))

    def part_summaries(self, node) -> list[Summary]:
        if isinstance(node, gast.Try):
            handlers = [self.liveness.sum_handler(handler) for handler in node.handlers]
            body, *_, orelse, final = map(self.liveness.block, parts_of(node))
            return [body, *handlers, orelse, final]
        first, *others = map(self.liveness.block, parts_of(node))
        return [self.targets(node).then(first), *others]

    def read_by_later_parts(self, node, parts, summaries) -> int:
        """The names assigned in a block of a `try` that its `else` or `finally` reads."""
        if not isinstance(node, gast.Try):
            return 0
        return parts[0] & summaries[-2].reads | reduce(or_, parts[:-1]) & summaries[-1].reads

    def in_order(self, node, mask) -> list[str]:
        """User's names by first appearance in the statement, generated ones after them."""
        names = self.names.names(mask)
        if len(names) > 1:
            rank = {name: position for position, name in enumerate(_appearances(node, set(names)))}
            names.sort(key=lambda name: (name in self.generated, rank.get(name, len(rank))))
        return names

    # Names that may be unbound

    def in_control_flow(self):
        """Ids of the Name nodes inside control flow, and the names assigned there."""
        ids, writes, pending = set(), 0, list(self.function.body)
        while pending:
            node = pending.pop()
            if is_control_flow(node):
                writes |= self.liveness.facts[id(node)].summary.writes
                ids.update(id(name) for name in walk(node) if isinstance(name, gast.Name))
            else:
                for block in blocks(node):
                    pending.extend(block)
        return ids, writes

    def unbound_names(self) -> set[str]:
        """User's names that may be read, or captured, without a value, where control flow is concerned."""
        reads = self.unbound_reads
        inside, written = self.in_control_flow() if reads.loads else ((), 0)
        unbound = {name_of(node) for node in reads.loads.values() if self.names.bit(name_of(node)) & written}
        unbound |= {name_of(node) for key, node in reads.loads_without_managers.items() if key in inside}
        unbound.update(map(name_of, reads.deferred.values()))
        carried = self.cells | self.names.mask(name for plan in self.plans.values() for name in plan.carried)
        unbound.update(self.names.names(self.liveness.block(self.function.body).deletes & carried))
        unbound.update(self.names.names((self.missing | self.unowned_cells()) & self.captured))
        return ((unbound | self.lost) & self.scope.locals) - self.generated

    def unowned_cells(self) -> int:
        """Cells that no statement outside control flow binds: `nonlocal` needs one in the user's function."""
        owned, pending = self.names.mask(self.scope.params), list(self.function.body)
        while pending and self.cells & ~owned:
            node = pending.pop()
            if is_control_flow(node):
                continue
            inner = blocks(node)
            owned |= self.header_writes(node) if inner else self.liveness.summary(node).writes
            for block in inner:
                pending.extend(block)
        return self.cells & ~owned

    def names_to_initialise(self, unbound: set[str]) -> int:
        names = self.missing | self.unowned_cells() | self.names.mask(unbound) | self.names.bit(self.return_flag)
        return names & self.locals & ~self.names.mask(self.scope.params)


def _planned(statements):
    """The control flow statements of one frame."""
    for node in statements:
        if is_control_flow(node):
            yield node
        else:
            for block in blocks(node):
                yield from _planned(block)


def name_of(node) -> str:
    return node.id


def _appearances(node, names):
    """These names, in the order in which the source mentions them."""
    ordered: dict[str, None] = {}
    pending = [node]
    while pending and len(ordered) < len(names):
        current = pending.pop()
        name = getattr(current, "id", None) or getattr(current, "name", None)
        if isinstance(name, str) and name in names:
            ordered.setdefault(name)
        pending.extend(reversed(list(children(current))))
    return ordered
