"""What a tensor is asked for, and itself again."""

from __future__ import annotations

from typing import Any

import dy2st as api

from ..dtypes import of_name
from ..face import Size
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


@row("Tensor.data.__set__")
def set_data(self: Any, value: Any) -> Any:
    """Refused: it gives the tensor another memory under its name."""
    raise refused("x.data = y gives x another memory under its name; write x.data.copy_(y), or x = y")


@row("Tensor.detach_", "detach_")
def detach_(self: Any) -> Any:
    """Refused: it cuts off the tensor under its name."""
    raise refused("x.detach_() cuts off x under its name; write x = x.detach()")


@row("Tensor.size")
def size(self: Any, dim: Any = None) -> Any:
    """The lengths of the axes, or one of them."""
    lengths = Size(self.shape)
    return lengths if dim is None else lengths[axis_of(dim, len(lengths))]


@row("broadcast_shapes")
def broadcast_shapes(*shapes: Any) -> Any:
    """The lengths in which shapes meet."""
    given = [[x] if isinstance(x, int) else list(x) for x in shapes]
    return Size(api.broadcast_shapes(*given)) if given else Size()
