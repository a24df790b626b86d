"""conv2d and its two transposes. Each is linear in either operand, so the gradients of the three are the three again.

Layout: input [N, C, H, W], weight [O, C / groups, kh, kw], output [N, O, OH, OW]. `padding` is [top, bottom, left, right].
The kernels copy the windows into columns (im2col) and leave the arithmetic to BLAS.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from ..errors import DTypeError, ShapeError
from ..ir.types import Dim, TensorType
from .dims import agree, known, leaf, of_rank
from .lowered import conv as lowered
from .registry import define
from .rules import need_tensor
from .walks import walk, whole_numbers

Pair = tuple[int, int]

_IN_CACHE = 1 << 18  # elements
_IN_A_PRODUCT = 1 << 20  # elements of columns: fewer products mean fewer sums of weights


def window_count(size: int, kernel: int, stride: int, dilation: int, before: int, after: int) -> int:
    """How many windows fit along one axis."""
    return (size + before + after - dilation * (kernel - 1) - 1) // stride + 1


def padded(x: np.ndarray, padding: Any, value: float = 0.0) -> np.ndarray:
    """`x` [N, C, H, W] with a border of `value`; `x` itself where there is none."""
    top, bottom, left, right = padding
    if not (top or bottom or left or right):
        return x
    n, c, h, w = x.shape
    result = np.full((n, c, h + top + bottom, w + left + right), value, x.dtype)
    result[:, :, top : top + h, left : left + w] = x
    return result


def windows(x: np.ndarray, kernel: Pair, stride: Any, dilation: Any) -> np.ndarray:
    """A view [N, C, kh, kw, OH, OW] of all windows of a padded [N, C, H, W]."""
    n, c, h, w = x.shape
    oh = window_count(h, kernel[0], stride[0], dilation[0], 0, 0)
    ow = window_count(w, kernel[1], stride[1], dilation[1], 0, 0)
    if oh < 1 or ow < 1:
        raise ShapeError(f"a window of {list(kernel)} (dilation {list(dilation)}) doesn't fit into the padded size {[h, w]}")
    return walk("a window", x, (n, c, *kernel, oh, ow), (1, 1, *dilation, *stride), axes=(0, 1, 2, 3, 2, 3))


def _check(op: str, x: Any, other: Any, stride: Any, padding: Any, dilation: Any, groups: Any) -> None:
    """What inference says of known types, said of the arrays and attributes that are there: windows lie inside of `x`."""
    if x.ndim != 4 or other.ndim != 4:
        raise ShapeError(f"{op} takes tensors of 4 axes, not of {x.ndim} and {other.ndim}")
    whole_numbers(f"{op} (stride, dilation, groups)", (*stride, *dilation, groups), least=1, count=5)
    whole_numbers(f"{op} (padding)", padding, least=0, count=4)


def _check_channels(op: str, x: int, out: int, weight: tuple[int, ...], groups: int) -> None:
    if (out, x) != (weight[0], weight[1] * groups) or out % groups:
        raise ShapeError(f"{op}: a weight of the shape {list(weight)} with groups={groups} between {x} channels and {out}")


def _check_size(op: str, size: Any, kernel: Any, found: Any, stride: Any, padding: Any, dilation: Any) -> None:
    """ShapeError where an input of this size has fewer windows than `found` has elements, or more than a step or gap is left."""
    whole_numbers(f"the input of {op}", size, least=0, count=2)
    whole_numbers(f"the image of {op}", found, least=1, count=2)
    whole_numbers(f"the window of {op}", kernel, least=1, count=2)
    for at in (0, 1):
        before, after = padding[2 * at : 2 * at + 2]
        reach = (found[at] - 1) * stride[at] - before - after + dilation[at] * (kernel[at] - 1) + 1
        fewer = window_count(size[at], kernel[at], stride[at], dilation[at], before, after) < found[at]
        if fewer or size[at] >= reach + max(stride[at], dilation[at]):
            raise ShapeError(f"{op}: an input of {list(size)} doesn't have {list(found)} windows of {list(kernel)}")


def _conv2d(x, weight, stride, padding, dilation, groups, out=None):
    _check("conv2d", x, weight, stride, padding, dilation, groups)
    out_channels, _, kh, kw = weight.shape
    _check_channels("conv2d", x.shape[1], out_channels, weight.shape, groups)
    found = windows(padded(x, padding), (kh, kw), stride, dilation)
    n, (oh, ow), length = len(x), found.shape[4:], weight.shape[1] * kh * kw
    rows = weight.reshape(groups, out_channels // groups, length)
    result = np.empty((n, out_channels, oh, ow), np.result_type(x, weight)) if out is None or not out.flags.c_contiguous else out
    flat = result.reshape(n, groups, out_channels // groups, oh * ow)
    for images, lines in _blocks(n, oh, groups * length * ow):
        columns = found[images, :, :, :, lines].reshape(-1, groups, length, (lines.stop - lines.start) * ow)
        np.matmul(rows, columns, out=flat[images, :, :, lines.start * ow : lines.stop * ow])
    if out is None or out is result:
        return result
    np.copyto(out, result)
    return out


def _blocks(images: int, lines: int, size: int) -> Iterator[tuple[slice, slice]]:
    """Which images, and which lines of the output, are computed together: so many that their columns stay in the cache.

    size: elements of the columns of one line.
    """
    at_once = max(1, _IN_CACHE // max(1, size))
    if at_once >= lines:
        step = max(1, at_once // max(1, lines))
        yield from ((slice(i, min(i + step, images)), slice(0, lines)) for i in range(0, images, step))
        return
    for image in range(images):
        yield from ((slice(image, image + 1), slice(i, min(i + at_once, lines))) for i in range(0, lines, at_once))


def _input_grad(g, weight, input_size, stride, padding, dilation, groups):
    """A convolution of the gradient with the mirrored weight where its columns are no more than the forward's, else col2im."""
    _check("conv2d_input_grad", g, weight, stride, padding, dilation, groups)
    _check_channels("conv2d_input_grad", weight.shape[1] * groups, g.shape[1], weight.shape, groups)
    _check_size("conv2d_input_grad", input_size, weight.shape[2:], g.shape[2:], stride, padding, dilation)
    size, channels = [int(d) for d in input_size], weight.shape[1] * groups
    around = _around(g, weight, size, padding, dilation)
    columns = g.shape[1] * size[0] * size[1]
    if tuple(stride) == (1, 1) and min(around) >= 0 and 0 < columns <= channels * g.shape[2] * g.shape[3]:
        return _conv2d(g, _mirrored(weight, groups), stride, around, dilation, groups)
    return _scattered(g, weight, size, stride, padding, dilation, groups)


def _around(g: np.ndarray, weight: np.ndarray, size: list, padding: Any, dilation: Any) -> tuple[int, ...]:
    """The border that g needs so that each element of the input has a window in it."""
    top, _, left, _ = padding
    (oh, ow), (kh, kw) = g.shape[2:], weight.shape[2:]
    return (kh - 1) * dilation[0] - top, size[0] - oh + top, (kw - 1) * dilation[1] - left, size[1] - ow + left


def _mirrored(weight: np.ndarray, groups: int) -> np.ndarray:
    """The weight of the convolution from outputs to inputs: channels exchanged, both axes reversed."""
    out_channels, per_group, kh, kw = weight.shape
    exchanged = weight.reshape(groups, out_channels // groups, per_group, kh, kw)[..., ::-1, ::-1].swapaxes(1, 2)
    return exchanged.reshape(groups * per_group, out_channels // groups, kh, kw)


def _scattered(g, weight, size, stride, padding, dilation, groups):
    """Columns of the gradient, each added to where its window came from (col2im), as many images at once as the cache holds."""
    n, out_channels, oh, ow = g.shape
    channels, (kh, kw) = weight.shape[1] * groups, weight.shape[2:]
    (h, w), (top, bottom, left, right) = size, padding
    rows = np.ascontiguousarray(weight.reshape(groups, out_channels // groups, weight.shape[1] * kh * kw).transpose(0, 2, 1))
    slopes = g.reshape(n, groups, out_channels // groups, oh * ow)
    product = np.multiply if out_channels == groups else np.matmul
    result = np.zeros((n, channels, h + top + bottom, w + left + right), g.dtype)
    at_once = max(1, _IN_CACHE // max(1, channels * kh * kw * oh * ow))
    for start in range(0, n, at_once):
        images = slice(start, start + at_once)
        columns = product(rows, slopes[images]).reshape(-1, channels, kh, kw, oh, ow)
        for i in range(kh):
            for j in range(kw):
                y, x = i * dilation[0], j * dilation[1]
                result[images, :, y : y + oh * stride[0] : stride[0], x : x + ow * stride[1] : stride[1]] += columns[:, :, i, j]
    return np.ascontiguousarray(result[:, :, top : top + h, left : left + w])


def _weight_grad(x, g, kernel_size, stride, padding, dilation, groups):
    """A product for few images at a time, so that the columns of all are never there at once."""
    _check("conv2d_weight_grad", x, g, stride, padding, dilation, groups)
    _check_channels("conv2d_weight_grad", x.shape[1], g.shape[1], (g.shape[1], x.shape[1] // groups), groups)
    _check_size("conv2d_weight_grad", x.shape[2:], kernel_size, g.shape[2:], stride, padding, dilation)
    if x.shape[0] != g.shape[0]:
        raise ShapeError(f"conv2d_weight_grad: {x.shape[0]} inputs and the gradients of {g.shape[0]}")
    n, out_channels, oh, ow = g.shape
    per_group = x.shape[1] // groups
    length = per_group * kernel_size[0] * kernel_size[1]
    found = windows(padded(x, padding), tuple(kernel_size), stride, dilation)[..., :oh, :ow]
    columns = found.reshape(n, groups, per_group, *found.shape[2:]) if groups > 1 else found[:, None]
    result = np.zeros((groups, out_channels // groups, length), np.result_type(x, g))
    at_once = max(1, _IN_A_PRODUCT // max(1, groups * length * oh * ow))
    for images in (slice(k, k + at_once) for k in range(0, n, at_once)):
        rows = g[images].reshape(-1, groups, out_channels // groups, oh * ow).transpose(1, 2, 0, 3)
        taken = columns[images].transpose(1, 2, 3, 4, 0, 5, 6)
        taken = taken.reshape(groups, length, -1).transpose(0, 2, 1)
        result += np.matmul(rows.reshape(groups, out_channels // groups, -1), taken)
    return result.reshape(out_channels, per_group, *kernel_size)


# --- inference -------------------------------------------------------------------------------------------------------


def out_length(dim: Dim, kernel: Dim, stride: int, dilation: int, before: int, after: int, op: str) -> Dim:
    """The number of windows along an axis of length `dim`."""
    if not known(dim, kernel):
        return None
    count = window_count(dim, kernel, stride, dilation, before, after)  # type: ignore[arg-type]
    if count < 1:
        raise ShapeError(
            f"{op}: a window of {kernel} (dilation {dilation}) doesn't fit into length {dim} with padding {before} and {after}"
        )
    return count


def _one_dtype(a, b, op: str) -> str:
    if need_tensor(op, a).dtype != need_tensor(op, b).dtype:
        raise DTypeError(f"{op} takes an input and a weight of one dtype, not {a} and {b}")
    return a.dtype


def _infer_conv2d(x, weight, stride, padding, dilation, groups):
    dtype = _one_dtype(x, weight, "conv2d")
    n, c, h, w = of_rank(x, 4, "conv2d")
    o, per_group, kh, kw = of_rank(weight, 4, "conv2d")
    if known(c, per_group) and c != per_group * groups:  # type: ignore[operator]
        raise ShapeError(
            f"conv2d: the input {x} has {c} channels, the weight {weight} with groups={groups} takes {per_group * groups}"
        )  # type: ignore[operator]
    if known(o) and o % groups:  # type: ignore[operator]
        raise ShapeError(f"conv2d: {o} output channels don't divide into {groups} groups")
    top, bottom, left, right = padding
    oh = out_length(h, kh, stride[0], dilation[0], top, bottom, "conv2d")
    ow = out_length(w, kw, stride[1], dilation[1], left, right, "conv2d")
    return TensorType(dtype, (n, o, oh, ow))


def _infer_input_grad(g, weight, input_size, stride, padding, dilation, groups):
    dtype = _one_dtype(g, weight, "conv2d_input_grad")
    n, o, *lengths = of_rank(g, 4, "conv2d_input_grad")
    if 0 in lengths:
        raise ShapeError(f"conv2d_input_grad: {g} is an image without elements")
    out_channels, per_group, _, _ = of_rank(weight, 4, "conv2d_input_grad")
    if not agree(o, out_channels):
        raise ShapeError(f"conv2d_input_grad: {g} doesn't have the {out_channels} channels of the weight {weight}")
    return TensorType(dtype, (n, per_group * groups if known(per_group) else None, *map(leaf, input_size)))  # type: ignore[operator]


def _infer_weight_grad(x, g, kernel_size, stride, padding, dilation, groups):
    dtype = _one_dtype(x, g, "conv2d_weight_grad")
    c, o = of_rank(x, 4, "conv2d_weight_grad")[1], of_rank(g, 4, "conv2d_weight_grad")[1]
    return TensorType(dtype, (o, c // groups if known(c) else None, *map(leaf, kernel_size)))  # type: ignore[operator]


# --- the operators ---------------------------------------------------------------------------------------------------


def _geometry(ctx) -> dict[str, Any]:
    return {name: ctx.attrs[name] for name in ("stride", "padding", "dilation", "groups")}


def _size(x) -> list:
    return list(x.shape[2:])


def _pick(ctx, *rules):
    return tuple(rule() if need else None for rule, need in zip(rules, ctx.needs))


def _grad_conv2d(ctx, g):
    x, weight = ctx.inputs
    return _pick(
        ctx,
        lambda: conv2d_input_grad(g, weight, input_size=_size(x), **_geometry(ctx)),
        lambda: conv2d_weight_grad(x, g, kernel_size=_size(weight), **_geometry(ctx)),
    )


def _first_windows(found, g):
    """As many windows as `g` has: what a wide gap has left over may hold some more."""
    from .index import getitem

    if found.static_shape == g.static_shape and None not in g.static_shape:
        return found
    return getitem(found, index=["ellipsis", *({"slice": [None, length, None]} for length in _size(g))])


def _grad_input_grad(ctx, h):
    g, weight = ctx.inputs
    return _pick(
        ctx,
        lambda: _first_windows(conv2d(h, weight, **_geometry(ctx)), g),
        lambda: conv2d_weight_grad(h, g, kernel_size=_size(weight), **_geometry(ctx)),
    )


def _grad_weight_grad(ctx, h):
    x, g = ctx.inputs
    return _pick(
        ctx,
        lambda: conv2d_input_grad(g, h, input_size=_size(x), **_geometry(ctx)),
        lambda: _first_windows(conv2d(x, h, **_geometry(ctx)), g),
    )


conv2d = define(
    "conv2d",
    kernel=_conv2d,
    in_words=True,
    out=True,
    out_apart=True,
    infer=_infer_conv2d,
    grad=_grad_conv2d,
    onnx=lowered.conv2d,
)

conv2d_input_grad = define(
    "conv2d_input_grad",
    kernel=_input_grad,
    in_words=True,
    infer=_infer_input_grad,
    grad=_grad_input_grad,
    onnx=lowered.input_grad,
)

conv2d_weight_grad = define(
    "conv2d_weight_grad",
    kernel=_weight_grad,
    in_words=True,
    infer=_infer_weight_grad,
    grad=_grad_weight_grad,
    onnx=lowered.weight_grad,
)
