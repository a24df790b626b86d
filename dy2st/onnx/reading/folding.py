"""Constant folding while a model is read: an operator is computed at once where its results are small.

The size of a result is inferred before it is computed. An operator with a larger one is recorded, and the Program computes it.
"""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import Any, TypeVar

from ...ir.types import TensorType
from ...ops import dispatch
from ...ops.registry import OpDef, infer_types
from ...runtime.tensors.eager import EagerMode, native_attrs
from ...runtime.tensors.tensor import Tensor
from ...runtime.tensors.value_types import type_of_native
from .budget import budget

LARGEST = 4096  # elements of a result that is folded
LARGEST_STAGED = 256  # elements of an array of ints of which some are staged: each is an operation of its own
LARGEST_COORDINATES = 1 << 20  # elements of a result that tells where the elements of an image lie
BOUNDED = frozenset(("nonzero", "unique"))  # operators whose results are at most as long as their operands, times their rank
Found = TypeVar("Found")


class TooLargeError(Exception):
    """A result has more elements than constant folding computes."""


class Folding(EagerMode):
    """Computes operators on constants at once. largest: elements of a result. TooLargeError: a result has more."""

    def __init__(self, largest: int):
        super().__init__()
        self._largest = largest

    def bind(self, definition: OpDef, operands: tuple, attrs: dict[str, Any]) -> Any:
        types = [type_of_native(x._data if isinstance(x, Tensor) else x) for x in operands]
        for type_ in infer_types(definition, types, native_attrs(definition.name, attrs)):
            if isinstance(type_, TensorType):
                self._check(definition.name, type_, types)
        return super().bind(definition, operands, attrs)

    def _check(self, name: str, result: TensorType, operands: list[Any]) -> None:
        size = _size(result)
        if size is None and name in BOUNDED:
            size = sum((_size(type_) or 0) * max(type_.rank or 0, 1) for type_ in operands if isinstance(type_, TensorType))
        if size is None or size > self._largest or not budget().takes(size):
            raise TooLargeError(name)


def _size(type_: TensorType) -> int | None:
    lengths = [] if type_.shape is None else [n for n in type_.shape if isinstance(n, int)]
    return prod(lengths) if type_.shape is not None and len(lengths) == len(type_.shape) else None


def is_small(size: int, *arrays: Any) -> bool:
    """Whether a result of so many elements, computed of these arrays, may be an array."""
    return size <= (LARGEST_STAGED if any(array.dtype == object for array in arrays) else LARGEST)


def folded(compute: Callable[[], Found], otherwise: Callable[[], Found], largest: int = LARGEST) -> Found:
    """What `compute` gives with its operators computed at once; `otherwise()` where a result would be too large."""
    try:
        with dispatch.entered(Folding(largest)):
            return compute()
    except TooLargeError:
        return otherwise()


def coordinates_at_once(is_known: bool, compute: Callable[[], Found]) -> Found:
    """What `compute` gives: constants, where it depends on known lengths alone and is small enough; else recorded."""
    return folded(compute, compute, LARGEST_COORDINATES) if is_known else compute()
