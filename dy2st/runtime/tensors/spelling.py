"""Arguments that other libraries call otherwise: the message of the TypeError says what Paddle calls them."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from ..where.faults import speaks_for_the_user
from ..where.tracebacks import leave_out_this_frame, show_users_frames

# A parameter's name elsewhere, and here.
_NAMES = {
    "dim": "axis", "dims": "axis", "keepdims": "keepdim", "input": "x", "other": "y", "device": "place", "a": "x",
    "lr": "learning_rate", "params": "parameters", "eps": "epsilon", "nesterov": "use_nesterov", "bias": "bias_attr",
    "padding_value": "pad", "size_average": "reduction",
}  # fmt: skip
# What has another form here: as it is written elsewhere, and here.
_FORMS = {
    "requires_grad": ("requires_grad=True", "x.stop_gradient = False"),
    "betas": ("betas=(a, b)", "beta1=a, beta2=b"),
    "bidirectional": ("bidirectional=True", "direction='bidirect'"),
    "batch_first": ("batch_first=True", "time_major=False, the default,"),
}


def tell_spelling(error: TypeError, function: Callable, kwargs: dict[str, Any]) -> None:
    """Add what to write to an error that a call of `function` with these keywords has failed with before it ran."""
    if error.__traceback__ is not None and error.__traceback__.tb_next is None:
        error.args = (f"{error}{_spelling(function, kwargs)}",)
        leave_out_this_frame(error)


def _spelling(function: Callable, kwargs: dict[str, Any]) -> str:
    """What to write instead of arguments by keyword that other libraries name otherwise; "" where there are none."""
    code = function.__code__
    names = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
    other = [name for name in kwargs if name not in names]
    known = [(name, _NAMES[name]) for name in other if _NAMES.get(name) in names]
    known += [_FORMS[name] for name in other if name in _FORMS]
    return "".join(f"; write {paddle} for {name}, as in Paddle" for name, paddle in known)


def spell_arguments(cls: type) -> None:
    """Let the `__init__` of a class of this package say what Paddle calls the arguments that it doesn't take."""
    init = vars(cls).get("__init__")
    if init is not None and cls.__module__.partition(".")[0] == __name__.partition(".")[0]:
        cls.__init__ = spelled(init)  # type: ignore[misc]


@speaks_for_the_user
def spelled(init: Callable) -> Callable:
    """An `__init__` that says what Paddle calls the arguments that it doesn't take."""

    @functools.wraps(init)
    def told(self: Any, *args: Any, **kwargs: Any) -> None:
        try:
            init(self, *args, **kwargs)
        except TypeError as error:
            tell_spelling(error, init, kwargs)
            show_users_frames(error)
            raise

    return told
