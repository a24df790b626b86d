"""Operators that make one element of several, or of those before it."""

from __future__ import annotations

from typing import Any

import numpy as np

from .shapes import ints


def _reduction(compute: Any) -> Any:
    def node(m: Any, x: Any, axes: Any = None, keepdims: int = 1, noop_with_empty_axes: int = 0) -> Any:
        over = None if axes is None or not np.size(axes) else tuple(ints(axes))
        if over is None and noop_with_empty_axes:
            return x
        return compute(m, x, over, bool(keepdims))

    return node


def _sum(m: Any, x: Any, axes: Any, keep: bool) -> Any:
    wide = x.astype("float32") if np.dtype(x.dtype).itemsize < 4 and np.dtype(x.dtype).kind in "fV" else x
    return m.sum(wide, axis=axes, keepdims=keep, dtype=wide.dtype).astype(x.dtype)


def extreme_of_nothing(name: str, dtype: Any) -> Any:
    """What changes no "max", or no "min"."""
    kind = np.dtype(dtype)
    if kind.kind in "iu":
        return np.asarray(np.iinfo(kind).max if name == "min" else np.iinfo(kind).min, kind)
    ends = (False, True) if kind.kind == "b" else (-np.inf, np.inf)
    return np.asarray(ends[name == "min"], kind)


def _extreme(name: str) -> Any:
    def compute(m: Any, x: Any, axes: Any, keep: bool) -> Any:
        over = range(x.ndim) if axes is None else axes
        if all(x.shape[axis] for axis in over):
            return getattr(m, name)(x, axis=axes, keepdims=keep)
        left = [1 if axis in {a % x.ndim for a in over} else n for axis, n in enumerate(x.shape)]
        shape = left if keep else [n for axis, n in enumerate(x.shape) if axis not in {a % x.ndim for a in over}]
        return m.full(shape, extreme_of_nothing(name, x.dtype))

    return compute


def _mean(m: Any, x: Any, axes: Any, keep: bool) -> Any:
    wide = x.astype("float32") if np.dtype(x.dtype).itemsize < 4 else x
    found = m.mean(wide, axis=axes, keepdims=keep) if x.size else m.sum(wide, axis=axes, keepdims=keep)  # 0 of nothing
    return found.astype(x.dtype)


def _log_sum_exp(m: Any, x: Any, axes: Any, keep: bool) -> Any:
    from jax.scipy.special import logsumexp

    return logsumexp(x, axis=axes, keepdims=keep)


def _place(name: str) -> Any:
    def node(m: Any, x: Any, axis: int = 0, keepdims: int = 1, select_last_index: int = 0) -> Any:
        if not x.shape[axis]:
            return m.zeros(
                [n if k != axis % x.ndim else 1 for k, n in enumerate(x.shape) if keepdims or k != axis % x.ndim], "int64"
            )
        found = np.asarray(getattr(np, name)(x, axis=axis)) if m is np else _place_in_jax(name, x, axis)
        return (m.expand_dims(found, axis) if keepdims else found).astype("int64")

    return node


def _place_in_jax(name: str, x: Any, axis: int) -> Any:
    """JAX's own writes itself out after the trace, where a caller's `jit` may have no 64 bits; this is as quick."""
    from jax import lax

    def better(one: Any, other: Any) -> Any:
        (a, i), (b, k) = one, other
        wins = (a > b if name == "argmax" else a < b) | ((a != a) & (b == b))
        is_first = wins | (((a == b) | ((a != a) & (b != b))) & (i < k))
        return lax.select(wins, a, b), lax.select(is_first, i, k)

    places = lax.broadcasted_iota("int64", x.shape, axis % x.ndim)
    worst = extreme_of_nothing(name.removeprefix("arg"), x.dtype)
    return lax.reduce((lax.stop_gradient(x), places), (worst, np.int64(0)), better, [axis % x.ndim])[1]


def _cumulative(name: str) -> Any:
    def node(m: Any, x: Any, axis: Any, exclusive: int = 0, reverse: int = 0) -> Any:
        along = int(np.asarray(axis))
        given = m.flip(x, along) if reverse else x
        found = getattr(m, name)(given, axis=along, dtype=x.dtype)
        if exclusive:
            first = m.zeros_like(m.take(given, np.asarray([0]), axis=along)) if name == "cumsum" else None
            kept = m.take(found, np.arange(x.shape[along] - 1), axis=along)
            found = m.concatenate([first, kept], along)
        return m.flip(found, along) if reverse else found

    return node


def _top(m: Any, x: Any, k: Any, axis: int = -1, largest: int = 1, sorted: int = 1) -> Any:
    """The first of equal elements comes first; a nan is larger than any number."""
    count = ints(k)[0]
    given = x.astype("int64") if np.dtype(x.dtype).kind == "b" else x
    if largest:
        order = m.flip(m.argsort(m.flip(given, axis), axis=axis, stable=True), axis)
        places = given.shape[axis] - 1 - order
    else:
        places = m.argsort(given, axis=axis, stable=True)
    places = m.take(places, np.arange(count), axis=axis).astype("int64")
    return m.take_along_axis(x, places, axis=axis), places


NODES = {
    "ArgMax": _place("argmax"),
    "ArgMin": _place("argmin"),
    "CumProd": _cumulative("cumprod"),
    "CumSum": _cumulative("cumsum"),
    "ReduceL1": _reduction(lambda m, x, axes, keep: _sum(m, m.abs(x), axes, keep)),
    "ReduceL2": _reduction(lambda m, x, axes, keep: m.sqrt(_sum(m, x * x, axes, keep))),
    "ReduceLogSumExp": _reduction(_log_sum_exp),
    "ReduceMax": _reduction(_extreme("max")),
    "ReduceMean": _reduction(_mean),
    "ReduceMin": _reduction(_extreme("min")),
    "ReduceProd": _reduction(lambda m, x, axes, keep: m.prod(x, axis=axes, keepdims=keep, dtype=x.dtype)),
    "ReduceSum": _reduction(_sum),
    "ReduceSumSquare": _reduction(lambda m, x, axes, keep: _sum(m, x * x, axes, keep)),
    "TopK": _top,
}
