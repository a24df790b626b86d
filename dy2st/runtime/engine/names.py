"""Local variables of one generated function, reused once their Values are dead."""

from __future__ import annotations


class Locals:
    """A pool of local variable names; a name may serve several Values at once (an alias), and is free when all have ended."""

    def __init__(self, prefix: str = "v"):
        self._prefix = prefix
        self._free: list[str] = []
        self._holders: dict[str, int] = {}

    def take(self) -> str:
        """A name that nobody uses, the most recently freed first: that drops the dead object it still holds."""
        name = self._free.pop() if self._free else f"{self._prefix}{len(self._holders)}"
        self._holders[name] = 1
        return name

    def hold(self, text: str) -> None:
        """One more Value lives in `text`, if that is a local of this pool."""
        if text in self._holders:
            self._holders[text] += 1

    def release(self, text: str) -> None:
        """A Value that lives in `text` has ended."""
        if text in self._holders:
            self._holders[text] -= 1
            if not self._holders[text]:
                self._free.append(text)

    def is_shared(self, name: str) -> bool:
        """Whether more than one Value lives in `name`."""
        return self._holders[name] > 1

    def is_free(self, name: str) -> bool:
        """Whether `name` is a local that no Value lives in."""
        return self._holders.get(name) == 0

    def __contains__(self, text: str) -> bool:
        return text in self._holders
