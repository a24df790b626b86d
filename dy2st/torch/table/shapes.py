"""What a tensor is asked for, and the same numbers in another dtype."""

from __future__ import annotations

from typing import Any

import dy2st as api

from ...errors import DTypeError
from ...ir.core import Operation, Value
from ...ops.registry import view_of
from ...runtime.tensors.tensor import Tensor
from ..dtypes import kind_of, name_of, of_name
from ..face import Size
from ..packages import torch
from .axes import axis_of, rank_of
from .rows import refused, row

row("Tensor.clone", "clone")(lambda input, *, memory_format=None: input.clone())
row("Tensor.detach", "detach")(lambda input: input.detach())
row("Tensor.numel", "numel", "Tensor.nelement")(lambda input: Size(input.shape).numel())
row("Tensor.dim", "Tensor.ndimension")(lambda input: rank_of(input))
row("Tensor.item")(lambda input: input.item())
row("Tensor.tolist")(lambda input: input.tolist())
row("Tensor.cpu")(lambda input, memory_format=None: input)
row("Tensor.is_floating_point", "is_floating_point")(lambda input: kind_of(input.type.dtype) == "float")
row("Tensor.is_complex", "is_complex")(lambda input: kind_of(input.type.dtype) == "complex")
row("Tensor.is_signed", "is_signed")(lambda input: input.type.dtype not in ("bool", "uint8"))
row("Tensor.element_size")(lambda input: of_name(input.type.dtype).itemsize)
row("Tensor.resolve_conj", "resolve_conj", "Tensor.resolve_neg", "resolve_neg")(lambda input: input)
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
    return self if _is_in_order(self._data) else self.clone()


def _is_in_order(value: Any) -> bool:
    """Whether a tensor is no view, or one that keeps the order of memory."""
    made = value.owner if isinstance(value, Value) else None
    if not isinstance(made, Operation) or (view := view_of(made.name)) is None:
        return True
    return view.keeps_order(made.attrs) and _is_in_order(made.operands[0])


@row("broadcast_shapes")
def broadcast_shapes(*shapes: Any) -> Any:
    """The lengths in which shapes meet."""
    given = [[x] if isinstance(x, int) else list(x) for x in shapes]
    return Size(api.broadcast_shapes(*given)) if given else Size()


@row("Tensor.to")
def to(
    self: Any, *args: Any, dtype: Any = None, device: Any = None, non_blocking: bool = False, copy: bool = False, **other: Any
) -> Any:
    """Another dtype; the device is the CPU."""
    flags = [x for x in args if isinstance(x, bool)]
    for given in args:
        if isinstance(given, torch().dtype):
            dtype = given
        elif isinstance(given, Tensor):
            dtype = of_name(given.type.dtype)
        elif isinstance(given, str | torch().device):
            device = given
    if device is not None and torch().device(device).type != "cpu":
        raise refused(f"x.to({device!r}): Programs run on the CPU")
    given = other.get("other")
    dtype = of_name(given.type.dtype) if isinstance(given, Tensor) else dtype
    found = self if dtype is None else cast(self, name_of(dtype))
    return found.clone() if (copy or flags[1:] == [True]) and found is self else found


def cast(x: Tensor, dtype: str) -> Tensor:
    """x as a dtype: itself where it has that already."""
    return x if x.type.dtype == dtype else x.astype(dtype)


_CASTS = {
    "float": "float32", "double": "float64", "half": "float16", "bfloat16": "bfloat16", "long": "int64", "int": "int32",
    "short": "int16", "char": "int8", "byte": "uint8", "bool": "bool", "cfloat": "complex64", "cdouble": "complex128",
}  # fmt: skip
for _name, _dtype in _CASTS.items():
    row(f"Tensor.{_name}")(lambda self, memory_format=None, d=_dtype: cast(self, d))


@row("Tensor.chalf")
def chalf(self: Any, memory_format: Any = None) -> Any:
    """Refused: no dtype."""
    raise DTypeError("torch.complex32 has no counterpart")


row("Tensor.type_as")(lambda self, other: cast(self, other.type.dtype))


@row("Tensor.type")
def type_(self: Any, dtype: Any = None, non_blocking: bool = False) -> Any:
    """The name of the class of tensors, or another dtype."""
    if dtype is None:
        return torch().empty(0, dtype=of_name(self.type.dtype)).type()
    if isinstance(dtype, str):
        raise refused(f"x.type({dtype!r}); write x.to(dtype)")
    return cast(self, name_of(dtype))
