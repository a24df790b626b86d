"""What a picture of a graph shows, as plain data: graphs by number, the steps in them, and what each gives."""

from __future__ import annotations

from typing import Any

from ...ir.core import map_leaves
from ...ir.visible import visible
from ...nn import Layer
from ...runtime.where.lines import source_line
from ..builtin import is_builtin
from ..calls import CallFunction, CallMethod
from ..control import Control, Raise
from ..expr import Constant, Expr, GetAttr
from ..functions import printed_name
from ..graph import InternalGraph
from ..node import ModuleNode, Node, TensorNode
from ..printing import argument_text, expr_text


class Picture:
    """A graph and all that it runs.

    title: the name of the graph. graphs: the first is the graph itself; `parts` of a step refer to the others by number. Texts
    hold no control codes and no characters that nobody sees.
    """

    def __init__(self, graph: InternalGraph):
        self.graphs: list[dict[str, Any]] = []
        self._numbers: dict[int, int] = {}
        self._add(graph)
        self.title, self.graphs = visible(graph.name), _visible(self.graphs)

    def _add(self, graph: InternalGraph) -> int:
        if id(graph) not in self._numbers:
            self._numbers[id(graph)] = len(self.graphs)
            made: dict[str, Any] = {"name": graph.name}
            self.graphs.append(made)
            made["inputs"] = [value_of(node) for node in graph.inputs if not isinstance(node, ModuleNode)]
            made["steps"] = [self._step(expr) for expr in graph.body if not _is_layer(expr)]
            made["results"] = [node.name for node in graph.outputs]
            made["returns"] = argument_text(graph.results, "") if graph.around is None else _yielded(graph)
            made["outside"] = [value_of(node) for node in read_from_around(graph)]
        return self._numbers[id(graph)]

    def _step(self, expr: Expr) -> dict[str, Any]:
        kind, title = kind_and_title(expr)
        made: dict[str, Any] = {"id": expr.id, "kind": kind, "title": title, "text": expr_text(expr).partition(": ")[2]}
        made["ins"] = [node.name for node in expr.inputs if not isinstance(node, ModuleNode)]
        made["outs"] = [value_of(node) for node in expr.outputs]
        if isinstance(expr, CallMethod) and expr.calls_layer:
            made["attr"] = getattr(expr.args[0].expr, "name", "")
            made["owner"] = _described(expr.args[0].owner)
        if expr.path:
            made["at"] = expr.path
        if expr.loc is not None:
            made["loc"] = str(expr.loc)
            made["source"] = source_line(expr.loc)
        labels = expr.labels if isinstance(expr, Control) else ("",) * len(expr.graphs)
        made["parts"] = [[label, self._add(part)] for label, part in zip(labels, expr.graphs)]
        return made


def _visible(tree: Any) -> Any:
    """The same data with visible texts; lines stay lines."""
    return map_leaves(tree, lambda leaf: "\n".join(map(visible, leaf.split("\n"))) if isinstance(leaf, str) else leaf)


def _yielded(graph: InternalGraph) -> str:
    return ", ".join(argument_text(leaf, "") for leaf in graph.results)


def _is_layer(expr: Expr) -> bool:
    """Whether a step only fetches a Layer, which its calls tell."""
    return isinstance(expr, GetAttr) and isinstance(expr.outputs[0], ModuleNode)


def _described(owner: Any) -> str:
    return repr(owner) if isinstance(owner, Layer) and is_builtin(owner) else getattr(owner, "class_name", "")


def value_of(node: Node) -> dict[str, str]:
    """A Node: its name, and its shape and dtype, or its kind."""
    if isinstance(node, TensorNode):
        shape = " × ".join("?" if n < 0 else str(n) for n in node._shape) or "scalar"
        return {"name": node.name, "shape": shape, "dtype": node.dtype}
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
