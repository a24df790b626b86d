"""Tensors as others of another dtype."""

from __future__ import annotations

from typing import Any

from ...runtime.tensors.tensor import Tensor
from ..dtypes import kind_of, name_of, of_name, promoted
from ..packages import torch
from .rows import both, refused, row


def converted(x: Any, dtype: str) -> Any:
    """A tensor in a dtype; the tensor itself where it has that. Of complex numbers for a real dtype, the real part."""
    if x.type.dtype == dtype:
        return x
    return (x.real() if kind_of(x.type.dtype) == "complex" and kind_of(dtype) not in ("complex", "bool") else x).astype(dtype)


@row("Tensor.to")
def to(input: Any, *args: Any, dtype: Any = None, device: Any = None, other: Any = None, **options: Any) -> Any:
    """Another dtype; the device is the CPU. copy=True: a copy even where nothing changes."""
    for given in (*args, other):
        if isinstance(given, torch().dtype | type):  # int, float, bool or complex
            dtype = given
        elif isinstance(given, Tensor):
            dtype = of_name(given.type.dtype)
        elif isinstance(given, str | torch().device):
            device = given
    if device is not None and torch().device(device).type != "cpu":
        raise refused(f"x.to({str(device)!r}): tensors live on the CPU")
    flags = [x for x in args if isinstance(x, bool)]
    is_copied = options.get("copy", len(flags) > 1 and flags[1])
    found = input if dtype is None else converted(input, name_of(dtype))
    return found.clone() if is_copied and found is input else found


def _refuse(name: str) -> None:
    """A row for a layout of tensors that there isn't."""

    def refuse(input: Any, *args: Any, **kwargs: Any) -> Any:
        raise refused(f"x.{name}(): a Program's tensors are dense, and lie row by row; leave it out")

    row(f"Tensor.{name}")(refuse)


_NAMED = {
    "float": "float32", "double": "float64", "half": "float16", "bfloat16": "bfloat16", "bool": "bool", "byte": "uint8",
    "char": "int8", "short": "int16", "int": "int32", "long": "int64", "cfloat": "complex64", "cdouble": "complex128",
}  # fmt: skip
for _name, _dtype in _NAMED.items():
    row(f"Tensor.{_name}")(lambda input, memory_format=None, d=_dtype: converted(input, d))


@row("Tensor.chalf")
def chalf(input: Any, memory_format: Any = None) -> Any:
    """Refused: dy2st has no complex32."""
    raise refused("x.chalf(): torch.complex32 has no counterpart; write x.cfloat()")


for _name in "to_sparse to_sparse_csr to_sparse_csc to_sparse_bsr to_sparse_bsc to_mkldnn".split():
    _refuse(_name)
row("Tensor.type_as")(lambda input, other: converted(input, other.type.dtype))


both("is_floating_point", lambda input: kind_of(input.type.dtype) == "float")
both("is_complex", lambda input: kind_of(input.type.dtype) == "complex")
both("is_signed", lambda input: input.type.dtype not in ("bool", "uint8"))


@row("result_type")
def result_type(tensor1: Any, tensor2: Any) -> Any:
    """The dtype in which two tensors or numbers meet."""
    return of_name(promoted(tensor1, tensor2))


@row("Tensor.type")
def type_(self: Any, dtype: Any = None, non_blocking: bool = False) -> Any:
    """Another dtype, or the name of the class of tensors."""
    if dtype is None:
        return torch().empty(0, dtype=of_name(self.type.dtype)).type()
    return self.astype(name_of(torch().empty(0).type(dtype).dtype if isinstance(dtype, str) else dtype))
