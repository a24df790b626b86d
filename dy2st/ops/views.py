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
from .dims import agree, axes_of, axis_of, known, leaf, product
from .lowered import views as lowered
from .registry import define
from .rules import need_tensor
from .viewing import define_view

# --- what writing to a view leaves in its base -----------------------------------------------------------------------


def _infer_scatter(base, view, **attrs):
    if need_tensor("a view", view).dtype != need_tensor("a view", base).dtype:
        raise ShapeError(f"a view of {base} can't be {view}")
    return base


def _reshape_scatter(base, view, shape=None, axis=None, start_axis=None, stop_axis=None, what=None, at=None, depth=None):
    """`view` in the shape of `base`: the attributes of the view operator say nothing more."""
    return view.reshape(base.shape).copy()


reshape_scatter = define(
    "reshape_scatter",
    kernel=_reshape_scatter,
    infer=_infer_scatter,
    grad=lambda ctx, g: (None, reshape(g, shape=ctx.inputs[1].shape)),
    onnx=lambda g, base, view, **attrs: g.reshaped(view, g.dims(base)),
)

transpose_scatter = define(
    "transpose_scatter",
    kernel=lambda base, view, perm: view.transpose(np.argsort(perm)).copy(),
    infer=_infer_scatter,
    grad=lambda ctx, g: (None, transpose(g, perm=ctx.attrs["perm"])),
    onnx=lambda g, base, view, perm: g.Transpose(view, perm=lowered.inverse(perm)),
)

detach_scatter = define(
    "detach_scatter",
    kernel=lambda base, view, leaf="": np.array(view, order="C"),
    infer=lambda base, view, leaf="": _infer_scatter(base, view),
    grad=lambda ctx, g: (g, None),  # what is written past the history leaves it as it is
    onnx=lambda g, base, view, leaf="": view,
)


def _whole_shape(base: TensorType, attrs: dict[str, Any]) -> tuple[str, dict[str, Any]] | None:
    """The reshape that gives a base of known lengths back from a view with other axes."""
    return ("reshape", {"shape": list(base.shape)}) if base.shape is not None and known(*base.shape) else None


_OTHER_AXES: dict[str, Any] = {
    "scatter": "reshape_scatter",
    "restore": _whole_shape,
    "keeps_order": lambda attrs: True,
}

# --- reshape and its relatives ---------------------------------------------------------------------------------------


def _infer_reshape(x, shape):
    given = need_tensor("reshape", x).shape
    dims = [leaf(d) for d in shape]
    if sum(d == -1 for d in dims) > 1:
        raise ShapeError(f"reshape takes at most one -1, not {list(shape)}")
    total = None if given is None else product(given)
    if -1 in dims:
        dims[dims.index(-1)] = _missing(given, dims, x)
    elif known(total, rest := product(dims)) and total != rest:
        raise ShapeError(f"reshape: {x} has {total} elements, the shape {list(shape)} has {rest}")
    return TensorType(x.dtype, tuple(dims))


def _missing(given: tuple[Dim, ...] | None, dims: list, x: TensorType) -> Dim:
    """The length that -1 stands for: the quotient of the known factors, times the one unknown dim where there is one.

    A named unknown of both shapes is no factor of it.
    """
    unknown, others = [d for d in given or () if not isinstance(d, int)], [d for d in dims if d != -1]
    for dim in [*others]:
        if isinstance(dim, str) and dim in unknown:
            unknown.remove(dim)
            others.remove(dim)
    rest = product(others)
    if given is None or not isinstance(rest, int) or rest == 0:
        return None
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


reshape = define_view(
    "reshape", _kernel_reshape, _infer_reshape, _reshape_back, may_copy=True, onnx=lowered.reshape, **_OTHER_AXES
)


def _infer_flatten(x, start_axis, stop_axis):
    shape = need_tensor("flatten", x).shape
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
    start, stop = axis_of(start_axis, x.ndim, "flatten"), axis_of(stop_axis, x.ndim, "flatten")
    if start > stop:
        raise ShapeError(f"flatten: start_axis {start_axis} comes after stop_axis {stop_axis}")
    size = int(np.prod(x.shape[start : stop + 1]))
    return x.reshape(x.shape[:start] + (size,) + x.shape[stop + 1 :])


flatten = define_view(
    "flatten", _kernel_flatten, _infer_flatten, _reshape_back, may_copy=True, onnx=lowered.flatten, **_OTHER_AXES
)


def _infer_squeeze(x, axis):
    shape = need_tensor("squeeze", x).shape
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


squeeze = define_view("squeeze", _kernel_squeeze, _infer_squeeze, _reshape_back, onnx=lowered.squeeze, **_OTHER_AXES)


def _infer_unsqueeze(x, axis):
    shape = need_tensor("unsqueeze", x).shape
    if shape is None:
        return TensorType(x.dtype, None)
    dims: list[Dim] = list(shape)
    for a in sorted(axes_of(axis, len(shape) + len(axis), "unsqueeze")):
        dims.insert(a, 1)
    return TensorType(x.dtype, tuple(dims))


unsqueeze = define_view(
    "unsqueeze",
    lambda x, axis: np.expand_dims(x, tuple(axis)),
    _infer_unsqueeze,
    _reshape_back,
    onnx=lambda g, x, axis: g.Unsqueeze(x, [*axis]),
    **_OTHER_AXES,
)


def _infer_expect(x, shape, what):
    """-1 in `shape` stands for any length."""
    given, dims = need_tensor("expect", x).shape, [None if d == -1 else leaf(d) for d in shape]
    if given is None:
        return TensorType(x.dtype, tuple(dims))
    if len(given) != len(dims) or not all(map(agree, given, dims)):
        raise ShapeError(f"{what} is {x}; it takes the shape {list(shape)}")
    return TensorType(x.dtype, tuple(a if isinstance(a, int) else b for a, b in zip(given, dims)))


def _kernel_expect(x, shape, what):
    if x.ndim != len(shape) or any(d not in (-1, n) for n, d in zip(x.shape, shape)):
        raise ShapeError(f"{what} has the shape {list(x.shape)}; it takes {list(shape)}")
    return x.view()


expect = define_view(
    "expect",
    _kernel_expect,
    _infer_expect,
    lambda ctx, g: (g,),
    raises=("ShapeError",),
    onnx=lowered.expect,
    **_OTHER_AXES,
)
"""The tensor itself, of which the number of axes and some lengths are known from here on; ShapeError where it is another."""

# --- checkpoint --------------------------------------------------------------------------------------------------------

# All of `x`. at: between "start" and "end" the backward computes again; "again": where it does. depth: how many are around it.
checkpoint = define_view(
    "checkpoint",
    lambda x, at, depth: x[...],
    lambda x, at, depth: need_tensor("checkpoint", x),
    lambda ctx, g: (g,),
    onnx=lambda g, x, at, depth: x,
    **_OTHER_AXES,
)

# --- transpose, broadcast_to -----------------------------------------------------------------------------------------


def _infer_transpose(x, perm):
    shape = need_tensor("transpose", x).shape
    if sorted(perm) != list(range(len(perm))) or (shape is not None and len(shape) != len(perm)):
        raise ShapeError(f"transpose: {list(perm)} doesn't name each axis of {x} once")
    return TensorType(x.dtype, (None,) * len(perm) if shape is None else tuple(shape[p] for p in perm))


transpose = define_view(
    "transpose",
    lambda x, perm: x.transpose(perm),
    _infer_transpose,
    lambda ctx, g: (transpose(g, perm=[int(p) for p in np.argsort(ctx.attrs["perm"])]),),
    template=lambda attrs, names, types: f"{names[0]}.transpose({', '.join(str(int(p)) for p in attrs['perm'])})",
    onnx=lambda g, x, perm: g.Transpose(x, perm=[*perm]),
    scatter="transpose_scatter",
    restore=lambda base, attrs: ("transpose", {"perm": [int(p) for p in np.argsort(attrs["perm"])]}),
)


def _infer_broadcast_to(x, shape):
    """-1 in `shape` keeps the length of that axis."""
    given, dims = need_tensor("broadcast_to", x).shape, [leaf(d) for d in shape]
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
    if offset < 0 or -1 in shape[:offset]:
        raise ShapeError(f"broadcast_to: a tensor of the shape {list(x.shape)} can't be expanded to {list(shape)}")
    return np.broadcast_to(x, tuple(x.shape[at - offset] if d == -1 else d for at, d in enumerate(shape)))


def _grad_broadcast_to(ctx, g):
    from .rules import unbroadcast

    return (unbroadcast(g, ctx.inputs[0]),)


broadcast_to = define_view(
    "broadcast_to", _kernel_broadcast_to, _infer_broadcast_to, _grad_broadcast_to, onnx=lowered.broadcast_to
)

# --- detach ------------------------------------------------------------------------------------------------------------

# All of `x`, without its history. A Program has it as an operator, so that what differentiates the Program stops there. leaf:
# gradients flow into the result, as into a leaf: "made" in the call, or "input": x is an input, and each call makes it one.
detach = define_view(
    "detach",
    lambda x, leaf="": x[...],
    lambda x, leaf="": need_tensor("detach", x),
    onnx=lambda g, x, leaf="": x if leaf == "input" else g.detached(x),
    scatter="detach_scatter",
    keeps_order=lambda attrs: True,
)
