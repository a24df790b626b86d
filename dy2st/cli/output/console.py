"""Whether a terminal has colours, and what draws there."""

from __future__ import annotations

import os
from importlib.util import find_spec
from typing import IO, TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console


def console_for(stream: IO[str]) -> Console | None:
    """What draws for a stream. None: plain lines are for it, as it is no terminal, or NO_COLOR or what is installed says so."""
    forced = bool(os.environ.get("FORCE_COLOR"))
    is_plain = bool(os.environ.get("NO_COLOR")) or os.environ.get("TERM") == "dumb"
    if is_plain or not (forced or stream.isatty()) or find_spec("rich") is None:
        return None
    from rich.console import Console

    return Console(file=stream, highlight=False, markup=False, emoji=False, legacy_windows=False)
