"""Graphs from the JSON of a file, which nobody vouches for."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from ..config import file_limits
from ..dtypes import DTYPES
from ..errors import ModelFileError
from ..ir.core import Loc
from ..ir.types import parse_type
from ..saving.untrusted import brief, expect, expect_keys
from .constants import decode
from .control import Control
from .expr import Expr
from .expr_read import ExprReader, shown, text_of
from .graph import Ids, InternalGraph
from .graph_checks import check_graph, check_step
from .graph_written import KINDS
from .node import Node

_BLOCK = {"name", "inputs", "body", "results"}
_GRAPH = _BLOCK | {"top", "next", "form", "added"}
_STEP = {"kind", "id", "args", "kwargs", "writes", "shares", "results", "places", "outputs", "loc", "path"}
_DETAILS = {"name", "value", "func", "method", "graph", "exception", "blocks"}
_LARGEST = 1 << 62  # of ids and lengths


class GraphReader:
    """The graphs of a file."""

    def __init__(self, trees: list[dict[str, Any]], tensor: Callable, array: Callable):
        ids = Ids()
        trees = [expect_keys(tree, _GRAPH, set(), "a graph") for tree in trees]
        self.graphs = [InternalGraph(text_of(t, "name", "a graph"), ids, expect(t["top"], bool, "top")) for t in trees]
        exprs = ExprReader(self.graphs, tensor)
        for graph, tree in zip(self.graphs, trees):
            following = [count(k, "next") for k in expect(tree["next"], list, "next")]
            if len(following) != 2:
                raise ModelFileError("next: a graph says which id the next Expr and the next Node get")
            ids.expr, ids.node = max(ids.expr, following[0]), max(ids.node, following[1])
            _Steps(graph, exprs, array).read(tree)


class _Steps:
    """Fills one graph; its Nodes and those of its blocks go by the order in which they are made."""

    def __init__(self, graph: InternalGraph, exprs: ExprReader, array: Callable):
        self._graph, self._exprs, self._array = graph, exprs, array
        self._nodes: list[Node] = []
        self._where = f"the graph {graph.name}"

    def read(self, tree: dict[str, Any]) -> None:
        graph = self._graph
        self._fill(graph, tree, 0)
        graph.form = self._decoded(tree["form"], graph)
        graph.added = [self._node(k, graph) for k in expect(tree["added"], list, self._where)]
        check_graph(graph, self._error)

    def _error(self, message: str) -> ModelFileError:
        return ModelFileError(f"{self._where}: {message}")

    def _fill(self, graph: InternalGraph, tree: dict[str, Any], depth: int) -> InternalGraph:
        if depth > file_limits.depth:
            raise self._error(f"blocks nested deeper than {file_limits.depth} (file_limits.depth)")
        for part in expect(tree["inputs"], list, self._where):
            expr = self._step(part, graph, depth)
            if not expr.outputs or expect(part["kind"], str, self._where) != "input":
                raise self._error("an input is made by a step of its own kind")
            graph.inputs.append(expr.outputs[0])
        graph.body = [self._step(part, graph, depth) for part in expect(tree["body"], list, self._where)]
        graph.results = self._decoded(tree["results"], graph)
        return graph

    def _block(self, tree: Any, around: InternalGraph, depth: int) -> InternalGraph:
        tree = expect_keys(tree, _BLOCK, set(), self._where)
        return self._fill(InternalGraph(text_of(tree, "name", self._where), around.ids, False, around), tree, depth + 1)

    def _step(self, part: Any, graph: InternalGraph, depth: int) -> Expr:
        where = self._where
        part = expect_keys(part, _STEP, _DETAILS, where)
        expr = self._exprs.read(graph, part, tuple(expect(self._decoded(part["args"], graph), list, where)), where)
        if isinstance(expr, Control):
            expr.blocks = tuple([self._block(tree, graph, depth) for tree in expect(part.get("blocks"), list, where)])
        expr.kwargs = expect(self._decoded(part["kwargs"], graph), dict, where)
        expr.id, expr.shares = count(part["id"], where), expect(part["shares"], bool, where)
        expr.writes = tuple([count(k, where) for k in expect(part["writes"], list, where)])
        expr.path, expr.loc = text_of(part, "path", where), None if part["loc"] is None else _loc(part["loc"], where)
        expr.places = None if part["places"] is None else tuple([count(k, where) for k in expect(part["places"], list, where)])
        expr.n_results = count(part["results"], where)
        for entry in expect(part["outputs"], list, where):
            self._nodes.append(_read_node(graph, expr, expect(entry, list, where), where))
        check_step(expr, self._error)
        return expr

    def _decoded(self, tree: Any, graph: InternalGraph) -> Any:
        return decode(tree, lambda k: self._node(k, graph), self._array, self._where)

    def _node(self, k: Any, graph: InternalGraph) -> Node:
        """The Node of this number, which a step of `graph` reads: made before, in it or in a graph around it."""
        if not 0 <= expect(k, int, self._where) < len(self._nodes):
            raise self._error(f"there is no Node {brief(k)} at this point")
        at: InternalGraph | None = graph
        while at is not None and self._nodes[k].top_graph is not at:
            at = at.around
        if at is None:
            raise self._error(f"the Node {k} belongs to another block")
        return self._nodes[k]


def _loc(tree: Any, where: str) -> Loc:
    if [type(part) for part in expect(tree, list, where)] != [str, int, str]:
        raise ModelFileError(f"{where}: {brief(tree)} is no place in a source file")
    return Loc(shown(tree[0], where), count(tree[1], where), shown(tree[2], where))


def count(value: Any, where: str) -> int:
    """A number from 0 on."""
    if not 0 <= expect(value, int, where) < _LARGEST:
        raise ModelFileError(f"{where}: {brief(value)} is no number of a thing")
    return value  # type: ignore[no-any-return]


def _read_node(graph: InternalGraph, expr: Expr, entry: list[Any], where: str) -> Node:
    kind, *rest = entry or [None]
    details: dict[str, Any] = {}
    if kind == "tensor" and len(rest) == 4:
        details = {"shape": _shape(rest[2], where), "dtype": rest[3]}
    elif kind == "value" and len(rest) == 3:
        details = {"type": _type(rest[2], where)}
    elif kind not in ("number", "layer") or len(rest) != 2:
        raise ModelFileError(f"{where}: {brief(entry)} is no Node")
    if "dtype" in details and details["dtype"] not in tuple(DTYPES):
        raise ModelFileError(f"{where}: {brief(rest[3])} is no dtype")
    try:
        graph.names.take(shown(rest[1], where))
    except ValueError as error:
        raise ModelFileError(f"{where}: {error}") from None
    node = KINDS[kind](rest[1], expr, **details)
    node.id = count(rest[0], where)
    expr.outputs.append(node)
    return node


def _type(text: Any, where: str) -> str:
    """A type, as a Program prints it."""
    try:
        return str(parse_type(expect(text, str, where)))
    except ValueError as error:
        raise ModelFileError(f"{where}: {error}") from None


def _shape(tree: Any, where: str) -> tuple[int, ...]:
    """The lengths that were met when tracing; -1 where one follows the values."""
    lengths = tuple([expect(n, int, where) for n in expect(tree, list, where)])
    if len(lengths) > 64 or any(n < -1 for n in lengths) or math.prod(n for n in lengths if n > 0) > file_limits.elements:
        raise ModelFileError(f"{where}: {brief(tree)} is no shape of a tensor")
    return lengths
