"""A graph as one HTML file, which asks nothing of the network: the page, its style, its script and the data."""

from __future__ import annotations

import json
from pathlib import Path

from ..graph import InternalGraph
from .picture import Picture

_FOLDER = Path(__file__).parent


def page_text(graph: InternalGraph) -> str:
    """The page of a graph."""
    data = json.dumps({"title": graph.name, "graphs": Picture(graph).graphs}, ensure_ascii=False)
    data = data.replace("</", "<\\/")  # what a name or a source line says never ends the script
    text = (_FOLDER / "page.html").read_text(encoding="utf-8")
    parts = {"style": "page.css", "layout": "layout.js", "drawing": "drawing.js", "panel": "panel.js", "script": "page.js"}
    for word, name in parts.items():
        text = text.replace(f"[[{word}]]", (_FOLDER / name).read_text(encoding="utf-8"))
    title = graph.name.replace("&", "&amp;").replace("<", "&lt;")
    return text.replace("[[title]]", title).replace("[[data]]", data)
