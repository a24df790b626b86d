"""The hooks around a layer's forward: where it keeps them, and the handle that takes one away again."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from typing import Any

from ..ops.dispatch import recorder_of_mode
from ..runtime.proxies import StagedSum

TABLES = ("_forward_pre_hooks", "_forward_post_hooks")
_next_id = count().__next__


def has_hooks(layer: Any) -> bool:
    """Whether a call of the layer is more than its forward."""
    return any(vars(layer)[table] for table in TABLES)


def outputs_after(changed: Any, outputs: Any) -> Any:
    """The outputs after a hook that ran after forward and gave `changed`: None, or what replaces them.

    Where that depends on the input data, the alternatives are told apart, so that none of those that are left is None.
    """
    if isinstance(changed, StagedSum):
        return recorder_of_mode().on_alternatives(changed, lambda known: outputs if known is None else known)
    return outputs if changed is None else changed


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
