"""Nodes whose outputs nobody reads are left out: a lowering writes all results of an operator, also those that nobody asks.

A runtime computes a node that nobody reads, too; an operation whose only effect is that it may fail is kept so (`Scope.kept`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any


def needed(nodes: Sequence[Any], outputs: Iterable[str]) -> list[Any]:
    """The nodes of a graph, in order, that its outputs depend on. No node of ONNX does anything but compute its outputs."""
    asked = set(outputs)
    kept = []
    for node in reversed(nodes):
        if not asked.isdisjoint(node.output):
            kept.append(node)
            asked.update(read_by(node))
    return kept[::-1]


def read_by(node: Any) -> Iterator[str]:
    """The names that a node reads: its inputs, and what the graphs in it see of the graphs around."""
    yield from node.input
    for attribute in node.attribute:
        if attribute.HasField("g"):
            for inner in attribute.g.node:
                yield from read_by(inner)
            yield from (output.name for output in attribute.g.output)
