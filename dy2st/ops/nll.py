"""nll: minus the log-probability of a label along one axis, and its transpose."""

from __future__ import annotations

import numpy as np

from ..ir.types import TensorType
from .dims import axis_of, float_tensor, integer_tensor, known, leaf, merge, without
from .lowered import embedding as lowered
from .registry import define


def _checked(label: np.ndarray, classes: int, ignore_index: int) -> tuple[np.ndarray, np.ndarray]:
    """Which labels count, and the labels with 0 where they don't; IndexError where one that counts is no class."""
    counts = label != ignore_index
    safe = np.where(counts, label, 0)
    if safe.size and (safe.min() < 0 or safe.max() >= classes):
        wrong = safe[(safe < 0) | (safe >= classes)].flat[0]
        raise IndexError(f"label {wrong} is outside the {classes} classes 0 to {classes - 1} (ignore_index is {ignore_index})")
    return counts, safe


def _infer_nll(log_probability, label, axis, ignore_index):
    """The label has the shape of log_probability without `axis`, and so has the result."""
    shape, labels = float_tensor(log_probability, "nll").shape, integer_tensor(label, "nll").shape
    if shape is None:
        return TensorType(log_probability.dtype, labels)
    at = axis_of(axis, len(shape), "nll")
    return TensorType(log_probability.dtype, _merged(shape, labels, at))


def _merged(shape, labels, axis):
    return merge([without(shape, axis), labels], "nll (label against input without the class axis)")


def _kernel_nll(log_probability, label, axis, ignore_index):
    _merged(log_probability.shape, label.shape, axis_of(axis, log_probability.ndim, "nll"))
    counts, safe = _checked(label, log_probability.shape[axis], ignore_index)
    picked = np.take_along_axis(log_probability, np.expand_dims(safe, axis), axis)
    return np.where(counts, -np.squeeze(picked, axis), log_probability.dtype.type(0))


def _grad_nll(ctx, g):
    x, label = ctx.inputs
    axis = ctx.attrs["axis"]
    return nll_spread(g, label, classes=x.shape[axis], axis=axis, ignore_index=ctx.attrs["ignore_index"]), None


nll = define(
    "nll",
    kernel=_kernel_nll,
    in_words=True,
    infer=_infer_nll,
    grad=_grad_nll,
    raises=("IndexError",),
    onnx=lowered.nll,
)


def _infer_spread(g, label, classes, axis, ignore_index):
    shape = merge([float_tensor(g, "nll_spread").shape, integer_tensor(label, "nll_spread").shape], "nll_spread")
    if shape is None:
        return TensorType(g.dtype, None)
    at = axis_of(axis, len(shape) + 1, "nll_spread")
    dim = leaf(classes)
    return TensorType(g.dtype, (*shape[:at], dim if known(dim) else None, *shape[at:]))


def _kernel_spread(g, label, classes, axis, ignore_index):
    """-g at each label, 0 elsewhere."""
    merge([g.shape, label.shape], "nll_spread")
    counts, safe = _checked(label, classes, ignore_index)
    at = axis_of(axis, g.ndim + 1, "nll_spread")
    result = np.zeros((*g.shape[:at], classes, *g.shape[at:]), g.dtype)
    np.put_along_axis(result, np.expand_dims(safe, at), np.expand_dims(np.where(counts, -g, g.dtype.type(0)), at), at)
    return result


nll_spread = define(
    "nll_spread",
    kernel=_kernel_spread,
    in_words=True,
    infer=_infer_spread,
    grad=lambda ctx, h: (nll(h, ctx.inputs[1], axis=ctx.attrs["axis"], ignore_index=ctx.attrs["ignore_index"]), None),
    raises=("IndexError",),
    onnx=lowered.nll_spread,
)
