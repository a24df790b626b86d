"""How a subscript is written in an attribute, and what shape it takes out of a tensor.

`x[1, a:b, None, ..., t]` has the attribute

    index = [{"int": 1}, {"slice": [a, b, None]}, "newaxis", "ellipsis", {"tensor": 0}]

`{"tensor": k}` stands for the k-th index tensor among the operands: integers, or a mask of bools that covers as many axes as it
has. Ints and slice bounds may be dynamic. The plain part is taken first and the index tensors pick from what it leaves (as in
Paddle; NumPy would treat ints next to tensors as tensors): x[0, :, t] is x[0][:, t]. Index tensors broadcast together; their axes
come where the first of them stands, or in front where a slice or an ellipsis stands between them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..errors import DTypeError, ShapeError
from ..ir.core import Ref
from ..ir.shape import broadcast_shapes
from ..ir.types import Dim, TensorType, Type
from .dims import INTEGERS, known
from .rules import need_tensor

FULL: dict[str, Any] = {"slice": [None, None, None]}


def tensor_count(index: Sequence) -> int:
    """How many index tensors a subscript has."""
    return sum(isinstance(item, dict) and "tensor" in item for item in index)


def split(index: Sequence, ranks: Sequence[int]) -> tuple[list, list]:
    """The plain part of a subscript, and the part with index tensors that picks from what the plain part leaves.

    `ranks[k]` is how many axes the k-th index tensor covers: 1, or the rank of a mask.
    """
    plain: list = []
    picked: list = []
    for item in index:
        if isinstance(item, dict) and "tensor" in item:
            plain += [FULL] * ranks[item["tensor"]]
            picked.append(item)
        else:
            plain.append(item)
            if item == "ellipsis":
                picked.append(item)
            elif item == "newaxis" or "slice" in item:
                picked.append(FULL)
    return plain, picked


def native(index: Sequence, tensors: Sequence[np.ndarray] = ()) -> tuple:
    """A subscript as NumPy takes it."""
    return tuple(_native_item(item, tensors) for item in index)


def _native_item(item: Any, tensors: Sequence[np.ndarray]) -> Any:
    if item == "newaxis":
        return None
    if item == "ellipsis":
        return Ellipsis
    if "int" in item:
        return item["int"]
    return slice(*item["slice"]) if "slice" in item else tensors[item["tensor"]]


def ranks_covered(tensors: Sequence[np.ndarray]) -> list[int]:
    """How many axes each index tensor covers."""
    return [t.ndim if t.dtype == bool else 1 for t in tensors]


def plain_view(x: np.ndarray, index: Sequence) -> np.ndarray:
    """x[index] for a plain subscript: always a view, also of a single element."""
    try:
        found = native(index)
        return x[found] if "ellipsis" in index else x[found + (Ellipsis,)]
    except (ValueError, OverflowError, TypeError) as error:
        raise ShapeError(f"a subscript of {list(x.shape)}: {error}") from error


def plain_source(index: Sequence, names: list[str]) -> str:
    """The text between the brackets of a plain subscript; `names` are the texts that `Ref`s stand for."""
    items = [_item_source(item, names) for item in index]
    # With an ellipsis NumPy gives a view even of a single element, never a scalar.
    return ", ".join(items if "ellipsis" in index else [*items, "..."])


def _item_source(item: Any, names: list[str]) -> str:
    if item == "newaxis":
        return "None"
    if item == "ellipsis":
        return "..."
    if "int" in item:
        return _leaf_source(item["int"], names)
    start, stop, step = ("" if b is None else _leaf_source(b, names) for b in item["slice"])
    return f"{start}:{stop}:{step}" if step else f"{start}:{stop}"


def _leaf_source(value: Any, names: list[str]) -> str:
    return names[value.index] if isinstance(value, Ref) else str(int(value))


# --- shapes ----------------------------------------------------------------------------------------------------------


def plain_type(x: Type, index: Sequence, op: str) -> TensorType:
    """The type of x[index] for a plain subscript."""
    shape = need_tensor(op, x).shape
    if shape is None:
        return TensorType(x.dtype, None)  # type: ignore[attr-defined]
    taken = sum(isinstance(item, dict) for item in index)
    if taken > len(shape):
        raise ShapeError(f"{op}: {taken} indices for {x}, which has {len(shape)} axes")
    rest = list(shape)
    result: list[Dim] = []
    for item in [*index, *([] if "ellipsis" in index else ["ellipsis"])]:
        if item == "newaxis":
            result.append(1)
        elif item == "ellipsis":
            result += rest[: len(shape) - taken]
            del rest[: len(shape) - taken]
        elif "int" in item:
            rest.pop(0)
        else:
            result.append(slice_length(rest.pop(0), *item["slice"]))
    return TensorType(x.dtype, tuple(result))  # type: ignore[attr-defined]


def slice_length(dim: Dim, start: Any, stop: Any, step: Any) -> Dim:
    """How many elements dim[start:stop:step] has, where that is known."""
    bounds = (start, stop, step)
    if known(dim) and all(b is None or known(b) for b in bounds):
        return len(range(*slice(*bounds).indices(dim)))  # type: ignore[arg-type]
    whole = stop is None and (step in (None, 1) and start in (None, 0) or step == -1 and start in (None, -1))
    return dim if whole else None


def picked_type(x: Type, tensors: Sequence[Type], index: Sequence, op: str) -> TensorType:
    """The type of x[index] for a subscript with index tensors."""
    types = [_index_tensor(t, op) for t in tensors]
    if any(t.dtype == "bool" and t.shape is None for t in types):
        return TensorType(need_tensor(op, x).dtype, None)
    plain, picked = split(index, [len(t.shape or ()) if t.dtype == "bool" else 1 for t in types])
    left = plain_type(x, plain, op)
    if left.shape is None or any(t.shape is None for t in types):
        return TensorType(left.dtype, None)
    picks = broadcast_shapes(*((None,) if t.dtype == "bool" else t.shape for t in types)) or ()
    return TensorType(left.dtype, _place(left.shape, types, picked, picks))


def _index_tensor(type_: Type, op: str) -> TensorType:
    found = need_tensor(op, type_)
    if found.dtype != "bool" and found.dtype not in INTEGERS:
        raise DTypeError(f"{op}: an index is a tensor of integers or bools, not {type_}")
    return found


def _place(shape: tuple, types: Sequence[TensorType], picked: Sequence, picks: tuple) -> tuple:
    """The axes that slices keep, with `picks` where the index tensors stand (in front where they don't stand side by side)."""
    rest, kept = list(shape), []
    stands: list[int] = []  # for each index tensor, how many kept axes come before it
    covered = sum(_covers(types[i["tensor"]]) if "tensor" in i else 1 for i in picked if isinstance(i, dict))
    for item in [*picked, *([] if "ellipsis" in picked else ["ellipsis"])]:
        if item == "ellipsis":
            kept += rest[: len(shape) - covered]
            del rest[: len(shape) - covered]
        elif "tensor" in item:
            stands.append(len(kept))
            del rest[: _covers(types[item["tensor"]])]
        else:
            kept.append(rest.pop(0))
    at = stands[0] if stand_together(picked) else 0
    return (*kept[:at], *picks, *kept[at:])


def stand_together(picked: Sequence) -> bool:
    """Whether nothing stands between two index tensors. An ellipsis does even where it takes no axis, as in NumPy."""
    are_tensors = [isinstance(item, dict) and "tensor" in item for item in picked]
    first, last = are_tensors.index(True), len(picked) - are_tensors[::-1].index(True)
    return all(are_tensors[first:last])


def _covers(type_: TensorType) -> int:
    return len(type_.shape or ()) if type_.dtype == "bool" else 1
