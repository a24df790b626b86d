"""Hooks on gradients, and gradients kept for tensors that are no leaves."""

from __future__ import annotations

import weakref
from collections.abc import Callable, Iterator
from types import CellType

from ...errors import StagedValueError
from ...ops.registry import lookup
from ..proxies import Staged
from ..tensors.aliases import current_history
from ..tensors.tensor import Tensor
from .recorder import current_recorder, recorder


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


class RecordedHandle:
    """What `register_hook` returns in a static function."""

    def remove(self) -> bool:
        """Refused: the Program holds the hook."""
        rec = current_recorder()
        raise StagedValueError(f"{rec and rec.here()}: a hook in a static function stays; register it where it is wanted")


def register_hook(x: Tensor, hook: Callable) -> HookHandle | RecordedHandle:
    """Call `hook(gradient)` when the gradient of `x` is known; what it returns, unless None, takes the gradient's place.

    x: a tensor of any shape and a floating or complex dtype, as the gradient has them. Gives a handle to remove it. In a static
    function it is called for each backward pass, which runs at eager speed then. A saved model doesn't hold the hook.
    RuntimeError: no gradient will arrive. StagedValueError: a hook that reads what only the Program knows, or of a tensor from
    outside.
    """
    if x.is_staged:
        return _recorded(x, hook)
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


def _recorded(x: Tensor, hook: Callable) -> RecordedHandle:
    """The hook of a tensor that a Program computes."""
    rec = recorder()
    for name, value in _captured(hook):
        if isinstance(value, Staged) or (isinstance(value, Tensor) and value.is_staged):
            raise StagedValueError(
                f"{rec.here()}: this hook reads '{name}', which only the Program knows; a hook gets the gradient alone"
            )
    lookup("gradient_hook")(x, hook=rec.atom_text(hook))
    return RecordedHandle()


def _captured(hook: object) -> Iterator[tuple[str, object]]:
    """The variables around a function that it reads, and their values."""
    code, cells = getattr(hook, "__code__", None), getattr(hook, "__closure__", None)
    for name, cell in zip(code.co_freevars, cells or ()) if code is not None else ():
        if cell != CellType():
            yield name, cell.cell_contents


def retain_grads(x: Tensor) -> None:
    """Keep the gradient of `x`, of any shape and a floating or complex dtype, in `x.grad` also where `x` is no leaf.

    RuntimeError: no gradient will arrive. StagedValueError in a static function.
    """
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
