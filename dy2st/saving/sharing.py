"""The size of Python state, where each shared object is counted on every path that leads to it.

`&1 [0, 0]`, then `&2 [*1, *1]`, `&3 [*2, *2]` ...: forty such lines are a trillion zeros to whoever walks them.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ..ir.native import parts
from .untrusted import within


def check_sharing(values: Iterable[Any], what: str) -> None:
    """ModelFileError where native values hold more than `file_limits` grants, in number or in depth. Cycles count once."""
    sizes: dict[int, tuple[int, int]] = {}  # id -> how many values it comes to, how deep
    total = 0
    for value in values:
        size, depth = _measured(value, sizes)
        total += size
        within("depth", depth, f"{what}: nesting")
        within("state_values", total, f"{what}: values, each counted wherever it is shared")


def _measured(root: Any, sizes: dict[int, tuple[int, int]]) -> tuple[int, int]:
    """Depth first, without recursion: a value is measured when all that it holds has been."""
    pending = [(root, False)]
    while pending:
        value, is_left = pending.pop()
        if is_left:
            inner = [sizes[id(part)] for part in parts(value)]
            sizes[id(value)] = 1 + sum(size for size, _ in inner), 1 + max((depth for _, depth in inner), default=0)
        elif id(value) not in sizes:
            sizes[id(value)] = 1, 1  # for what leads back to it
            pending.append((value, True))
            pending += [(part, False) for part in parts(value)]
    return sizes[id(root)]
