"""What plain Python makes anew at each call, and a Program can only hold: objects of classes that aren't known to be immutable.

A list, a tensor or an object of a user's class becomes a Value, which the Program makes. A buffer, a lock, a digest, an exception
or an `object()` is an atom: the one object that staging has made. So the function is staged at each call.
"""

from __future__ import annotations

import datetime
import decimal
import fractions
import functools
import operator
import pathlib
import re
import struct
import sys
import types
import uuid
from enum import Enum

import numpy as np

from ...garbage import is_young
from ...pytree import is_laid_out_in_c, module_of
from ..heap.heap import Heap
from ..heap.identity import is_told_by_text
from ..proxies import Staged
from ..tensors.tensor import Tensor

DATES = (datetime.date, datetime.time, datetime.timedelta, datetime.tzinfo)
NUMBERS = (bool, int, float, complex, decimal.Decimal, fractions.Fraction, np.generic)
CONSTANTS = (str, bytes, re.Pattern, re.Match, struct.Struct, np.dtype, pathlib.PurePath, uuid.UUID, Enum, *DATES)
IMMUTABLE = (*NUMBERS, *CONSTANTS, tuple, frozenset, range, slice, types.ModuleType, Tensor, Staged)
TYPES = (type, types.GenericAlias, types.UnionType)
RUNTIME = __name__.rpartition(".recorder")[0] + "."
GETTERS = (operator.attrgetter, operator.itemgetter, operator.methodcaller)
FUNCTIONS = (types.FunctionType, types.BuiltinFunctionType, types.CodeType, functools.partial, *GETTERS)


def is_made_anew(heap: Heap, value: object) -> bool:
    """Whether plain Python makes an object anew at each call, and it could be told from the one that this recording has made."""
    if isinstance(value, types.MethodType | types.BuiltinMethodType):
        return is_made_anew(heap, value.__self__)
    return heap.birth(value) is not None and not _is_constant(type(value))


def is_ours(cls: type) -> bool:
    """Whether objects of a class stand for what Python has, such as an iterator."""
    return module_of(cls).startswith(RUNTIME)


def is_kept_by_c(value: object) -> bool:
    """Whether C keeps the state of an object, which isn't immutable, nor the variable of a module."""
    if _is_constant(type(value)) or isinstance(value, types.MethodType) or not is_laid_out_in_c(type(value)):
        return False
    is_value = functools.partial(operator.is_, value)  # in C, since there are tens of thousands of variables
    return not any(any(map(is_value, [*vars(module).values()])) for module in [*sys.modules.values()])


def _is_constant(cls: type) -> bool:
    if is_ours(cls):
        return not is_laid_out_in_c(cls)
    return issubclass(cls, (*IMMUTABLE, *TYPES, *FUNCTIONS)) or is_told_by_text(cls)


def is_nobodys(value: object) -> bool:
    """Whether nothing refers to an object but one variable of the caller's: what has given it has made it.

    A class refers to itself: the garbage collector knows which are new. To look for its bases makes the class of a value ready
    to be asked for more: C forgets that of what `co_positions` gives.
    """
    if isinstance(value, type):
        return not _is_named(value) and is_young(value)
    return sys.getrefcount(value) == _ALONE and bool(type(value).__mro__)


def _is_named(cls: type) -> bool:
    """Whether a module has a class under its name."""
    module = sys.modules.get(module_of(cls))
    return module is not None and vars(module).get(cls.__qualname__) is cls


def _count() -> int:
    """What `sys.getrefcount` says in `is_nobodys` of such an object."""

    def found(value: object) -> int:
        return sys.getrefcount(value)

    made = object()
    return found(made)


_ALONE = _count()
