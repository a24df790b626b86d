"""A Program as graphs of Nodes and Exprs: what was staged of a model that is being traced, or loaded.

Operations that one call of a public function, Tensor method or Layer recorded are one Expr, that call, where it says all that
they read and give; the others are Exprs of their own. Values are Nodes, a tuple is its parts, an `if` or `while` has blocks.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import groupby
from typing import TYPE_CHECKING, Any

from ..errors import TraceError
from ..ir.core import Block, Operation, Program, Ref, Value, map_leaves
from ..nn import Layer
from ..ops.registry import OPERATORS
from ..runtime.markers import Unbound, no_value
from ..runtime.tensor import Tensor
from .alternatives import kind_of
from .arguments import normal_arguments
from .builtin import is_builtin
from .control import CONTROL, Raise
from .expr import Call, CallFunction, CallMethod, Expr
from .graph import InternalGraph
from .module import signature_of_layer
from .names import identifier
from .node import ModuleNode
from .operators import Operator
from .recording import Recording, base_name
from .records import FETCHES, Extent, Record
from .tree import leaves, map_tree
from .value_nodes import add_input, node_for

if TYPE_CHECKING:
    from .tracer import Traces

_SAME = ("sum.make", "sum.get")  # what they give is what they take


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
        for op in self.program.walk():
            for value in op.operands:
                self.users.setdefault(value, []).append(op)

    def record_in(self, op: Operation, around: Record | None) -> Record | None:
        """The call directly inside `around` that an Operation is a part of."""
        record = self.records.get(id(op))
        while record is not None and record.around is not around:
            record = record.around
        return record


class Steps(Recording):
    """Fills the graph of one call of a Layer with the Exprs of Operations. known: what Values are: Nodes, constants, trees."""

    def __init__(self, source: Source, graph: InternalGraph, layer: Layer, known: dict[Value, Any]):
        super().__init__(graph, layer)
        self.source, self.known = source, known

    # --- values ------------------------------------------------------------------------------------------------------------

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

    # --- steps -------------------------------------------------------------------------------------------------------------

    def fill(self, graph: InternalGraph, ops: list[Operation], around: Record | None) -> None:
        """Add the Exprs of Operations, which all are a part of the call `around`."""
        steps = [op for op in ops if op.name not in FETCHES and not self._is_idle(op)]
        runs = [(record, list(run)) for record, run in groupby(steps, lambda op: self.source.record_in(op, around))]
        for record, run in runs:
            whole = sum(other is record for other, _ in runs) == 1
            if record is None:
                for op in run:
                    self.step(graph, op, around)
            elif not (whole and self.add_call(graph, record, run)):
                self.fill(graph, run, record)

    def _is_idle(self, op: Operation) -> bool:
        """Whether a length that nobody reads was asked for."""
        return op.name == "py.dim" and not self.source.users.get(op.result)

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
        expr.loc = op.loc
        graph.body.append(expr)
        of = f"{identifier(op.path)}_" if op.path and not self.source.records else ""  # what is loaded knows layers by path alone
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
        attrs = map_leaves(op.attrs, lambda leaf: operands[leaf.index] if isinstance(leaf, Ref) else leaf)
        definition = OPERATORS[op.name]
        expr = Operator(graph, definition, operands[: op.n_positional], attrs)
        expr.writes = tuple(k for k, node in enumerate(expr.inputs) if any(node is operands[m] for m in definition.mutates))
        expr.shares = definition.view_of is not None or op.name.startswith(("list.", "dict.", "tuple.", "sequence."))
        return expr

    def block(self, around: InternalGraph, block: Block, label: str, record: Record | None) -> InternalGraph:
        """A block of control flow."""
        made = InternalGraph(f"{around.name}_{label}", around.ids, False, around)
        for value in block.args:
            self.known[value] = add_input(made, value, value.name or "carried")
        self.fill(made, [op for op in block.ops if op.name != "yield"], record)
        end = block.terminator
        made.results = [self.value(v) for v in end.operands] if end is not None and end.name == "yield" else []
        return made

    # --- calls -------------------------------------------------------------------------------------------------------------

    def add_call(self, graph: InternalGraph, record: Record, ops: list[Operation]) -> bool:
        """Add the Expr of a call; False where the call doesn't say all that its Operations read and give."""
        extent = Extent(record, ops, self.source.users)
        if not extent.is_told() or not all(value in self.known for value in extent.given - extent.made):
            return False
        expr = self._call(graph, record, ops)
        if expr is None:
            return False
        expr.loc = next((op.loc for op in ops if op.loc is not None), None)
        places, found = extent.outputs, extent.results
        if len(found) != 1 or isinstance(record.result, list | tuple | dict) or not places:
            expr.places, expr.n_results = tuple(places), len(found)
        written = {id(self.value(v)) for v in extent.given & extent.written}
        expr.writes = tuple(k for k, node in enumerate(expr.inputs) if id(node) in written)
        expr.shares = extent.shares
        graph.body.append(expr)
        name = self.layer_node(record.call).name if isinstance(record.call, Layer) else base_name(_called(record))
        for k in places:
            self.known[found[k]] = node_for(expr, found[k], f"{name}_out")
        return True

    def _call(self, graph: InternalGraph, record: Record, ops: list[Operation]) -> Call | None:
        if isinstance(record.call, Layer):
            return self._call_layer(graph, record, ops)
        args, kwargs = map_tree(self._leaf, (record.args, record.kwargs))
        if record.method is not None:
            return CallMethod(graph, record.method, args, kwargs)
        return CallFunction(graph, record.call, args, kwargs)

    def _call_layer(self, graph: InternalGraph, record: Record, ops: list[Operation]) -> CallMethod | None:
        layer = record.call
        if self.path_of(layer) is None or layer is self.layer:
            return None
        signature = signature_of_layer(layer)
        given = normal_arguments(signature, record.args, record.kwargs)
        args, kwargs = map_tree(self._leaf, given)
        expr = CallMethod(graph, "__call__", (self.layer_node(layer), *args), kwargs)
        if not is_builtin(layer):
            name = f"{self.graph.name}_{str(self.path_of(layer)).replace('.', '_')}"
            expr.graph = self.source.traces.known(layer, layer_graph(self.source, name, layer, given, self.graph, record, ops))
        return expr

    def _leaf(self, leaf: Any) -> Any:
        return self.value(leaf) if isinstance(leaf, Value) else self.node_or_constant(leaf)


def layer_graph(
    source: Source, name: str, layer: Layer, given: tuple, above: InternalGraph, record: Record, ops: list[Operation]
) -> InternalGraph:
    """The graph of one call of a Layer: `given` are its arguments, Values among them."""
    graph = InternalGraph(name, above.ids, False)
    graph.add_input(ModuleNode, "self")
    known: dict[Value, Any] = {}
    names = argument_names(layer, given)

    def argument(leaf: Any) -> Any:
        label = next(names)
        if not isinstance(leaf, Value):
            return leaf
        known[leaf] = add_input(graph, leaf, label)
        return known[leaf]

    graph.form = map_tree(argument, given)
    steps = Steps(source, graph, layer, known)
    steps.fill(graph, ops, record)
    graph.results = map_tree(lambda leaf: steps._leaf(leaf) if isinstance(leaf, Value | Tensor) else leaf, record.result)
    return graph


def argument_names(layer: Layer, given: tuple) -> Iterator[str]:
    """What the leaves of the arguments of a call are called: the parameters that they came in by."""
    signature = signature_of_layer(layer)
    if signature is None:
        return iter(["args"] * sum(1 for _ in leaves(given)))
    bound = signature.bind(*given[0], **given[1])
    return iter([name for name, value in bound.arguments.items() for _ in leaves(value)])


def _called(record: Record) -> str:
    return record.method or record.call.__name__


_WORDS = {
    "try": "`try`", "caught": "`try`", "cell": "`try`", "exception": "`raise ... from ...`", "raise": "`raise ... from ...`",
    "state": "Python state that outlives the call", "call": "a function that calls itself",
    "gradients": "`backward()` inside forward",
}  # fmt: skip


def refused(op: Operation, what: str) -> TraceError:
    """A graph has no Expr for this."""
    text = (
        f"a graph of Nodes and Exprs can't hold {what}, which follows what the tensors hold; put it into a function of its own "
        "and wrap that, `traced_module.wrap(f)`"
    )
    return TraceError(text, op.loc.file if op.loc else None, op.loc.line if op.loc else None)
