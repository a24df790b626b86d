"""Changes of a graph: further inputs and outputs, other Nodes in place of some, and the removal of what no output needs.

Each either happens as a whole or raises and changes nothing.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from ..dtypes import dtype_name
from .control import all_blocks, is_visible
from .effects import needed
from .node import Node, TensorNode
from .tree import leaves, map_tree

if TYPE_CHECKING:
    from .graph import InternalGraph


def add_input_node(graph: InternalGraph, shape: Iterable[int], dtype: str, name: str) -> TensorNode:
    """A further input, behind the others."""
    _need_top(graph, "add_input_node")
    node = graph.add_input(TensorNode, name, shape=tuple(int(n) for n in shape), dtype=dtype_name(dtype))
    graph.added.append(node)
    graph.number()
    return node


def add_output_node(graph: InternalGraph, node: Node) -> None:
    """The result as a tuple, with `node` last."""
    _need_top(graph, "add_output_node")
    _need_tensors(graph, node)
    before = graph.results if type(graph.results) is tuple else (graph.results,)
    graph.results = (*before, node)


def reset_outputs(graph: InternalGraph, outputs: Any) -> None:
    """Another result."""
    _need_top(graph, "reset_outputs")
    _need_tensors(graph, outputs)
    graph.results = map_tree(lambda leaf: leaf, outputs)


def _need_top(graph: InternalGraph, what: str) -> None:
    if not graph.is_top:
        raise ValueError(f"{what} changes how a module is called: it is for the top graph, not for {graph.name}")


def _need_tensors(graph: InternalGraph, outputs: Any) -> None:
    for leaf in leaves(outputs):
        if not isinstance(leaf, TensorNode) or not is_visible(graph, leaf):
            raise ValueError(f"an output is a tensor Node of {graph.name}, or a list, tuple or dict of them, not {leaf!r}")


def replace_node(graph: InternalGraph, repl_dict: dict[Node, Node]) -> None:
    """Read the values of `repl_dict` in place of its keys: in the Exprs after each value's own, and in the outputs."""
    change = dict(repl_dict)
    for old, new in change.items():
        if not (isinstance(old, Node) and isinstance(new, Node)):
            raise TypeError(f"replace_node takes a dict of Nodes, not {old!r}: {new!r}")
        if not (is_visible(graph, old) and is_visible(graph, new)):
            raise ValueError(f"replace_node: {old!r} and {new!r} must both be Nodes of {graph.name}")
        if type(old) is not type(new):
            raise ValueError(f"replace_node: {old!r} is a {type(old).__name__}, {new!r} a {type(new).__name__}")
    place = {id(expr): k for k, expr in enumerate(graph.body)}
    after = {old: place.get(id(new.expr), -1) for old, new in change.items()}
    for k, expr in enumerate(graph.body):
        here = {old: new for old, new in change.items() if k > after[old]}
        if here and any(node in here for node in expr.inputs):
            expr.replace_inputs(here)
    graph.results = map_tree(lambda leaf: change.get(leaf, leaf) if isinstance(leaf, Node) else leaf, graph.results)


def compile_graph(graph: InternalGraph) -> None:
    """Keep what the outputs need; in the parts of control flow, what their results need."""
    kept = needed(graph)
    for block in all_blocks(graph):
        remove(block, [expr for expr in block.body if id(expr) not in kept])


def remove(graph: InternalGraph, exprs: list[Any]) -> None:
    """Take Exprs out, and give their names back."""
    gone = {id(expr) for expr in exprs}
    graph.body = [expr for expr in graph.body if id(expr) not in gone]
    for expr in exprs:
        for node in expr.outputs:
            graph.names.release(node.name)
        for block in expr.blocks:
            remove(block, block.body)
            for node in block.inputs:
                graph.names.release(node.name)
