"""Tensors with a number of rows that only the run knows, in arrays with room for more: lists that a loop grows.

xs.append(x)        # data: float32[64, 3], count: int64[], how many of the 64 rows are there
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import jax.numpy as jnp
import numpy as np
from jax import lax

from ...dtypes import DTYPES
from ...onnx.lowering.refusal import InexpressibleError
from ...onnx.lowering.values import DTYPE_NAMES
from .codes import coded
from .forms import laid_out
from .operators import NODES
from .operators.elementwise import OF_ROWS
from .operators.indexing import outside
from .operators.reductions import extreme_of_nothing
from .operators.shapes import ints
from .value import JaxValue

if TYPE_CHECKING:
    from .writer import JaxWriter

CAPACITY = "CapacityError"
_REFUSED = (
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


def check_room(g: JaxWriter, count: Any, room: int) -> None:
    """Flag that there are more rows than there is room for."""
    g.check(g.made(count <= room), CAPACITY, f"a list has more than {room} items")


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
    if operator in ("Softmax", "LogSoftmax") and attributes.get("axis", -1) % given[0].rank != given[0].axis:
        return again(g, NODES[operator](jnp, laid_out(given[0]), **attributes), given[0], given[0].axis)
    raise InexpressibleError(_REFUSED.format(operator))


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
            raise InexpressibleError(_REFUSED.format(operator))
        rows, count = whole(x, room)
        if x is not first:
            g.fails_unless(g.made(count == first.count), operator, "shapes don't fit")
        arrays.append(jnp.moveaxis(rows, 0, from_end))
    found = NODES[operator](jnp, *arrays, **attributes)
    return again(g, found, first, found.ndim + from_end, operator != "Equal" and first.is_text)


def _concat(g: JaxWriter, *parts: JaxValue, axis: int) -> JaxValue:
    open_axes = {part.axis for part in parts if part.count is not None}
    if open_axes != {axis % len(parts[0].shape or ())} or axis % len(parts[0].shape or ()):
        raise InexpressibleError(_REFUSED.format("Concat along another axis"))
    found = parts[0]
    for part in parts[1:]:
        found = _joined(g, found, part)
    return found


def _joined(g: JaxWriter, a: JaxValue, b: JaxValue) -> JaxValue:
    if a.count is None:
        data = jnp.concatenate([coded(a.data), coded(b.data)])
        return g.made(data, count=None if b.count is None else b.count + a.data.shape[0], is_text=a.is_text)
    room, more = max(a.data.shape[0], g.capacity), b.data.shape[0]
    count = a.count + (more if b.count is None else b.count)
    check_room(g, count, room)
    if more == 1 and b.count is None:
        return g.made(
            whole(a, room)[0].at[a.count].set(coded(b.data)[0], mode="drop"), count=jnp.minimum(count, room), is_text=a.is_text
        )
    wide, start = whole(a, room + more)[0], [jnp.asarray(k, "int64") for k in (a.count, *[0] * (a.data.ndim - 1))]
    data = lax.dynamic_update_slice(wide, jnp.asarray(coded(b.data)), start)[:room]
    return g.made(data, count=jnp.minimum(count, room), is_text=a.is_text)


def _gather(g: JaxWriter, x: JaxValue, at: JaxValue, axis: int = 0) -> JaxValue:
    along = axis % len(x.shape or ())
    if x.count is not None and along != x.axis and at.count is None:
        g.places(outside("Gather", jnp, jnp.zeros([n or 1 for n in x.shape or ()], "bool"), at.data, {"axis": along}), "Gather")
        moved = x.axis if x.axis < along else x.axis - 1 + at.data.ndim
        return again(g, NODES["Gather"](jnp, laid_out(x), at.data, axis=along), x, moved)
    if x.count is not None and (along or x.axis) or at.count is not None and (at.data.ndim != 1 or along):
        raise InexpressibleError(_REFUSED.format("Gather"))
    count = x.data.shape[axis] if x.count is None else x.count
    places = jnp.where(at.data < 0, at.data + count, at.data)
    is_bad = (places < 0) | (places >= count)
    if at.count is not None:
        is_bad &= jnp.arange(at.data.shape[0]) < at.count
    g.places(jnp.any(is_bad), "Gather")
    if not x.data.shape[axis]:
        return g.made(jnp.zeros((*at.data.shape, *x.data.shape[1:]), x.data.dtype), count=at.count)
    return g.made(jnp.take(coded(x.data), places, axis=axis, mode="clip"), count=at.count, is_text=x.is_text)


def _slice(g: JaxWriter, x: JaxValue, starts: Any, ends: Any, axes: Any = None, steps: Any = None) -> JaxValue:
    over = ints(axes.data) if axes is not None else [*range(len(starts.shape and starts.data))]
    if x.count is not None and x.axis not in [axis % len(x.shape or ()) for axis in over] and _all_known(starts, ends):
        more = [None if part is None else part.data for part in (axes, steps)]
        return again(g, NODES["Slice"](jnp, laid_out(x), starts.data, ends.data, *more), x, x.axis)
    if x.axis or over != [0] or (steps is not None and ints(steps.data) != [1]):
        raise InexpressibleError(_REFUSED.format("a slice with a step, or along another axis,"))
    count = x.data.shape[0] if x.count is None else x.count
    first, last = (jnp.clip(jnp.where(e.data[0] < 0, e.data[0] + count, e.data[0]), 0, count) for e in (starts, ends))
    room, given = x.data.shape[0], coded(x.data)
    data = jnp.take(given, jnp.arange(room) + first, axis=0, mode="clip") if room else given
    return g.made(data, count=jnp.maximum(last - first, 0), is_text=x.is_text)


def _all_known(*values: JaxValue) -> bool:
    return all(x.array is not None for x in values)


def _shape(g: JaxWriter, x: JaxValue, start: int = 0, end: int | None = None) -> JaxValue:
    lengths = [x.count if n is None else n for n in x.shape or ()][start:end]
    return g.made(jnp.stack([jnp.asarray(n, "int64") for n in lengths]))


def _size(g: JaxWriter, x: JaxValue) -> JaxValue:
    return g.made(x.count * int(np.prod(x.data.shape[1:])))


def _unsqueeze(g: JaxWriter, x: JaxValue, axes: JaxValue) -> JaxValue:
    rank = x.data.ndim + len(ints(axes.data))
    new = {axis % rank for axis in ints(axes.data)}
    old = [axis for axis in range(rank) if axis not in new]
    return again(g, NODES["Unsqueeze"](jnp, laid_out(x), axes.data), x, old[x.axis])


def _squeeze(g: JaxWriter, x: JaxValue, axes: Any = None) -> JaxValue:
    gone = {axis % x.data.ndim for axis in ints(axes.data)} if axes is not None else {x.axis}
    if x.axis in gone:
        raise InexpressibleError(_REFUSED.format("Squeeze"))
    return again(g, NODES["Squeeze"](jnp, laid_out(x), axes.data), x, x.axis - sum(axis < x.axis for axis in gone))


def _top(g: JaxWriter, x: JaxValue, k: JaxValue, axis: int = -1, largest: int = 1, sorted: int = 1) -> Any:
    """All items in order: those that aren't there stand at the end."""
    if x.data.ndim != 1:
        raise InexpressibleError(_REFUSED.format("TopK"))
    keys = -x.data if largest else x.data
    absent = jnp.arange(x.data.shape[0]) >= x.count
    places = jnp.lexsort((keys, absent)).astype("int64")
    return g.made(x.data[places], count=x.count), g.made(places, count=x.count)


_IDENTITIES = {"ReduceSum": 0, "ReduceProd": 1, "ReduceL1": 0, "ReduceL2": 0, "ReduceSumSquare": 0}


def _reduced(g: JaxWriter, operator: str, x: JaxValue, axes: Any = None, keepdims: int = 1, **attributes: Any) -> JaxValue:
    """A reduction: along the rows, those that aren't there change nothing."""
    rank = x.data.ndim
    over = {axis % rank for axis in ints(axes.data)} if axes is not None and np.size(axes.data) else {*range(rank)}
    given = [laid_out(x)] if axes is None else [laid_out(x), axes.data]
    if x.axis not in over:
        moved = x.axis if keepdims else x.axis - sum(axis < x.axis for axis in over)
        return again(g, NODES[operator](jnp, *given, keepdims=keepdims, **attributes), x, moved)
    kind = np.dtype(x.data.dtype)
    if operator in ("ReduceMax", "ReduceMin"):
        identity = extreme_of_nothing(operator.removeprefix("Reduce").lower(), kind)
    elif operator in _IDENTITIES:
        identity = _IDENTITIES[operator]
    else:
        raise InexpressibleError(_REFUSED.format(operator))
    there = (jnp.arange(x.data.shape[0]) < x.count).reshape([-1] + [1] * (rank - 1 - x.axis))
    given[0] = jnp.where(there, given[0], jnp.asarray(identity, kind))
    return g.made(NODES[operator](jnp, *given, keepdims=keepdims, **attributes))


def counted(g: JaxWriter, start: JaxValue, stop: JaxValue, step: JaxValue) -> JaxValue:
    """A range of which only the run knows the ends."""
    room = g.capacity
    first, by = jnp.asarray(start.data), jnp.asarray(step.data)
    count = jnp.maximum(-((jnp.asarray(stop.data) - first) // -by), 0)
    check_room(g, count, room)
    return g.made(first + jnp.arange(room, dtype="int64") * by, count=jnp.minimum(count, room))


def _transpose(g: JaxWriter, x: JaxValue, perm: Any = None) -> JaxValue:
    order = list(perm) if perm else [*reversed(range(x.data.ndim))]
    return again(g, jnp.transpose(laid_out(x), order), x, order.index(x.axis))


def _matmul(g: JaxWriter, a: JaxValue, b: JaxValue) -> JaxValue:
    if b.count is not None or a.axis == a.data.ndim - 1 or b.data.ndim != 2:
        raise InexpressibleError(_REFUSED.format("MatMul"))
    return again(g, NODES["MatMul"](jnp, laid_out(a), b.data), a, a.axis)


def _gemm(g: JaxWriter, a: JaxValue, b: JaxValue, c: Any = None, transA: int = 0, **attributes: Any) -> JaxValue:
    if (
        b.count is not None
        or a.count is None
        or transA
        or a.axis
        or c is not None
        and (c.count is not None or c.data.ndim > 1 and c.data.shape[0] != 1)
    ):
        raise InexpressibleError(_REFUSED.format("Gemm"))
    return g.made(NODES["Gemm"](jnp, a.data, b.data, None if c is None else c.data, **attributes), count=a.count)


_NODES: dict[str, Callable[..., Any]] = {
    "Concat": _concat,
    "Gather": _gather,
    "Gemm": _gemm,
    "MatMul": _matmul,
    "Shape": _shape,
    "Size": _size,
    "Squeeze": _squeeze,
    "Slice": _slice,
    "TopK": _top,
    "Transpose": _transpose,
    "Unsqueeze": _unsqueeze,
}


def of_sequence(g: JaxWriter, operator: str, inputs: Sequence[Any], attributes: dict[str, Any]) -> Any:
    """ONNX's operators on sequences: items of one shape, as rows."""
    if operator == "SequenceEmpty":
        name = DTYPE_NAMES[attributes["dtype"]]
        return g.made(np.zeros((0,), object if name == "string" else DTYPES[name].numpy))
    if operator == "SequenceConstruct":
        return g.Concat(*(g.Unsqueeze(x, [0]) for x in inputs), axis=0)
    if operator == "SequenceInsert" and len(inputs) == 2:
        return g.Concat(inputs[0], g.Unsqueeze(inputs[1], [0]), axis=0)
    if operator == "SequenceAt":
        return g.Gather(*inputs, axis=0)
    if operator == "SequenceLength":
        return g.length(inputs[0], 0)
    raise InexpressibleError(_REFUSED.format(operator))
