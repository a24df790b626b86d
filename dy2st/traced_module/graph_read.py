"""Graphs from the JSON of a file, which nobody vouches for."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..dtype import DTYPES
from ..errors import ModelFileError
from ..ir.core import Loc
from ..ops.registry import OPERATORS
from ..saving.exceptions import check_raised
from ..saving.untrusted import brief, expect
from .calls import CallFunction, CallMethod
from .constants import decode
from .control import CONTROL, Control, Raise
from .expr import Constant, Expr, GetAttr, Input
from .functions import function_named
from .graph import Ids, InternalGraph
from .graph_written import KINDS
from .node import ModuleNode, Node
from .operators import Operator


class GraphReader:
    """The graphs of a file."""

    def __init__(self, trees: list[dict[str, Any]], tensor: Callable, array: Callable):
        self._tensor, self._array = tensor, array
        ids = Ids()
        self.graphs = [InternalGraph(expect(t.get("name"), str, "a graph"), ids, bool(t.get("top"))) for t in trees]
        for graph, tree in zip(self.graphs, trees):
            following = [expect(k, int, "next") for k in expect(tree.get("next"), list, "next")]
            ids.expr, ids.node = max(ids.expr, following[0]), max(ids.node, following[-1])
            self._fill(graph, tree)

    def _fill(self, graph: InternalGraph, tree: dict[str, Any]) -> None:
        nodes: list[Node] = []
        where = f"the graph {graph.name}"

        def node(k: int) -> Node:
            if not 0 <= k < len(nodes):
                raise ModelFileError(f"{where}: there is no Node {k} at this point")
            return nodes[k]

        decoded = lambda value: decode(value, node, self._array, where)  # noqa: E731

        def step(part: Any, graph: InternalGraph) -> Expr:
            part = expect(part, dict, where)
            expr = self._expr(graph, part, tuple(expect(decoded(part.get("args")), list, where)), where)
            if isinstance(expr, Control):
                trees = expect(part.get("blocks"), list, where)
                expr.blocks = tuple([block(expect(tree, dict, where), graph) for tree in trees])
            expr.kwargs = expect(decoded(part.get("kwargs")), dict, where)
            expr.id, expr.shares = expect(part.get("id"), int, where), expect(part.get("shares"), bool, where)
            expr.writes = tuple(expect(k, int, where) for k in expect(part.get("writes"), list, where))
            expr.path = expect(part.get("path", ""), str, where)
            if part.get("loc") is not None:
                expr.loc = _read_loc(expect(part["loc"], list, where), where)
            if part.get("places") is not None:
                expr.places = tuple(expect(k, int, where) for k in expect(part["places"], list, where))
            expr.n_results = expect(part.get("results"), int, where)
            for entry in expect(part.get("outputs"), list, where):
                nodes.append(_read_node(graph, expr, expect(entry, list, where), where))
            if isinstance(expr, Control):
                expr.check(lambda message: ModelFileError(f"{where}: {message}"))
            return expr

        def fill(graph: InternalGraph, tree: dict[str, Any]) -> InternalGraph:
            graph.inputs = [step(part, graph).outputs[0] for part in expect(tree.get("inputs"), list, where)]
            graph.body = [step(part, graph) for part in expect(tree.get("body"), list, where)]
            graph.results = decoded(tree.get("results"))
            return graph

        def block(tree: dict[str, Any], around: InternalGraph) -> InternalGraph:
            return fill(InternalGraph(expect(tree.get("name"), str, where), graph.ids, False, around), tree)

        fill(graph, tree)
        graph.form = decoded(tree.get("form"))
        graph.added = [node(expect(k, int, where)) for k in expect(tree.get("added"), list, where)]

    def _expr(self, graph: InternalGraph, part: dict[str, Any], args: tuple, where: str) -> Expr:
        kind = part.get("kind")
        if kind == "input":
            return Input(graph)
        if kind == "getattr" and len(args) == 1:
            name = expect(part.get("name"), str, where)
            if not isinstance(args[0], ModuleNode):
                raise ModelFileError(f"{where}: {brief(name)} is no part of a Layer")
            return GetAttr(graph, args[0], name)
        if kind == "constant":
            return Constant(graph, self._tensor(expect(part.get("value"), str, where)))
        if kind == "function":
            return CallFunction(graph, function_named(expect(part.get("func"), str, where)), args)
        if kind == "operator":
            return Operator(graph, operator_named(expect(part.get("func"), str, where), where), args)
        if kind in CONTROL:
            return CONTROL[kind](graph, args)
        if kind == "raise":
            names = tuple([expect(name, str, where) for name in expect(part.get("exception"), list, where)])
            try:
                check_raised(names)
            except ValueError as error:
                raise ModelFileError(f"{where}: {error}") from None
            if not names:
                raise ModelFileError(f"{where}: a raise without an exception")
            return Raise(graph, names, args)
        if kind == "method" and args:
            return self._method(graph, part, args, where)
        raise ModelFileError(f"{where}: {brief(kind)} is no kind of Expr")

    def _method(self, graph: InternalGraph, part: dict[str, Any], args: tuple, where: str) -> Expr:
        made = CallMethod(graph, expect(part.get("method"), str, where), args)
        if isinstance(args[0], ModuleNode) != (made.method == "__call__") or not may_be_called(made.method):
            raise ModelFileError(f"{where}: a graph can't call the method {brief(made.method)}")
        if part.get("graph") is not None:
            k = expect(part["graph"], int, where)
            if not 0 <= k < len(self.graphs):
                raise ModelFileError(f"{where}: there is no graph {brief(k)}")
            made.graph = self.graphs[k]
        return made


def _read_loc(tree: list[Any], where: str) -> Loc:
    if [type(part) for part in tree] != [str, int, str]:
        raise ModelFileError(f"{where}: {brief(tree)} is no place in a source file")
    return Loc(*tree)


def operator_named(name: str, where: str) -> Any:
    """The operator of this name; ModelFileError where there is none."""
    if name not in OPERATORS:
        raise ModelFileError(f"{where}: {brief(name)} is no operator")
    return OPERATORS[name]


def may_be_called(method: str) -> bool:
    """Whether this is a method of Tensor that shows its calls, which are those that a graph may hold."""
    from ..runtime.tensor import Tensor

    return method == "__call__" or hasattr(vars(Tensor).get(method), "__wrapped__")


def _read_node(graph: InternalGraph, expr: Expr, entry: list[Any], where: str) -> Node:
    if len(entry) < 3 or entry[0] not in KINDS:
        raise ModelFileError(f"{where}: {brief(entry)} is no Node")
    details: dict[str, Any] = {}
    if entry[0] == "tensor":
        if len(entry) != 5 or entry[4] not in DTYPES:
            raise ModelFileError(f"{where}: {brief(entry)} is no tensor Node")
        details = {"shape": tuple(expect(n, int, where) for n in expect(entry[3], list, where)), "dtype": entry[4]}
    if entry[0] == "value":
        details = {"type": expect(entry[-1], str, where)}
    try:
        graph.names.take(expect(entry[2], str, where))
    except ValueError as error:
        raise ModelFileError(f"{where}: {error}") from None
    node = KINDS[entry[0]](entry[2], expr, **details)
    node.id = expect(entry[1], int, where)
    expr.outputs.append(node)
    return node
