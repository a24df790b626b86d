"""Which Exprs an output needs: those whose values it is made of, and those that write the memory of such a value in place."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .graph import InternalGraph


class Memory:
    """Which Nodes may lie in the same memory: a name for each such set."""

    def __init__(self, graph: InternalGraph):
        self._above: dict[Any, Any] = {}
        for expr in graph.body:
            if expr.shares or expr.writes:
                tensors = [*expr.inputs, *expr.outputs]
                for node in tensors[1:]:
                    above, below = self.of(tensors[0]), self.of(node)
                    if above is not below:
                        self._above[below] = above

    def of(self, node: Any) -> Any:
        """The set that a Node is in."""
        while node in self._above:
            node = self._above[node]
        return node


def needed(graph: InternalGraph) -> set[int]:
    """The ids (of Python) of the Exprs that the outputs need, or that write what comes from outside."""
    memory = Memory(graph)
    outside = {memory.of(node) for node in graph.inputs[1:]}
    outside |= {memory.of(expr.outputs[0]) for expr in graph.body if not expr.inputs or expr.inputs == graph.inputs[:1]}
    wanted_memory = set(outside)
    writers: dict[Any, list[Any]] = {}
    for expr in graph.body:
        for k in expr.writes:
            writers.setdefault(memory.of(expr.inputs[k]), []).append(expr)
    kept: set[int] = set()
    pending = [node.expr for node in graph.outputs]
    pending += [expr for place in outside for expr in writers.get(place, ())]
    while pending:
        expr = pending.pop()
        if id(expr) in kept:
            continue
        kept.add(id(expr))
        for node in expr.inputs:
            pending.append(node.expr)
        for node in (*expr.inputs, *expr.outputs):
            place = memory.of(node)
            if place not in wanted_memory:
                wanted_memory.add(place)
                pending += writers.get(place, ())
    return kept
