"""The page of a comparison, for pull requests: in a sentence, weights by how far they moved, operations by sub-module.

All texts of the models are data: the page's script puts them into text nodes, and nothing of them is ever markup.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path
from textwrap import dedent
from typing import Any

from ...pages import Page
from ..output.files import shown
from . import Section
from .programs import Changed, changed_lines
from .saved import Saved
from .tables import shortened
from .weights import Weight, changed_weights

_FOLDER = Path(__file__).parent
NOTHING = "Nothing differs: operations, weights, inputs and outputs are the same."


def page(data: dict[str, Any]) -> str:
    """The HTML of what `page_data` gives."""
    body = (_FOLDER / "page.html").read_text(encoding="utf-8")
    return Page(" → ".join(data["names"]), body, [_FOLDER / "page.css"], [_FOLDER / "page.js"], data).text()


def page_data(names: tuple[str, str], old: Saved, new: Saved, sections: Sequence[Section]) -> dict[str, Any]:
    """What the page shows: a summary, weights, operations by sub-module, and what else differs.

    names: what the two are called; sections: what `differences` has found.
    """
    changes, weights = list(changed_lines(old.functions, new.functions)), changed_weights(old.arrays, new.arrays)
    weights.sort(key=lambda weight: -math.inf if weight.relative is None else -weight.relative)
    data = {
        "names": list(names),
        "summary": summary(old, changes, weights, sections),
        "weights": [{**weight._asdict(), "relative": _told(weight.relative)} for weight in weights],
        "modules": [_module(path, found) for path, found in _by_path(changes).items()],
        "others": [section._asdict() for section in _others(sections)],
    }
    return shown(data)


def summary(old: Saved, changes: Sequence[Changed], weights: Sequence[Weight], sections: Sequence[Section]) -> str:
    """What differs, in a sentence."""
    if not sections:
        return NOTHING
    count = sum(1 for function in old.functions.values() for _ in function.block.walk())
    parts = [
        _counted(count, "operations", _kinds(changes)),
        _counted(len(old.arrays), "weights", Counter(w.how for w in weights)),
    ]
    farthest = max((w for w in weights if w.relative is not None), key=lambda w: w.relative or 0.0, default=None)
    if farthest is not None and farthest.relative:
        parts[-1] += f", {farthest.name} by the most: {_told(farthest.relative)}"
    others = [section.title or "graph" for section in _others(sections)]
    text = "; ".join(filter(None, [*parts, f"also: {', '.join(others)}" if others else ""]))
    return f"{text[0].upper()}{text[1:]}."


def _others(sections: Sequence[Section]) -> list[Section]:
    """What `differences` has found beside operations and weights."""
    return [section for section in sections if section.title != "weights" and not section.title.startswith("function ")]


def _counted(count: int, what: str, kinds: Counter[str]) -> str:
    """So many of the old model's changed, gone and new; "" of what it has none."""
    words = ", ".join(f"{number:,} {how}" for how, number in sorted(kinds.items()) if number)
    return f"of {count:,} {what if count != 1 else what[:-1]}, {words or 'none differs'}" if count or words else ""


def _kinds(changes: Iterable[Changed]) -> Counter[str]:
    """How many operations are gone, and new; "changed" are those that are gone while one of the same operator is new."""
    gone, new = (Counter((c.path, c.operator) for c in changes if c.operator and c.mark == mark) for mark in "-+")
    both = (gone & new).total()
    return Counter({"changed": both, "gone": gone.total() - both, "new": new.total() - both})


def _by_path(changes: Iterable[Changed]) -> dict[str, list[Changed]]:
    found: dict[str, list[Changed]] = defaultdict(list)
    for change in changes:
        found[change.path].append(change)
    return dict(sorted(found.items()))


def _module(path: str, changes: list[Changed]) -> dict[str, Any]:
    texts = dedent("\n".join(change.text for change in changes)).split("\n")
    lines = [{"mark": change.mark, "text": shortened(text)} for change, text in zip(changes, texts)]
    count = ", ".join(f"{number:,} {how}" for how, number in _kinds(changes).items() if number)
    return {"path": path, "count": count, "lines": lines}


def _told(relative: float | None) -> str:
    """A relative change as a percentage; "" where it can't be asked."""
    if relative is None:
        return ""
    return f"{100 * relative:.3g} %" if math.isfinite(relative) else "not finite"
