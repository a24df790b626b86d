"""Names that are unique in a graph."""

from __future__ import annotations


def identifier(path: str) -> str:
    """A dotted attribute name as one identifier: `layer1.0.conv1` is `layer1__0_conv1`."""
    return "_".join(f"_{part}" if part[:1].isdigit() else part for part in path.split("."))


class Names:
    """The names that are taken."""

    def __init__(self) -> None:
        self._taken: set[str] = set()
        self._next: dict[str, int] = {}

    def unique(self, base: str) -> str:
        """Take `base`, or `base_1`, `base_2` ..."""
        name = base
        if name in self._taken:
            k = self._next.get(base, 1)
            while (name := f"{base}_{k}") in self._taken:
                k += 1
            self._next[base] = k + 1
        self._taken.add(name)
        return name

    def take(self, name: str) -> None:
        """Take exactly this name; ValueError where it is taken."""
        if not name.isidentifier():
            raise ValueError(f"the name of a node is an identifier, not {name!r}")
        if name in self._taken:
            raise ValueError(f"the name {name!r} is taken in this graph")
        self._taken.add(name)

    def release(self, name: str) -> None:
        """Give a name back."""
        self._taken.discard(name)
        self._next.clear()

    def restore(self, taken: Names) -> None:
        """Take exactly the names that `taken` has."""
        self._taken = set(taken._taken)
        self._next.clear()

    def copy(self) -> Names:
        made = Names()
        made._taken = set(self._taken)
        return made
