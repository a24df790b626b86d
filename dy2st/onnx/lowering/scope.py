"""The graphs that are being written: the model's own, and those of branches and loop bodies in it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import numpy as np

from ..packages import onnx
from . import protos
from .values import OnnxType, OnnxValue

Named = tuple[str, OnnxType]


class Names:
    """Names that no other value or node of the model has."""

    def __init__(self) -> None:
        self._taken: dict[str, int] = {}

    def fresh(self, hint: str) -> str:
        """`hint`, with a number behind it where it is taken."""
        hint = re.sub(r"[^\w./:-]", "_", hint) or "value"
        count = self._taken[hint] = self._taken.get(hint, 0) + 1
        return hint if count == 1 else self.fresh(f"{hint}#{count}".replace("#", "_"))


class Constants:
    """The constants of a model: each array once, whoever asks for it."""

    def __init__(self, names: Names):
        self._names = names
        self._found: dict[Any, OnnxValue] = {}
        self.protos: list[Any] = []

    def value(self, array: np.ndarray, dtype: str, hint: str) -> OnnxValue:
        """The constant with these elements."""
        key = (dtype, array.shape, array.tobytes() if dtype != "string" else tuple(array.reshape(-1).tolist()))
        if key not in self._found:
            name = self._names.fresh(hint)
            self.protos.append(protos.tensor_proto(name, array))
            self._found[key] = OnnxValue(name, protos.array_type(array, dtype), array)
        return self._found[key]


class Scope:
    """One graph: its nodes, and the values that they give.

    is_turn: it is the body of a loop. codes: of the checks that were made in it (`faults.py`).
    """

    def __init__(self, is_turn: bool = False) -> None:
        self.is_turn = is_turn
        self.codes: list[OnnxValue] = []
        self.nodes: list[Any] = []
        self.given: set[str] = set()

    def add(self, node: Any) -> None:
        """Append a node."""
        self.nodes.append(node)
        self.given.update(node.output)

    def graph(self, name: str, inputs: Sequence[Named], outputs: Sequence[Named], constants: Sequence[Any] = ()) -> Any:
        """The finished GraphProto: the nodes that its outputs need, and the constants that these read."""
        infos = [[protos.value_info(*pair) for pair in pairs] for pairs in (inputs, outputs)]
        needed, nodes = {output for output, _ in outputs}, []
        for node in reversed(self.nodes):
            if not needed.isdisjoint(node.output):
                needed |= _reads(node)
                nodes.append(node)
        read = [constant for constant in constants if constant.name in needed]
        return onnx().helper.make_graph(nodes[::-1], name, *infos, initializer=read)


def _reads(node: Any) -> set[str]:
    """The values that a node reads, and the graphs in it."""
    found = set(node.input)
    for attribute in node.attribute:
        if attribute.HasField("g"):
            found |= {output.name for output in attribute.g.output}.union(*map(_reads, attribute.g.node))
    return found
