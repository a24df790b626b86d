"""Hooks on gradients, and gradients kept for tensors that are no leaves."""

from __future__ import annotations

import weakref
from collections.abc import Callable

from ..errors import StagedValueError
from .aliases import current_history
from .static import current_recorder
from .tensor import Tensor


class HookHandle:
    """What `register_hook` returns; `remove()` takes the hook away."""

    def __init__(self, hooks: list[Callable], hook: Callable):
        self._hooks, self._hook = hooks, hook

    def remove(self) -> bool:
        """Take the hook away; whether it was still there."""
        if self._hook in self._hooks:
            self._hooks.remove(self._hook)
            return True
        return False


def register_hook(x: Tensor, hook: Callable) -> HookHandle:
    """Call `hook(gradient)` when the gradient of `x` is known; what it returns, unless None, takes the gradient's place."""
    _refuse_staged(x, "register_hook")
    if x.stop_gradient:
        raise RuntimeError("register_hook: this tensor has stop_gradient=True, so no gradient will arrive at it")
    history = current_history(x)
    if history is None:
        hooks = x.__dict__.setdefault("_hooks", [])
    else:
        node, index = history
        if node.hooks is None:
            node.hooks = {}
        hooks = node.hooks.setdefault(index, [])
    hooks.append(hook)
    return HookHandle(hooks, hook)


def retain_grads(x: Tensor) -> None:
    """Keep the gradient of `x` in `x.grad` also where `x` is no leaf."""
    _refuse_staged(x, "retain_grads")
    if x.stop_gradient:
        raise RuntimeError("retain_grads: this tensor has stop_gradient=True, so no gradient will arrive at it")
    history = current_history(x)
    if history is not None:
        node, index = history
        if node.retained is None:
            node.retained = {}
        node.retained[index] = weakref.ref(x)


def _refuse_staged(x: Tensor, use: str) -> None:
    if x.is_staged:
        raise StagedValueError(
            f"{use}: the gradients of a tensor that a Program computes are not seen one by one; return the tensor from the "
            "static function, and ask for its gradient there"
        )
    rec = current_recorder()
    if rec is not None:
        raise StagedValueError(
            f"{rec.here()}: {use} of a tensor from outside: each call of the plain function would do it once more; do it outside "
            "of the static function"
        )
