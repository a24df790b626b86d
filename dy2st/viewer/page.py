"""A picture as a page: its data, and the scripts that draw it."""

from __future__ import annotations

from html import escape
from pathlib import Path

from ..pages import Page
from .picture import Picture

_FOLDER = Path(__file__).parent
_SCRIPTS = ("layout.js", "state.js", "drawing.js", "panel.js", "moving.js", "page.js")


def page_text(picture: Picture) -> str:
    """The page that shows a picture."""
    data = picture.data()
    body = (_FOLDER / "page.html").read_text(encoding="utf-8").replace("[[title]]", escape(data["title"]))
    return Page(data["title"], body, [_FOLDER / "page.css"], [_FOLDER / name for name in _SCRIPTS], data).text()
