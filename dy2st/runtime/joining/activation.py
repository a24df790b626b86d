"""Calls of converted functions that aren't over: what tells one from another, and when two are alike."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from types import CodeType
from typing import Protocol

from ...annotations import signature_of
from ...ir.core import Loc
from ...pytree import attributes_of, is_object
from ..heap.frames import Frame
from ..heap.recording import Recording
from ..proxies import Staged
from ..tensors.tensor import Tensor
from ..where.lines import SourceLoc, loc_of
from ..where.per_code import nested_code
from ..where.user_code import user_frame
from .join import same

REST = inspect.CO_VARARGS | inspect.CO_VARKEYWORDS
LEVELS = 4  # how deep arguments are compared: what is nested deeper, or in circles, must be the same object


class Arguments:
    """The arguments of a call in the order of the function's parameters, however they are spelled."""

    def __init__(self, function: Callable, args: tuple, kwargs: dict):
        self.function, self.args, self.kwargs = function, args, kwargs

    @cached_property
    def _bound(self) -> inspect.BoundArguments | None:
        """None where Python would refuse the call."""
        try:
            bound = signature_of(self.function, follow_wrapped=False).bind(*self.args, **self.kwargs)
        except TypeError:
            return None
        bound.apply_defaults()
        return bound

    @cached_property
    def _by_position(self) -> list | None:
        """All values, where all are given by position, and the function takes no others: then they are bound at once."""
        function, args = self.function, self.args
        code: CodeType = function.__code__
        if self.kwargs or code.co_kwonlyargcount or code.co_flags & REST or "__signature__" in vars(function):
            return None
        missing, defaults = code.co_argcount - len(args), function.__defaults__ or ()  # type: ignore[attr-defined]
        return [*args, *defaults[len(defaults) - missing :]] if 0 <= missing <= len(defaults) else None

    @cached_property
    def shape(self) -> tuple | None:
        """How many arguments go by position and which by keyword; None where they don't fit the function."""
        if self._by_position is not None:
            return len(self._by_position), ()
        return None if self._bound is None else (len(self._bound.args), tuple(self._bound.kwargs))

    @property
    def values(self) -> list:
        if self._by_position is not None:
            return [*self._by_position]
        return [] if self._bound is None else [*self._bound.args, *self._bound.kwargs.values()]

    @property
    def names(self) -> list[str]:
        """A name for each value."""
        count, keywords = self.shape or (0, ())
        names = list(signature_of(self.function, follow_wrapped=False).parameters)
        return [*(names[i] if i < len(names) else f"{names[-1]}_{i}" for i in range(count)), *keywords]

    def spelled(self, values: list) -> tuple[tuple, dict]:
        """Other values, to call the function with."""
        count, keywords = self.shape or (0, ())
        return tuple(values[:count]), dict(zip(keywords, values[count:]))


class Reentrant(Protocol):
    """The Function that is being recorded for a call: calls from inside it may be calls of it."""

    def fits(self, arguments: Arguments) -> bool: ...
    def can_take(self, arguments: Arguments) -> bool: ...
    def again(self, arguments: Arguments) -> object: ...


@dataclass(eq=False)
class Activation:
    """A call of a converted function that isn't over.

    caller: where it is called, None at the head of a Function of the Program; site: the code and line of the call, and of those
    that led to it; frame: the Frame its code runs in; recorded: how many operations there were before it; users: the user's
    function, of which `original` may be a form that takes `*rest` as one argument; recursion: the Function that is being recorded
    for it.
    """

    original: Callable
    converted: Callable
    arguments: Arguments
    loc: Loc | None
    caller: Loc | None
    site: tuple
    frame: Frame
    recorded: int
    users: Callable
    recursion: Reentrant | None = None

    def __post_init__(self) -> None:
        self.code: CodeType = self.original.__code__

    def runs(self, code: CodeType) -> bool:
        """Whether code is that of the function, or stands inside it."""
        own = self.converted.__code__
        return code is own or id(code) in nested_code(own)

    def is_again(self, other: Activation) -> bool:
        """Whether both are calls of one function: the same code and closure variables, as many arguments."""
        if self.code is not other.code:
            return False
        mine, others = self.original.__closure__ or (), other.original.__closure__ or ()
        return (
            all(a is b for a, b in zip(mine, others))
            and self.arguments.shape == other.arguments.shape
            and self.arguments.shape is not None
        )


def line_in(active: list[Activation]) -> Loc | None:
    """The user's line that runs in these calls, the innermost last; it tells where each is called."""
    frame = user_frame()
    if frame is None:
        return None
    loc, code = loc_of(frame), frame.f_code
    for call in reversed(active):
        if call.runs(code):
            return loc if call.caller is None else SourceLoc(*loc[:4], call.caller)
    return loc


def is_staged(rec: Recording, value: object) -> bool:
    """Whether a value is known only when the Program runs."""
    if isinstance(value, Tensor):
        return value.is_staged
    return isinstance(value, Staged) or rec.heap.staged(value) is not None


def alike(rec: Recording, a: object, b: object, mixed: bool = False, levels: int = LEVELS) -> bool:
    """Whether two arguments are the same Python values, up to staged ones of one type.

    mixed: a staged value may stand for any other, and one number for another.
    """
    if same(a, b) or (mixed and type(a) in (int, float) and type(b) in (int, float)):
        return True
    if is_staged(rec, a) or is_staged(rec, b):
        return mixed or (is_staged(rec, a) and is_staged(rec, b) and rec.type_of(a) == rec.type_of(b))
    if type(a) is not type(b) or not levels:
        return False
    parts = [_parts(rec, x) for x in (a, b)]
    if parts[0] is None or parts[1] is None or list(parts[0]) != list(parts[1]):
        return False
    return all(alike(rec, x, y, mixed, levels - 1) for x, y in zip(parts[0].values(), parts[1].values()))


def _parts(rec: Recording, value: object) -> dict | None:
    """What a Python value is made of, by position, key or field; None where it is one thing."""
    if isinstance(value, tuple | list):
        return dict(enumerate(value))
    if type(value) is dict:
        return value
    made_here = rec.heap.birth(value) is not None
    return attributes_of(value) if made_here and (hasattr(value, "__dict__") or is_object(value)) else None
