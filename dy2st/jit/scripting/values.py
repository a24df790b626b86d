"""Live values and the types of hints: what is let in, and what is refused by name."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import numpy as np

from ...ir.join import alternatives
from ...ir.native import CONTAINERS, columns
from ...ir.types import FLOAT, NONE, ClassType, SumType, TensorType, TupleType, Type
from ...pytree import rebuilt
from ...runtime.tensors.tensor import Tensor
from ..interface.errors import ScriptTypeError
from .dtypes import ANY
from .readable import readable
from .scalars import NAMES, PYTHON_CLASSES, SCALARS


def checked(type_: Type, value: Any, where: str) -> Any:
    """The value as an input of this type (an int becomes the float that is asked for); ScriptTypeError names the argument."""
    if type_ == FLOAT and type(value) is int:
        return float(value)
    if isinstance(type_, TensorType) and isinstance(value, np.ndarray):
        return Tensor(value)
    if isinstance(type_, SumType):
        return None if value is None else checked(_other(type_), value, where)
    if isinstance(type_, TupleType) and _is_row(type_, value):
        parts = [checked(t, x, f"{where}[{i}]") for i, (t, x) in enumerate(zip(type_.elems, value))]
        return rebuilt(value, parts)
    if not fits(type_, value):
        raise ScriptTypeError(f"argument {where} is {_described(value)}; the function takes {readable(type_)}{_hint(type_)}")
    return value


def checked_attribute(type_: Type, value: Any, name: str) -> Any:
    """The value of an attribute of this type (an int becomes the float that is asked for); ScriptTypeError names it."""
    if type_ == FLOAT and type(value) is int:
        return float(value)
    if not fits(type_, value):
        raise ScriptTypeError(f"{name} is {_described(value)} now; the layer was compiled with it as {readable(type_)}")
    return value


def _hint(type_: Type) -> str:
    """What to write where a Tensor was meant by having no hint."""
    return " (an argument without a hint is a Tensor)" if isinstance(type_, TensorType) else ""


def _other(type_: SumType) -> Type:
    return next(t for t in type_.alternatives if t != NONE)


def _described(value: Any) -> str:
    return f"{value!r} ({type(value).__name__})" if isinstance(value, bool | int | float | str) else f"a {type(value).__name__}"


def fits(type_: Type, value: Any) -> bool:
    """Whether a live value is of a type."""
    if isinstance(type_, TensorType):
        return isinstance(value, Tensor | np.ndarray) and (type_.dtype == ANY or value.dtype.name == type_.dtype)
    if type_ in NAMES:
        return SCALARS[type(value)] == type_ if type(value) in SCALARS else False
    if type(type_) in CONTAINERS:
        return type(value) is CONTAINERS[type(type_)] and all(map(_all_fit, type_.parts(), columns(value)))
    if isinstance(type_, TupleType):
        return _is_row(type_, value) and all(map(fits, type_.elems, value))
    if isinstance(type_, ClassType):
        return type(value).__qualname__ == type_.name and all(fits(t, getattr(value, f, None)) for f, t in type_.fields or ())
    return any(fits(t, value) for t in alternatives(type_)) if isinstance(type_, SumType) else False


def _is_row(type_: TupleType, value: Any) -> bool:
    """Whether a value is a tuple of this length; a named one has the names that are asked for."""
    if not isinstance(value, tuple) or len(value) != len(type_.elems):
        return False
    return not type_.fields or getattr(value, "_fields", type_.fields) == type_.fields


def _all_fit(elem: Type, items: Collection) -> bool:
    """Whether all items are of a type: their classes tell, of numbers and texts."""
    cls = PYTHON_CLASSES.get(elem)
    return all(fits(elem, item) for item in items) if cls is None else {cls}.issuperset(map(type, items))
