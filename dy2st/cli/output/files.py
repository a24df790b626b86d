"""A page as a file."""

from __future__ import annotations

from ...saving.writer import replacing


def write_page(path: str, text: str) -> None:
    """Put a page at `path`, all of it or nothing. OSError says why it can't be written."""
    with replacing(path) as file:
        file.write(text.encode("utf-8"))
