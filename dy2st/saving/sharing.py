"""How much something of a file comes to where what is shared counts at every place that leads to it.

`&1 [0, 0]`, then `&2 [*1, *1]`, `&3 [*2, *2]` ...: forty such lines are a trillion zeros to whoever walks them.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from typing import Any

from ..config import file_limits
from ..errors import ModelFileError
from ..ir.native import parts
from .untrusted import within

Size = tuple[int, float]  # how many steps a thing comes to, and how deep it is


def check_sharing(values: Iterable[Any], what: str) -> None:
    """ModelFileError where native values hold more than `file_limits` grants, in number or in depth. Cycles count once."""
    sizes: dict[int, Size] = {}
    total = 0
    for value in values:
        size, depth = _measured(value, parts, lambda _: 1, sizes, (1, 1))
        total += size
        within("depth", depth, f"{what}: nesting")
        within("state_values", total, f"{what}: values, each counted wherever it is shared")


def check_steps(things: Iterable[Any], parts: Callable, own: Callable[[Any], int], what: str, steps: str) -> None:
    """ModelFileError where layers or graphs come to more than `file_limits` grants, or one is within itself.

    parts(thing): the things in it; own(thing): how many steps it adds. `what` and `steps` are what an error calls them.
    """
    sizes: dict[int, Size] = {}
    for thing in things:
        size, depth = _measured(thing, parts, own, sizes, (0, math.inf))
        if depth > file_limits.depth:
            limit = f"{file_limits.depth} deep (file_limits.depth)"
            raise ModelFileError(f"{what} are nested more than {limit}, or within themselves")
        if size > file_limits.steps:
            raise ModelFileError(f"{what} have more than {file_limits.steps} {steps} (file_limits.steps)")


def _measured(root: Any, parts: Callable, own: Callable[[Any], int], sizes: dict[int, Size], within_itself: Size) -> Any:
    """Depth first, without recursion: a thing is measured when all that it holds has been."""
    pending = [(root, False)]
    while pending:
        thing, is_left = pending.pop()
        if is_left:
            inner = [sizes[id(part)] for part in parts(thing)]
            sizes[id(thing)] = own(thing) + sum(size for size, _ in inner), 1 + max((depth for _, depth in inner), default=0)
        elif id(thing) not in sizes:
            sizes[id(thing)] = within_itself
            pending.append((thing, True))
            pending += [(part, False) for part in parts(thing)]
    return sizes[id(root)]
