"""Writes into views that have elements of one memory several times, such as `x.expand(...)`: what they leave is put into x.

    v = x.expand(2, 3)          # x: float32[3]
    v[1].mul_(10)               # new = v[1] * 10; at = [0, 1, 2], where the elements of v[1] lie in x; x[at] = new

A Program can't write through such a view, as a write says nothing of the other copies of an element.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from math import prod
from typing import Any

import dy2st as api

from ..errors import ConversionError
from ..ir.core import Operation, Value
from ..ir.types import TensorType
from ..ops.dispatch import recorder_of_mode
from ..ops.registry import view_of
from ..runtime.proxies import StagedScalar
from ..runtime.tensors.tensor import Tensor
from .layouts import Layouts
from .overlaps import is_apart, repeating
from .packages import torch

_EXPANDED = (
    "{}: {} writes a view that repeats elements, as x.expand(...) or x.unfold(...) gives it, where the order of the writes may "
    "decide what is left; write into x itself, or into a .clone() of the view"
)


def is_of_slices(index: Any) -> bool:
    """Whether an index gives a view: no tensor, list or mask is in it."""
    parts = index if type(index) is tuple else (index,)
    return all(x is None or x is Ellipsis or type(x) in (int, slice) or isinstance(x, StagedScalar) for x in parts)


def write_expanded(function: Any, row: Callable, args: tuple, kwargs: dict, name: str, layouts: Layouts) -> Tensor:
    """What the row of an in-place function leaves in the tensor `args[0]`, written into the memory that this is a view of.

    args, kwargs: of Tensors. The result is `args[0]`. ConversionError: elements that lie in one memory may get different values.
    """
    target = args[0]
    way = _way(target._data)
    is_same = _marks(function, args)
    if way is None or not (is_same is not None or is_apart(target._data, layouts)):
        raise not_written(name)
    new = target.clone()
    row(new, *args[1:], **kwargs)
    base = Tensor(way[-1].operands[0], target.stop_gradient)
    shape, count = base.shape, prod(base.shape)
    at = _through(way, api.reshape(api.arange(count, dtype="int64"), shape))
    if is_same:
        written = api.zeros(target.shape, dtype="bool")
        row(written, *args[1:-1], True)
        at = api.where(written, at, count)  # behind the last element of x: nothing is written
    room = api.concat([api.reshape(base, [-1]), api.zeros([1], dtype=base.dtype)])
    found = api.index_put(room, (api.reshape(at, [-1]),), api.reshape(new, [-1]))
    base.copy_(api.reshape(found[:-1], shape))
    return target


def not_written(name: str) -> ConversionError:
    """The error of a write into a view that repeats elements, which torch allows and a Program can't do."""
    return ConversionError(_EXPANDED.format(recorder_of_mode().here(), name))


def _marks(function: Any, args: tuple) -> bool | None:
    """Whether a function writes one value, into some of the elements (True) or all (False); None: it may write several."""
    if function in _fills():
        return False
    if function in _fills_of_some():
        return True
    is_number = not isinstance(args[-1], Tensor) or args[-1].static_shape == ()
    if function is not torch().Tensor.__setitem__ or not is_number:
        return None
    return args[1] is not Ellipsis


@cache
def _fills() -> frozenset:
    return frozenset([torch().Tensor.zero_, torch().Tensor.fill_, torch().zero_, torch().fill_])


@cache
def _fills_of_some() -> frozenset:
    return frozenset([torch().Tensor.masked_fill_, torch().Tensor.index_fill_])


def _way(value: Value) -> list[Operation] | None:
    """The operators that make a view, the last one first, down to the first that repeats elements; None: one may copy."""
    way: list[Operation] = []
    while isinstance(op := value.owner, Operation) and view_of(op.name) is not None:
        way.append(op)
        value = op.operands[0]
    while way and not repeating(way[-1]):
        way.pop()
    return None if any(view_of(op.name).may_copy for op in way) else way  # type: ignore[union-attr]


def _through(way: list[Operation], places: Tensor) -> Tensor:
    """The view of `places` that `way` makes."""
    rec = recorder_of_mode()
    value = rec.lower(places)
    for op in reversed(way):
        assert isinstance(op.result.type, TensorType)
        types, operands = [TensorType("int64", op.result.type.shape)], [value, *map(rec.local, op.operands[1:])]
        value = rec.append(Operation(op.name, operands, op.attrs, types, (), rec.here(), rec.path, op.n_positional)).result
    return Tensor(value, True)
