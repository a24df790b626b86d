"""One archive at exactly the given path, or in a file object, with the user's extra files."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from ...ir.core import Program
from ...saving import Info, write_files


def write_script(f: Any, contents: tuple[Program, Info], extra_files: dict | None, weights: str | None = None) -> None:
    """Write a Program and what is known of it. extra_files: name -> text or bytes; weights: as for `write_files`."""
    program, info = contents
    files = {name: text.encode() if isinstance(text, str) else bytes(text) for name, text in (extra_files or {}).items()}
    write_files(f, program, replace(info, extra_files=files), archive=True, weights=weights)
    if hasattr(f, "flush"):
        f.flush()
