"""Writes into views that have elements of one memory several times, such as `x.expand(...)`: what they leave is put into x.

    v = x.expand(2, 3)          # x: float32[3]
    v[1].mul_(10)               # new = v[1] * 10; at = [0, 1, 2], where the elements of v[1] lie in x; x[at] = new

A Program can't write through such a view, as a write says nothing of the other copies of an element. Where a call has to tell
whether two elements are one in memory, it counts the places, and raises what torch raises.
"""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import Any

import dy2st as api

from ..errors import ConversionError
from ..ir.core import Operation, Value
from ..ir.types import TensorType
from ..ops.dispatch import recorder_of_mode
from ..ops.registry import view_of
from ..runtime.convert.operations.ifelse import convert_ifelse, convert_raise
from ..runtime.proxies import StagedScalar
from ..runtime.tensors.tensor import Tensor
from .layouts import Layouts
from .overlaps import has_known_lengths, is_apart, repeating
from .packages import torch

_EXPANDED = (
    "{}: {} writes a view that repeats elements, as x.expand(...) or x.unfold(...) gives it, where the order of the writes may "
    "decide what is left; write into x itself, or into a .clone() of the view"
)
_TWICE = (  # as torch says it
    "unsupported operation: more than one element of the written-to tensor refers to a single memory location. Please clone() "
    "the tensor before performing the operation."
)


def is_of_slices(index: Any) -> bool:
    """Whether an index gives a view: no tensor, list or mask is in it."""
    parts = index if type(index) is tuple else (index,)
    return all(x is None or x is Ellipsis or type(x) in (int, slice) or isinstance(x, StagedScalar) for x in parts)


def write_expanded(
    function: Any, row: Callable, args: tuple, kwargs: dict, name: str, layouts: Layouts, error: Exception | None
) -> Tensor:
    """What the row of an in-place function leaves in the tensor `args[0]`, written into the memory that this is a view of.

    args, kwargs: of Tensors. error: what torch raises where two elements of the tensor are one in memory; None: it raises
    nothing, or there are none with the lengths that were tried. The result is `args[0]`. ConversionError: such elements may get
    different values.
    """
    target = args[0]
    way, is_of_some = _way(target._data), _is_one_value(function, args, kwargs)
    if way is None:
        raise not_written(name)
    base = Tensor(way[-1].operands[0], target.stop_gradient)
    shape, count = base.shape, prod(base.shape)
    at = _through(way, api.reshape(api.arange(count, dtype="int64"), shape))
    if error is not None or is_of_some is None:
        is_open = not (has_known_lengths(target) and has_known_lengths(base))
        repeated = {op.name for op in way if repeating(op)}
        if is_open and repeated == {"broadcast_to"}:
            _raise_where_doubled(at, count, error or RuntimeError(_TWICE))
        elif (is_open and len(repeated) > 1) or not is_apart(target._data, layouts):
            raise not_written(name)
    new = target.clone()
    row(new, *args[1:], **kwargs)
    if is_of_some:
        written = api.zeros(target.shape, dtype="bool")
        of_true = (args[1:], kwargs | {"value": True}) if "value" in kwargs else ((*args[1:-1], True), kwargs)
        row(written, *of_true[0], **of_true[1])
        at = api.where(written, at, count)  # behind the last element of x: nothing is written
    room = api.concat([api.reshape(base, [-1]), api.zeros([1], dtype=base.dtype)])
    found = api.index_put(room, (api.reshape(at, [-1]),), api.reshape(new, [-1]))
    base.copy_(api.reshape(found[:-1], shape))
    return target


def not_written(name: str) -> ConversionError:
    """The error of a write into a view that repeats elements, which torch allows and a Program can't do."""
    return ConversionError(_EXPANDED.format(recorder_of_mode().here(), name))


def _raise_where_doubled(at: Tensor, count: Any, error: Exception) -> None:
    """Raise `error` in the Program where two of the places `at`, of `count`, are one."""
    flat = api.reshape(at, [-1])
    times = api.index_put(api.zeros([count], dtype="int64"), (flat,), api.ones_like(flat), accumulate=True)
    convert_ifelse((times > 1).any(), lambda: convert_raise(error), lambda: None)


def _is_one_value(function: Any, args: tuple, kwargs: dict) -> bool | None:
    """Whether a function writes one value, into some of the elements (True) or all (False); None: it may write several.

    None, too, where torch copies a tensor without axes, which it doesn't do where elements are one in memory.
    """
    cls, value = torch().Tensor, kwargs.get("value", args[-1])
    is_number = not isinstance(value, Tensor)
    if function in (cls.zero_, torch().zero_):
        return False
    if function in (cls.masked_fill_, cls.index_fill_):
        return True
    if function is cls.__setitem__ and args[1] is not Ellipsis:
        return True if is_number or value.static_shape == () else None
    return False if function in (cls.fill_, torch().fill_, cls.__setitem__) and is_number else None


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
