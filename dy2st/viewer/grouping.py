"""Steps in boxes, so that a large graph opens on its outermost level: by module path, then by the function that was called, then
in runs of lines.

A box holds steps that follow each other. So no box waits for itself, and the order stays that of the Program.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from itertools import groupby
from math import ceil
from typing import NamedTuple

from ..ir.core import Loc
from ..runtime.where.lines import source_line
from .picture import GraphData, StepData, ValueData

MANY = 40  # boxes that are looked at together
FEW = 8
DEEPEST = 32  # layers in layers


class _Item(NamedTuple):
    """A box, and the steps of the graph that it holds: from start to before stop."""

    start: int
    stop: int
    step: StepData


def group_steps(graphs: list[GraphData]) -> None:
    """Put the steps of each graph into boxes; their rooms become further graphs."""
    controls = [step for graph in graphs for step in graph["steps"] if step["kind"] == "control"]
    paths = {part: step.get("at", "") for step in controls for _, part in step["parts"]}  # of the layer in which a room stands
    for number, graph in enumerate(graphs[:]):
        graph["steps"] = [item.step for item in _Grouping(graphs, graph).items(paths.get(number, ""))]
    for graph in graphs:
        for step in graph["steps"]:
            step.pop("calls", None)


class _Grouping:
    def __init__(self, graphs: list[GraphData], graph: GraphData):
        self.graphs, self.graph, self.steps = graphs, graph, graph["steps"]
        self.values: dict[str, ValueData] = {value["name"]: value for value in (*graph["inputs"], *graph["outside"])}
        self.given: dict[str, int] = {}  # name -> the step that gives it
        self.read: dict[str, int] = dict.fromkeys(graph["results"], len(self.steps))  # name -> the last that reads it
        for k, step in enumerate(self.steps):
            for value in step["outs"]:
                self.given[value["name"]], self.values[value["name"]] = k, value
            for name in step["ins"]:
                self.read[name] = max(k, self.read.get(name, k))

    def items(self, path: str) -> list[_Item]:
        """The boxes of the graph, which stands in the layer `path`."""
        return self.by_path([_Item(k, k + 1, step) for k, step in enumerate(self.steps)], path)

    def by_path(self, items: list[_Item], path: str) -> list[_Item]:
        """A box for each run of steps in one sublayer of the layer `path`."""
        made: list[_Item] = []
        for name, run in _runs(items, lambda item: _next_name(item.step.get("at", ""), path)):
            inner_path = f"{path}.{name}" if path else name
            if not name:
                made += run
            elif len(run) == 1:
                step = run[0].step
                made.append(run[0]._replace(step={**step, "attr": step["at"][len(path) :].lstrip(".")}))
            else:
                title = ".".join(inner_path.split(".")[-2:]) if name.isdecimal() else name
                made.append(self.box(run, self.by_path(run, inner_path), title, at=inner_path))
        return self.by_call(made, 0)

    def by_call(self, items: list[_Item], depth: int) -> list[_Item]:
        """Where they are many: a box for each call that was made `depth` calls below the graph's own function."""
        if len(items) <= MANY:
            return items
        runs = list(_runs(items, lambda item: self.call(item, depth)))
        if len(runs) == 1:
            return self.by_call(items, depth + 1) if runs[0][0] else self.by_lines(items)
        made: list[_Item] = []
        for call, run in runs:
            if not call or len(run) == 1:
                made += run
            else:
                title = source_line(self.places(run[0])[depth]) or call[2]
                made.append(self.box(run, self.by_call(run, depth + 1), title, f"{_file_name(call[0])}:{call[1]}"))
        return self.by_lines(made)

    def call(self, item: _Item, depth: int) -> tuple[str, int, str] | None:
        """File and line of the call that a box comes from, and the function that is called."""
        places = self.places(item)
        return (places[depth].file, places[depth].line, places[depth + 1].function) if len(places) > depth + 1 else None

    def places(self, item: _Item) -> list[Loc]:
        """Where the first step of a box stands: the line of the graph's own function, and those of the functions called there."""
        return self.steps[item.start].get("calls", [])

    def by_lines(self, items: list[_Item]) -> list[_Item]:
        """Where they are many: boxes of some that follow each other, where possible of whole lines."""
        if len(items) <= MANY:
            return items
        size = max(FEW, ceil(len(items) / MANY))
        runs: list[list[_Item]] = [[]]
        for item in items:
            last = runs[-1]
            if len(last) == 2 * size or len(last) >= size and self.line(item) != self.line(last[-1]):
                runs.append([])
            runs[-1].append(item)
        return [self.box(run, self.by_lines(run), *self.span(run)) for run in runs]

    def line(self, item: _Item) -> tuple[str, int] | None:
        """The line of the graph's own function that a box comes from."""
        return next(((place.file, place.line) for place in self.places(item)), None)

    def span(self, run: list[_Item]) -> tuple[str, str]:
        """The title of a run, and a note: its first and last layer, its lines, or the numbers of its steps."""
        first, last = run[0].step, run[-1].step
        if "at" in first and first["kind"] == last["kind"] == "group":
            return f"{first['title']} … {last['title']}", ""
        places = [calls[0] for item in run for step in self.steps[item.start : item.stop] if (calls := step.get("calls"))]
        files, lines = {place.file for place in places}, [place.line for place in places]
        if len(files) != 1:
            return f"steps {run[0].start + 1}–{run[-1].stop}", ""
        low, high = min(lines), max(lines)
        return f"line {low}" if low == high else f"lines {low}–{high}", _file_name(*files)

    def box(self, run: list[_Item], inner: list[_Item], title: str, note: str = "", at: str = "") -> _Item:
        """One box around a run; around what is a single box already, that one with both titles."""
        start, stop = run[0].start, run[-1].stop
        if len(inner) == 1 and inner[0].step["kind"] == "group":
            joined = ".".join if at else " ".join
            return _Item(start, stop, {**inner[0].step, "title": joined([title, inner[0].step["title"]])})
        inside = range(start, stop)
        names = dict.fromkeys(name for k in inside for name in self.steps[k]["ins"])
        reads = [name for name in names if self.given.get(name, -1) not in inside]
        gives = [value for k in inside for value in self.steps[k]["outs"] if self.read.get(value["name"], -1) >= stop]
        results = [value["name"] for value in gives]
        outside = [self.values[name] for name in reads if name in self.values]
        steps = [item.step for item in inner]
        room: GraphData = {"name": title, "inputs": [], "outside": outside, "steps": steps, "results": results,
                           "returns": ", ".join(results)}  # fmt: skip
        self.graphs.append(room)
        step: StepData = {"kind": "group", "title": title, "note": note, "text": "", "ins": reads, "outs": gives,
                          "parts": [("", len(self.graphs) - 1)]}  # fmt: skip
        if at:
            step["at"] = at
        return _Item(start, stop, step)


def _runs(items: Iterable[_Item], key: Callable[[_Item], Hashable]) -> Iterator[tuple]:
    return ((found, list(run)) for found, run in groupby(items, key))


def _next_name(at: str, path: str) -> str:
    """The sublayer of `path` in which the layer `at` lies; empty where it doesn't, or too deep to be shown."""
    if not path:
        return at.partition(".")[0]
    if path.count(".") >= DEEPEST:
        return ""
    return at[len(path) + 1 :].partition(".")[0] if at.startswith(f"{path}.") else ""


def _file_name(path: str) -> str:
    return path.replace("\\", "/").rpartition("/")[2]
