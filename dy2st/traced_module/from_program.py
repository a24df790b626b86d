"""A Program as graphs of Nodes and Exprs: what was staged of a model that is being traced, or loaded.

Operations that one call of a public function, Tensor method or Layer recorded are one Expr, that call, where it says all that
they read and give; the others are Exprs of their own. Values are Nodes, a tuple is its parts, an `if` or `while` has blocks.
"""

from __future__ import annotations

from itertools import groupby
from typing import Any

from ..ir.core import Block, Operation, Value, fill_refs
from ..nn import Layer
from ..ops.registry import OPERATORS
from .alternatives import kind_of
from .calls import CallFunction
from .control import CONTROL, Raise
from .expr import Expr
from .graph import InternalGraph
from .names import identifier
from .operators import Operator
from .program_calls import Calls
from .program_values import Source, refused
from .recording import base_name
from .records import Record
from .value_nodes import add_input

_SAME = ("sum.make", "sum.get")  # what they give is what they take
_WORDS = {
    "try": "`try`", "caught": "`try`", "cell": "`try`", "exception": "`raise ... from ...`", "raise": "`raise ... from ...`",
    "state": "Python state that outlives the call", "call": "a function that calls itself",
    "gradients": "`backward()` inside forward",
}  # fmt: skip




def fill_from_entry(source: Source, graph: InternalGraph, layer: Layer, known: dict[Value, Any]) -> None:
    """Fill a graph with the Exprs and the result of a Program's entry Function, whose arguments are `known`."""
    block = source.program.entry.block
    steps = Steps(source, graph, layer, known)
    steps.fill(graph, source.steps(block), None)
    end = block.terminator
    graph.results = steps.value(end.operands[0]) if end is not None and end.name == "return" else None


class Steps(Calls):
    """Fills a graph with the Exprs of Operations."""

    def fill(self, graph: InternalGraph, ops: list[Operation], around: Record | None) -> None:
        """Add the Exprs of Operations, which all are a part of the call `around`."""
        runs = [(record, list(run)) for record, run in groupby(ops, lambda op: self.source.record_in(op, around))]
        for record, run in runs:
            whole = sum(other is record for other, _ in runs) == 1
            if record is None:
                for op in run:
                    self.step(graph, op, around)
            elif not (whole and self.add_call(graph, record, run)):
                self.fill(graph, run, record)

    def step(self, graph: InternalGraph, op: Operation, around: Record | None) -> None:
        """Add the Expr of one Operation."""
        if op.name in _SAME:
            self.known[op.result] = self.value(op.operands[0])
            return
        operands = [self.value(v) for v in op.operands]
        if op.name == "tuple.new" and not op.attrs:
            self.known[op.result] = tuple(operands)
            return
        if op.name == "tuple.get" and type(operands[0]) is tuple:
            self.known[op.result] = operands[0][op.attrs["index"]]
            return
        if op.name in ("list.new", "dict.new") and self._is_only_returned(op):
            self.known[op.result] = operands if op.name == "list.new" else dict(zip(operands[::2], operands[1::2]))
            return
        expr = self._expr(graph, op, tuple(operands), around)
        expr.loc, expr.path = op.loc, "" if self.source.records else op.path
        graph.body.append(expr)
        of = f"{identifier(expr.path)}_" if expr.path else ""  # what is loaded knows layers by path alone
        self.outputs(expr, op.results, f"{of}{base_name(op.name.rpartition('.')[2])}_out")

    def _is_only_returned(self, op: Operation) -> bool:
        users = self.source.users.get(op.result, [])
        return [user.name for user in users] == ["return"]

    def _expr(self, graph: InternalGraph, op: Operation, operands: tuple, around: Record | None) -> Expr:
        if op.name in CONTROL:
            made = CONTROL[op.name](graph, operands)
            made.blocks = tuple([self.block(graph, b, label, around) for b, label in zip(op.blocks, made.labels)])
            return made
        if op.name == "raise" and op.attrs.get("exception") and not {"fields", "cause", "context"} & set(op.attrs):
            end = Raise(graph, (op.attrs["exception"], *[b for b in op.attrs["bases"] if b != op.attrs["exception"]]), operands)
            end.cls = self.source.exceptions.get(op.attrs["exception"])
            return end
        if op.name == "sum.tag":
            return CallFunction(graph, kind_of, operands, {"among": str(op.operands[0].type)})
        if op.name not in OPERATORS:
            users = (user for result in op.results for user in self.source.users.get(result, ()))
            raise refused(op if op.loc else next(users, op), _WORDS.get(op.name.partition(".")[0], f"`{op.name}`"))
        attrs = fill_refs(op.attrs, operands)
        definition = OPERATORS[op.name]
        expr = Operator(graph, definition, operands[: op.n_positional], attrs)
        expr.writes = tuple(k for k, node in enumerate(expr.inputs) if any(node is operands[m] for m in definition.mutates))
        expr.shares = definition.view is not None or op.name.startswith(("list.", "dict.", "tuple.", "sequence."))
        return expr

    def block(self, around: InternalGraph, block: Block, label: str, record: Record | None) -> InternalGraph:
        """A block of control flow."""
        made = InternalGraph(f"{around.name}_{label}", around.ids, False, around)
        for value in block.args:
            self.known[value] = add_input(made, value, value.name or "carried")
        self.fill(made, self.source.steps(block), record)
        made.results = [self.value(v) for v in block.yielded]
        return made
