"""Convolutions and pooling: windows over the axes behind the first two."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np


def _pairs(pads: Sequence[int] | None, axes: int) -> list[tuple[int, int]]:
    given = [0] * (2 * axes) if pads is None else [*pads]
    return [*zip(given[:axes], given[axes:])]


def _letters(axes: int) -> tuple[str, str, str]:
    space = "DHW"[-axes:]
    return f"NC{space}", f"OI{space}", f"NC{space}"


def _conv(
    m: Any, x: Any, weight: Any, bias: Any = None, strides: Any = None, pads: Any = None, dilations: Any = None, group: int = 1,
    kernel_shape: Any = None,
) -> Any:  # fmt: skip
    from jax import lax

    axes = x.ndim - 2
    found = lax.conv_general_dilated(
        x, weight, strides or [1] * axes, _pairs(pads, axes), rhs_dilation=dilations, feature_group_count=group,
        dimension_numbers=_letters(axes), precision="highest",
    )  # fmt: skip
    return found if bias is None else found + bias.reshape([1, -1] + [1] * axes)


def _conv_transpose(
    m: Any, x: Any, weight: Any, bias: Any = None, strides: Any = None, pads: Any = None, dilations: Any = None, group: int = 1,
    output_padding: Any = None, kernel_shape: Any = None,
) -> Any:  # fmt: skip
    from jax import lax

    axes = x.ndim - 2
    strides, dilations = strides or [1] * axes, dilations or [1] * axes
    more, reach = output_padding or [0] * axes, [d * (k - 1) for d, k in zip(dilations, weight.shape[2:])]
    parts = weight.reshape(group, weight.shape[0] // group, *weight.shape[1:])
    turned = m.flip(m.swapaxes(parts, 1, 2), tuple(range(3, 3 + axes)))
    turned = turned.reshape(group * weight.shape[1], weight.shape[0] // group, *weight.shape[2:])
    padding = [(r - a, r - b + o) for r, (a, b), o in zip(reach, _pairs(pads, axes), more)]
    found = lax.conv_general_dilated(
        x, turned, [1] * axes, padding, lhs_dilation=strides, rhs_dilation=dilations, feature_group_count=group,
        dimension_numbers=_letters(axes), precision="highest",
    )  # fmt: skip
    return found if bias is None else found + bias.reshape([1, -1] + [1] * axes)


def _windows(x: Any, start: Any, combine: Any, kernel: Any, strides: Any, pads: Any, dilations: Any, ceil_mode: int) -> Any:
    from jax import lax

    axes = len(kernel)
    strides, dilations = strides or [1] * axes, dilations or [1] * axes
    padding = _pairs(pads, axes)
    if ceil_mode:
        room = [n + a + b - d * (k - 1) - 1 for n, (a, b), d, k in zip(x.shape[2:], padding, dilations, kernel)]
        padding = [(a, b + -r % s) for (a, b), r, s in zip(padding, room, strides)]
    ones = (1, 1)
    return lax.reduce_window(
        x, start, combine, (*ones, *kernel), (*ones, *strides), [(0, 0), (0, 0), *padding], window_dilation=(*ones, *dilations)
    )


def _max_pool(
    m: Any, x: Any, kernel_shape: Any, strides: Any = None, pads: Any = None, dilations: Any = None, ceil_mode: int = 0
) -> Any:
    from jax import lax

    kind = np.dtype(x.dtype)
    least = np.asarray(-np.inf if kind.kind == "f" else np.iinfo(kind).min, kind)
    return _windows(x, least, lax.max, kernel_shape, strides, pads, dilations, ceil_mode)


def _average_pool(
    m: Any, x: Any, kernel_shape: Any, strides: Any = None, pads: Any = None, dilations: Any = None, ceil_mode: int = 0,
    count_include_pad: int = 0,
) -> Any:  # fmt: skip
    from jax import lax

    zero = np.zeros((), x.dtype)
    total = _windows(x, zero, lax.add, kernel_shape, strides, pads, dilations, ceil_mode)
    if count_include_pad and not ceil_mode:
        return total / np.asarray(np.prod(kernel_shape), x.dtype)
    ones, padding = m.ones_like(x), pads
    if count_include_pad:
        axes = len(kernel_shape)
        ones = m.pad(ones, [(0, 0), (0, 0), *_pairs(pads, axes)], constant_values=1)
        padding = None
    return total / _windows(ones, zero, lax.add, kernel_shape, strides, padding, dilations, ceil_mode)


def _global_average(m: Any, x: Any) -> Any:
    return m.mean(x, axis=tuple(range(2, x.ndim)), keepdims=True)


NODES = {
    "AveragePool": _average_pool,
    "Conv": _conv,
    "ConvTranspose": _conv_transpose,
    "GlobalAveragePool": _global_average,
    "MaxPool": _max_pool,
}
