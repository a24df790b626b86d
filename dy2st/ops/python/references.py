"""References: what stands for a tensor where only the Program that runs knows whose memory it is.

A reference is a pair: a cell with all elements of some memory, in a row, and where among them those of the tensor are. Its name
tells it from pairs of the user's. A view of the tensor is the same cell with that view of the places, so that tensors of one
memory are references with one cell, however they were come by.

    x = zeros([2, 3])      (cell of [0, 0, 0, 0, 0, 0], [[0, 1, 2], [3, 4, 5]])
    x[:, 1]                (that cell,                  [1, 4])
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...errors import DTypeError
from ...ir.native import Cell, leaves, with_leaves
from ...ir.types import CellType, ExceptionType, FunctionType, SumType, TensorType, TupleType, Type
from ..registry import define
from ..rules import need_tensor
from ..walks import walk

NAMES = "reference", ("memory", "places")

# --- types ------------------------------------------------------------------------------------------------------------


def reference_type(type_: TensorType) -> TupleType:
    """The type of a reference to a tensor."""
    return TupleType((CellType(TensorType(type_.dtype, (None,))), TensorType("int64", type_.shape)), *NAMES)


def is_reference(type_: Type) -> bool:
    """Whether values of the type are references."""
    return isinstance(type_, TupleType) and len(type_.elems) == 2 and isinstance(type_.elems[0], CellType)


def with_references(type_: Type) -> Type:
    """The type of a value in which references stand for all tensors. DTypeError: they can't be told apart, or got at."""
    if isinstance(type_, TensorType):
        return reference_type(type_)
    if isinstance(type_, (FunctionType, ExceptionType)):
        raise DTypeError(f"a {type_} keeps its tensors to itself")
    found = type_.with_parts(map(with_references, type_.parts()))
    if isinstance(found, SumType) and sum(map(is_reference, found.alternatives)) > 1:
        raise DTypeError(f"tensors of different dtypes, {type_}, in one place")
    return found


def without_references(type_: Type) -> Type:
    """The type of a value in which tensors stand for all references."""
    if not is_reference(type_):
        return type_.with_parts(map(without_references, type_.parts()))
    cell, places = type_.elems  # type: ignore[attr-defined]
    return TensorType(cell.elem.dtype, places.shape)


# --- operators ----------------------------------------------------------------------------------------------------------


def _tensors(value: Any, copy: bool = False) -> Any:
    """The value with tensors in place of references; what was one object is one, and what shared memory does."""
    found = {id(ref): np.array(x) if copy else x for ref in leaves(value, refers) for x in [_view(*ref)]}
    return with_leaves(value, lambda leaf: leaf, found)


def refers(value: Any) -> bool:
    """Whether a native value is a reference."""
    return isinstance(value, tuple) and value != () and isinstance(value[0], Cell)


def _view(cell: Cell, places: Any) -> np.ndarray:
    """The elements at `places`: a view, as what gave these places was one."""
    row, at = cell.value, np.asarray(places)
    if not (isinstance(row, np.ndarray) and row.ndim == 1 and at.dtype.kind in "iu"):
        raise DTypeError("a reference is a cell with a tensor of one axis, and the places in it")
    if not at.size:
        return row[:0].reshape(at.shape)
    first = int(at.flat[0])
    steps = [int(at[(0,) * axis + (1,) + (0,) * (at.ndim - axis - 1)]) - first if n > 1 else 0 for axis, n in enumerate(at.shape)]
    return walk("reference.tensors", row, at.shape, steps, start=first, writeable=True)


positions = define(
    "reference.positions",
    kernel=lambda x: np.arange(x.size).reshape(x.shape),
    infer=lambda x: TensorType("int64", need_tensor("reference.positions", x).shape),
    row_major=True,
    onnx=lambda g, x: g.Reshape(g.Range(g.const(0), g.Size(x), g.const(1)), g.shape_of(x)),
)
tensors = define("reference.tensors", kernel=_tensors, infer=lambda value, copy=False: without_references(value), reads=(0,))
