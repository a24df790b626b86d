"""What a page shows, as plain data: graphs by number, the steps in them, the rooms of a step, and the values between steps.

An edge is a name that one step gives and another one reads. Names are unique in a graph and what its rooms read of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypedDict

from ..ir.core import Loc, map_leaves
from ..ir.visible import visible
from ..runtime.where.lines import source_line

LONGEST = 2000  # characters of one text in a page


class ValueData(TypedDict):
    """What goes along an edge. shape: as people write it, empty for what is no tensor. dtype: or the kind of value."""

    name: str
    shape: str
    dtype: str


class StepData(TypedDict, total=False):
    """A box.

    kind: call, layer, control, part, or group for a box that only holds others. title, note: what stands on it. text: all of it.
    condition: of an `if` or a `while`. ins: the names that it and its rooms read. outs: what it gives. parameters: those read.
    parts: label and graph of each room. attr: a Layer's attribute; at: its path; owner: what the Layer is. loc, source: the line.
    calls: where each call stands that leads to it, the outermost first; only grouping reads them.
    """

    id: int
    kind: str
    title: str
    note: str
    text: str
    condition: str
    ins: list[str]
    outs: list[ValueData]
    parameters: list[ValueData]
    parts: list[tuple[str, int]]
    attr: str
    at: str
    owner: str
    loc: str
    source: str
    calls: list[Loc]


class GraphData(TypedDict):
    """A room: what it takes, what it reads of the graphs around it, its steps, and the names and the text of what it gives."""

    name: str
    inputs: list[ValueData]
    outside: list[ValueData]
    steps: list[StepData]
    results: list[str]
    returns: str


@dataclass
class Picture:
    """A title, a line about what is shown, and the graphs, of which the first is shown first."""

    title: str
    about: str
    graphs: list[GraphData]

    def data(self) -> dict:
        """The same as JSON, in texts without control codes or characters that nobody sees; lines stay lines."""
        title, about = visible(_cut(self.title)), visible(_cut(self.about))
        return {"title": title, "about": about, "graphs": map_leaves(self.graphs, _shown)}


def shape_text(shape: Sequence[object] | None) -> str:
    """The lengths of a tensor as people write them: `? × 3`. Those below 0 and None are unknown; None is any rank."""
    if shape is None:
        return "any rank"
    return " × ".join("?" if n is None or isinstance(n, int) and n < 0 else str(n) for n in shape) or "scalar"


def place(step: StepData, loc: Loc | None) -> None:
    """Say of a step where it stands in the user's source. A line is shown only where it belongs to an object of this process."""
    if loc is not None:
        step["loc"], step["source"] = str(loc), source_line(loc)
        step["calls"] = list(reversed(list(loc.calls())))


def _shown(leaf: object) -> object:
    if not isinstance(leaf, str):
        return leaf
    return "\n".join(map(visible, _cut(leaf).split("\n")))


def _cut(text: str) -> str:
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}…"
