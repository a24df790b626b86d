"""Which steps read a value, in a Program or in any other graph of steps: what patterns of steps in a row are matched by."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import Generic, TypeVar

V = TypeVar("V", bound=Hashable)
S = TypeVar("S")


class Uses(Generic[V, S]):
    """Who reads each value, once for each time: steps with what they read. results: the values that leave the graph."""

    def __init__(self, steps: Iterable[tuple[S, Iterable[V]]], results: Iterable[V] = ()):
        self._users: dict[V, list[S]] = {}
        self._results = set(results)
        for step, read in steps:
            for value in read:
                self._users.setdefault(value, []).append(step)

    def of(self, value: V) -> list[S]:
        """The steps that read a value."""
        return self._users.get(value, [])

    def is_result(self, value: V) -> bool:
        """Whether a value leaves the graph."""
        return value in self._results

    def only_user(self, value: V) -> S | None:
        """The one step that reads a value, once, where nothing else does: the two may become one."""
        users = self.of(value)
        return users[0] if len(users) == 1 and not self.is_result(value) else None
