"""Hooks that run before each `jit.save`, under Paddle's names."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

_hooks: list[Callable] = []


class HookRemoveHelper:
    """`remove()` takes the hook away; a second time does nothing."""

    def __init__(self, hook: Callable):
        self._hook = hook

    def remove(self) -> None:
        _remove_save_pre_hook(self._hook)


def _register_save_pre_hook(hook: Callable) -> HookRemoveHelper:
    """Call `hook(layer, input_spec, configs)` before each `jit.save`; one that is registered already is kept once."""
    if hook not in _hooks:
        _hooks.append(hook)
    return HookRemoveHelper(hook)


def _remove_save_pre_hook(hook: Callable) -> None:
    """Take a hook away, if it is there."""
    if hook in _hooks:
        _hooks.remove(hook)


def _clear_save_pre_hooks() -> None:
    """Take all hooks away."""
    _hooks.clear()


def run_save_pre_hooks(layer: Any, input_spec: Any, configs: dict[str, Any]) -> None:
    """What `jit.save` does first. A hook may change the configs."""
    for hook in list(_hooks):
        hook(layer, input_spec, configs)
