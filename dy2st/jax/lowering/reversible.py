"""`lax.while_loop` with a gradient in reverse, which JAX's own doesn't have.

How many turns there are shows only when they run, so that nobody can make room for all their states. The forward pass counts the
turns. The backward pass runs them again and keeps every n-th state, as many as there is room for. From these it computes the
others again, each when it is its turn (as `jax.checkpoint` does).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import jax
import jax.numpy as jnp
from jax import lax

from . import varying
from .operators.indexing import small


class While:
    """A loop that JAX may differentiate.

    goes_on: (outer, number, state) -> bool[], whether there is a turn of that number.
    step: (outer, number, state, is_again) -> the next state, and the rows of this turn. number: None where nobody asks for it.
        is_again: whether the turn has been computed before, and prints no more.
    outer, start: trees of arrays: what both read, and the first state. rows: arrays like those that a turn gives.
    room: for how many rows there is room. n_kept: how many states a backward pass keeps. axes: as in `varying.py`.
    """

    def __init__(
        self, goes_on: Callable, step: Callable, outer: Any, start: Any, rows: Sequence[Any], room: int, n_kept: int,
        axes: frozenset[str],
    ):  # fmt: skip
        self.goes_on, self.step = goes_on, step
        self.outer, self.start = varying.along(axes, (outer, start))
        self.rows, self.room, self.n_kept, self.axes = rows, room, n_kept, axes

    def run(self, is_numbered: bool, has_slope: bool = True) -> tuple[Any, Any, list[Any]]:
        """The number of turns, the last state, and all rows.

        is_numbered: whether turns ask for their number; where neither they nor rows do, it is None. has_slope: whether JAX may
            differentiate it.
        """
        is_numbered = is_numbered or bool(self.rows)
        does = has_slope and bool(_floats((self.outer, self.start)))
        return (self._differentiable if does else self._forward)(self.outer, self.start, is_numbered)

    def _differentiable(self, outer: Any, start: Any, is_numbered: bool) -> tuple[Any, Any, list[Any]]:
        @jax.custom_vjp
        def loop(outer: Any, start: Any) -> Any:
            return self._forward(outer, start, is_numbered)

        def forward(outer: Any, start: Any) -> Any:
            with jax.enable_x64(True):  # the caller may have left that
                number, *found = self._differentiable(outer, start, True)  # a second time, for a second derivative
            return (number if is_numbered else None, *found), (outer, start, number)

        def backward(kept: Any, slopes: Any) -> Any:
            outer, start, count = kept
            with jax.enable_x64(True):
                of_outer, of_start = self._backward(outer, start, count, *slopes[1:])
            return _with_floats(outer, of_outer, keeps=False), _with_floats(start, of_start, keeps=False)

        loop.defvjp(forward, backward)
        return loop(outer, start)

    def _forward(self, outer: Any, start: Any, is_numbered: bool) -> tuple[Any, Any, list[Any]]:
        def turn(carried: Any) -> Any:
            number, state, written = carried
            state, rows = self.step(outer, number, state, False)
            if self.room:  # beyond it the last row is written, and the run fails
                written = [_put(x, row, number) for x, row in zip(written, rows)]
            return varying.along(self.axes, (None if number is None else number + 1, state, written))

        number = jnp.asarray(0, "int64") if is_numbered else None
        carried = (number, start, [jnp.zeros((self.room, *x.shape), x.dtype) for x in self.rows])
        return lax.while_loop(lambda carried: self.goes_on(outer, *carried[:2]), turn, varying.along(self.axes, carried))

    def _backward(self, outer: Any, start: Any, count: Any, of_end: Any, of_rows: Any) -> tuple[list[Any], list[Any]]:
        """The gradients of the floats of `outer` and of `start`, for those of the last state and of the rows."""
        stride = jnp.maximum(-(-count // self.n_kept), 1)
        known = outer, count, stride, self._states(outer, start, count, stride), _matching(of_rows, self.rows)

        def turn(known: Any, behind: Any, slopes: Any, is_again: bool) -> tuple[Any, list[Any]]:
            (outer, count, stride, kept, of_rows), (of_outer, of_state) = known, slopes
            number = count - 1 - behind
            place = number // stride
            state = self._after(outer, place * stride, number, jax.tree_util.tree_map(lambda x: _at(x, place), kept))

            def floats(outers: list[Any], states: list[Any]) -> tuple[list[Any], list[Any]]:
                after, rows = self.step(_with_floats(outer, outers), number, _with_floats(state, states), True)
                return _floats(after), _floats(rows)

            _, pulled = jax.vjp(floats, _floats(outer), _floats(state))
            more, of_state = pulled(varying.along(self.axes, (of_state, [_at(x, number) for x in of_rows])))
            return ([a + b for a, b in zip(of_outer, more)], of_state), []

        nothing = [jnp.zeros_like(x) for x in _floats(outer)]
        return self._loop(lambda known, behind, _: behind < known[1], turn, known, (nothing, _matching(of_end, start)))[1]

    def _loop(self, goes_on: Callable, step: Callable, outer: Any, start: Any, rows: Sequence[Any] = ()) -> tuple[Any, Any, list]:
        """A loop of its own, whose gradient a second derivative takes."""
        return While(goes_on, step, outer, start, rows, self.n_kept, self.n_kept, self.axes).run(True)

    def _states(self, outer: Any, start: Any, count: Any, stride: Any) -> Any:
        """Those before every n-th of `count` turns."""

        def part(known: Any, number: Any, state: Any, is_again: bool) -> tuple[Any, list[Any]]:
            outer, count, stride = known
            begin = number * stride
            return self._after(outer, begin, jnp.minimum(begin + stride, count), state), jax.tree_util.tree_leaves(state)

        leaves, tree = jax.tree_util.tree_flatten(start)
        known = outer, count, stride
        *_, kept = self._loop(lambda known, number, _: number * known[2] < known[1], part, known, start, leaves)
        return jax.tree_util.tree_unflatten(tree, kept)

    def _after(self, outer: Any, begin: Any, end: Any, state: Any) -> Any:
        """The state before the turn `end`, from that before the turn `begin`."""

        def turn(known: Any, number: Any, state: Any, is_again: bool) -> tuple[Any, list[Any]]:
            outer, begin, _ = known
            return self.step(outer, begin + number, state, True)[0], []

        return self._loop(lambda known, number, _: known[1] + number < known[2], turn, (outer, begin, end), state)[1]


def _is_float(x: Any) -> bool:
    return jnp.issubdtype(x.dtype, jnp.inexact)


def _floats(tree: Any) -> list[Any]:
    return [x for x in jax.tree_util.tree_leaves(tree) if _is_float(x)]


def _with_floats(tree: Any, floats: Sequence[Any], keeps: bool = True) -> Any:
    """The tree with other floats; the rest is kept, or None."""
    rest = iter(floats)
    return jax.tree_util.tree_map(lambda x: next(rest) if _is_float(x) else x if keeps else None, tree)


def _matching(slopes: Any, tree: Any) -> list[Any]:
    """Those of the slopes that stand where a tree has floats."""
    return [slope for slope, x in zip(*map(jax.tree_util.tree_leaves, (slopes, tree))) if _is_float(x)]


def _at(x: Any, place: Any) -> Any:
    return lax.dynamic_index_in_dim(x, small(place, x.shape[0]), 0, keepdims=False)


def _put(x: Any, row: Any, place: Any) -> Any:
    return lax.dynamic_update_index_in_dim(x, row, small(place, x.shape[0]), 0)
