"""Change of element type, and copies."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ..dtypes import DTYPES
from ..ir.shape import shape_agrees
from ..ir.types import TensorType, Type
from .lowered import complexes
from .registry import OpDef, define
from .rules import broadcast_shapes, infer_in_place, need_tensor, same_as_input, unbroadcast


def _cast(x: np.ndarray, dtype: str) -> np.ndarray:
    with np.errstate(invalid="ignore", over="ignore"):
        return x.astype(DTYPES[dtype].numpy)


def _cast_grad(ctx, g):
    before = ctx.inputs[0].dtype
    return (cast(g, dtype=before.name) if before.is_floating or before.is_complex else None,)


# The values of `x` in dtype `dtype` (a name); always a copy.
cast = define(
    "cast",
    kernel=_cast,
    infer=lambda x, dtype: TensorType(dtype, need_tensor("cast", x).shape),
    grad=_cast_grad,
    grad_ignores=(0,),
    onnx=lambda g, x, dtype: g.cast(x, dtype),
    onnx_complex=complexes.cast,
)

# A copy of `x`.
assign = define(
    "assign",
    kernel=lambda x: x.copy(),
    infer=same_as_input,
    grad=lambda ctx, g: (g,),
    grad_ignores=(0,),
    row_major=True,
    onnx=lambda g, x: x,
)


def _infer_value(x: Type, value: Type) -> TensorType:
    """The type of `value`, which must broadcast to `x`."""
    target, given = need_tensor("copy_", x), need_tensor("copy_", value)
    met = broadcast_shapes("copy_", target.shape, given.shape)
    return TensorType(given.dtype, target.shape if met is None or shape_agrees(met, target.shape) else met)


def _assign_value(x: np.ndarray, value: np.ndarray) -> np.ndarray:
    return np.broadcast_to(value, x.shape).astype(x.dtype, order="C", copy=True)


def _assign_in_place(x: np.ndarray, value: np.ndarray) -> tuple:
    np.copyto(x, value)
    return ()


def define_copy(name: str, in_place: str, grad: Callable[..., tuple]) -> tuple[OpDef, OpDef]:
    """The operator `name`, which gives `value` in the shape and dtype of `x`, and `in_place`, which writes that into `x`."""
    made = define(
        name,
        kernel=_assign_value,
        infer=_infer_value,
        grad=grad,
        shape_only=(0,),
        grad_ignores=(0, 1),
        onnx=lambda g, x, value: g.cast(g.Expand(value, g.shape_of(x)), x.dtype),
    )
    infer = infer_in_place(in_place, _infer_value)
    return made, define(in_place, kernel=_assign_in_place, infer=infer, mutates=(0,), functional=name)


assign_value, assign_ = define_copy("assign_value", "copy_", lambda ctx, g: (None, unbroadcast(g, ctx.inputs[1])))
