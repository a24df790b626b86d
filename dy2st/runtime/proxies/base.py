"""What all proxies have in common: none of them gives a value while staging."""

from __future__ import annotations

import operator
from types import FunctionType, MethodType
from typing import Any

from ...errors import StagedValueError
from ...ir.core import Value
from ...ir.types import BOOL, INT, SumType, Type
from ...ops import dispatch
from ...ops.registry import lookup
from ..tensors.tensor import Tensor, need_index
from ..where.faults import as_the_user

SCALARS = frozenset((bool, int, float, str, type(None)))  # Python's own: no code of the user's is asked for what they are


def recorder() -> Any:
    """The recorder that is staging now."""
    return dispatch.current_mode()


def refuse(staged: Any, use: str) -> StagedValueError:
    return StagedValueError(recorder().refusal(staged, use))


class SpelledLate:
    """What `repr` tells only when the Program runs, and that isn't one Value: `spelled()` gives the text."""

    __slots__ = ()

    def spelled(self) -> Any:
        """The text, a staged one."""
        raise NotImplementedError


class Staged:
    """Base of all proxies: `_value` is what it stands for; its names are private, since a user's object may have any other."""

    __slots__ = ("_value", "__weakref__")
    __hash__ = object.__hash__

    def __init__(self, value: Value):
        self._value = value

    @property
    def _type(self) -> Type:
        return self._value.type

    def __repr__(self) -> str:
        if dispatch.mode_stack():
            raise refuse(self, "str(x)")
        return f"<staged {self._value.type}>"  # in a debugger, or a traceback

    def __reduce_ex__(self, protocol: Any) -> Any:
        raise refuse(self, "a copy or pickle")

    def __str__(self) -> str:
        raise refuse(self, "str(x)")

    def __format__(self, spec: str) -> str:
        raise refuse(self, "a format string")

    def __bool__(self) -> bool:
        raise refuse(self, "bool(x)")

    def __index__(self) -> int:
        raise refuse(self, "a function that asks for an int")

    def __int__(self) -> int:
        raise refuse(self, "int(x)")

    def __float__(self) -> float:
        raise refuse(self, "float(x)")

    def __iter__(self) -> Any:
        recorder().convert_unpackings()
        raise refuse(self, "iteration")

    def __array__(self, dtype=None, copy=None) -> Any:
        raise refuse(self, "a NumPy function")


def as_index(index: Any) -> Any:
    """An index that the Program can take: an int, a staged int, or a one-element integer tensor turned into one."""
    if isinstance(index, Tensor):
        need_index(index)
        return lookup("py.item")(index)
    if isinstance(index, Staged) and isinstance(index._type, SumType):
        return recorder().on_alternatives(index, as_index)
    index = own_index(index)
    return index if isinstance(index, Staged) else as_the_user(operator.index, index)


def index_operand(index: Any) -> Any:
    """What an operation is given for an index: of a tensor or an object of the user's, its number; anything else as it is."""
    if isinstance(index, Tensor):
        return as_index(index)
    index = own_index(index)
    is_other = not isinstance(index, Staged) and type(index) not in SCALARS and hasattr(type(index), "__index__")
    return as_the_user(operator.index, index) if is_other else index


def own_index(value: Any) -> Any:
    """What the `__index__` of a class of the user's gives, an int that only the Program may know; anything else as it is."""
    cls = type(value)
    method = None if cls in SCALARS or issubclass(cls, Staged | Tensor) else getattr(cls, "__index__", None)
    if not isinstance(method, FunctionType):
        return value
    found = recorder().convert_call(MethodType(method, value))()
    if isinstance(found, int) or (isinstance(found, Staged) and found._type in (INT, BOOL)):
        return found
    if isinstance(found, Staged) and isinstance(found._type, SumType):
        return as_index(found)
    raise TypeError(f"__index__ returned non-int (type {type(found).__name__})")
