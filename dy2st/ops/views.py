"""Operators whose result shares the operand's memory: reshape, flatten, squeeze, unsqueeze, transpose, broadcast_to, detach.

NumPy can't express every reshape of a non-contiguous array as a view; there, and only there, reshape and flatten copy. Slices are
views too and live in `ops/index.py`. What broadcast_to gives can't be written to: several of its elements are one.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..errors import ShapeError
from ..ir.shape import broadcast_shapes
from ..ir.types import Dim, TensorType
from .dims import agree, axes_of, axis_of, known, leaf, product, tensor
from .registry import define

# --- what writing to a view leaves in its base -----------------------------------------------------------------------


def _infer_scatter(base, view, **attrs):
    if tensor(view, "a view").dtype != tensor(base, "a view").dtype:
        raise ShapeError(f"a view of {base} can't be {view}")
    return base


def _grad_reshape_scatter(ctx, g):
    return None, reshape(g, shape=ctx.inputs[1].shape)


reshape_scatter = define(
    "reshape_scatter",
    kernel=lambda base, view, **attrs: view.reshape(base.shape).copy(),
    infer=_infer_scatter,
    grad=_grad_reshape_scatter,
)

transpose_scatter = define(
    "transpose_scatter",
    kernel=lambda base, view, perm: view.transpose(np.argsort(perm)).copy(),
    infer=_infer_scatter,
    grad=lambda ctx, g: (None, transpose(g, perm=ctx.attrs["perm"])),
)

# --- reshape and its relatives ---------------------------------------------------------------------------------------


def _infer_reshape(x, shape):
    given = tensor(x, "reshape").shape
    dims = [leaf(d) for d in shape]
    if sum(d == -1 for d in dims) > 1:
        raise ShapeError(f"reshape takes at most one -1, not {list(shape)}")
    total = None if given is None else product(given)
    rest = product([d for d in dims if d != -1])
    if -1 in dims:
        dims[dims.index(-1)] = _missing(given, rest, dims, x)
    elif known(total, rest) and total != rest:
        raise ShapeError(f"reshape: {x} has {total} elements, the shape {list(shape)} has {rest}")
    return TensorType(x.dtype, tuple(dims))


def _missing(given: tuple[Dim, ...] | None, rest: Dim, dims: list, x: TensorType) -> Dim:
    """The length that -1 stands for: the quotient of the known factors, times the one unknown dim where there is one."""
    if given is None or not isinstance(rest, int) or rest == 0:
        return None
    unknown = [d for d in given if not isinstance(d, int)]
    quotient, left_over = divmod(product([d for d in given if isinstance(d, int)]), rest)  # type: ignore[operator]
    if not unknown:
        if left_over:
            raise ShapeError(f"reshape: {x} doesn't divide into {['?' if d is None else d for d in dims]}")
        return quotient
    return unknown[0] if len(unknown) == 1 and quotient == 1 and not left_over else None


def _reshape_back(ctx, g):
    return (reshape(g, shape=ctx.inputs[0].shape),)


def _kernel_reshape(x, shape):
    try:
        return x.reshape(shape)
    except ValueError:
        raise ShapeError(f"reshape: a tensor of shape {list(x.shape)} doesn't fit the shape {list(shape)}") from None


reshape = define(
    "reshape", kernel=_kernel_reshape, infer=_infer_reshape, grad=_reshape_back, view_of=0, scatter="reshape_scatter"
)


def _infer_flatten(x, start_axis, stop_axis):
    shape = tensor(x, "flatten").shape
    if shape is None:
        return TensorType(x.dtype, None)
    if not shape:
        return TensorType(x.dtype, (1,))
    start, stop = axis_of(start_axis, len(shape), "flatten"), axis_of(stop_axis, len(shape), "flatten")
    if start > stop:
        raise ShapeError(f"flatten: start_axis {start_axis} comes after stop_axis {stop_axis} in {x}")
    return TensorType(x.dtype, (*shape[:start], product(shape[start : stop + 1]), *shape[stop + 1 :]))


def _kernel_flatten(x, start_axis, stop_axis):
    if x.ndim == 0:
        return x.reshape(1)
    start, stop = start_axis % x.ndim, stop_axis % x.ndim
    size = int(np.prod(x.shape[start : stop + 1]))
    return x.reshape(x.shape[:start] + (size,) + x.shape[stop + 1 :])


flatten = define(
    "flatten", kernel=_kernel_flatten, infer=_infer_flatten, grad=_reshape_back, view_of=0, scatter="reshape_scatter"
)


def _infer_squeeze(x, axis):
    shape = tensor(x, "squeeze").shape
    if shape is None:
        return TensorType(x.dtype, None)
    if axis is None:
        # Whether an unknown length is 1 shows only at run time, and with it the rank.
        return TensorType(x.dtype, tuple(d for d in shape if d != 1) if known(*shape) else None)
    axes = axes_of(axis, len(shape), "squeeze")
    if any(not known(shape[a]) for a in axes):
        return TensorType(x.dtype, None)
    return TensorType(x.dtype, tuple(d for at, d in enumerate(shape) if not (at in axes and d == 1)))


def _kernel_squeeze(x, axis):
    """Axes longer than 1 stay, as in Paddle."""
    if axis is None:
        return x.squeeze()
    axes = axes_of(axis, x.ndim, "squeeze")
    return x.squeeze(tuple(a for a in axes if x.shape[a] == 1))


squeeze = define(
    "squeeze", kernel=_kernel_squeeze, infer=_infer_squeeze, grad=_reshape_back, view_of=0, scatter="reshape_scatter"
)


def _infer_unsqueeze(x, axis):
    shape = tensor(x, "unsqueeze").shape
    if shape is None:
        return TensorType(x.dtype, None)
    dims: list[Dim] = list(shape)
    for a in sorted(axes_of(axis, len(shape) + len(axis), "unsqueeze")):
        dims.insert(a, 1)
    return TensorType(x.dtype, tuple(dims))


unsqueeze = define(
    "unsqueeze",
    kernel=lambda x, axis: np.expand_dims(x, tuple(axis)),
    infer=_infer_unsqueeze,
    grad=_reshape_back,
    view_of=0,
    scatter="reshape_scatter",
)

# --- transpose, broadcast_to -----------------------------------------------------------------------------------------


def _infer_transpose(x, perm):
    shape = tensor(x, "transpose").shape
    if sorted(perm) != list(range(len(perm))) or (shape is not None and len(shape) != len(perm)):
        raise ShapeError(f"transpose: {list(perm)} doesn't name each axis of {x} once")
    return TensorType(x.dtype, (None,) * len(perm) if shape is None else tuple(shape[p] for p in perm))


def _grad_transpose(ctx, g):
    return (transpose(g, perm=[int(p) for p in np.argsort(ctx.attrs["perm"])]),)


def _transpose_source(attrs: dict[str, Any], names: list[str]) -> str:
    return f"{names[0]}.transpose({', '.join(str(int(p)) for p in attrs['perm'])})"


transpose = define(
    "transpose",
    kernel=lambda x, perm: x.transpose(perm),
    infer=_infer_transpose,
    grad=_grad_transpose,
    template=_transpose_source,
    view_of=0,
    scatter="transpose_scatter",
)


def _infer_broadcast_to(x, shape):
    """-1 in `shape` keeps the length of that axis."""
    given, dims = tensor(x, "broadcast_to").shape, [leaf(d) for d in shape]
    if given is None:
        return TensorType(x.dtype, tuple(None if d == -1 else d for d in dims))
    offset = len(dims) - len(given)
    if offset < 0 or -1 in dims[:offset]:
        raise ShapeError(f"broadcast_to: {x} can't be expanded to {list(shape)}")
    target = [given[at - offset] if d == -1 else d for at, d in enumerate(dims)]
    result = broadcast_shapes(given, tuple(target))
    if result is None or not all(map(agree, result, target)):
        raise ShapeError(f"broadcast_to: {x} can't be expanded to {list(shape)}")
    return TensorType(x.dtype, result)


def _kernel_broadcast_to(x, shape):
    offset = len(shape) - x.ndim
    return np.broadcast_to(x, tuple(x.shape[at - offset] if d == -1 else d for at, d in enumerate(shape)))


def _grad_broadcast_to(ctx, g):
    from .rules import unbroadcast

    return (unbroadcast(g, ctx.inputs[0]),)


broadcast_to = define("broadcast_to", kernel=_kernel_broadcast_to, infer=_infer_broadcast_to, grad=_grad_broadcast_to, view_of=0)

# --- detach ------------------------------------------------------------------------------------------------------------

# All of `x`, without its history. A Program has it as an operator, so that what differentiates the Program stops there.
detach = define("detach", kernel=lambda x: x[...], infer=lambda x: tensor(x, "detach"), view_of=0, scatter="reshape_scatter")
