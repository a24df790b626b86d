"""A graph as one HTML file, which asks nothing of the network: the page, its style, its script and the data.

What a graph says comes in as text of the page, or as JSON that the script reads; the script shows it as text nodes.
"""

from __future__ import annotations

import html
import json
import re
from pathlib import Path
from typing import Any

from ..graph import InternalGraph
from .picture import Picture

_FOLDER = Path(__file__).parent
_FILES = {"style": "page.css", "layout": "layout.js", "drawing": "drawing.js", "panel": "panel.js", "script": "page.js"}


def page_text(graph: InternalGraph) -> str:
    """The page of a graph."""
    picture = Picture(graph)
    parts = {word: _read(name) for word, name in _FILES.items()}
    parts |= {"title": html.escape(picture.title), "data": _script_json({"title": picture.title, "graphs": picture.graphs})}
    # In one pass: a name that reads `[[data]]` stays as it is.
    return re.sub(r"\[\[(\w+)\]\]", lambda slot: parts[slot[1]], _read("page.html"))


def _read(name: str) -> str:
    return (_FOLDER / name).read_text(encoding="utf-8")


def _script_json(tree: Any) -> str:
    """JSON for a <script> element, which HTML searches for `</script` and `<!--` before anybody reads JSON."""
    return json.dumps(tree).replace("<", "\\u003c")
