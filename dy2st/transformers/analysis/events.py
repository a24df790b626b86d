"""Name events: how a statement loads, stores and deletes names, in the order of evaluation.

    y += f(x := 1)    ->    load y, load f, store x, store y

Liveness and definite assignment read nothing else. `PUSH` ... `POP` enclose what may not run at all (a lazily
evaluated operand, the body of a comprehension): a name bound there counts only up to the `POP`.
"""

import gast

from ..base import COMPREHENSIONS, Visitor, walk
from ..marks import NAME_EVENTS
from .scope import (
    annotations_of,
    defaults_of,
    deferred_annotations,
    evaluated_at_definition,
    is_consumed_at_once,
    scope_of,
    target_names,
)

Event = tuple[str, str | None, gast.AST | None]      # its kind, the name, the node

LOAD, STORE, DELETE, CAPTURE, PUSH, POP = "load", "store", "delete", "capture", "push", "pop"
KINDS = {gast.Load: LOAD, gast.Store: STORE, gast.Del: DELETE}


def events_of(*nodes) -> list[Event]:
    """The events of these expressions or simple statements."""
    if len(nodes) == 1 and nodes[0] is not None:
        return _events_of_one(nodes[0])
    events: list[Event] = []
    for node in nodes:
        if node is not None:
            events.extend(_events_of_one(node))
    return events


def _events_of_one(node: gast.AST) -> list[Event]:
    """The events of one node, which it keeps: several analyses ask."""
    known = NAME_EVENTS.of(node)
    if known is None:
        collector = _Events()
        collector.visit(node)
        known = collector.events
        NAME_EVENTS.set(node, known)
    return known


class _Events(Visitor):
    def __init__(self):
        self.events: list[Event] = []
        self.hidden: frozenset = frozenset()

    def add(self, kind, name=None, node=None):
        if name is None or name not in self.hidden:
            self.events.append((kind, name, node))

    def maybe(self, nodes):
        self.add(PUSH)
        self.visit_all(nodes)
        self.add(POP)

    def visit_Name(self, node):
        self.add(KINDS[type(node.ctx)], node.id, node)

    def visit_NamedExpr(self, node):
        self.visit(node.value)
        self.events.append((STORE, node.target.id, node.target))

    def visit_Assign(self, node):
        self.visit(node.value)
        self.visit_all(node.targets)

    def visit_Straight(self, node):
        for name in (*node.reads, node.target):
            self.visit_Name(name)

    def visit_AugAssign(self, node):
        if isinstance(node.target, gast.Name):
            self.add(LOAD, node.target.id, node.target)
        self.visit(node.value)
        self.visit(node.target)

    def visit_AnnAssign(self, node):
        if node.value is not None:
            self.visit(node.value)
            self.visit(node.target)

    def visit_BoolOp(self, node):
        self.visit(node.values[0])
        self.maybe(node.values[1:])

    def visit_Compare(self, node):
        self.visit_all([node.left, node.comparators[0]])
        if len(node.comparators) > 1:
            self.maybe(node.comparators[1:])

    def visit_IfExp(self, node):
        self.visit(node.test)
        self.maybe([node.body])
        self.maybe([node.orelse])

    def visit_Dict(self, node):
        for key, value in zip(node.keys, node.values):
            self.visit_all([part for part in (key, value) if part is not None])

    def visit_alias(self, node):
        self.add(STORE, node.asname or node.name.split(".")[0], node)

    def visit_Lambda(self, node):
        self.visit_all(defaults_of(node.args))
        self.capture(scope_of(node))

    def visit_FunctionDef(self, node):
        self.visit_all(evaluated_at_definition(node))
        self.capture(scope_of(node))
        self.capture(deferred_annotations(node))
        self.add(STORE, node.name, node)

    visit_AsyncFunctionDef = visit_FunctionDef

    def visit_ClassDef(self, node):
        self.visit_all([*node.decorator_list, *node.bases, *node.keywords])
        for inner in walk(node):
            hints = annotations_of(inner) if isinstance(inner, gast.FunctionDef) else ()
            for name in (inner, *(part for hint in hints for part in walk(hint))):
                if isinstance(name, gast.Name):
                    self.add(CAPTURE, name.id, name)
        self.add(STORE, node.name, node)

    def capture(self, scope):
        for name in sorted(scope.free()):
            self.add(CAPTURE, name, scope.node)

    def visit_Call(self, node):
        self.visit(node.func)
        if is_consumed_at_once(node):
            self.comprehension(node.args[0])
        else:
            self.visit_all(node.args)
        self.visit_all(node.keywords)

    def comprehension(self, node):
        self.visit(node.generators[0].iter)
        outer = self.hidden
        self.hidden = outer.union(*(target_names(generator.target) for generator in node.generators))
        self.add(PUSH)
        for position, generator in enumerate(node.generators):
            self.visit(generator.target)
            if position:
                self.visit(generator.iter)
            self.visit_all(generator.ifs)
        self.visit_all((node.key, node.value) if isinstance(node, gast.DictComp) else (node.elt,))
        self.add(POP)
        self.hidden = outer


for _kind in COMPREHENSIONS:
    setattr(_Events, "visit_" + _kind.__name__, _Events.comprehension)
