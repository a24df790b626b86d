"""Undo logs: steps that restore what was there before, for work that an interrupt or a refusal may end at any bytecode.

A step leaves its log only when it is done, and running a step twice does no harm. So a restoring that is itself interrupted is
finished by whoever restores next. The outermost owner enters its log twice, and one of the two exits runs to its end:

    with log, log:
        log.note(partial(setattr, tensor, "stop_gradient", tensor.stop_gradient))
        tensor.stop_gradient = True
"""

from __future__ import annotations

from collections.abc import Callable
from types import TracebackType

Undo = Callable[[], object]


class UndoLog:
    """Steps that undo changes, in the order of the changes. A step is noted before its change is made."""

    __slots__ = ("_steps",)

    def __init__(self) -> None:
        self._steps: list[Undo] = []

    def note(self, *steps: Undo) -> None:
        """Add steps, which `restore` runs the last first."""
        self._steps.extend(steps)

    def restore(self) -> None:
        """Undo the changes, the last first."""
        while self._steps:
            self._steps[-1]()
            self._steps.pop()

    def __enter__(self) -> UndoLog:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None) -> None:
        """Restore after an interrupt; an Exception is what the work itself raises, after which its owner decides."""
        if kind is not None and not issubclass(kind, Exception):
            self.restore()
