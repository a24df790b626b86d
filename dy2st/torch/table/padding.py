"""More elements around a tensor, or fewer."""

from __future__ import annotations

from typing import Any

import dy2st as api

from ...ops import padding as ops
from .axes import rank_of
from .pointwise import as_dtype
from .rows import demanded, refused, row


def _pairs(x: Any, pad: Any) -> list:
    """(before, after) of each axis, from numbers for the last axes backwards."""
    given = list(pad)
    if len(given) % 2 or len(given) > 2 * rank_of(x):
        raise refused(f"pad takes two numbers for an axis, and no more axes than there are, not {given}")
    pairs = [[given[i], given[i + 1]] for i in range(0, len(given), 2)]
    return [[0, 0]] * (rank_of(x) - len(pairs)) + pairs[::-1]


@row("constant_pad_nd")
def constant_pad_nd(input: Any, pad: Any, value: Any = 0) -> Any:
    """One number around a tensor."""
    pairs = _pairs(input, pad)
    if isinstance(value, api.Tensor | complex):
        filler = as_dtype(value, input.type.dtype)
        inside = ops.pad(api.ones_like(input, dtype="bool"), pads=pairs, mode="constant", value=False)
        return api.where(inside, ops.pad(input, pads=pairs, mode="constant", value=0), filler)
    return ops.pad(input, pads=pairs, mode="constant", value=value)


@row("nn.functional.pad", "_C._nn.pad")
def pad(input: Any, pad: Any, mode: str = "constant", value: Any = None) -> Any:
    """More elements around a tensor: one number, its reflection, its border, or the other end of it."""
    if mode == "constant":
        return constant_pad_nd(input, pad, 0 if value is None else value)
    if value is not None and value != 0:
        raise refused(f'Padding mode "{mode}" doesn\'t take in value argument')
    if mode not in ("reflect", "replicate", "circular"):
        raise NotImplementedError(f"Unrecognised padding mode {mode}")
    pairs = _pairs(input, pad)
    for axis, (before, after) in enumerate(pairs):
        _check(mode, input.static_shape[axis], before, after)
    for axis, pair in enumerate(pairs):
        if not all(type(n) is int and n == 0 for n in pair):
            input = api.index_select(input, _sources(mode, input.shape[axis], *pair), axis)
    return input


def _check(mode: str, length: Any, before: Any, after: Any) -> None:
    if mode == "replicate" or length is None or not isinstance(before, int) or not isinstance(after, int):
        return
    if max(before, after) > 0 and max(before, after) > (length - 1 if mode == "reflect" else length):
        raise refused(f"padding of {before} and {after} is too long for an axis of length {length} with mode {mode}")


def _least(count: Any) -> Any:
    """A number where it is negative, else 0."""
    return min(count, 0) if type(count) is int else count * (count < 0)


def _sources(mode: str, length: Any, before: Any, after: Any) -> Any:
    """Which element stands at each place."""
    places = api.arange(0, length + before + after, 1, "int64") - before
    if mode == "circular":  # of what negative numbers leave
        first, count = -_least(before), length + _least(before) + _least(after)
        holds = (before <= count) & (after <= count)
        return demanded((places - first) % count + first, holds, "Padding value causes wrapping around more than once.")
    if mode == "replicate":
        return api.clip(places, 0, length - 1)
    says = "Padding size should be less than the corresponding input dimension"
    places = demanded(places, (length > before) & (length > after), says)
    return (length - 1) - api.abs((length - 1) - api.abs(places))
