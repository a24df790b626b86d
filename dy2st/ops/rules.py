"""What operators share: inference of broadcast and element-wise results, and the helpers of gradient rules.

Conventions of the operators:
- attribute values are plain data (dtypes are names, shapes and axes are tuples), so that a Program can be written as JSON;
- an operator that writes in place has `mutates=(0,)`, no result (its kernel and its `infer` give `()`), and the operands and
  attributes of the operator that it names as `functional`;
- a kernel never returns memory of an operand, unless `view` says so.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..dtypes import DTYPES
from ..errors import DTypeError, ShapeError
from ..ir import shape as shape_rules
from ..ir.shape import Shape
from ..ir.shape import shape_text as text_of
from ..ir.types import NUMERIC, TensorType, Type
from .quiet import quiet as quiet

REAL_OF = {"complex64": "float32", "complex128": "float64"}


def need_tensor(op: str, x: Type) -> TensorType:
    """`x`, which must be a tensor type."""
    if not isinstance(x, TensorType):
        raise DTypeError(f"{op} takes a tensor, not {x}")
    return x


def need_floating(op: str, x: Type) -> TensorType:
    """`x`, which must be a tensor of floating-point or complex numbers."""
    tensor = need_tensor(op, x)
    dtype = DTYPES[tensor.dtype]
    if not (dtype.is_floating or dtype.is_complex):
        raise DTypeError(f"{op} takes a floating-point tensor, not {tensor}; cast it first")
    return tensor


def need_real(op: str, x: Any) -> Any:
    """`x`, a tensor's type or its array, which must hold real floating-point numbers."""
    if DTYPES[x.dtype if isinstance(x.dtype, str) else x.dtype.name].is_complex:
        raise DTypeError(f"{op} takes a tensor of real numbers, not of {x.dtype}; take x.real() first")
    return x


def real_part(x: TensorType) -> TensorType:
    """The type of what a complex number's length or part is; that of real numbers is theirs."""
    return TensorType(REAL_OF.get(x.dtype, x.dtype), x.shape)


def infer_real(op: str):
    """Inference of a unary operator on real floating-point tensors: the result has the operand's type."""
    return lambda x, **_: need_real(op, need_floating(op, x))


def need_axis(op: str, x: Type, axis: Any) -> TensorType:
    """`x`, which must be a tensor type with this axis, where both are known."""
    tensor = need_tensor(op, x)
    if tensor.shape is not None and isinstance(axis, int):
        normal_axis(op, axis, len(tensor.shape))
    return tensor


# --- shapes -----------------------------------------------------------------------------------------------------------


def broadcast_shapes(op: str, *shapes: Shape) -> Shape:
    """The shape in which `shapes` meet by broadcasting; None where a rank is unknown."""
    try:
        return shape_rules.broadcast_shapes(*shapes)
    except ShapeError as error:
        raise ShapeError(f"{op}: {error}") from None


def normal_axis(op: str, axis: int, rank: int) -> int:
    """`axis` counted from the front; ShapeError where it is out of range."""
    if not -rank <= axis < max(rank, 1):
        raise ShapeError(f"{op}: axis {axis} is out of range for a tensor of rank {rank}")
    return axis % rank if rank else 0


def as_shape(shape: Any) -> tuple[int, ...]:
    """For kernels: a shape attribute, with leaves that may be 0-d arrays, or a whole 1-d array, as a tuple of ints."""
    if isinstance(shape, np.ndarray):
        shape = shape.reshape(-1).tolist()
    return tuple(int(d) for d in shape)


def scalar_of(value: Any) -> Any:
    """For kernels: a number from an attribute that may be an array of one element."""
    return value.reshape(()).item() if isinstance(value, np.ndarray) else value


def is_number(value: Any) -> bool:
    """For inference: whether an attribute leaf is a number known now."""
    return isinstance(value, (int, float, np.integer, np.floating))


def dims_of(shape: Any) -> Shape:
    """For inference: a shape attribute as dims; dynamic leaves are named or unknown, a dynamic whole has an unknown rank."""
    if not isinstance(shape, (tuple, list)):
        return None
    return tuple(int(d) if isinstance(d, (int, np.integer)) else d if isinstance(d, str) else None for d in shape)


# --- inference ----------------------------------------------------------------------------------------------------------


def same_as_input(x: Type, *_: Any, **__: Any) -> TensorType:
    """The result has the type of the first operand."""
    return need_tensor("the operator", x)


def infer_floating(op: str):
    """Inference of a unary operator on floating-point tensors: the result has the operand's type."""
    return lambda x, **_: need_floating(op, x)


def infer_broadcast(op: str, dtype: str | None = None, floating: bool = False):
    """Inference of an element-wise operator: broadcast shapes, the common dtype or `dtype`; Python scalars follow the tensors."""

    def infer(*types: Type, **_: Any) -> TensorType:
        tensors = [t for t in types if isinstance(t, TensorType)]
        other = [t for t in types if not isinstance(t, TensorType) and t not in NUMERIC]
        if other or not tensors:
            raise DTypeError(f"{op} takes tensors and Python numbers, at least one tensor, not {', '.join(map(str, types))}")
        if len({t.dtype for t in tensors}) > 1:
            raise DTypeError(f"{op} takes tensors of one dtype, not {' and '.join(t.dtype for t in tensors)}; cast one of them")
        if floating:
            need_floating(op, tensors[0])
        return TensorType(dtype or tensors[0].dtype, broadcast_shapes(op, *(t.shape for t in tensors)))

    return infer


def reduced_shape(op: str, shape: Shape, axis: Any, keepdim: bool) -> Shape:
    """The shape after reducing `axis` (None = all, an int, a tuple; a dynamic axis leaves the lengths unknown)."""
    if axis is None:
        return None if shape is None and keepdim else tuple([1] * len(shape or ())) if keepdim else ()
    if shape is None:
        return None
    axes = axis if isinstance(axis, (tuple, list)) else (axis,)
    if not all(isinstance(a, int) for a in axes):
        return (None,) * (len(shape) if keepdim else max(len(shape) - len(axes), 0))
    gone = {normal_axis(op, a, len(shape)) for a in axes}
    if len(gone) < len(axes):
        raise ShapeError(f"{op}: an axis is named twice in {list(axes)}")
    if keepdim:
        return tuple(1 if i in gone else d for i, d in enumerate(shape))
    return tuple(d for i, d in enumerate(shape) if i not in gone)


def infer_reduce(op: str, dtype=None):
    """Inference of a reduction over attrs `axis`, `keepdim`; `dtype` is a name or maps the operand's dtype to the result's."""

    def infer(x: Type, axis: Any = None, keepdim: bool = False, **_: Any) -> TensorType:
        tensor = need_tensor(op, x)
        result = dtype(tensor.dtype) if callable(dtype) else dtype or tensor.dtype
        return TensorType(result, reduced_shape(op, tensor.shape, axis, keepdim))

    return infer


def infer_in_place(op: str, functional):
    """Inference of an in-place operator: what `functional` infers must fit operand 0, which is written; there is no result."""

    def infer(x: Type, *others: Type, **attrs: Any) -> tuple:
        target = need_tensor(op, x)
        value = functional(x, *others, **attrs)
        if value.dtype != target.dtype:
            raise DTypeError(f"{op} can't write {value.dtype} values into a {target.dtype} tensor")
        if not shape_rules.shape_agrees(value.shape, target.shape):
            given, room = text_of(value.shape), text_of(target.shape)
            raise ShapeError(f"{op} can't write values of shape {given} into a tensor of shape {room}")
        return ()

    return infer


# --- gradients -------------------------------------------------------------------------------------------------------------


def is_tensor(x: Any) -> bool:
    """Whether an operand, as a gradient rule sees it, is a tensor rather than a Python scalar, staged or not."""
    return hasattr(x, "stop_gradient")


def static_shape(x: Any) -> Shape:
    """The shape of a tensor as far as it is known while staging."""
    return x.static_shape


def unbroadcast(g: Any, x: Any) -> Any:
    """The gradient `g` of a broadcast result summed back to the shape of operand `x`; None for a Python scalar."""
    from .like import sum_like, sum_to

    if not is_tensor(x):
        return None
    from_shape, to_shape = static_shape(g), static_shape(x)
    if from_shape == to_shape and to_shape is not None and None not in to_shape:
        return g
    if to_shape is not None and all(isinstance(d, int) for d in to_shape):
        return sum_to(g, shape=tuple(to_shape))
    return sum_like(g, x)


def broadcast_grad(*rules):
    """A gradient rule from one function (ctx, g) per operand: needless ones are skipped, each result is summed to its operand."""

    def grad(ctx, g):
        return tuple(
            unbroadcast(rule(ctx, g), x) if need and rule is not None and is_tensor(x) else None
            for rule, x, need in zip(rules, ctx.inputs, ctx.needs)
        )

    return grad
