"""Subscripts of tensors: x[index], x[index] = value, and iteration.

Ints, slices, None and ... give views. Index tensors, masks and lists give copies (see `ops/subscript.py` for the rules).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from ..dtypes import DType
from ..ir.types import INT
from ..ops import index, mutate_index
from ..runtime.proxies import Staged, StagedList, StagedSum, recorder
from ..runtime.proxies.base import refuse
from ..runtime.tensors.tensor import Tensor
from .checks import as_operand, describe, plain_scalar, scalar_kind
from .creation import is_dynamic, tensor_from
from .shape_args import elem_of, int_leaf, listed
from .tensor_methods import attach


def subscript(key: Any) -> tuple[list, list[Tensor]]:
    """A subscript as the attribute `index`, and its index tensors."""
    tensors: list[Tensor] = []
    items = [_item(k, tensors) for k in (key if isinstance(key, tuple) else (key,))]
    if items.count("ellipsis") > 1:
        raise IndexError("an index can have only one ellipsis ('...')")
    return items, tensors


def _item(key: Any, tensors: list[Tensor]) -> Any:
    if type(key) is int:
        return {"int": key}
    if isinstance(key, slice):
        return {"slice": [_bound(b) for b in (key.start, key.stop, key.step)]}
    if key is None:
        return "newaxis"
    if key is Ellipsis:
        return "ellipsis"
    if isinstance(key, Tensor):
        return _tensor_item(key, tensors)
    kind = scalar_kind(key)
    if kind in ("int", "number"):
        return {"int": plain_scalar(key)}
    if kind == "bool" and isinstance(key, Staged):
        raise refuse(key, "a bool as an index of a tensor")
    if isinstance(key, (list, StagedList)):
        return _tensor_item(_index_of_list(key), tensors)
    if isinstance(key, (bool, np.ndarray, np.bool_)):
        return _tensor_item(Tensor(_index_array(key)), tensors)
    raise TypeError(f"a tensor is indexed by ints, slices, None, ..., and tensors of integers or bools, not by {describe(key)}")


def _bound(bound: Any) -> Any:
    return None if bound is None else int_leaf("a slice", bound, "a bound")


def _tensor_item(tensor: Tensor, tensors: list[Tensor]) -> dict:
    if not (tensor.dtype.is_integer or tensor.dtype.name == "bool"):
        raise TypeError(f"a tensor is indexed by tensors of integers or bools, not by a {tensor.dtype.name} tensor")
    tensors.append(tensor)
    return {"tensor": len(tensors) - 1}


def _index_of_list(key: Any) -> Tensor:
    key = listed(key)
    if isinstance(key, StagedList) and elem_of(key) == INT:
        return tensor_from(key, "int64")
    return tensor_from(key, None) if is_dynamic(key) else Tensor(_index_array(key))


def _index_array(key: Any) -> np.ndarray:
    """A list as index array; an empty one picks nothing."""
    found = np.asarray(key)
    return found.astype(np.int64) if found.size == 0 and found.dtype.kind == "f" else found


def getitem(x: Tensor, key: Any) -> Tensor:
    """x[key]."""
    items, tensors = subscript(key)
    return index.getitem_advanced(x, *tensors, index=items) if tensors else index.getitem(x, index=items)


def setitem(x: Tensor, key: Any, value: Any) -> None:
    """x[key] = value: the value is broadcast and takes the dtype of `x`."""
    if isinstance(value, StagedSum):
        recorder().on_alternatives(value, lambda one: setitem(x, key, one))
        return
    items, tensors = subscript(key)
    if not isinstance(value, Tensor):
        value = _value(value, x.dtype)
    mutate_index.setitem(x, value, *tensors, index=items)


def _value(value: Any, dtype: DType) -> Any:
    if scalar_kind(value) is not None:
        return as_operand(value, dtype.name) if dtype.is_complex else plain_scalar(value)
    value = listed(value)
    if is_dynamic(value):
        return tensor_from(value, None if dtype.is_integer else dtype.name)
    if isinstance(value, (np.ndarray, list, tuple)):
        return Tensor(np.asarray(value))
    raise TypeError(f"x[index] = value takes a Tensor or a number as value, not {describe(value)}")


def iterate(x: Tensor) -> Iterator[Tensor]:
    """The slices of `x` along its first axis, as views."""
    if x.type.rank == 0:
        raise TypeError("iteration over a 0-d tensor")
    length = x.shape[0]
    if not isinstance(length, int):
        recorder().convert_unpackings()
        length = int(length)  # a staged int has no value here: this raises, at the user's line
    return (index.getitem(x, index=[{"int": i}]) for i in range(length))


attach(getitem, "__getitem__")
attach(setitem, "__setitem__")
attach(iterate, "__iter__")
