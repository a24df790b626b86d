"""Tensors made of numbers, lists, arrays and other tensors: `torch.tensor` and its kin, and the classes of tensors called."""

from __future__ import annotations

from typing import Any

import numpy as np

import dy2st as api

from ...api.shape_args import elem_of
from ...api.shape_args import listed as as_staged_list
from ...ir.types import BOOL, INT
from ...runtime.proxies import Staged, StagedList, StagedTuple
from ...runtime.tensors.tensor import Tensor
from ..dtypes import default_float, name_of, number_kind, of_name, of_number
from ..packages import torch
from ..values import leaves
from .conversions import converted
from .creation import checked, dtype_of, filled
from .rows import refused, row

CLASSES = {
    "Tensor": None, "FloatTensor": "float32", "DoubleTensor": "float64", "HalfTensor": "float16", "BFloat16Tensor": "bfloat16",
    "ByteTensor": "uint8", "CharTensor": "int8", "ShortTensor": "int16", "IntTensor": "int32", "LongTensor": "int64",
    "BoolTensor": "bool",
}  # fmt: skip
_OF_TORCH_ONLY = "a Program has tensors of torch.Tensor's own class only; use the tensor itself"
_IN_INIT = "a Program computes tensors and no parameters; make {0}s in __init__, and use x itself where it is computed"


def _dtype_of_data(data: Any) -> str:
    """The dtype that torch infers from numbers and arrays: torch is asked, except for values that depend on input data."""
    if isinstance(data, Staged) and not isinstance(data, StagedList):
        return of_number(number_kind(data))
    parts = leaves(data)
    if not any(isinstance(x, Tensor | Staged) for x in parts):
        return name_of(torch().tensor(data).dtype)
    found = [x.type.dtype if isinstance(x, Tensor) else _dtype_of_data(x) for x in parts]
    met = of_name(found[0])
    for name in found[1:]:
        met = torch().promote_types(met, of_name(name))
    return name_of(met)


def _of_data(data: Any, dtype: Any) -> Any:
    """A new tensor of numbers, or of tensors without axes in lists."""
    if dtype is not None:
        return api.to_tensor(data, dtype=name_of(dtype))
    data = as_staged_list(data)
    if isinstance(data, StagedList) and elem_of(data) in (INT, BOOL):
        raise refused(f"torch.tensor of a list that may be empty, and is of {default_float()} then; give it a dtype")
    if isinstance(data, StagedList):
        made = api.to_tensor(data)
        return made.astype(default_float()) if made.type.dtype == "float64" and default_float() != "float64" else made
    return api.to_tensor(data, dtype=_dtype_of_data(data))


@row("tensor")
def tensor(data: Any, *, dtype: Any = None, **options: Any) -> Any:
    """A tensor of numbers, or of tensors without axes in lists; a copy without history of a tensor."""
    checked(options)
    if isinstance(data, Tensor):
        made = data.detach().clone()
        return made if dtype is None else converted(made, name_of(dtype))
    return _of_data(data, dtype)


@row("as_tensor", "asarray")
def as_tensor(
    data: Any = None, dtype: Any = None, device: Any = None, *, obj: Any = None, copy: Any = None, **options: Any
) -> Any:
    """A tensor of numbers; a tensor itself, where it has the dtype and no copy is asked for."""
    checked({"device": device, **options})
    data = obj if data is None else data
    if not isinstance(data, Tensor):
        return _of_data(data, dtype)
    found = data if dtype is None else converted(data, name_of(dtype))
    return found.clone() if copy and found is data else found


@row("from_numpy")
def from_numpy(ndarray: Any) -> Any:
    """A tensor of the elements of an array."""
    return _of_data(ndarray, None)


@row("scalar_tensor")
def scalar_tensor(s: Any, *, dtype: Any = None, **options: Any) -> Any:
    """A number as a tensor without axes."""
    checked(options)
    return filled([], s, dtype_of(dtype, default_float()))


@row("Tensor.new_tensor")
def new_tensor(input: Any, data: Any, *, dtype: Any = None, **options: Any) -> Any:
    """A tensor of numbers, of the dtype of another."""
    return tensor(data, dtype=of_name(input.type.dtype) if dtype is None else dtype, **options)


def _legacy(dtype: str | None, given: tuple, options: dict[str, Any]) -> Any:
    """The tensor that a class of tensors makes: zeros of given lengths, the numbers of a sequence or array, or the same tensor.

    dtype: that of the class; None: torch.Tensor, which takes tensors of any.
    """
    checked(options)
    made_of = dtype or default_float()
    if len(given) == 1 and isinstance(given[0], Tensor):
        if dtype is not None and given[0].type.dtype != dtype:
            raise TypeError(f"expected a tensor of {dtype} (got one of {given[0].type.dtype})")
        return given[0]
    if len(given) == 1 and isinstance(given[0], list | tuple | StagedList | StagedTuple | np.ndarray):
        return api.to_tensor(given[0], dtype=made_of)
    return filled(list(given or [0]), 0, made_of)


def _class(name: str, dtype: str | None) -> None:
    row(name)(lambda *given, **options: _legacy(dtype, given, options))


for _name, _dtype in CLASSES.items():
    _class(_name, _dtype)


@row("Tensor.new")
def new(input: Any, *given: Any, **options: Any) -> Any:
    """A tensor of the dtype of another: of lengths, of numbers in a sequence or an array, or the same tensor."""
    return _legacy(input.type.dtype, given, options)


@row("autograd.Variable")
def variable(data: Any, requires_grad: bool = False, volatile: bool = False) -> Any:
    """The tensor without its history, in the same memory."""
    checked({"requires_grad": requires_grad})
    return data.detach()


@row("Tensor.as_subclass")
def as_subclass(input: Any, cls: Any) -> Any:
    """The tensor itself, as one of torch.Tensor."""
    if cls is not torch().Tensor:
        raise refused(f"x.as_subclass({cls.__name__}): {_OF_TORCH_ONLY}")
    return input


def _refuse(name: str, says: str) -> None:
    def refuse(*args: Any, **kwargs: Any) -> Any:
        raise refused(f"torch.{name}(...): {says}")

    row(name)(refuse)


_refuse("nn.Parameter", _IN_INIT.format("parameter"))
_refuse("nn.Buffer", _IN_INIT.format("buffer"))
_refuse("from_dlpack", "a Program's tensors are in memory when it runs; use the tensor itself, or x.detach()")
for _name in "_make_subclass _make_wrapper_subclass".split():
    _refuse(f"Tensor.{_name}", _OF_TORCH_ONLY)
