"""The graphs that are being written: names, constants and nodes of the model's own graph, and of those in it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from ...graphs.lowering.scope import Scope
from ...graphs.lowering.values import GraphType, GraphValue
from ..packages import onnx
from . import protos
from .pruning import needed, read_by
from .splitting import Cuts

Named = tuple[str, GraphType]


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
        self._found: dict[Any, GraphValue] = {}
        self.protos: list[Any] = []

    def value(self, array: np.ndarray, dtype: str, hint: str) -> GraphValue:
        """The constant with these elements."""
        key = (dtype, array.shape, array.tobytes() if dtype != "string" else tuple(array.reshape(-1).tolist()))
        if key not in self._found:
            name = self._names.fresh(hint)
            self.protos.append(protos.tensor_proto(name, array))
            self._found[key] = GraphValue(name, protos.array_type(array, dtype), array)
        return self._found[key]


class GraphScope(Scope):
    """One graph: its nodes, and the values that they give."""

    def __init__(self, is_turn: bool = False) -> None:
        super().__init__(is_turn)
        self.nodes: list[Any] = []
        self.given: dict[str, GraphType] = {}
        self.cuts = Cuts()

    def add(self, node: Any, types: Iterable[GraphType]) -> None:
        """Append a node, whose outputs have these types."""
        self.nodes.append(node)
        self.given.update(zip(node.output, types))

    def take(self, other: GraphScope) -> None:
        """Append the nodes of a graph in this one."""
        self.nodes += other.nodes
        self.given.update(other.given)
        self.kept |= other.kept

    def needed(self, outputs: Iterable[str]) -> list[Any]:
        """The nodes that outputs depend on, and those that are computed because they may fail."""
        return needed(self.nodes, [*outputs, *self.kept])

    def graph(self, name: str, inputs: Sequence[Named], outputs: Sequence[Named], constants: Sequence[Any] = ()) -> Any:
        """The finished GraphProto, with the nodes that are needed and the constants that these read."""
        nodes = self.cuts.joined(self.needed(name for name, _ in outputs))
        read = {name for node in nodes for name in read_by(node)}
        used = [proto for proto in constants if proto.name in read]
        infos = [[protos.value_info(*pair) for pair in pairs] for pairs in (inputs, outputs)]
        return onnx().helper.make_graph(nodes, name, *infos, initializer=used)
