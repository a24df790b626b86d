"""`dy2st.jit.marker`: marks for functions that are not to be converted, and for tensors whose lengths differ."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..errors import ShapeError
from ..runtime.tensors.spec import OPEN_AXES
from ..runtime.tensors.tensor import Tensor
from .static.conversion import not_to_static

__all__ = ["dynamic_dims", "not_to_static", "unified"]


def dynamic_dims(tensor: Tensor, dims: int | Sequence[int]) -> None:
    """Say of a tensor that the lengths of these axes differ from call to call: what is called with it is staged for any.

    TypeError: what is no tensor, axes that are no ints; ShapeError: an axis that the tensor lacks.
    """
    if not isinstance(tensor, Tensor):
        raise TypeError(f"dynamic_dims takes a Tensor, not {type(tensor).__name__}")
    axes = (dims,) if isinstance(dims, int) else dims
    if not isinstance(axes, list | tuple) or not all(isinstance(axis, int) for axis in axes):
        raise TypeError(f"dynamic_dims takes an axis or a list of axes, not {dims!r}")
    rank = len(tensor.shape)
    for axis in axes:
        if not -rank <= axis < rank:
            raise ShapeError(f"dynamic_dims: there is no axis {axis} in a tensor of {rank} axes")
    setattr(tensor, OPEN_AXES, tuple(axis % rank for axis in axes))


def unified(fn: Any = None, *, for_sot: bool = True, for_ast: bool = True) -> Any:
    """Decorator: the function does the same while staging as it does without, so it runs as it is (`for_ast`)."""
    if fn is None:
        return lambda function: unified(function, for_sot=for_sot, for_ast=for_ast)
    return not_to_static(fn) if for_ast else fn
