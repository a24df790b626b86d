"""Tensors with a number of rows that only the run knows, in arrays with room for more: lists that a loop grows.

xs.append(x)        # data: float32[64, 3], count: int64[], how many of the 64 rows are there
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import jax.numpy as jnp
import numpy as np
from jax import lax

from ...dtypes import DTYPES
from ...graphs.lowering.refusal import InexpressibleError
from ...graphs.lowering.values import DTYPE_NAMES
from .codes import coded
from .forms import laid_out
from .items import Items
from .operators import NODES
from .operators.elementwise import OF_ROWS
from .operators.indexing import outside, small, taken
from .operators.reductions import extreme_of_nothing
from .operators.shapes import ints
from .value import JaxValue

if TYPE_CHECKING:
    from .writer import JaxWriter

CAPACITY = "CapacityError"
REFUSED = (
    "the number of items depends on elements, and {} isn't computed of such; stack lists whose length is known, or pad and mask"
)


def is_bare(x: JaxValue) -> bool:
    """Whether it is an empty list of items whose shape nobody knows yet."""
    return x.count is None and x.data.shape == (0,)


def whole(x: JaxValue, room: int) -> tuple[Any, Any]:
    """Rows and their number, with room for so many."""
    have = x.data.shape[0]
    count = jnp.asarray(have, "int64") if x.count is None else x.count
    data = coded(x.data)
    if have < room:
        data = jnp.concatenate([data, jnp.zeros((room - have, *data.shape[1:]), data.dtype)])
    elif have > room:
        raise InexpressibleError(f"a list with room for {have} items takes the place of one with room for {room}")
    return jnp.asarray(data), count


def filled(x: JaxValue) -> JaxValue:
    """`x` with 1 where there is no row: nothing has a slope of nan there, and no gradient goes through."""
    if x.count is None or not jnp.issubdtype(x.data.dtype, jnp.inexact):
        return x
    return x.of(only_there(x.data, x.count, 0, 1))


def in_place_of(x: JaxValue, array: Any) -> JaxValue:
    """The value of another array, with its axes in order, of as many rows as `x`."""
    return x.of(array if x.count is None else jnp.moveaxis(array, x.axis, 0))


def check_room(g: JaxWriter, count: Any, room: int) -> None:
    """Flag that there are more rows than there is room for."""
    g.check(g.made(count <= room), CAPACITY, f"a list has more than {room} items")


def as_many(g: JaxWriter, count: Any, wanted: Any, operator: str) -> None:
    """Flag that numbers of rows differ. InexpressibleError: the operation can't fail of that, so each may have its own."""
    if count is wanted:
        return
    fails_unless(g, count == wanted, operator)


def fails_unless(g: JaxWriter, fits: Any, operator: str) -> None:
    """Flag that shapes don't fit. InexpressibleError as of `as_many`."""
    if g.failure is None or g.failure.exception(operator) is None:
        raise InexpressibleError("items of a list have lengths of their own, and JAX's arrays have one; pad them, and mask")
    g.fails_unless(g.made(fits), operator, "shapes don't fit")


def _lengths(x: JaxValue) -> list[Any]:
    """The lengths of the axes, None for the open one."""
    return [*(x.shape or ())]


def again(g: JaxWriter, data: Any, x: JaxValue, axis: int, is_text: bool | None = None) -> JaxValue:
    """A value of an array with its axes in order, of which `axis` has as many rows as `x`."""
    return g.made(jnp.moveaxis(data, axis, 0), count=x.count, is_text=x.is_text if is_text is None else is_text, axis=axis)


def node(g: JaxWriter, operator: str, given: Sequence[Any], attributes: dict[str, Any]) -> Any:
    """An operator of which an input has an open number of rows."""
    if operator in OF_ROWS:
        return _by_row(g, operator, given, attributes)
    if operator in _NODES:
        return _NODES[operator](g, *given, **attributes)
    if operator.startswith("Reduce"):
        return _reduced(g, operator, *given, **attributes)
    raise InexpressibleError(REFUSED.format(operator))


def _by_row(g: JaxWriter, operator: str, given: Sequence[Any], attributes: dict[str, Any]) -> JaxValue:
    """Row by row. Inputs that have that axis have as many rows, or one."""
    there = [x for x in given if x is not None]
    first = next(x for x in there if x.count is not None)
    from_end = first.axis - first.rank
    room = max(x.data.shape[0] for x in there if x.count is not None)
    arrays: list[Any] = []
    for x in given:
        if x is None or x.count is None and (x.rank < -from_end or x.shape[from_end] == 1):
            arrays.append(None if x is None else coded(x.data))
            continue
        if x.count is None:
            x = JaxValue(x.name, jnp.moveaxis(jnp.asarray(coded(x.data)), from_end, 0), is_text=x.is_text)
        elif x.axis - x.rank != from_end:
            raise InexpressibleError(REFUSED.format(operator))
        rows, count = whole(x, room)
        if x is not first:
            as_many(g, count, first.count, operator)
        arrays.append(jnp.moveaxis(rows, 0, from_end))
    found = NODES[operator](jnp, *arrays, **attributes)
    return again(g, found, first, found.ndim + from_end, operator != "Equal" and first.is_text)


def _concat(g: JaxWriter, *parts: JaxValue, axis: int) -> JaxValue:
    along, open_axes = axis % parts[0].data.ndim, {part.axis for part in parts if part.count is not None}
    if len(open_axes) > 1:
        raise InexpressibleError(REFUSED.format("Concat"))
    (open_axis,) = open_axes
    if along != open_axis:
        found, first = _aligned(g, parts, open_axis)
        return again(g, jnp.concatenate([jnp.moveaxis(x, 0, open_axis) for x in found], along), first, open_axis)
    total = in_front(g, parts[0], along)
    for part in parts[1:]:
        total = _joined(g, total, in_front(g, part, along))
    return again(g, jnp.moveaxis(coded(total.data), 0, along), total, along)


def in_front(g: JaxWriter, x: JaxValue, axis: int) -> JaxValue:
    """A value with that axis in front."""
    data = coded(x.data) if x.count is not None else jnp.moveaxis(jnp.asarray(coded(x.data)), axis, 0)
    return g.made(data, count=x.count, is_text=x.is_text)


def _aligned(g: JaxWriter, parts: Sequence[JaxValue], axis: int) -> tuple[list[Any], JaxValue]:
    """The rows of values that have as many along an axis, in front, with the same room; and one of which that number is open."""
    first = next(x for x in parts if x.count is not None)
    room = max(x.data.shape[0 if x.count is not None else axis] for x in parts)
    found = []
    for x in parts:
        rows, count = whole(in_front(g, x, axis), room)
        if x is not first:
            as_many(g, count, first.count, "Concat")
        found.append(rows)
    return found, first


def _joined(g: JaxWriter, a: JaxValue, b: JaxValue) -> JaxValue:
    """Rows of a, and behind them those of b. InexpressibleError: one has rows of another shape."""
    if a.data.shape[1:] != b.data.shape[1:]:
        shapes = " and ".join(str(list(x.data.shape[1:])) for x in (a, b))
        raise InexpressibleError(f"items of a list have the shapes {shapes}, and JAX's arrays have one; pad them")
    if a.count is None:
        data = jnp.concatenate([coded(a.data), coded(b.data)])
        return g.made(data, count=None if b.count is None else b.count + a.data.shape[0], is_text=a.is_text)
    room, more = max(a.data.shape[0], g.capacity), b.data.shape[0]
    count = a.count + (more if b.count is None else b.count)
    check_room(g, count, room)
    if more == 1 and b.count is None:
        written = whole(a, room)[0].at[small(a.count, room)].set(coded(b.data)[0], mode="drop")
        return g.made(written, count=jnp.minimum(count, room), is_text=a.is_text)
    wide, start = whole(a, room + more)[0], [jnp.asarray(k, "int32") for k in (a.count, *[0] * (a.data.ndim - 1))]
    data = lax.dynamic_update_slice(wide, jnp.asarray(coded(b.data)), start)[:room]
    return g.made(data, count=jnp.minimum(count, room), is_text=a.is_text)


def _gather(g: JaxWriter, x: JaxValue, at: JaxValue, axis: int = 0) -> JaxValue:
    along = axis % x.data.ndim
    if x.count is not None and along != x.axis and at.count is None:
        g.places(outside("Gather", jnp, jnp.zeros([n or 1 for n in x.shape or ()], "bool"), at.data, {"axis": along}), "Gather")
        moved = x.axis if x.axis < along else x.axis - 1 + at.data.ndim
        return again(g, NODES["Gather"](jnp, laid_out(x), at.data, axis=along), x, moved)
    if x.count is not None and along != x.axis:
        raise InexpressibleError(REFUSED.format("Gather"))
    data, given = laid_out(x), laid_out(at).astype("int64")
    length = data.shape[along] if x.count is None else x.count
    places = jnp.where(given < 0, given + length, given)
    is_bad = (places < 0) | (places >= length)
    if at.count is not None:
        is_bad &= there(at)
    g.places(jnp.any(is_bad), "Gather")
    if data.shape[along]:
        found = taken(data, places, along)
    else:
        found = jnp.zeros((*data.shape[:along], *places.shape, *data.shape[along + 1 :]), data.dtype)
    found = found if at.count is None else only_there(found, at.count, along + at.axis)
    return again(g, found, at, along + at.axis, x.is_text) if at.count is not None else g.made(found, is_text=x.is_text)


def _gather_nd(g: JaxWriter, x: JaxValue, at: JaxValue) -> JaxValue:
    """What lies at places of which only the run knows how many there are."""
    if x.count is not None or at.axis == at.data.ndim - 1:
        raise InexpressibleError(REFUSED.format("GatherND"))
    places = jnp.where(there(at), laid_out(at), 0)
    g.places(outside("GatherND", jnp, x.data, places, {}), "GatherND")
    return again(g, only_there(NODES["GatherND"](jnp, jnp.asarray(x.data), places), at.count, at.axis), at, at.axis, x.is_text)


def only_there(data: Any, count: Any, axis: int, other: Any = 0) -> Any:
    """An array with another number in the rows that aren't there, through which no gradient flows."""
    is_there = (jnp.arange(data.shape[axis]) < count).reshape([-1] + [1] * (data.ndim - 1 - axis))
    return jnp.where(is_there, data, jnp.asarray(other, data.dtype))


def there(x: JaxValue) -> Any:
    """Which rows are there, as an array that goes with the axes in order."""
    return (jnp.arange(x.data.shape[0]) < x.count).reshape([-1] + [1] * (x.data.ndim - 1 - x.axis))


def _slice(g: JaxWriter, x: JaxValue, starts: Any, ends: Any, axes: Any = None, steps: Any = None) -> JaxValue:
    count = starts.data.shape[0]
    over = [axis % x.data.ndim for axis in ints(axes.data)] if axes is not None else [*range(count)]
    by = ints(steps.data) if steps is not None else [1] * count
    for k, axis in enumerate(over):
        start, end = bounds = [g.Slice(part, [k], [k + 1], [0]) for part in (starts, ends)]
        if x.count is not None and axis == x.axis or not _all_known(*bounds):
            x = _open_slice(g, x, axis, start, end, by[k])
        elif x.count is None:
            x = g.Slice(x, *bounds, [axis], [by[k]])
        else:
            known = [np.asarray(part) for part in ([axis], [by[k]])]
            x = again(g, NODES["Slice"](jnp, laid_out(x), *(part.data for part in bounds), *known), x, x.axis)
    return x


def _open_slice(g: JaxWriter, x: JaxValue, axis: int, start: JaxValue, end: JaxValue, step: int) -> JaxValue:
    """Every so many rows from one place to another, of which only the run knows how many there are."""
    if x.count is not None and axis != x.axis:
        raise InexpressibleError(REFUSED.format("a slice along another axis"))
    rows = in_front(g, x, axis)
    room, count = rows.data.shape[0], rows.data.shape[0] if x.count is None else x.count
    ends = (jnp.asarray(e.data[0]) for e in (start, end))
    least, most = (0, count) if step > 0 else (-1, count - 1)
    first, last = (jnp.clip(jnp.where(e < 0, e + count, e), least, most) for e in ends)
    number = jnp.maximum(-((first - last) // step), 0)
    data = only_there(taken(rows.data, first + jnp.arange(room) * step, 0), number, 0) if room else rows.data
    return g.made(data, count=number, is_text=x.is_text, axis=axis)


def _all_known(*values: JaxValue) -> bool:
    return all(x.array is not None for x in values)


def _shape(g: JaxWriter, x: JaxValue, start: int = 0, end: int | None = None) -> JaxValue:
    lengths = [x.count if n is None else n for n in x.shape or ()][start:end]
    found = g.made(jnp.stack([jnp.asarray(n, "int64") for n in lengths]))
    if len(lengths) == len(x.shape or ()):
        g.shape_of_value[found.name] = x
    return found


def _size(g: JaxWriter, x: JaxValue) -> JaxValue:
    return g.made(x.count * int(np.prod(x.data.shape[1:])))


def _expand(g: JaxWriter, x: JaxValue, shape: JaxValue) -> JaxValue:
    """Rows in a shape that is known, as many as that says, or one that is repeated; or in the shape that a value has."""
    like = g.shape_of_value.get(shape.name)
    if like is not None and like.count is not None:
        nothing = g.made(jnp.zeros(like.data.shape, x.data.dtype), count=like.count, axis=like.axis)
        return _by_row(g, "Where", [g.const(True), x, nothing], {})
    if x.count is None or shape.array is None:
        raise InexpressibleError(REFUSED.format("Expand"))
    lengths = [*[1] * (x.data.ndim - shape.data.size), *ints(shape.data)]
    along = x.axis + len(lengths) - x.data.ndim
    length = lengths[along]
    if length == 1:
        lengths[along] = x.data.shape[0]
        return again(g, NODES["Expand"](jnp, laid_out(x), np.asarray(lengths)), x, along)
    fails_unless(g, (x.count == 1) | (x.count == length), "Expand")
    places = jnp.where(x.count == 1, 0, jnp.arange(length))
    rows = taken(jnp.asarray(coded(x.data)), places, 0)
    whole: Any = g.Expand(g.made(jnp.moveaxis(rows, 0, x.axis), is_text=x.is_text), lengths)
    return whole


def _unsqueeze(g: JaxWriter, x: JaxValue, axes: JaxValue) -> JaxValue:
    rank = x.data.ndim + len(ints(axes.data))
    new = {axis % rank for axis in ints(axes.data)}
    old = [axis for axis in range(rank) if axis not in new]
    return again(g, NODES["Unsqueeze"](jnp, laid_out(x), axes.data), x, old[x.axis])


def _squeeze(g: JaxWriter, x: JaxValue, axes: Any = None) -> JaxValue:
    gone = {axis % x.data.ndim for axis in ints(axes.data)} if axes is not None else {x.axis}
    if x.axis in gone:
        raise InexpressibleError(REFUSED.format("Squeeze"))
    return again(g, NODES["Squeeze"](jnp, laid_out(x), axes.data), x, x.axis - sum(axis < x.axis for axis in gone))


_IDENTITIES = {
    "ReduceL1": 0, "ReduceL2": 0, "ReduceLogSumExp": -math.inf, "ReduceProd": 1, "ReduceSum": 0, "ReduceSumSquare": 0,
}  # fmt: skip


def _reduced(g: JaxWriter, operator: str, x: JaxValue, axes: Any = None, keepdims: int = 1, **attributes: Any) -> JaxValue:
    """A reduction: along the rows, those that aren't there change nothing."""
    rank = x.data.ndim
    over = {axis % rank for axis in ints(axes.data)} if axes is not None and np.size(axes.data) else {*range(rank)}
    given = [laid_out(x)] if axes is None else [laid_out(x), axes.data]
    if x.axis not in over:
        moved = x.axis if keepdims else x.axis - sum(axis < x.axis for axis in over)
        return again(g, NODES[operator](jnp, *given, keepdims=keepdims, **attributes), x, moved)
    if operator == "ReduceMean":
        others = math.prod(n for k, n in enumerate(_lengths(x)) if k in over and k != x.axis)
        return g.Div(_reduced(g, "ReduceSum", x, axes, keepdims), g.cast(g.made(x.count * others), x.dtype))
    kind = np.dtype(x.data.dtype)
    if operator in ("ReduceMax", "ReduceMin"):
        identity = extreme_of_nothing(operator.removeprefix("Reduce").lower(), kind)
    elif operator in _IDENTITIES:
        identity = _IDENTITIES[operator]
    else:
        raise InexpressibleError(REFUSED.format(operator))
    given[0] = jnp.where(there(x), given[0], jnp.asarray(identity, kind))
    return g.made(NODES[operator](jnp, *given, keepdims=keepdims, **attributes))


def counted(g: JaxWriter, start: JaxValue, stop: JaxValue, step: JaxValue) -> JaxValue:
    """A range of which only the run knows the ends."""
    room = g.capacity
    first, by = jnp.asarray(start.data), jnp.asarray(step.data)
    count = jnp.maximum(-((jnp.asarray(stop.data) - first) // -by), 0)
    check_room(g, count, room)
    return g.made(first + jnp.arange(room, dtype="int64") * by, count=jnp.minimum(count, room))


def places_of(g: JaxWriter, x: JaxValue) -> JaxValue:
    """Where the elements are that aren't zero, int64[rank, n], in order: only the run knows how many there are."""
    data = jnp.asarray(laid_out(x)).astype(bool)
    data = data if x.count is None else data & there(x)
    is_there = data.reshape(-1)
    room, number = is_there.size, jnp.cumsum(is_there, dtype="int64")
    places = jnp.zeros(room, "int64").at[small(jnp.where(is_there, number - 1, room), room)].set(jnp.arange(room), mode="drop")
    found = jnp.stack([jnp.asarray(k, "int64") for k in jnp.unravel_index(places, data.shape)], 1)
    return g.made(found, count=number[-1] if room else jnp.asarray(0, "int64"), axis=1)


def _transpose(g: JaxWriter, x: JaxValue, perm: Any = None) -> JaxValue:
    order = list(perm) if perm else [*reversed(range(x.data.ndim))]
    return again(g, jnp.transpose(laid_out(x), order), x, order.index(x.axis))


def _matmul(g: JaxWriter, a: JaxValue, b: JaxValue) -> JaxValue:
    """A product. What isn't there of the axis that is summed over counts as 0."""
    if min(a.data.ndim, b.data.ndim) < 2:
        raise InexpressibleError(REFUSED.format("a product with a vector"))
    sides, rank, inner = [laid_out(a), laid_out(b)], max(a.data.ndim, b.data.ndim), (a.data.ndim - 1, b.data.ndim - 2)
    if any(x.count is not None and x.axis == axis for x, axis in zip((a, b), inner)):
        sides = _as_long(g, (a, b), inner)
    outer = {x.axis - x.data.ndim + rank: x for x, axis in zip((a, b), inner) if x.count is not None and x.axis != axis}
    for axis in outer:
        lengths = [_lengths(x)[axis - rank] for x in (a, b) if axis < rank - 2 and x.data.ndim >= rank - axis]
        if len(outer) > 1 or len(lengths) == 2 and 1 not in lengths:
            raise InexpressibleError(REFUSED.format("a product that has two open lengths"))
        return again(g, NODES["MatMul"](jnp, *sides), outer[axis], axis)
    return g.made(NODES["MatMul"](jnp, *sides))


def _as_long(g: JaxWriter, values: Sequence[JaxValue], axes: Sequence[int]) -> list[Any]:
    """Two arrays as long as each other along an axis of each, with 0 for what isn't there."""
    room = max(x.data.shape[0 if x.count is not None else axis] for x, axis in zip(values, axes))
    lengths, found = [], []
    for x, axis in zip(values, axes):
        if x.count is not None and x.axis != axis:
            raise InexpressibleError(REFUSED.format("a product that has two open lengths"))
        rows, count = whole(in_front(g, x, axis), room)
        found.append(jnp.moveaxis(only_there(rows, count, 0), 0, axis))
        lengths.append(count)
    as_many(g, lengths[0], lengths[1], "MatMul")
    return found


def _gemm(
    g: JaxWriter, a: JaxValue, b: JaxValue, c: Any = None, alpha: float = 1.0, beta: float = 1.0, transA: int = 0, transB: int = 0
) -> JaxValue:
    sides = [g.Transpose(x, perm=[1, 0]) if turned else x for x, turned in ((a, transA), (b, transB))]
    found = g.MatMul(*sides)
    found = found if alpha == 1.0 else g.Mul(found, alpha)
    return found if c is None else g.Add(found, c if beta == 1.0 else g.Mul(c, beta))


def _soft(name: str) -> Callable[..., Any]:
    def node(g: JaxWriter, x: JaxValue, axis: int = -1) -> JaxValue:
        data = laid_out(x)
        if axis % x.data.ndim == x.axis:
            data = jnp.where(there(x), data, jnp.asarray(-jnp.inf, data.dtype))
        return again(g, NODES[name](jnp, data, axis=axis), x, x.axis)

    return node


def _place(name: str, least: str) -> Callable[..., Any]:
    def node(g: JaxWriter, x: JaxValue, axis: int = 0, keepdims: int = 1, **attributes: Any) -> JaxValue:
        data, along = laid_out(x), axis % x.data.ndim
        if along == x.axis:
            data = jnp.where(there(x), data, jnp.asarray(extreme_of_nothing(least, data.dtype)))
        found = NODES[name](jnp, data, axis=axis, keepdims=keepdims, **attributes)
        return g.made(found) if along == x.axis else again(g, found, x, x.axis - (not keepdims and along < x.axis))

    return node


def _reshape(g: JaxWriter, x: JaxValue, shape: JaxValue, allowzero: int = 0) -> JaxValue:
    if shape.array is None:
        raise InexpressibleError(REFUSED.format("Reshape to a length of such"))
    lengths = _lengths(x)
    return reshaped(g, x, [lengths[k] if n == 0 and not allowzero else n for k, n in enumerate(ints(shape.data))])


def reshaped(g: JaxWriter, x: JaxValue, dims: Sequence[Any]) -> JaxValue:
    """Rows in more rows, of which -1 stands for the number. Axes before them go into them, or come out, as a whole."""
    lengths = _lengths(x)
    place = next((k for k, n in enumerate(dims) if n in (-1, None)), None)
    before, behind = (math.prod(part) for part in (lengths[: x.axis], lengths[x.axis + 1 :]))
    each = math.prod(dims[place + 1 :]) if place is not None else 0
    if place is None or each == 0 or behind % each or dims[place] is None and behind != each:
        raise InexpressibleError(REFUSED.format("Reshape across its axis"))
    if (into := math.prod(dims[:place])) != before:
        if 0 in (into, before):
            raise InexpressibleError(REFUSED.format("Reshape across its axis"))
        return _split(g, reshaped(g, _merged(g, x, before), [-1, *dims[place + 1 :]]), dims[:place], into)
    times = behind // each
    data = laid_out(x).reshape([*dims[:place], x.data.shape[0] * times, *dims[place + 1 :]])
    count = x.count if times == 1 else x.count * times  # the same one tells that there are as many
    return g.made(jnp.moveaxis(data, place, 0), count=count, is_text=x.is_text, axis=place)


def _merged(g: JaxWriter, x: JaxValue, before: int) -> JaxValue:
    """The axes before the open one, `before` elements, and that one, as one open axis in front."""
    data = jnp.asarray(coded(x.data))
    room = data.shape[0] * before
    row, each = jnp.arange(room), jnp.maximum(x.count, 1)
    data = data.reshape([room, *data.shape[x.axis + 1 :]])
    return g.made(taken(data, row % each * before + row // each, 0), count=x.count * before, is_text=x.is_text)


def _split(g: JaxWriter, x: JaxValue, dims: Sequence[int], into: int) -> JaxValue:
    """The open axis in front in so many parts, each as long as the others, with the axes `dims` before them."""
    count = x.count // into
    fails_unless(g, count * into == x.count, "Reshape")
    room = -(-x.data.shape[0] // into)
    places = jnp.arange(room)[:, None] + jnp.arange(into)[None] * count
    data = taken(jnp.asarray(coded(x.data)), places, 0).reshape([room, *dims, *x.data.shape[1:]])
    return g.made(data, count=count, is_text=x.is_text, axis=len(dims))


_NODES: dict[str, Callable[..., Any]] = {
    "ArgMax": _place("ArgMax", "max"),
    "ArgMin": _place("ArgMin", "min"),
    "Concat": _concat,
    "Expand": _expand,
    "Gather": _gather,
    "GatherND": _gather_nd,
    "Gemm": _gemm,
    "LogSoftmax": _soft("LogSoftmax"),
    "MatMul": _matmul,
    "NonZero": places_of,
    "Reshape": _reshape,
    "Shape": _shape,
    "Size": _size,
    "Squeeze": _squeeze,
    "Slice": _slice,
    "Softmax": _soft("Softmax"),
    "Transpose": _transpose,
    "Unsqueeze": _unsqueeze,
}


def of_sequence(g: JaxWriter, operator: str, inputs: Sequence[Any], attributes: dict[str, Any]) -> Any:
    """ONNX's operators on sequences: items of one shape are rows, others are apart where their number is known."""
    if operator == "SequenceEmpty":
        name = DTYPE_NAMES[attributes["dtype"]]
        return g.made(np.zeros((0,), object if name == "string" else DTYPES[name].numpy))
    if operator == "SequenceConstruct":
        return g.listed(inputs)
    if operator == "SequenceInsert" and len(inputs) == 2:
        before = _apart(g, inputs[0], inputs[1])
        return g.Concat(inputs[0], g.Unsqueeze(inputs[1], [0]), axis=0) if before is None else g.listed([*before, inputs[1]])
    if isinstance(inputs[0], Items):
        return _of_items(g, operator, *inputs)
    if operator == "SequenceAt":
        return g.Gather(*inputs, axis=0)
    if operator == "SequenceLength":
        return g.length(inputs[0], 0)
    raise InexpressibleError(REFUSED.format(operator))


def _of_items(g: JaxWriter, operator: str, x: Items, *rest: JaxValue) -> Any:
    if operator == "SequenceLength":
        return g.const(len(x.items))
    if operator != "SequenceAt" or rest[0].item is None:
        _ = x.data  # refuses
    place, count = int(rest[0].item), len(x.items)
    is_there = -count <= place < count
    g.places(not is_there, "Gather")
    return x.items[place if is_there else 0]


def _apart(g: JaxWriter, x: JaxValue, item: JaxValue) -> list[JaxValue] | None:
    """The items of a list, where one more has a shape of its own; None where all are rows, or their number isn't known."""
    if isinstance(x, Items):
        return [*x.items]
    if x.count is not None or is_bare(x) or item.count is None and x.data.shape[1:] == item.data.shape:
        return None
    return _each(g, x)


def _each(g: JaxWriter, x: JaxValue) -> list[JaxValue]:
    return [*x.items] if isinstance(x, Items) else [g.Gather(x, g.const(k), axis=0) for k in range(x.data.shape[0])]


def joined(g: JaxWriter, a: JaxValue, b: JaxValue) -> JaxValue:
    """The items of two lists of known length, apart where they have shapes of their own; else rows behind rows."""
    there = [x for x in (a, b) if isinstance(x, Items) or x.count is not None or x.data.shape[0]]
    if len(there) < 2:
        return there[0] if there else a
    is_apart = any(isinstance(x, Items) for x in there) or a.data.shape[1:] != b.data.shape[1:]
    if not is_apart or any(x.count is not None for x in there):
        return g.Concat(a, b, axis=0)
    return g.listed([item for x in there for item in _each(g, x)])
