"""A graph as a page: the data of its picture, and the scripts that draw it."""

from __future__ import annotations

import html
from pathlib import Path

from ...pages import Page
from ..graph import InternalGraph
from .picture import Picture

_FOLDER = Path(__file__).parent
_SCRIPTS = ("layout.js", "drawing.js", "panel.js", "page.js")


def page_text(graph: InternalGraph) -> str:
    """The page of a graph."""
    picture = Picture(graph)
    body = (_FOLDER / "page.html").read_text(encoding="utf-8").replace("[[title]]", html.escape(picture.title))
    scripts = [_FOLDER / name for name in _SCRIPTS]
    data = {"title": picture.title, "graphs": picture.graphs}
    return Page(picture.title, body, [_FOLDER / "page.css"], scripts, data).text()
