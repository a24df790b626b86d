"""pad: a tensor with more elements around it, and the operator that is its transpose.

`pads` has one (before, after) pair per axis. Modes: constant (with `value`), reflect, replicate, circular.
"""

from __future__ import annotations

import numpy as np

from ..errors import ShapeError
from ..ir.types import TensorType
from ..tables import Table
from .dims import known, leaf
from .lowered import padding as lowered
from .registry import define
from .rules import need_tensor
from .walks import add_at

NUMPY_MODE = Table("mode of pad", {"constant": "constant", "reflect": "reflect", "replicate": "edge", "circular": "wrap"})


def _infer_pad(x, pads, mode="constant", value=0.0):
    shape = need_tensor("pad", x).shape
    NUMPY_MODE[mode]
    if shape is None:
        return TensorType(x.dtype, (None,) * len(pads))
    if len(shape) != len(pads):
        raise ShapeError(f"pad: {len(pads)} pairs of paddings for {x}")
    dims = []
    for dim, (before, after) in zip(shape, pads):
        before, after = leaf(before), leaf(after)
        dims.append(dim if before == after == 0 else dim + before + after if known(dim, before, after) else None)
    return TensorType(x.dtype, tuple(dims))


def _kernel_pad(x, pads, mode="constant", value=0.0):
    """Negative paddings take elements away (mode constant only)."""
    if mode != "constant":
        return np.pad(x, pads, NUMPY_MODE[mode])
    kept = x[tuple(slice(max(-b, 0), n - max(-a, 0)) for n, (b, a) in zip(x.shape, pads))]
    result = np.full([n + max(b, 0) + max(a, 0) for n, (b, a) in zip(kept.shape, pads)], value, x.dtype)
    result[tuple(slice(max(b, 0), max(b, 0) + n) for n, (b, _) in zip(kept.shape, pads))] = kept
    return result


def _grad_pad(ctx, g):
    pads, mode = ctx.attrs["pads"], ctx.attrs.get("mode", "constant")
    if mode == "constant":
        return (pad(g, pads=[[-b, -a] for b, a in pads], mode="constant", value=0.0),)
    return (pad_fold(g, pads=pads, mode=mode),)


pad = define("pad", kernel=_kernel_pad, in_words=True, infer=_infer_pad, grad=_grad_pad, onnx=lowered.pad)


def _infer_fold(g, pads, mode):
    shape = need_tensor("pad_fold", g).shape
    if shape is None:
        return TensorType(g.dtype, (None,) * len(pads))
    inner = [n - leaf(b) - leaf(a) if known(n, leaf(b), leaf(a)) else None for n, (b, a) in zip(shape, pads)]
    return TensorType(g.dtype, tuple(inner))


def _kernel_fold(g, pads, mode):
    """Each element of `g` added to the element that `pad` copied there."""
    for axis, (before, after) in enumerate(pads):
        if not before and not after:
            continue
        length = g.shape[axis] - before - after
        source = np.pad(np.arange(length), (before, after), NUMPY_MODE[mode])
        folded = np.zeros((*g.shape[:axis], length, *g.shape[axis + 1 :]), g.dtype)
        add_at(folded, (slice(None),) * axis + (source,), g)
        g = folded
    return g.copy()


pad_fold = define(
    "pad_fold",
    kernel=_kernel_fold,
    in_words=True,
    infer=_infer_fold,
    grad=lambda ctx, h: (pad(h, pads=ctx.attrs["pads"], mode=ctx.attrs["mode"]),),
    onnx=lowered.pad_fold,
)
