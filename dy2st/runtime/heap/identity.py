"""What tells one Python object from all others, where the Program knows objects by a text."""

from __future__ import annotations

from types import MethodType
from typing import Any


def identity(value: Any) -> Any:
    """The object's id; of a bound method, which is made anew by each load, those of the object and the function."""
    return (id(value.__self__), id(value.__func__)) if type(value) is MethodType else id(value)


def same_object(a: Any, b: Any) -> bool:
    """Whether two Python objects are one to a Program: the same object or bound method, or the same constant."""
    return a is b or same_constant(a, b) or identity(a) == identity(b)


def same_constant(a: Any, b: Any) -> bool:
    """Whether two Python scalars are the same constant: type and value, 0.0 apart from -0.0, a NaN equal to itself."""
    if type(a) is not type(b) or type(a) not in (bool, int, float, str, complex, bytes, type(None)):
        return False
    return repr(a) == repr(b) if isinstance(a, (float, complex)) else a == b
