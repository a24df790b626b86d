"""Parts of tensors along one axis."""

from __future__ import annotations

from typing import Any

from ...ops.index import getitem
from ...runtime.tensors.tensor import Tensor

ALL: dict[str, Any] = {"slice": [None, None, None]}


def part(x: Tensor, axis: int, start: Any, stop: Any, step: Any = None) -> Tensor:
    """x[start:stop:step] along an axis that is counted from the front."""
    return getitem(x, index=[ALL] * axis + [{"slice": [start, stop, step]}])


def at(x: Tensor, axis: int, position: Any) -> Tensor:
    """The slice of x at a position along an axis that is counted from the front, without the axis."""
    return getitem(x, index=[ALL] * axis + [{"int": position}])
