"""A graph in Graphviz's language: a box for each step, a cluster for each sublayer and each block of control flow."""

from __future__ import annotations

from .picture import GraphData, Picture, StepData, ValueData

_COLOURS = {"layer": "#dbeafe", "call": "#f1f5f9", "control": "#fef3c7", "part": "#ffffff"}


def dot_text(picture: Picture) -> str:
    """The text that `dot -Tsvg` draws."""
    data = picture.data()
    lines = [f"digraph {_quoted(data['title'])} {{", '  node [shape=box style="rounded,filled" fontname="Helvetica" fontsize=10]']
    lines.append('  edge [fontname="Helvetica" fontsize=9 color="#64748b"]')
    writer = _Writer(data["graphs"])
    return "\n".join([*lines, *writer.graph(0, "", {}, "  "), *writer.edges, "}"]) + "\n"


class _Writer:
    def __init__(self, graphs: list[GraphData]):
        self.graphs, self.count = graphs, 0
        self.edges: list[str] = []  # they stand at the end: an edge inside a cluster would pull its boxes into it

    def graph(self, number: int, caller: str, around: dict[str, tuple[str, str]], indent: str) -> list[str]:
        """The lines of one graph, which the step `caller` runs. around: name -> the box that gives it, and its label."""
        graph = self.graphs[number]
        known = dict(around) if graph["outside"] else {}
        lines: list[str] = []
        for value in graph["inputs"]:
            box = self._box()
            lines.append(f"{indent}{box} [label={_label(value['name'], value)} shape=ellipse fillcolor=white]")
            if caller:
                self.edges.append(f"  {caller} -> {box} [style=dashed]")
            known[value["name"]] = (box, _of(value))
        for step in graph["steps"]:
            lines += self._step(step, known, indent)
        if not caller:
            box = self._box()
            lines.append(f'{indent}{box} [label="return" shape=ellipse fillcolor=white]')
            self._tie(known, graph["results"], box)
        return lines

    def _group(self, step: StepData, known: dict[str, tuple[str, str]], indent: str) -> list[str]:
        """A cluster around steps, which give and read names as those around it do."""
        lines = [f"{indent}subgraph cluster_{self._box()} {{", f'{indent}  label={_quoted(step["title"])} color="#94a3b8"']
        for inner in self.graphs[step["parts"][0][1]]["steps"]:
            lines += self._step(inner, known, f"{indent}  ")
        return [*lines, f"{indent}}}"]

    def _step(self, step: StepData, known: dict[str, tuple[str, str]], indent: str) -> list[str]:
        if step["kind"] == "group":
            return self._group(step, known, indent)
        box = self._box()
        first = step["outs"][0] if step["outs"] else None
        label = _label(step["title"], first, step.get("attr", ""))
        shape = f'{box} [label={label} fillcolor="{_COLOURS[step["kind"]]}" tooltip={_quoted(step["text"])}]'
        lines = []
        if step["parts"]:
            lines += [f"{indent}subgraph cluster_{box} {{", f'{indent}  label="" style=rounded color="#94a3b8"']
            lines.append(f"{indent}  {shape}")
            for label, number in step["parts"]:
                inner = indent + "    "
                lines += [f"{indent}  subgraph cluster_{self._box()} {{", f'{inner}label={_quoted(label)} color="#cbd5e1"']
                if not self.graphs[number]["steps"] and not self.graphs[number]["inputs"]:
                    lines.append(f'{inner}{self._box()} [label="nothing" shape=plaintext style="" fillcolor=white]')
                lines += [*self.graph(number, box, known, inner), f"{indent}  }}"]
            lines.append(f"{indent}}}")
        else:
            lines.append(indent + shape)
        self._tie(known, step["ins"], box)
        known.update((value["name"], (box, _of(value))) for value in step["outs"])
        return lines

    def _tie(self, known: dict[str, tuple[str, str]], names: list[str], to: str) -> None:
        """Edges from the boxes that give these names, each with what it carries."""
        found = [known[name] for name in dict.fromkeys(names) if name in known]
        self.edges += [f"  {box} -> {to} [label={_quoted(label)}]" for box, label in found]

    def _box(self) -> str:
        self.count += 1
        return f"n{self.count}"


def _of(value: ValueData) -> str:
    return value["shape"] or value["dtype"]


def _label(title: str, value: ValueData | None, more: str = "") -> str:
    details = " ".join(filter(None, (value["shape"], value["dtype"]))) if value else ""
    return _quoted("\n".join(filter(None, (title, more, details))))


def _quoted(text: str) -> str:
    r"""A double-quoted string, which is never Graphviz's HTML. `\N` would be the name of the node, `&lt;` a `<`."""
    escaped = text.replace("&", "&amp;").replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'
