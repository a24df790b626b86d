"""What stands for the Values of a Program in a graph: Nodes, constants, and trees of them."""

from __future__ import annotations

from collections.abc import Container, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ..errors import TraceError
from ..ir.core import Block, Operation, Program, Value
from ..nn import Layer
from ..runtime.heap.markers import Unbound, no_value
from ..runtime.tensors.tensor import Tensor
from .expr import Expr
from .graph import InternalGraph
from .objects import Objects
from .records import FETCHES, Record
from .value_nodes import node_for

if TYPE_CHECKING:
    from .tracing import Traces

_NO_STEPS = (*FETCHES, "yield", "return")


@dataclass
class Source:
    """A Program, and what is known about it.

    tensors: what each `param` gives. records: the innermost call that recorded an Operation, by the Operation's id. objects: what
    its atoms stand for. exceptions: the classes it raises.
    """

    program: Program
    tensors: Mapping[str, Tensor]
    traces: Traces
    records: Mapping[int, Record] = field(default_factory=dict)
    objects: Mapping[str, Any] = field(default_factory=dict)
    exceptions: Mapping[str, type[BaseException]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.users: dict[Value, list[Operation]] = {}
        used = {value for op in self.program.walk() for value in op.operands}
        for op in self.program.walk():
            if not _is_idle(op, used):
                for value in op.operands:
                    self.users.setdefault(value, []).append(op)

    def steps(self, block: Block) -> list[Operation]:
        """The Operations of a Block that become Exprs."""
        return [op for op in block.ops if op.name not in _NO_STEPS and not _is_idle(op, self.users)]

    def record_in(self, op: Operation, around: Record | None) -> Record | None:
        """The call directly inside `around` that an Operation is a part of."""
        record = self.records.get(id(op))
        while record is not None and record.around is not around:
            record = record.around
        return record


def _is_idle(op: Operation, used: Container[Value]) -> bool:
    """Whether an Operation asks for a length that nobody reads."""
    return op.name == "py.dim" and op.result not in used


class Known(Objects):
    """The graph of one call of a Layer, which is being filled. known: what Values are: Nodes, constants, trees."""

    def __init__(self, source: Source, graph: InternalGraph, layer: Layer, known: dict[Value, Any]):
        super().__init__(graph, layer)
        self.source, self.known = source, known

    def value(self, value: Value) -> Any:
        """The Node, constant or tree that stands for a Value; TraceError where there can be none."""
        if value not in self.known:
            self.known[value] = self._fetched(value.owner)
        return self.known[value]

    def _fetched(self, op: Any) -> Any:
        assert isinstance(op, Operation) and op.name in FETCHES, op
        if op.name == "param":
            return self.node_or_constant(self.source.tensors[op.attrs["name"]])
        if op.name == "atom":
            if op.attrs["text"] not in self.source.objects:
                raise refused(op, f"the Python object {op.attrs['text']}")
            return self.source.objects[op.attrs["text"]]
        if op.name == "unbound":
            return Unbound(op.results[0].name)
        return no_value if op.name == "undef" else op.attrs["value"]

    def place(self, expr: Expr) -> None:
        self.graph.body.append(expr)  # what is fetched: before the step that is being made, outside of all control flow

    def outputs(self, expr: Expr, values: list[Value], base: str) -> None:
        """Nodes for what a step gives."""
        for value in values:
            self.known[value] = node_for(expr, value, value.name or base)

    def leaf(self, leaf: Any) -> Any:
        """The same for a leaf of the arguments or the result of a call."""
        return self.value(leaf) if isinstance(leaf, Value) else self.node_or_constant(leaf)


def refused(op: Operation, what: str) -> TraceError:
    """A graph has no Expr for this."""
    text = (
        f"a graph of Nodes and Exprs can't hold {what}, which follows what the tensors hold; put it into a function of its own "
        "and wrap that, `traced_module.wrap(f)`"
    )
    return TraceError(text, op.loc.file if op.loc else None, op.loc.line if op.loc else None)
