"""Images sampled on grids and in regions: GridSample, AffineGrid, RoiAlign, DeformConv."""

from __future__ import annotations

from typing import Any

from ....errors import ConversionError
from ....ops import compare, elementwise, reduce, select, unary
from ....ops.cast import cast
from ....ops.creation import full, full_like
from ....ops.index import gather
from ....ops.linalg import matmul
from ....ops.manipulate import stack
from ....ops.registry import lookup
from ....ops.views import broadcast_to, reshape, transpose, unsqueeze
from ....runtime.tensors.tensor import Tensor
from ..axes import size_of
from ..interpolation import bounded, cubic, steps, triangle
from ..registry import Ints, node
from ..sampling import border, reflected, reflection, sampled, zeros
from ..slices import at
from ..windows import windows_of
from .convolutions import biased

NAMES = {"bilinear": "linear", "bicubic": "cubic"}  # of a mode in earlier versions


@node("GridSample", folds=False)
def grid_sample(
    x: Tensor, grid: Tensor, *, align_corners: int = 0, mode: str = "linear", padding_mode: str = "zeros"
) -> Tensor:
    """x [N, C, *lengths] at the places of a grid [N, *out, axes], whose numbers run from -1 to 1, the last axis first."""
    mode, rank, out = NAMES.get(mode, mode), x.ndim - 2, grid.shape[1:-1]
    places = []
    for k, length in enumerate(x.shape[2:]):
        place = reshape(at(grid, grid.ndim - 1, rank - 1 - k), shape=[grid.shape[0], size_of(out)])
        place = (place + 1) / 2 * (length - 1) if align_corners else ((place + 1) * length - 1) / 2
        places.append(_moved_in(unary.round_(place) if mode == "nearest" else place, length, padding_mode, bool(align_corners)))
    weight, count = {"nearest": (None, 1), "linear": (triangle, 2), "cubic": (cubic(-0.75), 4)}[mode]
    padding = {"zeros": zeros, "border": border, "reflection": reflection(bool(align_corners))}[padding_mode]
    return reshape(sampled(x, places, weight, count, padding), shape=[*x.shape[:2], *out])


def _moved_in(place: Tensor, length: Any, padding_mode: str, align_corners: bool) -> Tensor:
    """Places outside of the borders, moved in as a mode says."""
    low, high = (0.0, length - 1.0) if align_corners else (-0.5, length - 0.5)
    outside = compare.logical_or(place < low, place > high)
    if padding_mode == "border":
        return select.where(outside, bounded(place, length), place)
    return select.where(outside, reflected(place, length, align_corners), place) if padding_mode == "reflection" else place


@node("AffineGrid", folds=False)
def affine_grid(theta: Tensor, size: Ints, *, align_corners: int = 0) -> Tensor:
    """The grid [N, *lengths, axes] on which affine maps theta [N, axes, axes + 1] put the elements of an image of a size."""
    lengths, rank, dtype = size[2:], len(size) - 2, theta.dtype.name
    rows: list[Tensor] = []
    for k, length in enumerate(lengths):
        row = steps(length)
        row = row / (length - 1) * 2 - 1 if align_corners else (row * 2 + 1) / length - 1
        row = reshape(cast(row, dtype=dtype), shape=[-1 if j == k else 1 for j in range(rank)])
        rows.insert(0, broadcast_to(row, shape=lengths))
    points = stack(*rows, full(shape=lengths, fill_value=1, dtype=dtype), axis=rank)
    flat = reshape(points, shape=[1, size_of(lengths), rank + 1])
    return reshape(matmul(flat, transpose(theta, perm=[0, 2, 1])), shape=[theta.shape[0], *lengths, rank])


@node("RoiAlign", since=10, folds=False)
def roi_align(
    x: Tensor, rois: Tensor, batches: Tensor, *, coordinate_transformation_mode: str = "half_pixel", mode: str = "avg",
    output_height: int = 1, output_width: int = 1, sampling_ratio: int = 0, spatial_scale: float = 1.0, mark: Any = None,
) -> Tensor:  # fmt: skip
    """Each region [left, top, right, bottom] of its image as one of a fixed size: the mean or the largest of its samples."""
    is_half = coordinate_transformation_mode == "half_pixel" and mark.version >= 16
    edges = rois * spatial_scale - (0.5 if is_half else 0.0)
    ys, y_counts, y_is_there = _samples(edges, 1, output_height, sampling_ratio, is_half)
    xs, x_counts, x_is_there = _samples(edges, 0, output_width, sampling_ratio, is_half)
    count, tall, wide = rois.shape[0], ys.shape[2], xs.shape[2]
    shape = [count, output_height, tall, output_width, wide]
    images = gather(x, cast(batches, dtype="int64"), axis=0)
    places = [_flat(reshape(ys, shape=[count, output_height, tall, 1, 1]), shape)]
    places.append(_flat(reshape(xs, shape=[count, 1, 1, output_width, wide]), shape))
    y_there, x_there = (reshape(y_is_there, shape=[count, 1, tall, 1, 1]), reshape(x_is_there, shape=[count, 1, 1, 1, wide]))
    there = reshape(broadcast_to(compare.logical_and(y_there, x_there), shape=shape), shape=[count, 1, *shape[1:]])
    wide_shape = [count, x.shape[1], *shape[1:]]
    if mode == "max":
        return _largest(images, places, wide_shape, there)
    found = reshape(_at(images, places), shape=wide_shape)
    total = reduce.reduce_sum(select.where(there, found, full_like(found, fill_value=0)), axis=(3, 5), keepdim=False)
    return total / reshape(elementwise.maximum(y_counts * x_counts, full_like(y_counts, fill_value=1)), shape=[count, 1, 1, 1])


def _samples(edges: Tensor, axis: int, bins: int, ratio: int, is_half: bool) -> tuple[Tensor, Tensor, Tensor]:
    """Where along an axis the samples of each bin lie [regions, bins, samples], how many count, and which [regions, samples]."""
    start, end = at(edges, 1, axis), at(edges, 1, axis + 2)
    length = end - start
    length = length if is_half else elementwise.maximum(length, full_like(length, fill_value=1))
    size = length / bins
    counts = full_like(size, fill_value=ratio) if ratio else unary.ceil(size)
    most = ratio if ratio else _int(reduce.reduce_max(counts))
    row, bin_row = (unsqueeze(cast(steps(n), dtype=edges.dtype.name), axis=[0]) for n in (most, bins))
    inner = (row + 0.5) * unsqueeze(size / counts, axis=[1])
    outer = bin_row * unsqueeze(size, axis=[1]) + unsqueeze(start, axis=[1])
    places = unsqueeze(outer, axis=[2]) + unsqueeze(inner, axis=[1])
    return places, counts, row < unsqueeze(counts, axis=[1])


def _int(x: Tensor) -> Any:
    return lookup("py.item")(cast(x, dtype="int64"))


def _flat(place: Tensor, shape: list[Any]) -> Tensor:
    return reshape(broadcast_to(place, shape=shape), shape=[shape[0], size_of(shape[1:])])


def _inside(place: Tensor, length: Any) -> tuple[Tensor, Tensor]:
    """Places moved onto the image, and whether they lay no more than one element outside of it."""
    is_near = compare.logical_and(place >= -1, place <= length)
    return bounded(place, length), is_near


def _at(images: Tensor, places: list[Tensor]) -> Tensor:
    (y, y_near), (x, x_near) = (_inside(place, n) for place, n in zip(places, images.shape[2:]))
    found = sampled(images, [y, x], triangle, 2, border)
    near = unsqueeze(compare.logical_and(y_near, x_near), axis=[1])
    return select.where(near, found, full_like(found, fill_value=0))


def _largest(images: Tensor, places: list[Tensor], shape: list[Any], there: Tensor) -> Tensor:
    """The largest of the four weighted neighbours of all samples of a bin."""
    (y, y_near), (x, x_near) = (_inside(place, n) for place, n in zip(places, images.shape[2:]))
    near = unsqueeze(compare.logical_and(y_near, x_near), axis=[1])
    found: Any = None
    for down in (0.0, 1.0):
        for right in (0.0, 1.0):
            row, column = unary.floor(y) + down, unary.floor(x) + right
            share = unsqueeze(triangle(y - row) * triangle(x - column), axis=[1])
            corner = sampled(images, [row, column], None, 1, border) * share
            found = corner if found is None else elementwise.maximum(found, corner)
    found = reshape(select.where(near, found, full_like(found, fill_value=0)), shape=shape)
    lowest = full_like(found, fill_value=float("-inf"))
    return reduce.reduce_max(select.where(there, found, lowest), axis=(3, 5), keepdim=False)


@node("DeformConv", folds=False)
def deformable(
    x: Tensor, weight: Tensor, offset: Tensor, bias: Tensor | None = None, mask: Tensor | None = None, *, dilations: Any = None,
    group: int = 1, kernel_shape: Any = None, offset_group: int = 1, pads: Any = None, strides: Any = None,
) -> Tensor:  # fmt: skip
    """A convolution of images whose windows take their elements elsewhere: by an offset each, and with a weight each."""
    if x.ndim != 4:
        raise ConversionError(f"DeformConv over {x.ndim - 2} axes can't be loaded: of images it can")
    windows = windows_of(x, kernel_shape or weight.shape[2:], strides, dilations, pads, "NOTSET")
    (n, channels), (oh, ow), inner = x.shape[:2], windows.counts(), size_of(windows.kernel)
    groups, points = offset_group, inner * oh * ow
    moved = reshape(offset, shape=[n * groups, inner, 2, oh, ow])
    places = []
    for k in (0, 1):
        start = _grid(windows, k, inner, oh, ow, x.dtype.name)
        places.append(reshape(at(moved, 2, k) + start, shape=[n * groups, points]))
    images = reshape(x, shape=[n * groups, channels // groups, *x.shape[2:]])
    found = reshape(sampled(images, places, triangle, 2, zeros), shape=[n, groups, channels // groups, inner, oh * ow])
    if mask is not None:
        found = found * reshape(mask, shape=[n, groups, 1, inner, oh * ow])
    rows = reshape(found, shape=[n, group, channels // group * inner, oh * ow])
    outs = weight.shape[0]
    product = matmul(reshape(weight, shape=[1, group, outs // group, weight.shape[1] * inner]), rows)
    return biased(reshape(product, shape=[n, outs, oh, ow]), bias)


def _grid(windows: Any, axis: int, inner: Any, oh: Any, ow: Any, dtype: str) -> Tensor:
    """Where along an axis each element of each window lies, before it is moved: [elements of a window, OH, OW]."""
    within = steps(windows.kernel[axis]) * windows.dilations[axis] - windows.borders[axis][0]
    kernel = broadcast_to(reshape(within, shape=[-1, 1] if axis == 0 else [1, -1]), shape=windows.kernel)
    starts = steps((oh, ow)[axis]) * windows.strides[axis]
    wide = reshape(kernel, shape=[inner, 1, 1]) + reshape(starts, shape=[1, -1, 1] if axis == 0 else [1, 1, -1])
    return cast(broadcast_to(wide, shape=[inner, oh, ow]), dtype=dtype)
