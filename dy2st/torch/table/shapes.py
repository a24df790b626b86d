"""What a tensor is asked for, and itself again."""

from __future__ import annotations

from typing import Any

import dy2st as api

from ...ir.core import Operation, Value
from ...ops.registry import view_of
from ..dtypes import of_name
from ..face import Size
from ..packages import torch
from .axes import axis_of, rank_of
from .rows import refused, row

row("Tensor.clone", "clone")(lambda input, *, memory_format=None: input.clone())
row("Tensor.detach", "detach", "Tensor.data.__get__")(lambda input: input.detach())
row("Tensor.numel", "numel", "Tensor.nelement")(lambda input: Size(input.shape).numel())
row("Tensor.dim", "Tensor.ndimension")(lambda input: rank_of(input))
row("Tensor.item")(lambda input: api.reshape(input, []).item())
row("Tensor.tolist")(lambda input: input.tolist())
row("Tensor.cpu")(lambda input, memory_format=None: input)
row("Tensor.element_size")(lambda input: of_name(input.type.dtype).itemsize)
row("Size")(lambda lengths=(): Size(lengths))


@row("Tensor.detach_", "detach_")
def detach_(self: Any) -> Any:
    """Refused: it cuts off the tensor under its name."""
    raise refused("x.detach_() cuts off x under its name; write x = x.detach()")


@row("Tensor.size")
def size(self: Any, dim: Any = None) -> Any:
    """The lengths of the axes, or one of them."""
    lengths = Size(self.shape)
    return lengths if dim is None else lengths[axis_of(dim, len(lengths))]


@row("Tensor.contiguous")
def contiguous(self: Any, memory_format: Any = None) -> Any:
    """The elements in the order of memory: itself where they are, else a copy."""
    return self if is_contiguous(self, memory_format) else self.clone()


def _is_in_order(value: Any) -> bool:
    """Whether a tensor is no view, or one that keeps the order of memory."""
    made = value.owner if isinstance(value, Value) else None
    if not isinstance(made, Operation) or (view := view_of(made.name)) is None:
        return True
    return view.keeps_order(made.attrs) and _is_in_order(made.operands[0])


@row("Tensor.is_contiguous")
def is_contiguous(self: Any, memory_format: Any = None) -> bool:
    """Whether the elements are in the order of memory; an input's are taken to be."""
    return memory_format in (None, torch().contiguous_format) and _is_in_order(self._data)


@row("Tensor.stride")
def stride(self: Any, dim: Any = None) -> Any:
    """How far the elements along the axes are from one another in memory."""
    if not _is_in_order(self._data):
        raise refused("the strides of a view, whose memory a Program lays out as it likes; take those of x.contiguous()")
    steps: list[Any] = [1] * rank_of(self)
    for axis in reversed(range(len(steps) - 1)):
        length = self.shape[axis + 1]
        steps[axis] = steps[axis + 1] * (max(length, 1) if isinstance(length, int) else length)
    return tuple(steps) if dim is None else steps[axis_of(dim, len(steps))]


@row("broadcast_shapes")
def broadcast_shapes(*shapes: Any) -> Any:
    """The lengths in which shapes meet."""
    given = [[x] if isinstance(x, int) else list(x) for x in shapes]
    return Size(api.broadcast_shapes(*given)) if given else Size()
