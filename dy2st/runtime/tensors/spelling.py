"""Arguments that other libraries call otherwise: the message of the TypeError says what Paddle calls them."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from ..where.faults import speaks_for_the_user
from ..where.tracebacks import leave_out_this_frame, show_users_frames

_CO_VARARGS = 0x04  # of `inspect`, which loading a model shall not import
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


def tell_spelling(error: TypeError, function: Callable, args: tuple, kwargs: dict[str, Any]) -> None:
    """Add what to write to an error that a call of `function` with these keywords has failed with before it ran."""
    if error.__traceback__ is not None and error.__traceback__.tb_next is None:
        error.args = (f"{error}{_spelling(function, args, kwargs)}{_one_list(function, args)}",)
        leave_out_this_frame(error)


def _one_list(function: Callable, args: tuple) -> str:
    """What to write instead of lengths that are given one by one, more than the function takes arguments."""
    numbers = [x for x in args if type(x) is int]
    name = function.__name__
    return f"; write {name}({numbers}), with the numbers as one list" if len(numbers) > 1 and _too_many(function, args) else ""


def _too_many(function: Callable, args: tuple) -> bool:
    return len(args) > function.__code__.co_argcount and not function.__code__.co_flags & _CO_VARARGS


def _spelling(function: Callable, args: tuple, kwargs: dict[str, Any]) -> str:
    """What to write instead of arguments by keyword that other libraries name otherwise; "" where there are none."""
    code = function.__code__
    names = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
    other = [name for name in kwargs if name not in names]
    known = [(name, _NAMES[name]) for name in other if _NAMES.get(name) in names]
    known += [_FORMS[name] for name in other if name in _FORMS]
    taken = names[: len(args)]  # by arguments that stand where they belong elsewhere
    by_name = ", and what stands in its place by its own name" if any(paddle in taken for _, paddle in known) else ""
    return "".join(f"; write {paddle} for {name}, as in Paddle" for name, paddle in known) + by_name


def spell_arguments(cls: type) -> None:
    """Let the `__init__` of a class of this package say what Paddle calls the arguments that it doesn't take."""
    if is_of_package(cls) and "__init__" in vars(cls):
        cls.__init__ = spelled(cls.__init__)  # type: ignore[misc]


def is_of_package(made: Any) -> bool:
    """Whether a class or function is one of this package."""
    return made.__module__.partition(".")[0] == __name__.partition(".")[0]


def _outermost(cls: type) -> Any:
    """The `__init__` of this package that runs first; it calls those of the classes that its own is made of."""
    return next(vars(c)["__init__"] for c in cls.__mro__ if is_of_package(c) and "__init__" in vars(c))


@speaks_for_the_user
def spelled(init: Callable) -> Callable:
    """An `__init__` that says what Paddle calls the arguments that it doesn't take, and which ones are of another kind."""

    @functools.wraps(init)
    def told(self: Any, *args: Any, **kwargs: Any) -> None:
        try:
            return init(self, *args, **kwargs)
        except Exception as error:
            if isinstance(error, TypeError):
                tell_spelling(error, init, (self, *args), kwargs)
            if _outermost(type(self)) is not told:
                raise
            from .unfit import unfit  # which only what fails needs

            refused = unfit(error, init, (self, *args), kwargs, type(self).__name__)
            show_users_frames(error)
            if refused is None:
                raise
        raise refused

    return told
