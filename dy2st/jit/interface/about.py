"""What a function that becomes Programs says of itself, without making one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...ir.summary import entry_summary


def about(programs: Sequence[Any], how: str) -> str:
    """What stands behind the name: the last of its Programs, in a line. how: what makes the first one."""
    if not programs:
        return f": no Program yet; {how}"
    more = f"; the last of {len(programs)} Programs" if len(programs) > 1 else ""
    return f"{entry_summary(programs[-1].program)}{more}"
