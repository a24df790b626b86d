"""Which Exprs an output needs: those whose values it is made of, and those that write the memory of such a value in place.

An `if` or `while` is one step here, which reads what its parts read; memory is followed into its parts.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import TYPE_CHECKING, Any

from ..ir.groups import Groups
from .control import all_blocks, always_needed

if TYPE_CHECKING:
    from .graph import InternalGraph


class Memory(Groups):
    """Which Nodes may lie in the same memory: those of one group. Of a graph and all that is around it."""

    def __init__(self, graph: InternalGraph):
        super().__init__()
        self.graph = graph.outermost
        for block in all_blocks(self.graph):
            for expr in block.body:
                for together in _together(expr):
                    self.merge(*together)


def _together(expr: Any) -> Iterator[list[Any]]:
    """The Nodes that a step may leave in the same memory."""
    if expr.shares or expr.writes:
        yield [*expr.inputs, *expr.outputs]
    for block in expr.blocks:  # what goes in by one place comes out by it, from each of the blocks
        carried = dict(zip(block.inputs, expr.args))
        yield from ([inner, outer] for inner, outer in carried.items() if outer in expr.inputs)
        if len(block.results) == len(expr.outputs):
            yield from ([out, leaf] for out, leaf in zip(expr.outputs, block.results) if leaf in block.outputs)
    if expr.blocks and expr.blocks[0].inputs:
        yield from ([a, out] for a, out in zip(expr.args, expr.outputs) if a in expr.inputs)
        yield from (list(pair) for pair in zip(*(block.inputs for block in expr.blocks)))
        yield from ([a, b] for a, b in zip(expr.blocks[-1].inputs, expr.outputs))


def needed(graph: InternalGraph) -> set[int]:
    """The ids (of Python) of the Exprs, in the blocks, too, that outputs need, or that write what comes from outside."""
    memory = Memory(graph)
    blocks = all_blocks(graph)
    steps = [expr for block in blocks for expr in block.body]
    outside = {memory.group(node) for node in (graph.inputs[1:] if graph.around is None else graph.inputs)}
    outside |= {memory.group(expr.outputs[0]) for expr in steps if expr.outputs and _is_from_outside(graph, expr)}
    if graph.around is not None:
        outside |= {memory.group(node) for expr in steps for node in expr.inputs if node.top_graph not in blocks}
    wanted_memory = set(outside)
    writers: dict[Any, list[Any]] = {}
    for expr in steps:
        for node in expr.written:
            writers.setdefault(memory.group(node), []).append(expr)
    holders = {id(inner): expr for expr in steps for block in expr.blocks for inner in block.body}
    kept: set[int] = set()
    pending = [node.expr for node in graph.outputs] + [expr for expr in steps if always_needed(expr)]
    pending += [expr for place in outside for expr in writers.get(place, ())]
    while pending:
        expr = pending.pop()
        if id(expr) in kept:
            continue
        kept.add(id(expr))
        if id(expr) in holders:
            pending.append(holders[id(expr)])
        wanted = [*expr.operands, *chain.from_iterable(block.outputs for block in expr.blocks)]
        pending += [node.expr for node in wanted]
        for node in (*wanted, *expr.outputs):
            place = memory.group(node)
            if place not in wanted_memory:
                wanted_memory.add(place)
                pending += writers.get(place, ())
    return kept


def _is_from_outside(graph: InternalGraph, expr: Any) -> bool:
    """Whether a step fetches a part of the Layer, or is a constant."""
    return not expr.blocks and (not expr.inputs or expr.inputs == [graph.self_node])
