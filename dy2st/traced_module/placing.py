"""Where inserted Exprs go."""

from __future__ import annotations

from typing import Any

from .expr import Expr, GetAttr
from .graph import InternalGraph
from .objects import trace_error
from .recording import Recording


class Placing(Recording):
    """Records calls in a graph that is there: right after one Expr, or as early as their inputs allow."""

    def __init__(self, graph: InternalGraph, after: Expr | None):
        super().__init__(graph, graph.module)
        self._after = after
        self._new: list[Expr] = []

    def place(self, expr: Expr) -> None:
        """Right after `after` and what was inserted there, or as early as the inputs allow; what only fetches, before its use."""
        body = self.graph.body
        for producer in {id(node.expr): node.expr for node in expr.inputs}.values():
            if producer in self._new and _only_fetches(producer) and not any(n.users for n in producer.outputs):
                body.remove(producer)
                self._new.remove(producer)
                self._insert(producer, expr.inputs)
        self._insert(expr, expr.inputs)

    def _insert(self, expr: Expr, inputs: list[Any]) -> None:
        body = self.graph.body
        at = max((body.index(node.expr) + 1 for node in inputs if node.expr in body), default=0)
        if self._after is not None:
            start = body.index(self._after) + 1 if self._after in body else 0
            if at > max([start, *(body.index(e) + 1 for e in self._new if e in body)]):
                raise trace_error(f"what is inserted after {self._after!r} can't use what is computed later")
            at = max(at, start)
        at = max([at, *(body.index(e) + 1 for e in self._new if e.written and e in body)])
        while at < len(body) and body[at] in self._new:
            at += 1
        body.insert(at, expr)
        self._new.append(expr)


def _only_fetches(expr: Expr) -> bool:
    return isinstance(expr, GetAttr) or not expr.inputs
