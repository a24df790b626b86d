"""Nodes that a graph needs: those whose outputs lead to its outputs. The others have no effect."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from ..node_counts import graphs_of


def is_needed(nodes: list[Any], outputs: Iterable[str]) -> list[bool]:
    """For each NodeProto of a graph, whether these outputs of the graph depend on it. Nodes stand after those that they use."""
    wanted, found = set(outputs), []
    for node in reversed(nodes):
        found.append(not wanted.isdisjoint(filter(None, node.output)))
        if found[-1]:
            wanted.update(_names_read(node))
    return found[::-1]


def _names_read(node: Any) -> Iterator[str]:
    """The names of values that a node reads, and all that the graphs in it read."""
    yield from node.input
    for inner in graphs_in(node):
        yield from (output.name for output in inner.output)
        for one in inner.node:
            yield from one.input


def graphs_in(node: Any) -> Iterator[Any]:
    """The GraphProtos in a node, at any depth."""
    waiting = list(graphs_of(node))
    while waiting:
        graph = waiting.pop()
        yield graph
        for inner in graph.node:
            waiting += graphs_of(inner)
