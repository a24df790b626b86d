"""Between tensors and Python values: `py.to_tensor`, `py.item`, `py.tolist`, `py.dim`, `py.rank`, `py.dims`, `py.truth`."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...dtypes import DTYPES
from ...errors import DTypeError, EngineError, ShapeError
from ...ir.native import Instance
from ...ir.types import BOOL, FLOAT, INT, NUMERIC, ListType, SumType, TensorType, Type
from ..registry import define
from ..rules import need_tensor
from .lowered import tensors as lowered
from .lowered.equality import truth as lowered_truth


def _to_tensor_type(type_: Type, dtype: str) -> Type:
    if type_ not in NUMERIC:
        raise DTypeError(f"py.to_tensor takes a Python number, not {type_}")
    return TensorType(dtype, ())


def _item_type(type_: Type) -> Type:
    dtype = DTYPES[need_tensor("py.item", type_).dtype]
    found = BOOL if dtype.name == "bool" else INT if dtype.is_integer else FLOAT if dtype.is_floating else None
    if found is None:
        raise DTypeError(f"py.item gives an int, float or bool; a {type_} holds neither")
    return found


def _tolist_type(type_: Type) -> Type:
    found, rank = _item_type(type_), need_tensor("py.tolist", type_).rank
    if rank is None:
        raise ShapeError(f"x.tolist() of a {type_}: how deeply lists are nested follows the number of axes, which isn't known")
    for _ in range(rank):
        found = ListType(found)
    return found


def _dim_type(type_: Type, axis: Any = 0) -> Type:
    rank = need_tensor("py.dim", type_).rank
    if rank is not None and isinstance(axis, int) and not -rank <= axis < rank:
        raise ShapeError(f"py.dim: axis {axis} is outside a tensor of {rank} axes")
    return INT


def _has_one_element(type_: Type) -> bool:
    """Whether a value is no tensor for sure, or one of one element."""
    if isinstance(type_, SumType):
        return all(map(_has_one_element, type_.alternatives))
    return not isinstance(type_, TensorType) or (type_.shape is not None and all(d == 1 for d in type_.shape))


def only_element(array: Any, use: str) -> Any:
    """The only element as a Python number; ValueError, naming the use, for an array of another size."""
    if array.size != 1:
        raise ValueError(
            f"{use} takes a tensor of one element, not one of shape {list(array.shape)}; reduce it first (any, all, sum ...)"
        )
    return array.item()


def truth(value: Any) -> bool:
    """`bool(value)` for a native value; ValueError for a tensor of other than one element."""
    if isinstance(value, (np.ndarray, np.generic)):
        return bool(only_element(value, "bool(x)"))
    return True if type(value) is Instance else bool(value)


def _boxed(value: Any, dtype: str) -> Any:
    """A number as a 0-d array. EngineError: an int beyond the dtype; no `except` of the user's knows of that."""
    try:
        return np.array(value, DTYPES[dtype].numpy)
    except OverflowError:
        raise EngineError(
            f"an int that the Program has computed is beyond {dtype}, as which it gives one back; return it as text, str(n)"
        ) from None


to_tensor = define("py.to_tensor", kernel=_boxed, infer=_to_tensor_type, onnx=lowered.to_tensor)
item = define(
    "py.item",
    kernel=lambda array: only_element(array, "a Python number"),
    infer=_item_type,
    reads=(0,),
    raises=("ValueError",),
    safe_on=_has_one_element,
    onnx=lowered.item,
)
tolist = define(
    "py.tolist", kernel=np.ndarray.tolist, infer=_tolist_type, reads=(0,), allocates=True, onnx=lowered.tolist
)
dim = define(
    "py.dim",
    kernel=lambda array, axis=0: array.shape[axis],
    infer=_dim_type,
    template="{0}.shape[{axis}]",
    raises=("IndexError",),
    safe_on=lambda type_: type_.rank is not None,
    onnx=lowered.dim,
)
rank = define(
    "py.rank",
    kernel=lambda array: array.ndim,
    infer=lambda t: need_tensor("py.rank", t) and INT,
    template="{0}.ndim",
    onnx=lowered.rank,
)
dims = define(
    "py.dims",
    kernel=lambda array: list(array.shape),
    infer=lambda t: need_tensor("py.dims", t) and ListType(INT),
    template="list({0}.shape)",
    allocates=True,
    onnx=lowered.dims,
)
truth_ = define(
    "py.truth",
    kernel=truth,
    infer=lambda type_: BOOL,
    reads=(0,),
    raises=("ValueError",),
    safe_on=_has_one_element,
    onnx=lowered_truth,
)
