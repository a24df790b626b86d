"""Shapes, axes and lists of tensors as arguments: what users may write, and the attributes that it becomes."""

from __future__ import annotations

from functools import partial
from typing import Any, NoReturn

import numpy as np

from ..dtypes import promote
from ..errors import ConversionError, ShapeError
from ..ir.types import ListType, SumType, Type
from ..ops import dispatch
from ..ops.index import getitem
from ..runtime.proxies import StagedContainer, StagedList, StagedTuple
from ..runtime.tensors.tensor import Tensor
from .checks import describe, need_tensor, plain_scalar, scalar_kind, to_dtype
from .known import is_known, known_length

FULL: dict[str, Any] = {"slice": [None, None, None]}


def int_leaf(op: str, value: Any, what: str) -> Any:
    """An int, a staged int, or an integer tensor of one element, as an attribute leaf; TypeError for anything else."""
    if isinstance(value, Tensor):
        if not value.dtype.is_integer:
            raise TypeError(f"{op}: {what} must be an int, not a {value.dtype.name} tensor")
        return value if value.is_staged else value._data.item()
    if scalar_kind(value) in ("int", "number"):
        return plain_scalar(value)
    raise TypeError(f"{op}: {what} must be an int, not {describe(value)}")


def int_list(op: str, values: Any, what: str) -> list:
    """Ints given as a list, a tuple, one int, or a 1-d integer tensor, as a list of attribute leaves."""
    if isinstance(values, Tensor) and values.type.rank == 1:
        length = known_length(f"{op}, {what}", values, 0)
        values = [getitem(values, index=[{"int": i}]) for i in range(length)]
    if isinstance(values, StagedContainer):
        raise ConversionError(
            f"{op}: how many numbers {what} holds is known only when the Program runs, and has to be known while staging; write "
            "them one by one, [n, k]"
        )
    if isinstance(values, (list, tuple, np.ndarray)):
        return [int_leaf(op, v, f"each of {what}") for v in values]
    if not isinstance(values, Tensor) and scalar_kind(values) is None:
        raise TypeError(f"{op}: {what} must be an int or a list of ints, not {describe(values)}")
    return [int_leaf(op, values, what)]


def check_name(op: str, name: Any, *numbers: Any) -> None:
    """TypeError where numbers were given one by one, so that the last of them (`x.reshape(2, 3)`) arrived as the name."""
    if name is not None and not isinstance(name, str):
        _refuse_one_by_one(op, *numbers, name)


def check_dtype(op: str, dtype: Any, shape: Any, name: Any = None) -> None:
    """TypeError where lengths were given one by one, so that the second of them (`zeros(2, 3)`) arrived as the dtype."""
    if not isinstance(dtype, Tensor) and scalar_kind(dtype) in ("int", "number"):
        _refuse_one_by_one(op, shape, dtype, *([] if name is None else [name]))


def _refuse_one_by_one(op: str, *numbers: Any) -> NoReturn:
    told = ", ".join(repr(n) if is_known(n) else "..." for n in numbers)
    raise TypeError(f"{op}: write {op}([{told}]): the numbers are one list, not given one by one")


def axis_leaf(op: str, axis: Any, rank: int | None = None) -> int:
    """An axis: an int known now; counted from the front, and checked, where `rank` is given."""
    found = int_leaf(op, axis, "axis")
    if not isinstance(found, int):
        raise ConversionError(f"{op}: the axis has to be known while staging, not {describe(axis)}; write an if for each axis")
    if rank is not None and not -rank <= found < rank:
        raise ShapeError(f"{op}: axis {found} is out of range for a tensor of rank {rank}")
    return found % rank if rank else found


def axis_list(op: str, axes: Any, rank: int | None = None) -> list[int]:
    """One axis or several, as ints known now."""
    found = axes if isinstance(axes, (list, tuple)) else int_list(op, axes, "axis")
    return [axis_leaf(op, a, rank) for a in found]


def at_axis(axis: int, item: Any) -> list:
    """The subscript that has `item` at `axis` and everything elsewhere; needs no rank."""
    return [FULL] * axis + [item] if axis >= 0 else ["ellipsis", item] + [FULL] * (-axis - 1)


def listed(value: Any) -> Any:
    """A list or tuple as the Program sees it: while recording, the staged list that it has become, if it has."""
    if isinstance(value, StagedTuple):
        return value.to_list()
    rec = dispatch.current_mode().rec
    staged = rec.heap.staged(value) if rec is not None and type(value) is list else None
    return value if staged is None else staged


def is_staged_list(value: Any) -> bool:
    return isinstance(value, StagedList)


def of_tensors(op: str, staged: StagedList) -> StagedList:
    """A staged list of tensors alone: items that may be something else are asked one by one. TypeError: one is no tensor."""
    if not isinstance(elem_of(staged), SumType):
        return staged
    call = dispatch.current_mode().rec.convert_call
    return call(list)(call(map)(partial(need_tensor, op, what="each of x"), staged))


def elem_of(staged: StagedList) -> Type:
    """The type of the items that a staged list holds by now."""
    type_ = dispatch.current_mode().rec.type_of(staged)
    assert isinstance(type_, ListType)
    return type_.elem


def same_dtype(op: str, tensors: Any, what: str = "x") -> list[Tensor]:
    """A non-empty list of tensors, cast to the dtype in which they meet; of a staged list, iterating refuses."""
    tensors = tuple(tensors) if is_staged_list(tensors) else tensors
    if not isinstance(tensors, (list, tuple)) or not tensors:
        raise TypeError(f"{op}: {what} must be a non-empty list of Tensors, not {describe(tensors)}")
    found = [need_tensor(op, t, f"each of {what}") for t in tensors]
    common = found[0].dtype.name
    for tensor in found[1:]:
        common = promote(common, tensor.dtype.name)
    return [to_dtype(t, common) for t in found]
