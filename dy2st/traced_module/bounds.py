"""How deep and how large something of a file is, where what is shared counts each time that it is reached."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from ..config import file_limits
from ..errors import ModelFileError


class Bounds:
    """Measures things with `parts`, each once. A thing within itself is deeper than any limit.

    parts(thing): the things in it; own(thing): how many steps it adds. `what` and `steps` are what an error calls them.
    """

    def __init__(self, parts: Callable[[Any], Iterable[Any]], own: Callable[[Any], int], what: str, steps: str):
        self._parts, self._own, self._what, self._steps = parts, own, what, steps
        self._known: dict[int, tuple[int, int]] = {}  # id -> how many levels it has, and how many steps

    def check(self, thing: Any, above: int = 0) -> tuple[int, int]:
        """The levels and steps of a thing that is `above` levels deep; ModelFileError where they are beyond the limits."""
        if id(thing) not in self._known:
            self._check_depth(above + 1)
            found = [self.check(part, above + 1) for part in self._parts(thing)]
            size = self._own(thing) + sum(steps for _, steps in found)
            if size > file_limits.steps:
                raise ModelFileError(f"{self._what} have more than {file_limits.steps} {self._steps} (file_limits.steps)")
            self._known[id(thing)] = (1 + max((levels for levels, _ in found), default=0), size)
        self._check_depth(above + self._known[id(thing)][0])
        return self._known[id(thing)]

    def _check_depth(self, levels: int) -> None:
        if levels > file_limits.depth:
            limit = f"{file_limits.depth} deep (file_limits.depth)"
            raise ModelFileError(f"{self._what} are nested more than {limit}, or within themselves")
