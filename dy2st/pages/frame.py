"""A page as one file: title, body, style, script and data.

What a model says comes in as escaped text of the body, or as data that the script shows in text nodes.
"""

from __future__ import annotations

import html
import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

_FOLDER = Path(__file__).parent


@dataclass(frozen=True)
class Page:
    """A page to be written.

    title: a plain text. body: HTML. data: JSON, which a script finds in the element `data`.
    styles, scripts: files whose texts are put in, in this order, after the colours of all pages.
    """

    title: str
    body: str
    styles: Sequence[Path] = ()
    scripts: Sequence[Path] = ()
    data: Any = None

    def text(self) -> str:
        """The whole file."""
        parts = {
            "title": html.escape(self.title),
            "style": _joined([_FOLDER / "colours.css", *self.styles]),
            "body": self.body,
            "data": _script_json(self.data),
            "script": _joined(self.scripts),
        }
        # In one pass: a name that reads `[[data]]` stays as it is.
        return re.sub(r"\[\[(\w+)\]\]", lambda slot: parts[slot[1]], (_FOLDER / "frame.html").read_text(encoding="utf-8"))


def _joined(files: Sequence[Path]) -> str:
    return "\n".join(file.read_text(encoding="utf-8") for file in files)


def _script_json(tree: Any) -> str:
    """JSON for a <script> element, which HTML searches for `</script` and `<!--` before anybody reads JSON."""
    return json.dumps(tree).replace("<", "\\u003c")
