"""Whether operators are put on the tape: one context variable, and the context managers that set it."""

from __future__ import annotations

import functools
from contextvars import ContextVar
from typing import Any

_enabled: ContextVar[bool] = ContextVar("dy2st_grad_enabled", default=True)


def is_grad_enabled() -> bool:
    """Whether operators are being put on the tape."""
    return _enabled.get()


def left_by(what: str, mode: bool) -> str:
    """The words for what turns the tape on or off and leaves it so."""
    to, scope = ("on", "enable_grad") if mode else ("off", "no_grad")
    return f"{what} turns gradients {to} for what comes after it, which a Program doesn't; write `with {scope}():`"


class set_grad_enabled:
    """Turn the tape on or off, as the bool `mode` says: at once, and back at the end of a `with` block."""

    def __init__(self, mode: bool):
        self._mode = bool(mode)
        self._before = [_enabled.get()]
        _enabled.set(self._mode)

    def __enter__(self) -> set_grad_enabled:
        return self

    def __exit__(self, *exception: Any) -> None:
        _enabled.set(self._before.pop())


class _Scope:
    """A context manager and decorator that sets the tape to `_mode` inside."""

    _mode = False

    def __new__(cls, func: Any = None):
        scope = super().__new__(cls)
        scope._before = []  # type: ignore[attr-defined]
        return scope if func is None else scope(func)

    def __enter__(self) -> _Scope:
        self._before.append(_enabled.get())  # type: ignore[attr-defined]
        _enabled.set(self._mode)
        return self

    def __exit__(self, *exception: Any) -> None:
        _enabled.set(self._before.pop())  # type: ignore[attr-defined]

    def __call__(self, func: Any) -> Any:
        """`func`, run with the tape set to this scope's mode."""
        scope = type(self)

        @functools.wraps(func)
        def wrapped(*args: Any, **kwargs: Any) -> Any:
            with scope():
                return func(*args, **kwargs)

        wrapped.__dy2st_scope__ = scope  # type: ignore[attr-defined]
        return wrapped


SCOPES = (_Scope, set_grad_enabled)


class no_grad(_Scope):
    """Keep operators off the tape: `with no_grad():`, `@no_grad()` or `@no_grad`. `func`: the decorated function.

    >>> x = dy2st.to_tensor(1.0, stop_gradient=False)
    >>> with dy2st.no_grad():
    ...     (x * 2).stop_gradient
    True
    """

    _mode = False


class enable_grad(_Scope):
    """Put operators on the tape, also inside `no_grad`: `with enable_grad():`, `@enable_grad()` or `@enable_grad`.

    `func`: the decorated function.
    """

    _mode = True
