"""NonMaxSuppression: of boxes that overlap, those with the highest scores."""

from __future__ import annotations

from typing import Any

from ....ops import compare, elementwise, reduce, select
from ....ops.creation import arange, full, full_like
from ....ops.index import getitem_advanced, nonzero
from ....ops.manipulate import concat
from ....ops.views import reshape, transpose, unsqueeze
from ....runtime.convert.calls.calls import convert_call
from ....runtime.tensors.tensor import Tensor
from ..loops import over
from ..registry import Int, node
from ..slices import at, part


@node("NonMaxSuppression", folds=False)
def non_max_suppression(
    boxes: Tensor, scores: Tensor, most: Int | None = None, overlap: Tensor | None = None, least: Tensor | None = None, *,
    center_point_box: int = 0, mark: Any = None,
) -> Tensor:  # fmt: skip
    """[selected, 3]: batch, class and box, of boxes [batches, boxes, 4] and scores [batches, classes, boxes].

    In each turn all classes of all batches select the box with the highest score that is left, and let go of those that it
    overlaps.
    """
    corners = _corners(boxes, center_point_box)
    areas = _area(corners)
    bound = full(shape=[], fill_value=0, dtype=boxes.dtype.name) if overlap is None else reshape(overlap, shape=[])
    left = full_like(scores, fill_value=True, dtype="bool")
    if least is not None:
        left = compare.greater_than(scores, reshape(least, shape=[]))
    lowest = full_like(scores, fill_value=float("-inf"))
    numbers = reshape(arange(start=0, end=scores.shape[2], step=1, dtype="int64"), shape=[1, 1, -1])
    turns = 0 if most is None else convert_call(min)(most, scores.shape[2])

    def turn(i: Any, left: Tensor) -> tuple:
        best = reduce.argmax(select.where(left, scores, lowest), axis=2)
        is_left = reduce.reduce_any(left, axis=2)
        overlapping = compare.greater_than(_overlap(corners, areas, best), bound)
        is_best = compare.equal(numbers, unsqueeze(best, axis=[2]))
        stays = compare.logical_not(compare.logical_or(overlapping, is_best))
        return [compare.logical_and(left, stays)], [best, is_left]

    _, (chosen, are_chosen) = over(mark, turns, turn, [left], 2)
    in_order = nonzero(transpose(are_chosen, perm=[1, 2, 0]))
    batch, kind, turned = (at(in_order, 1, k) for k in range(3))
    found = getitem_advanced(chosen, turned, batch, kind, index=[{"tensor": k} for k in range(3)])
    return concat(part(in_order, 1, 0, 2), unsqueeze(found, axis=[1]), axis=1)


def _corners(boxes: Tensor, is_centre: int) -> list[Tensor]:
    """Top, left, bottom and right of boxes that are two corners in any order, or a centre with width and height."""
    a, b, c, d = (at(boxes, 2, k) for k in range(4))
    if is_centre:
        return [b - d / 2, a - c / 2, b + d / 2, a + c / 2]
    ends = ((a, c), (b, d))
    return [*(elementwise.minimum(*pair) for pair in ends), *(elementwise.maximum(*pair) for pair in ends)]


def _area(corners: list[Tensor]) -> Tensor:
    top, left, bottom, right = corners
    return (bottom - top) * (right - left)


def _overlap(corners: list[Tensor], areas: Tensor, best: Tensor) -> Tensor:
    """How much of all boxes and the best one together both cover: [batches, classes, boxes]."""
    batches = reshape(arange(start=0, end=best.shape[0], step=1, dtype="int64"), shape=[-1, 1])

    def of_best(x: Tensor) -> Tensor:
        return unsqueeze(getitem_advanced(x, batches, best, index=[{"tensor": 0}, {"tensor": 1}]), axis=[2])

    top, left, bottom, right = corners
    starts = [elementwise.maximum(unsqueeze(x, axis=[1]), of_best(x)) for x in (top, left)]
    ends = [elementwise.minimum(unsqueeze(x, axis=[1]), of_best(x)) for x in (bottom, right)]
    height, width = (select.clip(end - start, min=0.0) for start, end in zip(starts, ends))
    both = height * width
    either = unsqueeze(areas, axis=[1]) + of_best(areas) - both
    return select.where(either > 0, both / select.where(either > 0, either, 1.0), 0.0)
