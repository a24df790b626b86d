"""The result of a layer's `register_forward_*_hook`: a handle that takes the hook away again."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count

_next_id = count().__next__


class HookRemoveHelper:
    """`remove()` takes the hook away; a second time does nothing."""

    def __init__(self, hooks: dict[int, Callable], hook: Callable, changed: Callable[[], None] = lambda: None):
        self._hooks, self._id, self._changed = hooks, _next_id(), changed
        hooks[self._id] = hook
        changed()

    def remove(self) -> None:
        """Take the hook away; a second time does nothing."""
        self._hooks.pop(self._id, None)
        self._changed()
