"""`enumerate`, `zip` and `reversed` of Iterations."""

from __future__ import annotations

from typing import Any

from ....ops.registry import lookup
from ..operations.ifelse import convert_ifelse
from ..operations.item_sources import Iteration


class Enumeration(Iteration):
    """`enumerate` of an Iteration."""

    stands_for = enumerate

    def __init__(self, inner: Iteration, start: Any = 0):
        super().__init__(inner._length, lambda i: (i + start, inner._item(i)))
        self._inner, self.is_watched = inner, inner.is_watched
        self.watch, self.open, self.close = inner.watch, inner.open, inner.close  # type: ignore[method-assign]

    @property
    def is_steady(self) -> bool:  # type: ignore[override]
        return self._inner.is_steady


class Zipped(Iteration):
    """`zip` of Iterations: as long as the shortest."""

    stands_for = zip

    def __init__(self, parts: list[Iteration]):
        def length() -> Any:
            shortest = parts[0]._length()
            for part in parts[1:]:
                other = part._length()
                shortest = (
                    min(shortest, other)
                    if isinstance(shortest, int) and isinstance(other, int)
                    else lookup("py.min")(shortest, other)
                )
            return shortest

        super().__init__(length, lambda i: tuple(part._item(i) for part in parts))
        self._parts, self.is_watched = parts, any(part.is_watched for part in parts)

    @property
    def is_steady(self) -> bool:  # type: ignore[override]
        return all(part.is_steady for part in self._parts)

    def watch(self, position: Any) -> None:
        """Each part is asked for its next item as long as those before it have one."""
        self._watch(position, 0, max(i for i, part in enumerate(self._parts) if part.is_watched))

    def _watch(self, position: Any, i: int, last: int) -> None:
        part = self._parts[i]
        part.watch(position)
        if i < last:
            convert_ifelse(position < part._length(), lambda: self._watch(position, i + 1, last), lambda: None)

    def open(self) -> None:
        for part in self._parts:
            part.open()

    def close(self) -> None:
        for part in self._parts:
            part.close()


class Backwards(Iteration):
    """`reversed` of an Iteration."""

    def __init__(self, inner: Iteration, stands_for: Any):
        length = inner._length()
        super().__init__(lambda: length, lambda i: inner._item(length - 1 - i))
        self._inner, self._count, self.is_watched, self.stands_for = inner, length, inner.is_watched, stands_for
        self.open, self.close = inner.open, inner.close  # type: ignore[method-assign]

    @property
    def is_steady(self) -> bool:  # type: ignore[override]
        return self._inner.is_steady

    def watch(self, position: Any) -> None:
        is_asked = getattr(self._inner, "is_watched_to_the_front", False) or position < self._count
        convert_ifelse(is_asked, lambda: self._inner.watch(position), lambda: None)
