"""Convolutions, their transposes, and windows as columns."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import dy2st as api

from ...ops.conv import conv2d, conv2d_input_grad
from ...ops.half import in_float32
from ..dtypes import kind_of
from .rows import of_lengths, refused, row
from .spatial import batched, ints

F = api.nn.functional


def _by_parts(function: Callable, x: Any, weight: Any) -> Any:
    """A function that is linear in x and in weight: of complex numbers, by their real and imaginary parts."""
    if kind_of(x.type.dtype) != "complex":
        return function(x, weight)
    (a, b), (c, d) = ((api.real(z), api.imag(z)) for z in (x, weight))
    return api.complex(function(a, c) - function(b, d), function(a, d) + function(b, c))


def _applied(function: Callable, input: Any, weight: Any, bias: Any, rank: int) -> Any:
    """function(input, weight) + bias, with or without a batch."""
    if input.type.dtype != weight.type.dtype:
        raise refused(f"a convolution takes an input and a weight of one dtype, not {input.type.dtype} and {weight.type.dtype}")
    found = batched(lambda x: _by_parts(function, x, weight), input, rank)
    if bias is None:
        return found
    bias = of_lengths(bias, [found.shape[-rank - 1]], "a convolution's bias has an element for each channel of the result")
    return found + api.reshape(bias, [-1] + [1] * rank)


def _borders(padding: Any, kernel: list, dilation: list, stride: list) -> list:
    """[before, after] of each spatial axis in one list; "same" has the odd one after the end."""
    if padding == "valid":
        return [0, 0] * len(kernel)
    if padding != "same":
        return _both_ends(ints(padding, len(kernel)))
    if any(s != 1 for s in stride):
        raise refused("padding='same' is not supported for strided convolutions")
    totals = [gap * (k - 1) for k, gap in zip(kernel, dilation)]
    return [p for total in totals for p in (total // 2, total - total // 2)]


def _both_ends(padding: list) -> list:
    return [p for one in padding for p in (one, one)]


def _depth(layers: Any, dtype: str) -> Any:
    """The weight that makes a channel of each layer of a window, for [N, 1, D, H * W]."""
    return api.reshape(api.eye(layers, dtype=dtype), [layers, 1, layers, 1])


def _convolved(x: Any, weight: Any, stride: list, border: list, dilation: list, groups: int) -> Any:
    """The convolution of [N, C, *spatial]. Volumes are images with a channel for each layer of a window."""
    if len(stride) == 2:
        return conv2d(x, weight, stride=stride, padding=border, dilation=dilation, groups=groups)
    if len(stride) == 1:
        geometry = {"stride": [1, *stride], "padding": [0, 0, *border], "dilation": [1, *dilation], "groups": groups}
        return api.squeeze(conv2d(api.unsqueeze(x, 2), api.unsqueeze(weight, 2), **geometry), 2)
    (n, c, depth, h, w), (out, per_group, layers, *window) = x.shape, weight.shape
    lines = {"stride": [stride[0], 1], "padding": [*border[:2], 0, 0], "dilation": [dilation[0], 1], "groups": 1}
    columns = conv2d(api.reshape(x, [n * c, 1, depth, h * w]), _depth(layers, x.type.dtype), **lines)
    found = columns.shape[2]
    images = api.transpose(api.reshape(columns, [n, c, layers, found, h, w]), [0, 3, 1, 2, 4, 5])
    weight = api.reshape(weight, [out, per_group * layers, *window])
    images = _convolved(api.reshape(images, [n * found, c * layers, h, w]), weight, stride[1:], border[2:], dilation[1:], groups)
    return api.transpose(api.reshape(images, [n, found, *images.shape[1:]]), [0, 2, 1, 3, 4])


def _conv(rank: int) -> None:
    def compute(
        input: Any, weight: Any, bias: Any = None, stride: Any = 1, padding: Any = 0, dilation: Any = 1, groups: int = 1
    ) -> Any:
        steps, gaps = ints(stride, rank), ints(dilation, rank)
        border = _borders(padding, weight.shape[2:], gaps, steps)
        return _applied(lambda x, w: _convolved(x, w, steps, border, gaps, groups), input, weight, bias, rank)

    compute.__name__ = f"conv{rank}d"
    row(f"conv{rank}d")(compute)


def _transposed(x: Any, weight: Any, lengths: list, stride: list, padding: list, dilation: list, groups: int) -> Any:
    """The transposed convolution of [N, C, *spatial], whose result has these spatial lengths."""
    geometry: dict = {"stride": stride, "padding": _both_ends(padding), "dilation": dilation, "groups": groups}
    if len(stride) == 2:
        return conv2d_input_grad(x, weight, input_size=lengths, **geometry)
    if len(stride) == 1:
        geometry.update(stride=[1, *stride], padding=[0, 0, *geometry["padding"]], dilation=[1, *dilation])
        return api.squeeze(
            conv2d_input_grad(api.unsqueeze(x, 2), api.unsqueeze(weight, 2), input_size=[1, *lengths], **geometry), 2
        )
    (n, c, depth, h, w), (_, per_group, layers, *window) = x.shape, weight.shape
    images = api.reshape(api.transpose(x, [0, 2, 1, 3, 4]), [n * depth, c, h, w])
    weight = api.reshape(weight, [c, per_group * layers, *window])
    images = _transposed(images, weight, lengths[1:], stride[1:], padding[1:], dilation[1:], groups)
    out, size = per_group * groups, lengths[1] * lengths[2]
    columns = api.transpose(api.reshape(images, [n, depth, out, layers, size]), [0, 2, 3, 1, 4])
    lines = {"stride": [stride[0], 1], "padding": [padding[0], padding[0], 0, 0], "dilation": [dilation[0], 1], "groups": 1}
    columns = api.reshape(columns, [n * out, layers, depth, size])
    found = conv2d_input_grad(columns, _depth(layers, x.type.dtype), input_size=[lengths[0], size], **lines)
    return api.reshape(found, [n, out, *lengths])


def _conv_transpose(rank: int) -> None:
    def compute(
        input: Any, weight: Any, bias: Any = None, stride: Any = 1, padding: Any = 0, output_padding: Any = 0, groups: int = 1,
        dilation: Any = 1,
    ) -> Any:  # fmt: skip
        steps, gaps, border, more = (ints(x, rank) for x in (stride, dilation, padding, output_padding))
        lengths = [
            (length - 1) * steps[i] - 2 * border[i] + gaps[i] * (weight.shape[2 + i] - 1) + 1 + more[i]
            for i, length in enumerate(input.shape[-rank:])
        ]
        return _applied(lambda x, w: _transposed(x, w, lengths, steps, border, gaps, groups), input, weight, bias, rank)

    compute.__name__ = f"conv_transpose{rank}d"
    row(f"conv_transpose{rank}d")(compute)


for _rank in (1, 2, 3):
    _conv(_rank)
    _conv_transpose(_rank)


@row("conv_tbc")
def conv_tbc(input: Any, weight: Any, bias: Any, pad: int = 0) -> Any:
    """The convolution of lines whose channels are last: [T, N, C]."""
    found = _convolved(api.transpose(input, [1, 2, 0]), api.transpose(weight, [2, 1, 0]), [1], [pad, pad], [1], 1)
    return api.transpose(found, [2, 0, 1]) + bias


@row("nn.functional.unfold", "_C._nn.im2col")
def unfold(input: Any, kernel_size: Any, dilation: Any = 1, padding: Any = 0, stride: Any = 1) -> Any:
    """Each window as a column."""
    sizes: list[Any] = [ints(x, 2) for x in (kernel_size, stride, padding, dilation)]
    return batched(lambda x: _by_real_parts(lambda a: F.unfold(a, *sizes), x), input, 2)


@row("nn.functional.fold", "_C._nn.col2im")
@in_float32
def fold(input: Any, output_size: Any, kernel_size: Any, dilation: Any = 1, padding: Any = 0, stride: Any = 1) -> Any:
    """The sum of windows that are given as columns."""
    sizes: list[Any] = [ints(x, 2) for x in (output_size, kernel_size, stride, padding, dilation)]
    return batched(lambda x: _by_real_parts(lambda a: F.fold(a, *sizes), x), input, 1)


def _by_real_parts(function: Callable, x: Any) -> Any:
    """A linear function of real numbers, of complex ones too. Whether elements are numbers or bools stays so."""
    if kind_of(x.type.dtype) == "complex":
        return api.complex(function(api.real(x)), function(api.imag(x)))
    return function(x) if kind_of(x.type.dtype) == "float" else function(x.astype("float64")).astype(x.type.dtype)
