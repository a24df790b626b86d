"""Views in ONNX, which copies: reshape and its relatives, transpose, broadcast_to; and what writing through them leaves."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np


def reshape(g: Any, x: Any, shape: Sequence) -> Any:
    """0 in `shape` is a length of 0, which ONNX has to be told. Beside a -1 it makes the run fail, as a second -1."""
    known, lengths = [g.known(d) for d in shape], g.ints(shape)
    if -1 in known and None in known:
        lengths = g.Where(g.Equal(lengths, 0), -1, lengths)
    return g.Reshape(x, lengths, allowzero=1 if None in known or 0 in known else None)


def flatten(g: Any, x: Any, start_axis: int, stop_axis: int) -> Any:
    """Flatten where it makes a matrix with the first axis."""
    rank = g.rank_of(x)
    if rank == 0:
        return g.Reshape(x, [1])
    start, stop = start_axis % rank, stop_axis % rank
    if start == 1 and stop == rank - 1:
        return g.Flatten(x, axis=1)
    dims = g.dims(x)
    return g.reshaped(x, [*dims[:start], g.product(dims[start : stop + 1]), *dims[stop + 1 :]])


def squeeze(g: Any, x: Any, axis: Sequence[int] | None) -> Any:
    """Axes longer than 1 stay; where the run knows their lengths, it makes the shape."""
    if axis is None:
        return g.Squeeze(x)
    dims, rank = g.dims(x), g.rank_of(x)
    axes = [a % rank for a in axis]
    if all(isinstance(dims[a], int) for a in axes):
        ones = [a for a in axes if dims[a] == 1]
        return g.Squeeze(x, ones) if ones else x
    lengths = g.shape_of(x)
    gone = g.And(g.Equal(lengths, 1), np.isin(np.arange(rank), axes))
    return g.Reshape(x, g.Compress(lengths, g.Not(gone), axis=0), allowzero=1)


def expect(g: Any, x: Any, shape: Sequence, what: str) -> Any:
    """The tensor itself; the run fails where it has other lengths."""
    if x.rank == len(shape) and all(d == -1 or isinstance(own, int) and own == g.known(d) for own, d in zip(x.shape, shape)):
        return x
    lengths = g.Reshape(g.Shape(x), [len(shape)], allowzero=1)
    asked = g.ints(shape)
    wanted = g.Where(g.Equal(asked, -1), lengths, asked)
    return g.Reshape(x, g.checked(wanted, g.agree(lengths, wanted)), allowzero=1)


def broadcast_to(g: Any, x: Any, shape: Sequence) -> Any:
    """-1 in `shape` keeps the length of that axis."""
    own = g.dims(x)
    own = [*[1] * (len(shape) - len(own)), *own]
    return broadcast(g, x, [length if g.known(d) == -1 else g.whole(d) for d, length in zip(shape, own)])


def broadcast(g: Any, x: Any, dims: Sequence) -> Any:
    """`x` in a shape that it broadcasts to. Expand would let it be longer as well, so the shape is checked where it may be."""
    own = [*[1] * (len(dims) - g.rank_of(x)), *x.shape]
    if g.has_lengths(x, dims):
        return x
    found = g.Expand(x, g.ints(dims))
    is_sure = all(a == 1 or isinstance(b, int) and b != 1 for a, b in zip(own, dims))
    return found if is_sure else g.of_lengths(found, dims)


def inverse(perm: Sequence[int]) -> list[int]:
    """The permutation that takes `perm` back."""
    return [int(p) for p in np.argsort(perm)]
