"""The picture of a traced graph, of the graphs that it calls, and of its control flow."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..ir.core import Loc
from ..ir.summary import number_text, stored_text
from ..nn import Layer
from ..viewer.conditions import Conditions, Made, expression
from ..viewer.grouping import group_steps
from ..viewer.picture import GraphData, Picture, StepData, ValueData, place, shape_text
from .builtin import is_builtin
from .calls import CallFunction, CallMethod
from .control import Control, If, Raise, While
from .expr import Constant, Expr, GetAttr, Input
from .functions import printed_name
from .graph import InternalGraph
from .node import ModuleNode, Node, TensorNode
from .printing import argument_text, expr_text

if TYPE_CHECKING:
    from .module import TracedModule


def graph_picture(graph: InternalGraph) -> Picture:
    """The picture of a graph and all that it runs."""
    builder = _Builder()
    builder.graph(graph)
    group_steps(builder.graphs)
    return Picture(graph.name, counts_text(graph), builder.graphs)


def module_picture(module: TracedModule) -> Picture:
    """The picture of a module: of its graph, or of each where there are several."""
    if len(module._graphs) == 1:
        return graph_picture(module.graph)
    builder = _Builder()
    builder.all_of(module)
    group_steps(builder.graphs)
    return Picture(module.class_name, _stored_text(module), builder.graphs)


def module_summary(module: TracedModule) -> str:
    """What a module takes, gives and holds, in a line."""
    if len(module._graphs) == 1:
        return f"{module.class_name}{_signature(module.graph)}: {counts_text(module.graph)}"
    return f"{module.class_name}: {number_text(len(module._graphs), 'graph')}"


def _signature(graph: InternalGraph) -> str:
    takes = [f"{node.name}: {_type(node)}" for node in graph.inputs if not isinstance(node, ModuleNode)]
    return f"({', '.join(takes)}) -> {', '.join(map(_type, graph.outputs)) or 'nothing'}"


def _type(node: Node) -> str:
    if not isinstance(node, TensorNode):
        return node.kind
    return f"{node.dtype}[{','.join('?' if n < 0 else str(n) for n in node._shape)}]"


def counts_text(graph: InternalGraph) -> str:
    """How many steps a graph has in all, and the parameters of its module."""
    steps = sum(not isinstance(expr, Input) and not _is_layer(expr) for expr in graph.exprs())
    return f"{number_text(steps, 'step')}, {_stored_text(graph.module)}"


def _stored_text(module: TracedModule) -> str:
    stored = [("parameter", tensor.type) for tensor in module.parameters()]
    return stored_text([*stored, *(("buffer", tensor.type) for tensor in module.buffers())])


class _Builder:
    def __init__(self) -> None:
        self.graphs: list[GraphData] = []
        self.numbers: dict[int, int] = {}
        self.conditions = Conditions()

    def all_of(self, module: TracedModule) -> None:
        """A graph with a box for each graph of a module."""
        top: GraphData = {"name": module.class_name, "inputs": [], "outside": [], "steps": [], "results": [], "returns": ""}
        self.graphs.append(top)
        for graph in module._graphs:
            part = ("", self.graph(graph))
            text = f"{graph.name}{_signature(graph)}"
            top["steps"].append({"kind": "layer", "title": graph.name, "text": text, "ins": [], "outs": [], "parts": [part]})

    def graph(self, graph: InternalGraph) -> int:
        """The number of a graph."""
        if id(graph) not in self.numbers:
            self.numbers[id(graph)] = len(self.graphs)
            made: GraphData = {"name": graph.name, "inputs": [], "outside": [], "steps": [], "results": [], "returns": ""}
            self.graphs.append(made)
            made["inputs"] = [value_of(node) for node in graph.inputs if not isinstance(node, ModuleNode)]
            made["steps"] = [self.step(expr) for expr in graph.body if not _is_layer(expr)]
            made["results"] = [node.name for node in graph.outputs]
            made["returns"] = argument_text(graph.results, "") if graph.around is None else _yielded(graph)
            made["outside"] = [value_of(node) for node in read_from_around(graph)]
        return self.numbers[id(graph)]

    def step(self, expr: Expr) -> StepData:
        kind, title = kind_and_title(expr)
        made: StepData = {"id": expr.id, "kind": kind, "title": title, "text": expr_text(expr).partition(": ")[2]}
        made["ins"] = [node.name for node in expr.inputs if not isinstance(node, ModuleNode)]
        made["outs"] = [value_of(node) for node in expr.outputs]
        if isinstance(expr, CallMethod) and expr.calls_layer:
            made["attr"] = getattr(expr.args[0].expr, "name", "")
            made["owner"] = _described(expr.args[0].owner)
        if expr.path:
            made["at"] = expr.path
        place(made, expr.loc)
        if isinstance(expr, If | While):
            made["condition"] = self.condition(expr)
        labels = expr.labels if isinstance(expr, Control) else ("",) * len(expr.graphs)
        made["parts"] = [(label, self.graph(part)) for label, part in zip(labels, expr.graphs)]
        return made

    def condition(self, expr: Control) -> str:
        asked = expr.args[0] if isinstance(expr, If) else expr.blocks[0].results[0]
        made = _answered(asked)
        is_whole = isinstance(made, Node) and isinstance(made.expr, If)
        said = self.conditions.text(expr.word, expr.loc, is_whole)
        return said or f"{expr.word} {expression(asked, lambda value: _made(value, expr.loc))}"


def _answered(value: Any) -> Any:
    """The value whose truth this is; any other one itself."""
    while isinstance(value, Node) and getattr(value.expr, "operator", "") == "py.truth" and value.expr.args:
        value = value.expr.args[0]  # a Node, or a constant
    return value


def _made(value: Any, loc: Loc | None) -> Made:
    """How a Node was made in the line of a condition, for a short expression; what other lines made has a name."""
    expr = value.expr if isinstance(value, Node) else None
    is_layer = isinstance(expr, CallMethod) and expr.calls_layer
    if not isinstance(expr, CallFunction | CallMethod) or is_layer or _line(expr.loc) != _line(loc):
        return Made(argument_text(value, ""))
    operands = (leaf for leaf in (*expr.args, *expr.kwargs.values()) if leaf is not None and not isinstance(leaf, bool))
    return Made("", getattr(expr, "operator", "") or kind_and_title(expr)[1], tuple(operands))


def _line(loc: Loc | None) -> tuple[str, int] | None:
    return loc and (loc.file, loc.line)


def _yielded(graph: InternalGraph) -> str:
    return ", ".join(argument_text(leaf, "") for leaf in graph.results)


def _is_layer(expr: Expr) -> bool:
    """Whether a step only fetches a Layer, which its calls tell."""
    return isinstance(expr, GetAttr) and isinstance(expr.outputs[0], ModuleNode)


def _described(owner: Any) -> str:
    return repr(owner) if isinstance(owner, Layer) and is_builtin(owner) else getattr(owner, "class_name", "")


def value_of(node: Node) -> ValueData:
    """A Node: its name, and its shape and dtype, or its kind."""
    if isinstance(node, TensorNode):
        return {"name": node.name, "shape": shape_text(node._shape), "dtype": node.dtype}
    return {"name": node.name, "shape": "", "dtype": node.kind}


def read_from_around(graph: InternalGraph) -> list[Node]:
    """The Nodes of the graphs around a block that it reads, but for Layers, each once."""
    if graph.around is None:
        return []
    read = [node for expr in graph.body for node in expr.inputs] + graph.outputs
    return [n for n in dict.fromkeys(read) if n.top_graph is not graph and not isinstance(n, ModuleNode)]


def kind_and_title(expr: Expr) -> tuple[str, str]:
    """Of what kind a step is, and what it is called on a picture."""
    if isinstance(expr, Control):
        return "control", expr.word
    if isinstance(expr, Raise):
        return "control", f"raise {expr.exception[0]}"
    if isinstance(expr, Constant):
        return "part", "constant"
    if isinstance(expr, GetAttr):
        return "part", expr.name
    if isinstance(expr, CallMethod) and expr.calls_layer:
        owner = expr.args[0].owner
        return "layer", f"{getattr(owner, 'class_name', type(owner).__name__)}"
    if isinstance(expr, CallMethod):
        return "call", expr.method.strip("_")
    assert isinstance(expr, CallFunction)
    return "call", expr.operator or printed_name(expr.func).rpartition(".")[2]
