"""What asks how a tensor lies in memory: contiguous, is_contiguous, stride, storage_offset, as_strided."""

from __future__ import annotations

from typing import Any

import dy2st as api

from ...api.shape_args import int_list
from ...ops import strided
from ...ops.dispatch import recorder_of_mode
from ...ops.registry import lookup
from ..laid import steps_of
from ..layouts import LENGTHS
from ..packages import torch
from .axes import axis_of, is_known, lengths_of
from .rows import both, refused, row
from .views import paired, reshaped

_ALL = (1, *LENGTHS)
_UNKNOWN = (
    "{} may be another one for a length of 1, or isn't known after a path, or where x is a part of a tensor; take it of "
    "x.clone(memory_format=torch.contiguous_format), or where the lengths are known"
)
_WALKED = "that x.as_strided(...) was given, or has made, which is a view in torch and a copy here; write x.as_strided_copy(...)"


def _asked(x: Any, ask: Any, lengths: Any = LENGTHS) -> Any:
    """What torch says of how a tensor lies in memory, if that is the same for all lengths; else None."""
    return recorder_of_mode().facts.policy.layouts.answers(x._data, ask, lengths)


def _known(x: Any, what: str, ask: Any, lengths: Any = _ALL) -> Any:
    """The same, or it is refused; arguments of the function have to lie in order, as is taken for granted."""
    found = _asked(x, ask, lengths)
    if found is None:
        raise refused(_UNKNOWN.format(what))
    recorder_of_mode().facts.policy.asks_memory()
    return found


@row("Tensor.contiguous")
def contiguous(self: Any, memory_format: Any = None) -> Any:
    """The elements in the order of memory: a view of itself where they are, else a copy."""
    in_order = memory_format in (None, torch().contiguous_format, torch().preserve_format)
    return self[...] if in_order and _asked(self, lambda laid: laid.is_contiguous) else self.clone()


both("ravel", lambda input: reshaped(contiguous(input), [-1]))


@row("Tensor.is_contiguous")
def is_contiguous(self: Any, memory_format: Any = None) -> bool:
    """Whether the elements are in the order of memory."""
    if memory_format not in (None, torch().contiguous_format):
        raise refused("x.is_contiguous() of another format than torch.contiguous_format")
    return _known(self, "x.is_contiguous()", lambda laid: laid.is_contiguous)


@row("Tensor.storage_offset")
def storage_offset(self: Any) -> int:
    """How many elements of the memory lie before it."""
    return _known(self, "x.storage_offset()", lambda laid: laid.offset)


@row("Tensor.stride")
def stride(self: Any, dim: Any = None) -> Any:
    """How far the elements along the axes are from one another in memory."""
    steps = _steps(self)
    return tuple(steps) if dim is None else steps[axis_of(dim, len(steps))]


def _steps(x: Any) -> list[Any]:
    """From the innermost axis outwards, products of lengths: so it is in torch, also for lengths of 1."""
    if is_known(lengths_of(x)):
        return list(_known(x, "x.stride()", lambda laid: laid.stride, LENGTHS))
    order = _known(x, "x.stride()", lambda laid: laid.order, LENGTHS)
    _known(x, "x.stride()", lambda laid: laid.stride == steps_of(laid.shape, order) or None)
    return list(steps_of(x.shape, order))


@row("as_strided", "Tensor.as_strided")
def as_strided(input: Any, size: Any, stride: Any, storage_offset: Any = None) -> Any:
    """Elements at places in memory: a copy of what is a view in torch. A write that would be seen in the other one is refused."""
    found = as_strided_copy(input, size, stride, storage_offset)
    paired(found, input, _WALKED)
    return found


@row("as_strided_copy")
def as_strided_copy(input: Any, size: Any, stride: Any, storage_offset: Any = None) -> Any:
    """Elements at places in memory, which must be among those of `input`."""
    order, walk = _walk(input, size, stride, storage_offset)
    return lookup("as_strided_copy")(api.transpose(input, order), **walk)


@row("as_strided_scatter", "Tensor.as_strided_scatter")
def as_strided_scatter(input: Any, src: Any, size: Any, stride: Any, storage_offset: Any = None) -> Any:
    """A copy of `input` in which `src` is written at places in memory."""
    if not input.stop_gradient:
        raise refused("torch's gradient of as_strided_scatter isn't the derivative by x; pass x.detach(), or use x[index] = src")
    order, walk = _walk(input, size, stride, storage_offset)
    found = strided.as_strided_scatter(api.transpose(input, order), src, **walk)
    return api.transpose(found, [order.index(axis) for axis in range(len(order))])


def _walk(x: Any, size: Any, stride: Any, start: Any) -> tuple[list[int], dict[str, Any]]:
    """The axes in the order of memory, and the attributes of a walk through that."""
    order = _known(x, "the order of memory", lambda laid: laid.order, LENGTHS)
    begin = 0 if start is None else start - _known(x, "x.storage_offset()", lambda laid: laid.offset, LENGTHS)
    if isinstance(begin, int) and begin < 0:
        raise refused("as_strided from before where x begins; take it of the tensor that x is a part of")
    lengths, steps = (int_list("as_strided", list(x), name) for x, name in ((size, "size"), (stride, "stride")))
    return list(order), {"shape": lengths, "stride": steps, "offset": begin}
