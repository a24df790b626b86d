"""The page of a review: three columns of lines, linked by the user's lines.

All texts of the user's are data: the page's script puts them into text nodes, and nothing of them is ever markup.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from ...pages import Page
from ..output.files import shown
from .functions import Line, Reviewed, shown_path
from .links import Linked, engine_lines, program_lines
from .statements import told

_FOLDER = Path(__file__).parent


def page(target: str, functions: Sequence[Reviewed], concrete: Any, advice: Sequence[str]) -> str:
    """The HTML of a review.

    concrete: the ConcreteProgram of what is reviewed; None where there is none, and `advice` says how to get one.
    """
    body = (_FOLDER / "page.html").read_text(encoding="utf-8")
    data = review_data(target, functions, concrete, advice)
    return Page(f"Review of {data['target']}", body, [_FOLDER / "page.css"], [_FOLDER / "page.js"], data).text()


def review_data(target: str, functions: Sequence[Reviewed], concrete: Any, advice: Sequence[str]) -> dict[str, Any]:
    """What the page shows. A line is `{text, at}`, where `at` are keys of the user's lines, `FILE:LINE` with a file's number."""
    files = {name: number for number, name in enumerate(dict.fromkeys(function.file for function in functions))}
    own = {f"{files[f.file]}:{line.number}" for f in functions for line in f.source}

    def linked(lines: Iterable[Linked]) -> list[dict[str, Any]]:
        keys = ([f"{files.get(file)}:{number}" for file, number in line.places] for line in lines)
        return [{"text": line.text, "at": [key for key in at if key in own]} for line, at in zip(lines, keys)]

    def lines(found: list[Line], file: int) -> list[dict[str, Any]]:
        at = ([f"{file}:{line.number}"] if line.number else [] for line in found)
        return [{"text": line.text, "at": keys, "number": line.number, "changed": line.changed} for line, keys in zip(found, at)]

    def both(function: Reviewed) -> dict[str, Any]:
        file = files[function.file]
        fates = [] if concrete is None else [one._asdict() for one in told(function.function, concrete.fates)]
        sides = {"source": lines(function.source, file), "rewritten": lines(function.rewritten, file)}
        return {"name": function.name, "file": shown_path(function.file), "first": function.first, "fates": fates, **sides}

    data = {
        "target": target,
        "functions": list(map(both, functions)),
        "program": None if concrete is None else linked(program_lines(concrete.program)),
        "engine": None if concrete is None else linked(engine_lines(concrete)),
        "advice": list(advice),
    }
    return shown(data)
