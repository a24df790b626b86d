"""Operators that read or write at places. XLA clamps a place that isn't there, or leaves out the write: `outside` tells."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from .. import slopes
from .elementwise import lax, where


def _front(m: Any, at: Any, length: int) -> Any:
    """Places counted from the front."""
    return where(m, at < 0, at + length, at) if np.dtype(at.dtype).kind == "i" else at


def _gather(m: Any, x: Any, at: Any, axis: int = 0) -> Any:
    if not x.shape[axis]:
        return m.zeros((*x.shape[:axis], *at.shape, *x.shape[axis:][1:]), x.dtype)
    if not at.ndim and m is not np:  # a slice, where XLA makes a loop of a gather
        if isinstance(at, np.ndarray | np.generic):
            return lax().index_in_dim(x, int(np.clip(at, -x.shape[axis], x.shape[axis] - 1)), axis, keepdims=False)
        return lax().dynamic_index_in_dim(x, small(at, x.shape[axis]), axis, keepdims=False)
    place = _front(m, at, x.shape[axis])
    if m is np:
        return np.asarray(np.take(x, np.clip(place, 0, x.shape[axis] - 1), axis=axis))
    return taken(x, place, axis)


def small(place: Any, length: int) -> Any:
    """Places within a length in 32 bits, where these hold them: JAX adds such of its own, once the trace is over."""
    return place.astype("int32") if length < 2**31 else place


def taken(x: Any, places: Any, axis: int) -> Any:
    """The elements at places along an axis; the first or the last one in the place of one that isn't there.

    JAX's own modes clip after the trace, where a caller's `jit` may have no 64 bits.
    """
    at, count = axis % x.ndim, np.ndim(places)
    kept = [*range(at), *range(at + count, x.ndim - 1 + count)]
    numbers = lax().GatherDimensionNumbers(tuple(kept), collapsed_slice_dims=(at,), start_index_map=(at,))
    sizes = tuple(1 if k == at else n for k, n in enumerate(x.shape))
    inside = small(jnp.clip(places, 0, x.shape[at] - 1), x.shape[at])[..., None]
    return lax().gather(x, inside, numbers, sizes, mode=lax().GatherScatterMode.PROMISE_IN_BOUNDS)


def _gather_elements(m: Any, x: Any, at: Any, axis: int = 0) -> Any:
    if not x.shape[axis]:
        return m.zeros(at.shape, x.dtype)
    places = _front(m, at, x.shape[axis])
    cut = x[tuple(slice(None) if k == axis % x.ndim else slice(n) for k, n in enumerate(at.shape))]
    return m.take_along_axis(cut, m.clip(places, 0, x.shape[axis] - 1), axis=axis)


def _gather_nd(m: Any, x: Any, at: Any, batch_dims: int = 0) -> Any:
    lead = [np.arange(n).reshape([-1 if j == k else 1 for j in range(at.ndim - 1)]) for k, n in enumerate(x.shape[:batch_dims])]
    found = [at[..., k] for k in range(at.shape[-1])]
    lengths = x.shape[batch_dims : batch_dims + len(found)]
    places = [m.clip(_front(m, p, n), 0, max(n - 1, 0)) for p, n in zip(found, lengths)]
    return m.asarray(x)[tuple(lead + places)] if lead or places else x


def _scatter(x: Any, where: tuple, updates: Any, reduction: Any) -> Any:
    if not x.size:
        return x
    way = reduction.decode() if isinstance(reduction, bytes) else reduction
    if way == "none" and any(np.size(at) > 1 for at in where):  # else no place occurs twice
        return slopes.put(x, tuple(small(at, n) for at, n in zip(where, x.shape)), updates)
    at = jnp.asarray(x).at[where]  # what is known may have become an array of NumPy's again
    return {"none": at.set, "add": at.add, "mul": at.multiply, "max": at.max, "min": at.min}[way](updates, mode="drop")


def _scatter_elements(m: Any, x: Any, at: Any, updates: Any, axis: int = 0, reduction: Any = "none") -> Any:
    whole, places = jnp.asarray(x), _front(jnp, at, x.shape[axis])
    if all(n == k for d, (n, k) in enumerate(zip(x.shape, at.shape)) if d != axis % x.ndim):
        return _scatter_rows(whole, places, updates, axis, reduction)
    grid = list(np.indices(at.shape, sparse=True))
    grid[axis] = places
    return _scatter(whole, tuple(grid), updates, reduction)


def _scatter_rows(x: Any, at: Any, updates: Any, axis: int, reduction: Any) -> Any:
    """Row by row, which tells XLA that rows on several devices don't need each other."""
    def scatter(row: Any, places: Any, new: Any) -> Any:
        return _scatter(row, (places,), new, reduction)

    for _ in range(x.ndim - 1):
        scatter = jax.vmap(scatter)
    found = scatter(*(jnp.moveaxis(jnp.asarray(v), axis, -1) for v in (x, at, updates)))
    return jnp.moveaxis(found, -1, axis)


def _scatter_nd(m: Any, x: Any, at: Any, updates: Any, reduction: Any = "none") -> Any:
    where = tuple(_front(jnp, at[..., k], x.shape[k]) for k in range(at.shape[-1]))
    return _scatter(jnp.asarray(x), where, updates, reduction)


def is_inside(operator: str, x: Any, at: Any, attributes: dict[str, Any]) -> bool:
    """Whether all places are there, whatever the run tells."""
    return operator == "Gather" and at.below is not None and at.below <= x.shape[attributes.get("axis", 0)]


def outside(operator: str, m: Any, x: Any, at: Any, attributes: dict[str, Any]) -> Any:
    """Whether any place isn't there, bool[]; None where all are."""
    if operator in ("GatherND", "ScatterND"):
        first = attributes.get("batch_dims", 0)
        lengths = np.asarray(x.shape[first : first + at.shape[-1]], at.dtype)
    else:
        lengths = np.asarray(x.shape[attributes.get("axis", 0)], at.dtype)
    if not at.size:
        return None
    each = (at >= lengths) | (at < -lengths)
    found = m.any(each) if at.ndim else each
    return None if m is np and not found else found


def _compress(m: Any, x: Any, condition: Any, axis: int | None = None) -> Any:
    return np.compress(condition, x, axis=axis)


def _unique(m: Any, x: Any, axis: int | None = None, sorted: int = 1) -> tuple:
    """What is known while the Program is traced; else a length depends on elements. Without `sorted`, in the order of `x`."""
    array = np.asarray(x)
    found, first, inverse, counts = np.unique(array, return_index=True, return_inverse=True, return_counts=True, axis=axis)
    order = np.arange(len(first)) if sorted else np.argsort(first)
    values = np.take(found, order, axis=axis or 0)
    return values, first[order], np.argsort(order)[inverse.reshape(-1)], counts[order]



NODES = {
    "Compress": _compress,
    "Gather": _gather,
    "GatherElements": _gather_elements,
    "GatherND": _gather_nd,
    "NonZero": lambda m, x: np.asarray(np.nonzero(x)).reshape(x.ndim, -1),
    "ScatterElements": _scatter_elements,
    "ScatterND": _scatter_nd,
    "Unique": _unique,
}
PLACES = ("Gather", "GatherElements", "GatherND", "ScatterElements", "ScatterND")
