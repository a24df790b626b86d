"""Operators along one axis of tensors with an open number of rows: their order, running totals, places, Einstein's sums."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import jax.numpy as jnp
from jax import lax

from ...graphs.lowering.refusal import InexpressibleError
from . import rows
from .forms import laid_out
from .operators import NODES
from .operators.shapes import ints
from .rows import REFUSED, again, as_many, fails_unless, only_there, there
from .value import JaxValue

if TYPE_CHECKING:
    from .writer import JaxWriter


def node(g: JaxWriter, operator: str, given: Sequence[Any], attributes: dict[str, Any]) -> Any:
    """An operator of which an input has an open number of rows."""
    made = _NODES.get(operator)
    return rows.node(g, operator, given, attributes) if made is None else made(g, *given, **attributes)


def _top(g: JaxWriter, x: JaxValue, k: JaxValue, axis: int = -1, largest: int = 1, sorted: int = 1) -> tuple:
    """The first `k` in order, and their places."""
    data, along = laid_out(x), axis % x.data.ndim
    if along != x.axis:
        if k.array is None:
            raise InexpressibleError(REFUSED.format("TopK of another open length"))
        return tuple(again(g, part, x, x.axis) for part in NODES["TopK"](jnp, data, k.data, axis=axis, largest=largest))
    places = _in_order(data, there(x), along, bool(largest))
    found = [jnp.take_along_axis(data, places, along), places]
    if k.array is None:
        count = jnp.asarray(k.data[0])
        g.fails_unless(g.made(count <= x.count), "TopK", "there are fewer")
        return tuple(g.made(jnp.moveaxis(part, along, 0), count=jnp.minimum(count, x.count), axis=along) for part in found)
    count = ints(k.data)[0]
    fails_unless(g, count <= x.count, "TopK")
    padding = [(0, max(count - n, 0) if axis == along else 0) for axis, n in enumerate(data.shape)]
    return tuple(g.made(lax.slice_in_dim(jnp.pad(part, padding), 0, count, axis=along)) for part in found)


def _in_order(data: Any, is_there: Any, axis: int, is_falling: bool) -> Any:
    """The places of elements in order, the first of equal ones first, nan as the largest; those that aren't there come last."""
    keys = data.astype("int64") if data.dtype == "bool" else data
    is_there = jnp.broadcast_to(is_there, keys.shape)
    if not is_falling:
        return jnp.lexsort((keys, ~is_there), axis).astype("int64")
    places = jnp.lexsort((jnp.flip(keys, axis), jnp.flip(is_there, axis)), axis)
    return (data.shape[axis] - 1 - jnp.flip(places, axis)).astype("int64")


def _running(name: str, identity: int) -> Callable[..., JaxValue]:
    """Sums or products of the elements so far. identity: what changes none of them."""

    def made(g: JaxWriter, x: JaxValue, axis: JaxValue, **attributes: Any) -> JaxValue:
        data = laid_out(x)
        if int(axis.data) % x.data.ndim == x.axis:
            data = only_there(data, x.count, x.axis, identity)
        return again(g, NODES[name](jnp, data, axis.data, **attributes), x, x.axis)

    return made


def _gather_elements(g: JaxWriter, x: JaxValue, at: JaxValue, axis: int = 0) -> JaxValue:
    """Elements of each row, at places in that row."""
    along = axis % x.data.ndim
    if x.count is None or at.count is None or x.axis != at.axis or along == x.axis:
        raise InexpressibleError(REFUSED.format("GatherElements along its axis"))
    as_many(g, at.count, x.count, "GatherElements")
    room = max(x.data.shape[0], at.data.shape[0])
    data, places = (jnp.moveaxis(rows.whole(part, room)[0], 0, x.axis) for part in (x, at))
    length = data.shape[along]
    is_there = there(JaxValue("", jnp.moveaxis(places, x.axis, 0), count=at.count, axis=at.axis))
    g.places(jnp.any(((places < -length) | (places >= length)) & is_there), "GatherElements")
    return again(g, NODES["GatherElements"](jnp, data, places, axis=axis), x, x.axis)


def _einsum(g: JaxWriter, *xs: JaxValue, equation: Any) -> JaxValue:
    """A sum of products. What isn't there counts as 0."""
    text = equation.decode() if isinstance(equation, bytes) else equation
    sides, _, result = text.replace(" ", "").partition("->")
    names = sides.split(",")
    first = {part[x.axis]: x for x, part in zip(xs, names) if x.count is not None and "." not in part}
    if "->" not in text or "." in text or len(first) != 1:
        raise InexpressibleError(REFUSED.format(f"Einsum of {text}"))
    ((letter, known),) = first.items()
    room = max(x.data.shape[0 if x.count is not None else part.index(letter)] for x, part in zip(xs, names) if letter in part)
    arrays = [_with_zeros(g, x, part.index(letter), known, room) if letter in part else x.data for x, part in zip(xs, names)]
    found = NODES["Einsum"](jnp, *arrays, equation=text)
    return again(g, found, known, result.index(letter)) if letter in result else g.made(found)


def _with_zeros(g: JaxWriter, x: JaxValue, axis: int, known: JaxValue, room: int) -> Any:
    """An array, as long along an axis as there is room, with 0 where `known` has no row; it is to have as many."""
    data, count = rows.whole(rows.in_front(g, x, axis), room)
    as_many(g, count, known.count, "Einsum")
    return jnp.moveaxis(only_there(data, known.count, 0), 0, axis)


def _layer_norm(g: JaxWriter, x: JaxValue, *rest: Any, axis: int = -1, **attributes: Any) -> JaxValue:
    """Over axes behind the open one."""
    if x.count is None or axis % x.data.ndim <= x.axis or any(part is not None and part.count is not None for part in rest):
        raise InexpressibleError(REFUSED.format("LayerNormalization across its axis"))
    arrays = [None if part is None else part.data for part in rest]
    return again(g, NODES["LayerNormalization"](jnp, laid_out(x), *arrays, axis=axis, **attributes), x, x.axis)


def _of_batch(name: str) -> Callable[..., JaxValue]:
    """An operator that does the same with each row of its first input."""

    def made(g: JaxWriter, x: JaxValue, *rest: Any, **attributes: Any) -> JaxValue:
        if x.count is None or x.axis != 0 or any(part is not None and part.count is not None for part in rest):
            raise InexpressibleError(REFUSED.format(name))
        arrays = [None if part is None else part.data for part in rest]
        return again(g, NODES[name](jnp, jnp.asarray(x.data), *arrays, **attributes), x, 0)

    return made


_OF_BATCHES = "AveragePool BatchNormalization Conv ConvTranspose GlobalAveragePool MaxPool"
_NODES: dict[str, Callable[..., Any]] = {
    **{name: _of_batch(name) for name in _OF_BATCHES.split()},
    "CumProd": _running("CumProd", 1),
    "CumSum": _running("CumSum", 0),
    "Einsum": _einsum,
    "GatherElements": _gather_elements,
    "LayerNormalization": _layer_norm,
    "TopK": _top,
}
