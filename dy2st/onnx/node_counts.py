"""How many nodes an ONNX model has, and how deeply its graphs and calls of functions are nested, in linear time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from graphlib import CycleError, TopologicalSorter
from typing import Any

from ..config import file_limits
from ..errors import ModelFileError
from ..saving.untrusted import brief, within

Key = tuple[str, str, str]  # of a function: domain, name, overload


def own_domain(domain: str) -> str:
    """A domain by its short name."""
    return "" if domain == "ai.onnx" else domain


def functions_of(model: Any) -> dict[Key, Any]:
    """The FunctionProtos of a model, by key. ModelFileError: two have one."""
    found = {(own_domain(one.domain), one.name, one.overload): one for one in model.functions}
    if len(found) < len(model.functions):
        raise ModelFileError("the model has two functions of one name")
    return found


def called(node: Any) -> Key:
    """The key of the function that a node calls, if it calls one."""
    return own_domain(node.domain), node.op_type, node.overload


def graphs_of(node: Any) -> Iterator[Any]:
    """The GraphProtos in the attributes of a NodeProto."""
    for attribute in node.attribute:
        if attribute.HasField("g"):
            yield attribute.g
        yield from attribute.graphs


def nodes_in(proto: Any) -> Iterator[Any]:
    """The NodeProtos of a graph or function, and of the graphs in them."""
    return (node for node, _ in _nodes_and_depths(proto))


def _nodes_and_depths(proto: Any) -> Iterator[tuple[Any, int]]:
    """The same, each with the number of graphs around it, from 1 on."""
    waiting = [(proto, 1)]
    while waiting:
        graph, depth = waiting.pop()
        for node in graph.node:
            yield node, depth
            waiting += ((inner, depth + 1) for inner in graphs_of(node))


def count_nodes(model: Any, what: str = "the model") -> int:
    """The nodes of a model, those of a function counted at each call of it.

    ModelFileError: functions call each other in a circle, or there are more nodes, or deeper nesting, than a file may have.
    """
    protos = functions_of(model)
    calls = {key: Counter(filter(protos.__contains__, map(called, nodes_in(one)))) for key, one in protos.items()}
    sizes: dict[Key, int] = {}  # nodes of a function and of those that it calls
    depths: dict[Key, int] = {}  # graphs and calls that are nested in it
    for key in _callees_first(calls, what):
        sizes[key], depths[key] = _measured(protos[key], sizes, depths)
        within("depth", depths[key], f"{what}, the function {brief(key[1])}: nesting of graphs and calls of functions")
    found, depth = _measured(model.graph, sizes, depths)
    within("depth", depth, f"{what}: nesting of graphs and calls of functions")
    within("nodes", found, f"{what}: nodes, those of functions counted for each call")
    return found


def _measured(proto: Any, sizes: Mapping[Key, int], depths: Mapping[Key, int]) -> tuple[int, int]:
    """The nodes of a graph or function, at most one more than a file may have; and its nesting."""
    count, deepest = 0, 1
    for node, depth in _nodes_and_depths(proto):
        key = called(node)
        count += 1 + sizes.get(key, 0)
        deepest = max(deepest, depth + depths.get(key, 0))
    return min(count, file_limits.nodes + 1), deepest


def _callees_first(calls: Mapping[Key, Mapping[Key, int]], what: str) -> list[Key]:
    """The functions, each after those that it calls. ModelFileError: they call each other in a circle."""
    try:
        return list(TopologicalSorter(calls).static_order())
    except CycleError as error:
        names = sorted({name for _, name, _ in error.args[1]})
        raise ModelFileError(f"{what}: functions call each other in a circle: {', '.join(map(brief, names))}") from None
