"""`with`: enter, run the body, leave; `__exit__` runs also where something in the body raises when the Program runs.

A manager of a class of the user's is converted, and so is a generator of the user's that is one. A lock and any other manager act
while staging only, as everything that isn't converted does; one that might catch what the Program raises is refused.
"""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable
from types import FunctionType
from typing import Any

from ....errors import ConversionError
from ....python_library import LOCKS
from ...control.trial import as_outcome, is_refusal
from ...heap.markers import Signal
from ...proxies import StagedNumber, StagedSum, on_kinds
from ...recorder.caught import Caught
from ...recorder.recorder import current_recorder
from ...recorder.try_bodies import RefusedAttempt
from ...recorder.unconverted_try import has_try
from ...tensors.grad_mode import SCOPES
from ...where.faults import as_the_user
from ...where.profiling import unwatched
from ...where.tracebacks import given_to_the_user
from ...where.user_code import is_foreign
from ..iteration.generators import Generator
from ..operations.access import of_class
from ..operations.ifelse import convert_ifelse, convert_raise
from ..operations.sums import first_open
from ..operations.try_ import by_class, convert_try, run_block
from .calls import convert_call, pushing
from .generator_managers import PushedManager


def convert_with(manager: Any) -> Entered | PushedManager | Locked:
    """Enter a context manager."""
    if isinstance(manager, LOCKS):
        return Locked(manager)
    rec = current_recorder()
    if rec is not None and isinstance(manager, contextlib._GeneratorContextManager):
        generator = pushing(rec, manager.func)(*manager.args, **manager.kwds)  # type: ignore[attr-defined]
        if isinstance(generator, Generator):
            _discard(manager)
            return PushedManager(rec, generator)
    return _entered(manager)


def keep_entered(manager: Any) -> Entered:
    """Enter a context manager around a `yield`: the generator leaves it by `leave(error)`, once."""
    rec = current_recorder()
    if rec is not None and isinstance(manager, contextlib._GeneratorContextManager):
        raise ConversionError(
            f"{rec.here()}: a 'yield' inside a 'with' of {manager.func.__qualname__}, where the loop over the generator is left "
            "and goes on later; append to a list and return that"
        )
    return _entered(manager)


def _entered(manager: Any) -> Entered:
    rec = current_recorder()
    if isinstance(manager, StagedNumber):
        return on_kinds(manager, _entered)  # which raises
    if rec is not None and isinstance(manager, StagedSum):
        rec.on_alternatives(manager, _refuse_unmanaged)
    else:
        _refuse_unmanaged(manager)
    if rec is not None and isinstance(manager, contextlib.suppress) and first_open(manager._exceptions) is not None:  # type: ignore[attr-defined]
        raise ConversionError(
            f"{rec.here()}: which exceptions suppress(...) catches depends on the input data; write a 'with' on each path"
        )
    return Entered(manager)


# What Python looks for, in its order, and how it ends the message where that is missing.
_MISSED = (("__enter__", ""), ("__exit__", " (missed __exit__ method)"))
if sys.version_info >= (3, 14):
    _MISSED = (("__exit__", " (missed __exit__ method)"), ("__enter__", " (missed __enter__ method)"))


def _refuse_unmanaged(manager: Any) -> None:
    """TypeError for what is no context manager."""
    cls = type(manager)
    for name, missed in _MISSED:
        if not hasattr(cls, name):
            raise TypeError(f"'{_named(cls)}' object does not support the context manager protocol{missed}")


def _named(cls: type) -> str:
    """What Python calls a class there: from 3.14 on, with its module."""
    is_short = sys.version_info < (3, 14) or cls.__module__ in ("builtins", "__main__")
    return cls.__qualname__ if is_short else f"{cls.__module__}.{cls.__qualname__}"


@unwatched
def _discard(manager: Any) -> None:
    """The generator that Python has made is not the one that runs."""
    manager.gen.close()


def _of_manager(manager: Any, method: str, args: tuple) -> Any:
    _refuse_unmanaged(manager)  # one of several kinds
    return as_the_user(convert_call(of_class(manager, method)), *args)


class Locked:
    """A lock that Python's own `with` holds around the body: it is free again when anything leaves the body."""

    value = True  # of `__enter__`

    def __init__(self, lock: Any):
        self._lock = lock

    def run(self, body: Callable, values: tuple) -> Any:
        """The body's values."""
        with self._lock:
            return run_block(body, values)


class Entered:
    """A context manager that was entered. `value`: what `as` binds."""

    def __init__(self, manager: Any):
        self._manager = manager
        self.value = self._call("__enter__")

    def run(self, body: Callable, values: tuple) -> Any:
        """The body's values; those from before, if an exception was swallowed."""
        try:
            return self._run(body, values)
        finally:
            self._manager = self.value = None  # nobody asks for them again, and Python holds them no longer

    def _run(self, body: Callable, values: tuple) -> Any:
        if current_recorder() is None or not _is_converted(self._manager):
            return self._run_as_it_is(body, values)

        def on_error(error: Any, *values: Any) -> Any:
            swallowed = by_class(error, lambda cls: self._leave(cls, error))
            convert_ifelse(swallowed, lambda: None, convert_raise)
            return as_outcome(values)

        def normally(*values: Any) -> Any:
            self._leave(None, None)
            return as_outcome(values)

        return convert_try(body, values, [(lambda: BaseException, on_error)], normally)

    def leave(self, error: Any) -> Any:
        """Leave it, with an exception or None; whether that is swallowed."""
        return self._leave(None, None) if error is None else by_class(error, lambda cls: self._leave(cls, error))

    def _call(self, method: str, *args: Any) -> Any:
        rec = current_recorder()
        if rec is not None and isinstance(self._manager, StagedSum):
            return rec.on_alternatives(self._manager, lambda manager: _of_manager(manager, method, args))
        return _of_manager(self._manager, method, args)

    def _leave(self, kind: type | None, error: Any) -> Any:
        told = (kind, error, None if isinstance(error, Caught) else getattr(error, "__traceback__", None))
        if isinstance(self._manager, contextlib.suppress):  # it looks at the class only
            return as_the_user(self._manager.__exit__, *told)
        return self._call("__exit__", *told)

    def _run_as_it_is(self, body: Callable, values: tuple) -> Any:
        """With the `__exit__` that Python would call."""
        rec = current_recorder()
        leave = type(self._manager).__exit__
        try:
            if rec is None or not _may_catch(self._manager):
                result = run_block(body, values)
            else:
                what = f"the exit of {getattr(self._manager, 'func', type(self._manager)).__name__}"
                with rec.handling.attempting(RefusedAttempt(rec, what)):
                    result = run_block(body, values)
        except Signal:
            with contextlib.suppress(Exception):  # such as that nothing was raised: the body has not ended
                leave(self._manager, None, None, None)  # as at the end: the body will be run again, or goes on elsewhere
            raise
        except BaseException as error:
            is_refused = is_refusal(error)  # its own traceback tells a fault
            if not is_refused:
                given_to_the_user(error)
            left = as_the_user(leave, self._manager, type(error), error, error.__traceback__)
            if not left or is_refused:
                raise
            return as_outcome(values)
        as_the_user(leave, self._manager, None, None, None)
        return result


def _is_converted(manager: Any) -> bool:
    """Whether `__exit__` is code of the user's, or stands for it. The modes of gradients are those of staging itself."""
    rec = current_recorder()
    if rec is not None and isinstance(manager, StagedSum):
        classes = [cls for cls in rec.classes_of(manager) if hasattr(cls, "__exit__")]
        if all(isinstance(cls.__exit__, FunctionType) and not is_foreign(cls.__exit__.__module__) for cls in classes):
            return True
        raise ConversionError(
            f"{rec.here()}: this 'with' enters one of several managers, some of Python's library or of C; write a 'with' on each "
            "path"
        )
    leave = type(manager).__exit__
    if isinstance(manager, SCOPES):
        return False
    return isinstance(manager, contextlib.suppress) or (isinstance(leave, FunctionType) and not is_foreign(leave.__module__))


def _may_catch(manager: Any) -> bool:
    """Whether a manager that isn't converted may act on an exception: not a generator without a `try`."""
    generator = getattr(manager, "gen", None)
    return has_try(generator.gi_code) if generator is not None else isinstance(manager, contextlib.ExitStack)
