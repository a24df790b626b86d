"""The IR type of a native value."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np

from ...dtypes import BY_NUMPY
from ...ir.types import BOOL, FLOAT, INT, NONE, STR, AtomType, ListType, TensorType, TupleType, Type

Array: TypeAlias = "np.ndarray[tuple[int, ...], np.dtype[np.generic[object]]]"  # an array of any shape and dtype
_SCALARS = {bool: BOOL, int: INT, float: FLOAT, str: STR, type(None): NONE}


def type_of_native(value: Any) -> Type:
    """The type of an array, a Python scalar, a list or tuple of them; anything else is an atom."""
    if isinstance(value, (np.ndarray, np.generic)):
        return TensorType(BY_NUMPY[value.dtype].name, value.shape)
    if type(value) in _SCALARS:
        return _SCALARS[type(value)]
    if type(value) is tuple:
        return TupleType(tuple(map(type_of_native, value)))
    if type(value) is list and value:
        return ListType(type_of_native(value[0]))
    return AtomType(type(value).__qualname__)
