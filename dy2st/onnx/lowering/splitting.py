"""Slices of one tensor that together are all of it, each once, are one Split: the gates of a cell cost one node, not four.

    Slice [x], 0:64 -> i
    Slice [x], 64:128 -> f     ->     Split [x], 64, 64 -> i, f
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Any, NamedTuple

from ..packages import onnx


class Cut(NamedTuple):
    """The elements from `start` to `stop` along an axis: the output `name` of a Slice."""

    start: int
    stop: int
    name: str


class Split(NamedTuple):
    """All cuts of the tensor `source` along an axis, in their order. sizes: the name of the constant of their lengths."""

    source: str
    axis: int
    sizes: str
    names: tuple[str, ...]


class Cuts:
    """The cuts of the tensors of one graph."""

    def __init__(self) -> None:
        self._found: defaultdict[tuple[str, int], dict[int, Cut]] = defaultdict(dict)
        self._splits: list[Split] = []

    def note(self, source: str, axis: int, length: int, cut: Cut) -> list[Cut]:
        """Remember a cut; if the tensor, so long along the axis, is now cut as a whole, all of them in their order."""
        cuts = self._found[source, axis]
        cuts.setdefault(cut.start, cut)
        found, at = [], 0
        while at < length and at in cuts:
            found.append(cuts[at])
            at = cuts[at].stop
        return found if at == length and len(found) > 1 and cuts[cut.start] is cut else []

    def add(self, split: Split) -> None:
        """A tensor whose cuts are one Split."""
        self._splits.append(split)

    def joined(self, nodes: Sequence[Any]) -> list[Any]:
        """The nodes of the graph, with a Split at the place of the first of several Slices."""
        made = list(nodes)
        for split in self._splits:
            places = [k for k, node in enumerate(made) if not set(split.names).isdisjoint(node.output)]
            if len(places) < 2:
                continue
            first = made[places[0]]
            made[places[0]] = onnx().helper.make_node(
                "Split", [split.source, split.sizes], split.names, first.name, first.doc_string, axis=split.axis
            )
            made = [node for k, node in enumerate(made) if k not in places[1:]]
        return made
