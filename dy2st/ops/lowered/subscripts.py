"""x[index] in ONNX: ints are Gather, slices one Slice, index tensors Gather or GatherND. `ops/subscript.py` says what it is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..subscript import FULL, split, stand_together

_FIRST, _LAST = -(2**63), 2**63 - 1

# --- the plain part: ints, slices, new axes --------------------------------------------------------------------------


def getitem(g: Any, x: Any, index: Sequence) -> Any:
    """x[index] without index tensors; axes behind an ellipsis are counted from the end, so the rank may be open."""
    at = index.index("ellipsis") if "ellipsis" in index else len(index)
    sides = [[*index[:at]], [*index[at + 1 :]]]
    front, back = _numbered(sides, without="newaxis")
    for axis, item in [*reversed(front), *back]:  # taking one away leaves the numbers of the next
        if "int" in item:
            x = g.Gather(x, g.scalar(item["int"]), axis=axis)
    sides = [[item for item in side if "int" not in item] for side in sides]
    x = _sliced(g, x, [(axis, item) for side in _numbered(sides, without="newaxis") for axis, item in side if item != FULL])
    new = [axis for side in _numbered(sides) for axis, item in side if item == "newaxis"]
    return g.Unsqueeze(x, new) if new else x


def _numbered(sides: Sequence[Sequence], without: Any = None) -> list[list[tuple[int, Any]]]:
    """The items in front of an ellipsis and those behind it, each with its axis, which the latter count from the end."""
    front, back = ([item for item in side if item != without] for side in sides)
    return [[*enumerate(front)], [*enumerate(back, -len(back))]]


def _sliced(g: Any, x: Any, slices: Sequence[tuple[int, Any]]) -> Any:
    if not slices:
        return x
    bounds = [_bounds(g, x, axis, *item["slice"]) for axis, item in slices]
    if len(bounds) == 1 and all(isinstance(bound, int) for bound in bounds[0]) and bounds[0][2] == 1:
        return g.cut(x, slices[0][0], *bounds[0][:2])
    starts, stops, steps = (g.ints(part) for part in zip(*bounds))
    return g.Slice(x, starts, stops, [axis for axis, _ in slices], steps)


def _bounds(g: Any, x: Any, axis: int, start: Any, stop: Any, step: Any) -> tuple[Any, Any, Any]:
    """Start, stop and step as Slice takes them: it clips them as Python does, but for a start before the first element."""
    step = 1 if step is None else g.whole(step)
    down = step < 0 if isinstance(step, int) else g.Less(step.value, 0)
    if isinstance(step, int):
        first, last = (_LAST, _FIRST) if down else (0, _LAST)
    else:
        first, last = g.whole(g.Where(down, _LAST, 0)), g.whole(g.Where(down, _FIRST, _LAST))
    begin, end = (bound if given is None else _clipped(g.whole(given)) for given, bound in ((start, first), (stop, last)))
    if start is None or down is False or isinstance(begin, int) and begin >= -1:
        return begin, end, step
    place = begin + g.dim(x, axis)  # below 0: from there, Python goes down and takes nothing
    if isinstance(place, int) and down is True:
        return (0, 0, step) if place < 0 else (begin, end, step)
    before = g.And(g.Less(g.ints([place]), 0), down)
    begin, end = (g.whole(g.Where(before, 0, g.ints([bound]))) for bound in (begin, end))
    return begin, end, step


def _clipped(bound: Any) -> Any:
    return max(min(bound, _LAST), _FIRST) if isinstance(bound, int) else bound


# --- index tensors ---------------------------------------------------------------------------------------------------


def getitem_advanced(g: Any, x: Any, *tensors: Any, index: Sequence) -> Any:
    """x[index] with index tensors, which pick from what the plain part leaves."""
    ranks = [covered(g, tensor) for tensor in tensors]
    plain, picked = split(index, ranks)
    x = getitem(g, x, plain)
    rank = g.rank_of(x)
    places = _places(picked, ranks, rank)
    picks = [_columns(g, x, axis, tensors[k]) for k, axis in places]
    columns = [column for found in picks for column in found]
    if len(columns) == 1:
        return g.Gather(x, columns[0], axis=places[0][1])
    axes = [axis + i for (k, axis) in places for i in range(ranks[k])]
    kept = [axis for axis in range(rank) if axis not in axes]
    at = axes[0] if stand_together(picked) else 0
    found = g.GatherND(_transposed(g, x, [*axes, *kept]), together(g, columns))
    if at == 0:
        return found
    count = g.rank_of(found) - len(kept)
    stands = [*range(count, count + at), *range(count), *range(count + at, count + len(kept))]
    return _transposed(g, found, stands)


def covered(g: Any, tensor: Any) -> int:
    """How many axes an index tensor covers."""
    if tensor.dtype != "bool":
        return 1
    return g.rank_of(tensor) or g.refuse("a mask of no axes adds one; write an if, or index with a tensor of one axis")


def _places(picked: Sequence, ranks: Sequence[int], rank: int) -> list[tuple[int, int]]:
    """For each index tensor its number, and the first axis that it covers."""
    covered = sum(ranks[item["tensor"]] if "tensor" in item else 1 for item in picked if item != "ellipsis")
    found, axis = [], 0
    for item in picked:
        if item == "ellipsis":
            axis += rank - covered
        elif "tensor" in item:
            found.append((item["tensor"], axis))
            axis += ranks[item["tensor"]]
        else:
            axis += 1
    return found


def _columns(g: Any, x: Any, axis: int, tensor: Any) -> list[Any]:
    """The places that an index tensor picks along each axis that it covers."""
    if tensor.dtype != "bool":
        return [as_index(g, tensor)]
    rows = g.NonZero(mask_over(g, tensor, g.dims(x)[axis : axis + tensor.rank]))
    return [g.Gather(rows, g.const(k), axis=0) for k in range(tensor.rank)]


def mask_over(g: Any, mask: Any, dims: Sequence) -> Any:
    """A mask of these lengths, or of length 0 along some axes: that picks nothing, as in NumPy. The run fails for any other."""
    if g.has_lengths(mask, dims):
        return mask
    found, lengths = g.shape_of(mask), g.ints(dims)
    return g.Reshape(mask, g.checked(found, g.agree(g.Where(g.Equal(found, 0), found, lengths), found)), allowzero=1)


def as_index(g: Any, tensor: Any) -> Any:
    """A tensor of ints of a dtype that ONNX takes as an index."""
    return tensor if tensor.dtype == "int32" else g.cast(tensor, "int64")


def take_along_axis(g: Any, x: Any, indices: Any, axis: int) -> Any:
    """GatherElements, which would take fewer indices along other axes as well."""
    return g.GatherElements(x, as_index(g, beside(g, x, indices, axis)), axis=axis)


def beside(g: Any, x: Any, indices: Any, axis: int) -> Any:
    """Indices, or other elements, as long as x but along one axis; the run fails where they aren't."""
    dims = g.dims(x)
    dims[axis] = g.dim(indices, axis)
    return g.of_lengths(indices, dims)


def nonzero(g: Any, x: Any) -> Any:
    """One row for each element that isn't 0; of a tensor of no axes, rows of no places."""
    if g.rank_of(x):
        return g.Transpose(g.NonZero(g.cast(x, "bool")), perm=[1, 0])
    return g.zeros("int64", [g.whole(g.cast(g.cast(x, "bool"), "int64")), 0])


def together(g: Any, columns: Sequence) -> Any:
    """Places along several axes, in the one shape that they broadcast to, as GatherND and ScatterND take them: [..., axes]."""
    columns = [g.cast(column, "int64") for column in columns]
    if len({column.shape for column in columns}) > 1 or not all(isinstance(d, int) for d in columns[0].shape or (None,)):
        total = columns[0]
        for column in columns[1:]:
            total = g.Add(total, column)
        columns = [g.Expand(column, g.shape_of(total)) for column in columns]
    return g.Concat(*(g.Unsqueeze(column, [-1]) for column in columns), axis=-1)


def _transposed(g: Any, x: Any, perm: list[int]) -> Any:
    return x if perm == [*range(len(perm))] else g.Transpose(x, perm=perm)
