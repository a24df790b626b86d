"""The call hook: an observer, set in a context variable, sees every call of a public function, a Tensor method or a Layer first.

Nothing is patched: the functions themselves ask. Without an observer a call goes straight on; new threads start without one.
"""

from __future__ import annotations

import functools
import types
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, Protocol, TypeVar

from ..where.faults import speaks_for_the_user
from .borrowed import own_arguments
from .spelling import tell_spelling

F = TypeVar("F", bound=Callable)


class Observer(Protocol):
    """Who sees the calls: it decides what they do, and what they return."""

    def call(self, function: Callable, method: str | None, args: tuple, kwargs: dict[str, Any]) -> Any:
        """A call of `function`; as the Tensor method `method`, where not None, whose first argument is the tensor."""

    def call_layer(self, layer: Any, args: tuple, kwargs: dict[str, Any]) -> Any:
        """A call of a Layer."""


TAKES_OUT = "__dy2st_out__"  # an attribute of functions: what writes a result into the tensor that `out=` names
TAKES_ANY = "__dy2st_any__"  # an attribute of functions that are given tensors of other libraries as they are
_observer: ContextVar[Observer | None] = ContextVar("dy2st_observer", default=None)
current_observer = _observer.get


@contextmanager
def observing(observer: Observer | None) -> Iterator[None]:
    """Run the body under `observer`; under None, calls go unseen."""
    token = _observer.set(observer)
    try:
        yield
    finally:
        _observer.reset(token)


def as_they_are(function: F) -> F:
    """Decorator: the function is given tensors of other libraries as they are."""
    setattr(function, TAKES_ANY, True)
    return function


@speaks_for_the_user
def observed(function: Callable, method: str | None = None) -> Callable:
    """`function`, which shows its calls to the observer; as the Tensor method of that name, where `method` is given.

    It is given Tensors where a call has those of other libraries, in their memory, unless it is marked by `as_they_are`.
    """

    takes_any = hasattr(function, TAKES_ANY)

    @functools.wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        if "out" in kwargs and hasattr(function, TAKES_OUT):
            return _into(function, kwargs.pop("out"), call(*args, **kwargs))
        if not takes_any:
            args, kwargs = own_arguments(args, kwargs)
        observer = _observer.get()
        try:
            return function(*args, **kwargs) if observer is None else observer.call(call, method, args, kwargs)
        except Exception as error:
            if isinstance(error, TypeError):
                tell_spelling(error, function, args, kwargs)
            from .unfit import unfit  # which only what fails needs

            told = unfit(error, function, args, kwargs)
            if told is None:
                raise
        raise told

    return call


def _into(function: Callable, out: Any, made: Any) -> Any:
    """The result, in `out` where that is a tensor: what takes it is a function of this package that knows how to write."""
    return made if out is None else getattr(function, TAKES_OUT)(function.__name__, out, made)


def restart_staged() -> None:
    """What the observer can't see into decides what comes next: it starts again on a staged model, where it can."""
    decide = getattr(_observer.get(), "decide", None)
    if decide is not None:
        decide()


def noted(function: Callable, converted: Callable) -> Callable:
    """`converted`, which runs in place of `function` while staging: an observer that asks for them is shown its calls."""
    note = getattr(_observer.get(), "call_converted", None)
    return converted if note is None else lambda *args, **kwargs: note(function, converted, args, kwargs)


def observe_public(package: dict[str, Any]) -> None:
    """Make the public functions in the modules of a package, whose namespace this is, show their calls; each gets one wrapper."""
    modules = [part for part in package.values() if isinstance(part, types.ModuleType) and hasattr(part, "__all__")]
    shown: dict[Any, Any] = {}
    for module in modules:
        for name in module.__all__:
            function = getattr(module, name)
            if isinstance(function, types.FunctionType) and function.__code__ is not _CODE:
                shown[function] = shown.get(function) or observed(function)
    for namespace in (package, *map(vars, modules)):
        for name, value in namespace.items():
            if isinstance(value, types.FunctionType) and value in shown and name in namespace.get("__all__", (name,)):
                namespace[name] = shown[value]


_CODE = observed(observed).__code__  # of every wrapper
