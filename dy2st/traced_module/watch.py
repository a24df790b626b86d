"""Watch points and end points: which values of a run are kept, and where it stops."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any

from ..runtime.tensors.tensor import Tensor
from .node import Node

if TYPE_CHECKING:
    from .expr import Expr
    from .graph import InternalGraph


class Watch:
    """What to look at while a module runs: `watched` Nodes anywhere below it, and `ends` in the graph `top`."""

    def __init__(self) -> None:
        self.watched: set[Node] = set()
        self.seen: dict[Node, Any] = {}
        self.ends: list[Node] = []
        self.top: InternalGraph | None = None

    def until_end(self, graph: InternalGraph) -> list[Expr]:
        """The Exprs of `graph` that run."""
        if graph is not self.top or not self.ends:
            return graph.body
        last = max((graph.body.index(node.expr) + 1 for node in self.ends if node.expr in graph.body), default=0)
        return graph.body[:last]

    def see(self, nodes: Iterable[Node], values: dict[Node, Any]) -> None:
        """Keep the values of those that are watched, as they are now."""
        for node in nodes:
            if node in self.watched:
                value = values[node]
                self.seen[node] = value.clone() if isinstance(value, Tensor) else value


_watch: ContextVar[Watch | None] = ContextVar("dy2st_watch", default=None)
current_watch = _watch.get


@contextmanager
def watching(watch: Watch) -> Iterator[None]:
    """Run the body under a Watch; the values kept before are forgotten."""
    watch.seen = {}
    token = _watch.set(watch)
    try:
        yield
    finally:
        _watch.reset(token)


def checked_nodes(nodes: Any) -> list[Node]:
    """A Node or a sequence of them as a list."""
    found = [nodes] if isinstance(nodes, Node) else list(nodes)
    for node in found:
        if not isinstance(node, Node):
            raise TypeError(f"a Node is needed, not {node!r}")
    return found
