"""A page as a file, and what it shows: texts in which nothing is hidden."""

from __future__ import annotations

from typing import Any

from ...ir.core import map_leaves
from ...ir.visible import visible
from ...saving.writer import replacing


def shown(data: Any) -> Any:
    """The data of a page, with escapes for what a reader wouldn't see in its texts, such as a right-to-left override."""
    return map_leaves(data, lambda leaf: visible(leaf.expandtabs()) if isinstance(leaf, str) else leaf)


def write_page(path: str, text: str) -> None:
    """Put a page at `path`, all of it or nothing. OSError says why it can't be written."""
    with replacing(path) as file:
        file.write(text.encode("utf-8"))
