"""Convolutions, and what undoes their windows."""

from __future__ import annotations

from typing import Any

from ....errors import ConversionError
from ....ops import elementwise
from ....ops.conv import conv2d, conv2d_input_grad
from ....ops.creation import arange, full
from ....ops.mutate_index import index_add
from ....ops.padding import pad
from ....ops.views import reshape, transpose, unsqueeze
from ....runtime.tensors.tensor import Tensor
from ..axes import size_of
from ..registry import Ints, node
from ..slices import at, part
from ..values import few
from ..windows import Windows, windows_of


@node("Conv", folds=False)
def convolution(
    x: Tensor, weight: Tensor, bias: Tensor | None = None, *, auto_pad: str = "NOTSET", dilations: Any = None, group: int = 1,
    kernel_shape: Any = None, pads: Any = None, strides: Any = None,
) -> Tensor:  # fmt: skip
    windows = windows_of(x, kernel_shape or weight.shape[2:], strides, dilations, pads, auto_pad)
    return biased(convolved(x, weight, windows, group), bias)


def biased(x: Tensor, bias: Tensor | None) -> Tensor:
    """[N, O, ...] with bias [O] added to its channels."""
    return x if bias is None else elementwise.add(x, reshape(bias, shape=[1, -1] + [1] * (x.ndim - 2)))


def convolved(x: Tensor, weight: Tensor, windows: Windows, group: int) -> Tensor:
    """x [N, C, ...] by weight [O, C / group, ...] over one, two or three spatial axes, of any dtype."""
    if len(windows.kernel) > 3:
        raise ConversionError(f"Conv over {len(windows.kernel)} axes can't be loaded: up to 3 can")
    if not windows.has_known_borders:
        x, windows = windows.bordered(x, 0), _without_border(windows, x)
    if len(windows.kernel) == 3:
        return _of_volumes(x, weight, windows, group)
    line = len(windows.kernel) == 1
    if line:
        x, weight = unsqueeze(x, axis=[2]), unsqueeze(weight, axis=[2])
    found = conv2d(x, weight, **_geometry(windows, group))
    return at(found, 2, 0) if line else found


def _without_border(windows: Windows, x: Tensor) -> Windows:
    lengths = [n + before + after for n, (before, after) in zip(windows.lengths, windows.borders)]
    return Windows(lengths, windows.kernel, windows.strides, windows.dilations, [(0, 0)] * len(windows.kernel))


def _geometry(windows: Windows, group: int) -> dict[str, Any]:
    """The attributes of conv2d; a line is an image of height 1."""
    borders = [n for border in windows.borders for n in border]
    line = len(windows.kernel) == 1
    return {
        "stride": [1, *windows.strides] if line else windows.strides,
        "dilation": [1, *windows.dilations] if line else windows.dilations,
        "padding": [0, 0, *borders] if line else borders,
        "groups": group,
    }


def _within_images(windows: Windows) -> Windows:
    """The windows of a volume's images, without its depth."""
    return Windows(windows.lengths[1:], windows.kernel[1:], windows.strides[1:], windows.dilations[1:], windows.borders[1:])


def _of_volumes(x: Tensor, weight: Tensor, windows: Windows, group: int) -> Tensor:
    """The sum over the depth of the kernel of what images give."""
    (before, after), layers = windows.borders[0], windows.counts()[0]
    x = pad(x, pads=[[0, 0], [0, 0], [before, after], [0, 0], [0, 0]], mode="constant", value=0)
    attributes, stride, found = _geometry(_within_images(windows), group), windows.strides[0], None
    for k in range(few(windows.kernel[0], "the depth of the kernel")):
        start = k * windows.dilations[0]
        slab = part(x, 2, start, start + (layers - 1) * stride + 1, stride)
        images = conv2d(_as_images(slab), at(weight, 2, k), **attributes)
        found = images if found is None else elementwise.add(found, images)
    return _as_volumes(found, x.shape[0], layers)


def _as_images(x: Tensor) -> Tensor:
    """[N, C, D, H, W] as [N * D, C, H, W]."""
    n, c, d, h, w = x.shape
    return reshape(transpose(x, perm=[0, 2, 1, 3, 4]), shape=[n * d, c, h, w])


def _as_volumes(x: Any, n: Any, depth: Any) -> Tensor:
    """[N * D, C, H, W] as [N, C, D, H, W]."""
    return transpose(reshape(x, shape=[n, depth, *x.shape[1:]]), perm=[0, 2, 1, 3, 4])


# --- the other way round --------------------------------------------------------------------------------------------------


@node("ConvTranspose", folds=False)
def transposed(
    x: Tensor, weight: Tensor, bias: Tensor | None = None, *, auto_pad: str = "NOTSET", dilations: Any = None, group: int = 1,
    kernel_shape: Any = None, output_padding: Any = None, output_shape: Any = None, pads: Any = None, strides: Any = None,
) -> Tensor:  # fmt: skip
    """All that the windows reach; then the border is cut off, or as much as leaves the shape that is asked for."""
    windows = windows_of(x, kernel_shape or weight.shape[2:], strides, dilations, None, "NOTSET")
    rank = len(windows.kernel)
    extra = output_padding or [0] * rank
    whole = [(n - 1) * s + reach for n, s, reach in zip(windows.lengths, windows.strides, windows.reaches)]
    if auto_pad.startswith("SAME"):
        output_shape = [n * s for n, s in zip(windows.lengths, windows.strides)]
    if output_shape is not None:
        cut = [n + e - wanted for n, e, wanted in zip(whole, extra, output_shape[-rank:])]
        upper = auto_pad == "SAME_UPPER"
        borders = [(c // 2, c - c // 2) if upper else (c - c // 2, c // 2) for c in cut]
    else:
        borders = list(zip(pads[:rank], pads[rank:])) if pads else [(0, 0)] * rank
    found = _spread(x, weight, windows, group, whole)
    around = [[-before, e - after] for (before, after), e in zip(borders, extra)]
    return biased(pad(found, pads=[[0, 0], [0, 0], *around], mode="constant", value=0), bias)


def _spread(x: Tensor, weight: Tensor, windows: Windows, group: int, whole: list[Any]) -> Tensor:
    """Each element of x times the weight, added up where its window lies."""
    if len(whole) == 3:
        return _spread_volumes(x, weight, windows, group, whole)
    if len(whole) == 1:
        wide = conv2d_input_grad(
            unsqueeze(x, axis=[2]), unsqueeze(weight, axis=[2]), input_size=[1, *whole], **_geometry(windows, group)
        )
        return at(wide, 2, 0)
    return conv2d_input_grad(x, weight, input_size=whole, **_geometry(windows, group))


def _spread_volumes(x: Tensor, weight: Tensor, windows: Windows, group: int, whole: list[Any]) -> Tensor:
    """For each layer of the kernel the images, as far apart along the depth as the stride says."""
    depth, (stride, gap) = x.shape[2], (windows.strides[0], windows.dilations[0])
    attributes, images, found = _geometry(_within_images(windows), group), _as_images(x), None
    for k in range(few(windows.kernel[0], "the depth of the kernel")):
        spread = conv2d_input_grad(images, at(weight, 2, k), input_size=whole[1:], **attributes)
        volume = unsqueeze(_as_volumes(spread, x.shape[0], depth), axis=[3])
        apart = pad(volume, pads=[[0, 0], [0, 0], [0, 0], [0, stride - 1], [0, 0], [0, 0]], mode="constant", value=0)
        n, c, _, _, h, w = apart.shape
        layers = part(reshape(apart, shape=[n, c, depth * stride, h, w]), 2, 0, (depth - 1) * stride + 1)
        rest = (windows.kernel[0] - 1 - k) * gap
        placed = pad(layers, pads=[[0, 0], [0, 0], [k * gap, rest], [0, 0], [0, 0]], mode="constant", value=0)
        found = placed if found is None else elementwise.add(found, placed)
    return found  # type: ignore[return-value]


@node("Col2Im", folds=False)
def from_columns(
    x: Tensor, image_shape: Ints, block_shape: Ints, *, dilations: Any = None, pads: Any = None, strides: Any = None
) -> Tensor:
    """Columns [N, C * elements of a block, blocks], added up where the elements of the blocks lie in images [N, C, *image]."""
    rank = len(image_shape)
    strides, dilations, pads = strides or [1] * rank, dilations or [1] * rank, pads or [0] * 2 * rank
    room = [n + pads[k] + pads[k + rank] for k, n in enumerate(image_shape)]
    counts = [(room[k] - dilations[k] * (block_shape[k] - 1) - 1) // strides[k] + 1 for k in range(rank)]
    inner, outer = [_steps(n, d) for n, d in zip(block_shape, dilations)], [_steps(n, s) for n, s in zip(counts, strides)]
    places: Any = 0
    for k in range(rank):
        row = _along(inner[k], k, 2 * rank) + _along(outer[k], k + rank, 2 * rank)
        places = places * room[k] + row
    n, elements = x.shape[0], size_of(block_shape)
    columns = reshape(x, shape=[n, x.shape[1] // elements, elements * size_of(counts)])
    empty = full(shape=[n, columns.shape[1], size_of(room)], fill_value=0, dtype=x.dtype.name)
    wide = reshape(index_add(empty, reshape(places, shape=[-1]), columns, axis=2), shape=[n, columns.shape[1], *room])
    around = [[-pads[k], -pads[k + rank]] for k in range(rank)]
    return pad(wide, pads=[[0, 0], [0, 0], *around], mode="constant", value=0)


def _steps(count: Any, step: int) -> Tensor:
    return arange(start=0, end=count, step=1, dtype="int64") * step


def _along(row: Tensor, axis: int, rank: int) -> Tensor:
    return reshape(row, shape=[-1 if k == axis else 1 for k in range(rank)])
