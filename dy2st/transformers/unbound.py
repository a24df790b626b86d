"""Names that may have no value yet.

    if c:                      y = _jst.Unbound("y")
        y = 1          ->      def true_fn_0(y): ...
    print(y)                   y = _jst.convert_ifelse(c, true_fn_0, false_fn_0, (y,))
                               print(_jst.bound(y, "y"))

Where flags keep every path from reading the missing value, `_jst.no_value` stands for it and no read is checked.
"""

import sys
from collections.abc import Set

import gast

from . import builders as build
from .analysis.plan import Planner, is_control_flow, parts_of
from .analysis.scope import defaults_of, scope_of
from .base import COMPREHENSIONS, blocks, children, locate, rewrites, rewritten, walk
from .gast_trees import opened
from .marks import MAY_BE_UNBOUND, NAME_OUTLIVES_HANDLER, STOP_FLAGS, TELLS_A_NAME, UNBINDS, UNBOUND_CAPTURES
from .straight import Straight

FUNCTIONS_OF_PYTHON = COMPREHENSIONS if sys.version_info < (3, 12) else (gast.GeneratorExp,)


def mark_unbound(planner: Planner) -> None:
    """Inserts the first values, and marks the reads to check and the deletions to rewrite."""
    unbound = planner.unbound_names()
    _Placement(planner, unbound).place(planner.function.body, planner.names_to_initialise(unbound))
    if not unbound:
        return
    free = _free_reads(planner.function)
    for key, node in planner.definite.maybe_unbound.items():
        MAY_BE_UNBOUND.set(node, None if node.id not in unbound else "free" if key in free else "local")
    for node in children(planner.function):
        _mark(node, unbound, planner.function)


def _mark(node: gast.AST, unbound: set[str], function: gast.FunctionDef) -> None:
    """Marks deletions in this function, and every read in inner functions."""
    pending = [node]
    while pending:
        current = pending.pop()
        if isinstance(current, gast.Name) and isinstance(current.ctx, gast.Del):
            UNBINDS.set(current, current.id in unbound)
        elif isinstance(current, gast.ExceptHandler) and current.name and current.name.id in unbound:
            NAME_OUTLIVES_HANDLER.set(current, True)
        if isinstance(current, (gast.FunctionDef, gast.AsyncFunctionDef, gast.Lambda)) and current is not function:
            mark_captures(current, unbound & scope_of(current).free())
            pending.extend([*defaults_of(current.args), *getattr(current, "decorator_list", ())])
        else:
            pending.extend(children(current))


def _free_reads(function: gast.AST) -> set[int]:
    """The ids of names in comprehensions that are functions of Python's own; the first iterable is evaluated around it."""
    ids: set[int] = set()
    for node in walk(function):
        if isinstance(node, FUNCTIONS_OF_PYTHON):
            ids |= set(map(id, walk(node))) - set(map(id, walk(node.generators[0].iter)))
    return ids


def mark_captures(function: gast.AST, names: Set[str]) -> None:
    """Marks every read of these variables, of the functions around this one, which may have no value.

    A generator is rewritten when it is called, by itself: `UNBOUND_CAPTURES` keeps the names for then.
    """
    if not names:
        return
    nodes = list(walk(function))
    telling = {id(node.body) for node in nodes if isinstance(node, gast.Lambda) and TELLS_A_NAME.of(node)}
    for node in nodes:
        if isinstance(node, gast.Name) and isinstance(node.ctx, gast.Load) and node.id in names and id(node) not in telling:
            MAY_BE_UNBOUND.set(node, "free")
        elif isinstance(node, gast.FunctionDef):
            UNBOUND_CAPTURES.set(node, names)


class _Placement:
    """Finds, for each name, the innermost block that holds all its uses and that no loop re-enters with a value."""

    def __init__(self, planner, unbound):
        self.planner, self.unbound = planner, unbound
        self.summary = planner.liveness.summary

    def place(self, statements, mask):
        if not mask:
            return
        once = twice = 0
        for node in statements:
            uses = self.summary(node).uses & mask
            twice |= once & uses
            once |= uses
        result, started = [], 0
        for node in statements:
            here = self.summary(node).uses & mask & ~started
            started |= here
            inside = self.descend(node, here & ~twice & ~self.planner.cells)
            result.extend(locate(self.first_value(name), node)
                          for name in self.planner.names.names(here & ~inside & ~self.starts_with_value(node)))
            result.append(node)
        statements[:] = result

    def starts_with_value(self, node) -> int:
        """Names that a plain statement assigns without reading them."""
        summary = self.summary(node)
        return 0 if blocks(node) else summary.kills & ~summary.reads

    def descend(self, node, mask) -> int:
        """Places the names whose uses all lie in one block of a compound statement; returns them."""
        inner = blocks(node)
        if not inner or not mask:
            return 0
        if is_control_flow(node):
            mask &= ~self.planner.liveness.facts[id(node)].live_head
        used = [self.planner.liveness.block(block).uses for block in inner]
        placed = 0
        for position, block in enumerate(inner):
            others = self.header_uses(node)
            for other, uses in enumerate(used):
                others |= uses if other != position else 0
            mine = mask & used[position] & ~others
            self.place(block, mine)
            placed |= mine
            if is_control_flow(node):      # the name now starts inside the block
                part = next(k for k, its in enumerate(parts_of(node)) if its is block)
                self.planner.plans[id(node)].forget(part, self.planner.names.names(mine))
        return placed

    def header_uses(self, node: gast.stmt) -> int:
        parts = [item for item in children(node) if isinstance(item, (gast.expr, gast.withitem))]
        uses = self.planner.liveness.sum_simple(*parts, *STOP_FLAGS.of(node)).uses
        for handler in getattr(node, "handlers", ()):
            uses |= self.planner.liveness.sum_simple(handler.type).uses
            uses |= self.planner.names.bit(handler.name.id) if handler.name else 0
        return uses

    def first_value(self, name):
        if name == self.planner.return_flag:
            return build.assign(name, build.constant(False))
        if name in self.unbound:
            return build.assign(name, unbound_value(name))
        return build.assign(name, build.jst("no_value"))


def unbound_value(name):
    return build.jst_call("Unbound", build.constant(name))


def checked(name, is_free=False):
    """`_jst.bound(y, "y")`; of a free variable, `_jst.bound(y, "y", True)`"""
    return build.jst_call("bound", build.load(name), build.constant(name), *([build.constant(True)] if is_free else ()))


@rewrites(gast.Name)
def rewrite_read(node: gast.Name) -> gast.expr:
    variable = isinstance(node.ctx, gast.Load) and MAY_BE_UNBOUND.of(node)
    return checked(node.id, variable == "free") if variable else node


@rewrites(Straight)
def rewrite_straight(node: Straight) -> gast.stmt:
    if not any(map(MAY_BE_UNBOUND.of, node.reads)):
        return node
    assignment = opened(node)
    reads = (name for name in walk(assignment.value) if isinstance(name, gast.Name))
    for name, read in zip(reads, node.reads):
        MAY_BE_UNBOUND.set(name, MAY_BE_UNBOUND.of(read))
    return rewritten(assignment)


@rewrites(gast.Delete)
def rewrite_delete(node: gast.Delete) -> gast.stmt | list[gast.stmt]:
    """`del y`  ->  `_jst.bound(y, "y")`, `y = _jst.Unbound("y")`"""
    targets = [leaf for target in node.targets for leaf in _leaves(target)]
    if not any(map(UNBINDS.of, targets)):
        return node
    result = []
    for target in targets:
        if not UNBINDS.of(target):
            result.append(gast.Delete([target]))
            continue
        if MAY_BE_UNBOUND.of(target):
            result.append(build.statement(checked(target.id)))
        result.append(build.assign(target.id, unbound_value(target.id)))
    return result


def _leaves(target):
    if isinstance(target, (gast.Tuple, gast.List)):
        for element in target.elts:
            yield from _leaves(element)
    else:
        yield target
