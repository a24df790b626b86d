"""Pooling over windows of [N, C, H, W]: max_pool2d (and where its maxima are), avg_pool2d, adaptive_avg_pool2d.

`padding` is [top, bottom, left, right]. With `ceil_mode` a last window may hang over the border.
The kernels walk over the places inside a window, not over the windows: each step is one NumPy operation on all of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from ..errors import ShapeError
from ..ir.types import Dim, TensorType
from .conv import padded
from .dims import float_tensor, known, leaf, of_rank
from .element_kinds import BOOL, COMPLEX
from .lowered import pool as lowered
from .registry import define
from .walks import whole_numbers

_IN_CACHE = 1 << 15  # elements

# --- geometry --------------------------------------------------------------------------------------------------------


def pool_length(size: int, kernel: int, stride: int, before: int, after: int, ceil_mode: bool) -> int:
    """How many windows there are along an axis of length `size`; with `ceil_mode` each must at least start on the tensor."""
    room = size + before + after - kernel
    count = (-(-room // stride) if ceil_mode else room // stride) + 1
    return count - 1 if ceil_mode and (count - 1) * stride >= size + before else count


def _lengths(h: int, w: int, kernel: Any, stride: Any, padding: Any, ceil_mode: bool) -> tuple[int, int]:
    whole_numbers("pooling (window, stride)", (*kernel, *stride), least=1, count=4)
    whole_numbers("pooling (padding)", padding, least=0, count=4)
    oh = pool_length(h, kernel[0], stride[0], padding[0], padding[1], ceil_mode)
    ow = pool_length(w, kernel[1], stride[1], padding[2], padding[3], ceil_mode)
    if oh < 1 or ow < 1:
        raise ShapeError(f"a pooling window of {list(kernel)} doesn't fit into {[h, w]} with padding {list(padding)}")
    return oh, ow


def _border(h: int, w: int, lengths: tuple[int, int], kernel: Any, stride: Any, padding: Any) -> tuple[int, int, int, int]:
    """`padding`, with as much more after the end as the last windows hang over."""
    top, bottom, left, right = padding
    over_h = (lengths[0] - 1) * stride[0] + kernel[0] - (h + top + bottom)
    over_w = (lengths[1] - 1) * stride[1] + kernel[1] - (w + left + right)
    return top, bottom + max(over_h, 0), left, right + max(over_w, 0)


def _places(x: np.ndarray, lengths: tuple[int, int], kernel: Any, stride: Any) -> Iterator[tuple[int, int, np.ndarray]]:
    """For each place (i, j) inside a window, the elements [N, C, OH, OW] that all windows have there."""
    for i in range(kernel[0]):
        for j in range(kernel[1]):
            rows = slice(i, i + (lengths[0] - 1) * stride[0] + 1, stride[0])
            yield i, j, x[:, :, rows, j : j + (lengths[1] - 1) * stride[1] + 1 : stride[1]]


def _infer_pool(op: str, dtype: str | None = None):
    def infer(x, kernel_size, stride, padding, ceil_mode=False, **_):
        n, c, h, w = of_rank(x, 4, op)
        dims: list[Dim] = []
        for at, dim in enumerate((h, w)):
            length = None
            if known(dim):
                length = pool_length(dim, kernel_size[at], stride[at], padding[2 * at], padding[2 * at + 1], ceil_mode)
                if length < 1:
                    raise ShapeError(f"{op}: a window of {list(kernel_size)} doesn't fit into {x} with padding {list(padding)}")
            dims.append(length)
        return TensorType(dtype or x.dtype, (n, c, *dims))

    return infer


# --- max_pool2d ------------------------------------------------------------------------------------------------------


def _lowest(dtype: np.dtype) -> Any:
    return -np.inf if dtype.kind == "f" else np.iinfo(dtype).min


def _prepared(x, kernel_size, stride, padding, ceil_mode):
    h, w = x.shape[2:]
    lengths = _lengths(h, w, kernel_size, stride, padding, ceil_mode)
    border = _border(h, w, lengths, kernel_size, stride, padding)
    return padded(x, border, _lowest(x.dtype)), lengths, border


def _max_pool2d(x, kernel_size, stride, padding, ceil_mode=False):
    x, lengths, _ = _prepared(x, kernel_size, stride, padding, ceil_mode)
    best = None
    for _, _, values in _places(x, lengths, kernel_size, stride):
        best = values.copy() if best is None else np.maximum(best, values, out=best)
    return best


def _max_pool2d_indices(x, kernel_size, stride, padding, ceil_mode=False):
    """int64 [N, C, OH, OW]: where in the flattened H * W each window has its (first) maximum."""
    width, columns = x.shape[3], kernel_size[1]
    x, lengths, border = _prepared(x, kernel_size, stride, padding, ceil_mode)
    origin_y = np.arange(lengths[0])[:, None] * stride[0] - border[0]
    origin_x = np.arange(lengths[1])[None, :] * stride[1] - border[2]
    # A window starts with its first place on the tensor, in case nothing in it is above the lowest number.
    start = np.maximum(-origin_y, 0) * columns + np.maximum(-origin_x, 0)
    result = np.empty((*x.shape[:2], *lengths), np.int64)
    images, found = x.reshape(-1, 1, *x.shape[2:]), result.reshape(-1, 1, *lengths)
    at_once = max(1, _IN_CACHE // max(1, lengths[0] * lengths[1]))
    for part in (slice(k, k + at_once) for k in range(0, len(images), at_once)):
        place = _first_maxima(images[part], lengths, kernel_size, stride, start)
        np.add((origin_y + place // columns) * width, origin_x + place % columns, out=found[part])
    return result


def _first_maxima(x: np.ndarray, lengths: tuple[int, int], kernel: Any, stride: Any, start: np.ndarray) -> np.ndarray:
    """The place in each window that has its (first) maximum; `start` where nothing in it is above the lowest number."""
    best = np.full((*x.shape[:2], *lengths), _lowest(x.dtype), x.dtype)
    place = np.broadcast_to(start, best.shape).astype(np.int32)
    has_nan = bool((x != x).any())
    for i, j, values in _places(x, lengths, kernel, stride):
        better = values > best
        if has_nan:
            better |= (values != values) & (best == best)
        np.copyto(best, values, where=better)
        np.copyto(place, i * kernel[1] + j, where=better)
    return place


def _grad_max_pool2d(ctx, g):
    """Each window's gradient goes to the element that was its maximum."""
    from .creation import zeros_like
    from .put_along_axis import put_along_axis
    from .views import flatten, reshape

    x = ctx.inputs[0]
    indices = flatten(max_pool2d_indices(x, **ctx.attrs), start_axis=2, stop_axis=3)
    spread = put_along_axis(
        flatten(zeros_like(x), start_axis=2, stop_axis=3),
        indices,
        flatten(g, start_axis=2, stop_axis=3),
        axis=2,
        reduce="add",
    )
    return (reshape(spread, shape=x.shape),)


max_pool2d = define(
    "max_pool2d",
    kernel=_max_pool2d,
    in_words=True,
    refuses=(BOOL, COMPLEX),
    infer=_infer_pool("max_pool2d"),
    grad=_grad_max_pool2d,
    onnx=lowered.max_pool2d,
)

max_pool2d_indices = define(
    "max_pool2d_indices",
    kernel=_max_pool2d_indices,
    in_words=True,
    refuses=(BOOL, COMPLEX),
    infer=_infer_pool("max_pool2d_indices", "int64"),
    row_major=False,
    onnx=lowered.max_pool2d_indices,
)

# --- avg_pool2d ------------------------------------------------------------------------------------------------------


def _inside(size: int, length: int, kernel: int, stride: int, before: int, after: int, exclusive: bool) -> np.ndarray:
    """For each window along an axis, how many of its places count: on the tensor and, where not `exclusive`, on the padding."""
    start = np.arange(length) * stride - before
    low, high = (0, size) if exclusive else (-before, size + after)
    return np.minimum(start + kernel, high) - np.maximum(start, low)


def _divisor(h, w, lengths, kernel_size, stride, padding, exclusive, divisor_override, dtype):
    if divisor_override is not None:
        return dtype.type(divisor_override)
    rows = _inside(h, lengths[0], kernel_size[0], stride[0], padding[0], padding[1], exclusive)
    columns = _inside(w, lengths[1], kernel_size[1], stride[1], padding[2], padding[3], exclusive)
    return np.outer(rows, columns).astype(dtype)


def _avg_pool2d(x, kernel_size, stride, padding, ceil_mode=False, exclusive=True, divisor_override=None):
    h, w = x.shape[2:]
    lengths = _lengths(h, w, kernel_size, stride, padding, ceil_mode)
    divisor = _divisor(h, w, lengths, kernel_size, stride, padding, exclusive, divisor_override, x.dtype)
    border = _border(h, w, lengths, kernel_size, stride, padding)
    total = None
    for _, _, values in _places(padded(x, border), lengths, kernel_size, stride):
        total = values.copy() if total is None else np.add(total, values, out=total)
    return total / divisor


def _avg_pool2d_grad(g, input_size, kernel_size, stride, padding, ceil_mode=False, exclusive=True, divisor_override=None):
    """The transpose of avg_pool2d: each window's value spread over its places."""
    h, w = whole_numbers("avg_pool2d_grad", input_size, least=0, count=2)
    lengths = g.shape[2:]
    if lengths != _lengths(h, w, kernel_size, stride, padding, ceil_mode):
        raise ShapeError(f"avg_pool2d_grad: an input of {[h, w]} doesn't have {list(lengths)} windows of {list(kernel_size)}")
    shares = g / _divisor(h, w, lengths, kernel_size, stride, padding, exclusive, divisor_override, g.dtype)
    top, bottom, left, right = _border(h, w, lengths, kernel_size, stride, padding)
    result = np.zeros((*g.shape[:2], h + top + bottom, w + left + right), g.dtype)
    for _, _, places in _places(result, lengths, kernel_size, stride):
        places += shares
    return np.ascontiguousarray(result[:, :, top : top + h, left : left + w])


def _infer_spread_out(op: str):
    def infer(g, input_size, **_):
        n, c, _, _ = of_rank(float_tensor(g, op), 4, op)
        return TensorType(g.dtype, (n, c, *map(leaf, input_size)))

    return infer


def _without_size(attrs: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in attrs.items() if name != "input_size"}


avg_pool2d = define(
    "avg_pool2d",
    kernel=_avg_pool2d,
    in_words=True,
    infer=lambda x, **attrs: _infer_pool("avg_pool2d")(float_tensor(x, "avg_pool2d"), **attrs),
    grad=lambda ctx, g: (avg_pool2d_grad(g, input_size=list(ctx.inputs[0].shape[2:]), **ctx.attrs),),
    onnx=lowered.avg_pool2d,
)

avg_pool2d_grad = define(
    "avg_pool2d_grad",
    kernel=_avg_pool2d_grad,
    in_words=True,
    infer=_infer_spread_out("avg_pool2d_grad"),
    grad=lambda ctx, h: (avg_pool2d(h, **_without_size(ctx.attrs)),),
    onnx=lowered.avg_pool2d_grad,
)

# --- adaptive_avg_pool2d ---------------------------------------------------------------------------------------------


def _means(x: np.ndarray, length: int, axis: int) -> np.ndarray:
    """The mean of each stretch along an axis. NaN and infinity stay in the stretches that have them, as in no product."""
    if x.shape[axis] == length:
        return x.copy()
    moved = np.moveaxis(x, axis, -1)
    found = [moved[..., start:stop].mean(axis=-1, dtype=x.dtype) for start, stop in lowered.stretches(x.shape[axis], length)]
    return np.stack(found, axis)


def _averaging(size: int, length: int, dtype: np.dtype) -> np.ndarray:
    """[length, size]: row i averages stretch number i."""
    matrix = np.zeros((length, size), dtype)
    for i, (start, stop) in enumerate(lowered.stretches(size, length)):
        matrix[i, start:stop] = 1.0 / (stop - start)
    return matrix


def _infer_adaptive(x, output_size):
    n, c, h, w = of_rank(float_tensor(x, "adaptive_avg_pool2d"), 4, "adaptive_avg_pool2d")
    return TensorType(x.dtype, (n, c, *(d if s is None else leaf(s) for s, d in zip(output_size, (h, w)))))


def _adaptive_avg_pool2d(x, output_size):
    """A length of None in `output_size` leaves that axis as it is."""
    h, w = x.shape[2:]
    if 0 in (h, w):
        raise ShapeError(f"adaptive_avg_pool2d: an image of {[h, w]} has nothing to average")
    oh, ow = whole_numbers("adaptive_avg_pool2d", [d if s is None else s for s, d in zip(output_size, (h, w))], least=1, count=2)
    if oh == ow == 1:
        return x.mean(axis=(2, 3), keepdims=True, dtype=x.dtype)
    return _means(_means(x, oh, 2), ow, 3)


def _adaptive_avg_pool2d_grad(g, input_size):
    h, w = whole_numbers("adaptive_avg_pool2d_grad", input_size, least=1, count=2)
    return _averaging(h, g.shape[2], g.dtype).T @ g @ _averaging(w, g.shape[3], g.dtype)


adaptive_avg_pool2d = define(
    "adaptive_avg_pool2d",
    kernel=_adaptive_avg_pool2d,
    in_words=True,
    infer=_infer_adaptive,
    grad=lambda ctx, g: (adaptive_avg_pool2d_grad(g, input_size=list(ctx.inputs[0].shape[2:])),),
    onnx=lowered.adaptive_avg_pool2d,
)

adaptive_avg_pool2d_grad = define(
    "adaptive_avg_pool2d_grad",
    kernel=_adaptive_avg_pool2d_grad,
    in_words=True,
    infer=_infer_spread_out("adaptive_avg_pool2d_grad"),
    grad=lambda ctx, h: (adaptive_avg_pool2d(h, output_size=list(ctx.inputs[0].shape[2:])),),
    onnx=lowered.adaptive_avg_pool2d_grad,
)
