"""What differs between two graphs: steps go by the names of what they give, in the graph or block that they are in."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from typing import Any

import numpy as np

from ..nn import Layer
from .builtin import is_builtin
from .control import Control
from .expr import Constant, Expr, GetAttr
from .graph import InternalGraph
from .node import ModuleNode, TensorNode
from .printing import argument_text, expr_text


@dataclass
class GraphDiff:
    """added, removed: the Exprs. changed: pairs of what was and what is. `str()` is readable; empty means alike."""

    added: list[Expr] = field(default_factory=list)
    removed: list[Expr] = field(default_factory=list)
    changed: list[tuple[Expr, Expr]] = field(default_factory=list)
    lines: list[str] = field(default_factory=list)

    def __bool__(self) -> bool:
        return bool(self.lines)

    def __str__(self) -> str:
        return "\n".join(self.lines)


def diff_graphs(old: InternalGraph, new: InternalGraph) -> GraphDiff:
    """The difference, graph by graph: `-` is gone, `+` is new, `~` is now what follows `->`."""
    found = GraphDiff()
    before, after = dict(_places(old)), dict(_places(new))
    for place in dict.fromkeys([*before, *after]):
        lines = _compared(before.get(place), after.get(place), found)
        found.lines += [f"{place}:", *(f"  {line}" for line in lines)] if lines else []
    return found


def _places(graph: InternalGraph) -> Iterator[tuple[str, InternalGraph]]:
    """Every graph and block below this one, with what tells where it is; each once."""
    pending, seen = [(graph.name, graph)], {id(graph)}
    while pending:
        place, graph = pending.pop(0)
        yield place, graph
        for expr in graph.body:
            labels = expr.labels if isinstance(expr, Control) else ("",) * len(expr.graphs)
            for label, inner in zip(labels, expr.graphs):
                if id(inner) not in seen:
                    seen.add(id(inner))
                    pending.append((f"{place}, {_key(expr)}" + (f", {label}" if label else ""), inner))


def _key(expr: Expr) -> str:
    return ", ".join(node.name for node in expr.outputs) or _text(expr)


def _text(expr: Expr) -> str:
    return expr_text(expr, "").partition(": ")[2]


def _compared(old: InternalGraph | None, new: InternalGraph | None, found: GraphDiff) -> list[str]:
    """The lines for two graphs at one place, either of which may not be there."""
    before, after = ([] if g is None else [*(n.expr for n in g.inputs), *g.body] for g in (old, new))
    lines: list[str] = []
    matcher = SequenceMatcher(None, [_key(e) for e in before], [_key(e) for e in after], autojunk=False)
    for _, i, i_end, j, j_end in matcher.get_opcodes():
        if (i_end - i) == (j_end - j) and all(_key(a) == _key(b) for a, b in zip(before[i:i_end], after[j:j_end])):
            for a, b in zip(before[i:i_end], after[j:j_end]):
                if (change := _change(a, b)) is not None:
                    found.changed.append((a, b))
                    lines.append(f"~ {change}")
            continue
        found.removed += before[i:i_end]
        found.added += after[j:j_end]
        lines += [f"- {_text(e)}" for e in before[i:i_end]] + [f"+ {_text(e)}" for e in after[j:j_end]]
    if old is not None and new is not None:
        results = [argument_text(g.results, "") for g in (old, new)]
        lines += [f"~ returns {results[0]} -> {results[1]}"] if results[0] != results[1] else []
    return lines


def _change(a: Expr, b: Expr) -> str | None:
    """How two steps that give the same names differ."""
    if _text(a) != _text(b):
        return f"{_text(a)} -> {_text(b).partition(' = ')[2] or _text(b)}"
    if isinstance(a, GetAttr) and isinstance(a.outputs[0], ModuleNode) and isinstance(b.outputs[0], ModuleNode):
        owners = [_layer_text(node.owner) for node in (a.outputs[0], b.outputs[0])]
        return None if owners[0] == owners[1] else f"{a.name}: {owners[0]} -> {owners[1]}"
    types = [[(n._shape, n.dtype) if isinstance(n, TensorNode) else n.kind for n in e.outputs] for e in (a, b)]
    if types[0] != types[1]:
        return f"{_key(a)}: {_types(types[0])} -> {_types(types[1])}"
    if isinstance(a, Constant) and isinstance(b, Constant) and not np.array_equal(a.value.numpy(), b.value.numpy()):
        return f"{_key(a)} holds other values"
    return None


def _layer_text(owner: Any) -> str:
    return repr(owner) if isinstance(owner, Layer) and is_builtin(owner) else getattr(owner, "class_name", type(owner).__name__)


def _types(types: list[Any]) -> str:
    return ", ".join(t if isinstance(t, str) else f"{t[1]}{list(t[0])}" for t in types)
