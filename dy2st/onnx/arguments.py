"""The inputs of a model among the arguments of a call."""

from __future__ import annotations

from typing import Any

from ..jit.interface import argument_tree
from ..runtime.heap.natives import Mirror


def inputs_of(label: str, nodes: list[Any], args: tuple, kwargs: dict[str, Any]) -> list[Any]:
    """The tensors, arrays and containers that the Program takes, in order.

    nodes: the trees of the arguments, by parameter, as a file has them. label: what messages call the model.

    TypeError or ValueError, which names the argument: it is missing, unknown, or of another kind.
    """
    found: list[Any] = []
    for name, node, value in argument_tree.matched(label, nodes, args, kwargs):
        argument_tree.collect(node, value, name, found)
    return found


def natives_of(label: str, nodes: list[Any], args: tuple, kwargs: dict[str, Any]) -> list[Any]:
    """The same in native form."""
    return list(map(Mirror({}, {}).to_native, inputs_of(label, nodes, args, kwargs)))
