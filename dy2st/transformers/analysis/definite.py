"""Definite assignment: which names surely have a value, at every read and before every control flow statement.

    if c:
        y = 1
    print(y)        # y may be unbound here

Works on plain code with jumps and on code whose jumps became flags. One pass: the state at a loop's head is the state
before the loop minus what the body may delete.
"""

import gast

from ..base import LOOPS, TRIES, Visitor, blocks, walk
from . import paths
from .events import DELETE, LOAD, POP, PUSH, STORE, events_of

UNREACHABLE = -1      # every name "has a value" where control never arrives


class Definite(Visitor):
    """`maybe_unbound`: the Name nodes that may be read unbound; `deferred`: those of them in operands that may not run at all.

    `before`: names bound before each statement of control flow.
    """

    def __init__(self, names, params, managers_swallow=True):
        self.names, self.managers_swallow = names, managers_swallow
        self.maybe_unbound: dict[int, gast.AST] = {}
        self.deferred: dict[int, gast.AST] = {}
        self.before: dict[int, int] = {}
        self.break_states: list[int] = []
        self.deletable: dict[int, int] = {}
        self.start = names.mask(params)

    def run(self, statements) -> "Definite":
        self.block(statements, self.start)
        return self

    def block(self, statements, state):
        for statement in statements:
            state = self.visit(statement, state)
        return state

    def other(self, node, state):
        return self.simple(state, node)

    def simple(self, state, *nodes):
        """Runs through the events of expressions and simple statements."""
        saved = []
        for kind, name, node in events_of(*nodes):
            bit = self.names.bit(name)
            if kind == LOAD or kind == DELETE:
                if bit & ~state:
                    self.maybe_unbound[id(node)] = node
                    if saved:
                        self.deferred[id(node)] = node
            if kind == STORE:
                state |= bit
            elif kind == DELETE:
                state &= ~bit
            elif kind == PUSH:
                saved.append(state)
            elif kind == POP:
                state = saved.pop()
        return state

    def visit_Return(self, node, state):
        self.simple(state, node.value)
        return UNREACHABLE

    def visit_Raise(self, node, state):
        self.simple(state, node.exc, node.cause)
        return UNREACHABLE

    def visit_Break(self, node, state):
        self.break_states[-1] &= state
        return UNREACHABLE

    def visit_Continue(self, node, state):
        return UNREACHABLE

    def visit_If(self, node, state):
        self.before[id(node)] = state
        state = self.simple(state, node.test)
        return self.block(node.body, state) & self.block(node.orelse, state)

    def visit_While(self, node, state):
        self.before[id(node)] = state
        head = self.simple(state & ~self.unbound_by(node), node.test)
        done = UNREACHABLE if paths.is_true(node.test) else head
        return self.loop(node, head, done)

    def visit_For(self, node, state):
        state = self.simple(state, node.iter)
        self.before[id(node)] = state
        head = state & ~self.unbound_by(node)
        return self.loop(node, self.simple(head, node.target), head)

    def loop(self, node, entry, done):
        self.break_states.append(UNREACHABLE)
        self.block(node.body, entry)
        broken = self.break_states.pop()
        return self.block(node.orelse, done) & broken

    def visit_Try(self, node, state):
        self.before[id(node)] = state
        raised = state & ~self.unbound_by_block(node.body)
        after = self.block(node.orelse, self.block(node.body, state))
        for handler in node.handlers:
            after &= self.handler(handler, raised)
        if not node.finalbody:
            return after
        raised = state & ~self.unbound_by(node)
        final = self.block(node.finalbody, raised)
        if final == UNREACHABLE:
            return UNREACHABLE
        return (after & ~self.unbound_by_block(node.finalbody)) | final

    visit_TryStar = visit_Try

    def handler(self, handler, state):
        state = self.simple(state, handler.type)
        if handler.name is None:
            return self.block(handler.body, state)
        name = self.names.bit(handler.name.id)
        state = self.block(handler.body, state | name)
        return state if state == UNREACHABLE else state & ~name

    def visit_With(self, node, state):
        for item in node.items:
            state = self.simple(state, item.context_expr)
            self.before[id(node)] = state
            state = self.simple(state, item.optional_vars)
        after = self.block(node.body, state)
        if self.managers_swallow and paths.may_swallow(node):
            after &= state & ~self.unbound_by_block(node.body)
        return after

    def unbound_by(self, node):
        """The names that a statement may delete."""
        known = self.deletable.get(id(node))
        if known is None:
            known = 0
            for block in blocks(node):
                known |= self.unbound_by_block(block)
            for handler in getattr(node, "handlers", ()):
                known |= self.names.bit(handler.name.id) if handler.name else 0
            self.deletable[id(node)] = known
        return known

    def unbound_by_block(self, statements):
        deleted = 0
        for statement in statements:
            if isinstance(statement, gast.Delete):
                deleted |= self.names.mask(n.id for n in walk(statement)
                                           if isinstance(n, gast.Name) and isinstance(n.ctx, gast.Del))
            elif isinstance(statement, (gast.If, gast.With, *LOOPS, *TRIES)):
                deleted |= self.unbound_by(statement)
        return deleted
