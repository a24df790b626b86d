"""Checks and arithmetic on dims (an int, a name, or None for an unknown) for inference; a shape None has unknown rank."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ..errors import DTypeError, ShapeError
from ..ir.shape import shape_text
from ..ir.types import Dim, TensorType, Type
from .registry import UNKNOWN
from .rules import need_tensor

INTEGERS = ("uint8", "int8", "int16", "int32", "int64")
FLOATS = ("float16", "float32", "float64")


def integer_tensor(type_: Type, op: str) -> TensorType:
    """`type_` where it is a tensor of integers; DTypeError otherwise."""
    if need_tensor(op, type_).dtype not in INTEGERS:
        raise DTypeError(f"{op} takes integer indices, not {type_}")
    return type_  # type: ignore[return-value]


def float_tensor(type_: Type, op: str) -> TensorType:
    """`type_` where it is a floating-point tensor; DTypeError otherwise."""
    if need_tensor(op, type_).dtype not in FLOATS:
        raise DTypeError(f"{op} takes a floating-point tensor, not {type_}")
    return type_  # type: ignore[return-value]


def of_rank(type_: Type, rank: int, op: str) -> tuple[Dim, ...]:
    """The shape of a tensor of the given rank (all unknown where its rank is unknown); ShapeError otherwise."""
    shape = need_tensor(op, type_).shape
    if shape is None:
        return (None,) * rank
    if len(shape) != rank:
        raise ShapeError(f"{op} takes a tensor of {rank} axes, not {type_}")
    return shape


def known(*dims: Any) -> bool:
    """Whether every dim is a number."""
    return all(type(d) is int for d in dims)


def leaf(value: Any) -> Any:
    """An attribute leaf as a dim: a dynamic one is an unknown."""
    return None if value is UNKNOWN else value


def axis_of(axis: int, rank: int, op: str) -> int:
    """`axis` counted from the front; ShapeError where the tensor has no such axis."""
    if not -rank <= axis < rank:
        raise ShapeError(f"{op}: axis {axis} is outside a tensor of {rank} axes")
    return axis % rank


def axes_of(axes: Iterable[int], rank: int, op: str) -> list[int]:
    """`axes` counted from the front, each at most once."""
    found = [axis_of(a, rank, op) for a in axes]
    if len(set(found)) != len(found):
        raise ShapeError(f"{op}: an axis is named twice in {list(axes)}")
    return found


def product(dims: Iterable[Dim]) -> Dim:
    """The number of elements: an int, or the name of the only unknown among ones, or None."""
    number, unknown = 1, []
    for dim in dims:
        if isinstance(dim, int):
            number *= dim
        else:
            unknown.append(dim)
    if not unknown or number == 0:
        return number
    return unknown[0] if len(unknown) == 1 and number == 1 else None


def same(a: Dim, b: Dim) -> Dim:
    """The dim known from two that are equal at run time: the more precise one."""
    if isinstance(a, int) or b is None:
        return a
    return b


def agree(a: Dim, b: Dim) -> bool:
    """Whether two dims may be equal."""
    return not known(a, b) or a == b


def without(shape: tuple, axis: int) -> tuple:
    """A shape without one of its axes."""
    return shape[:axis] + shape[axis + 1 :]


def merge(shapes: Iterable[tuple[Dim, ...] | None], op: str) -> tuple[Dim, ...] | None:
    """The shape of several tensors that have one shape at run time; ShapeError where they can't."""
    found: tuple[Dim, ...] | None = None
    for shape in shapes:
        if shape is None:
            continue
        if found is None:
            found = shape
        elif len(shape) != len(found) or not all(map(agree, shape, found)):
            raise ShapeError(f"{op}: the shapes {shape_text(found)} and {shape_text(shape)} don't go together")
        else:
            found = tuple(map(same, found, shape))
    return found
