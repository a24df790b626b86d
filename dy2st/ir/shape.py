"""Dims and shapes.

A dim is a known length, a named unknown, or None: an anonymous unknown. A shape is a tuple of dims, or None where even the rank
is unknown.
"""

from __future__ import annotations

from ..errors import ShapeError
from .types import Dim

Shape = tuple[Dim, ...] | None


def shape_text(shape: Shape) -> str:
    """A shape for people: `[n, 3, ?]`, or `[*]` for an unknown rank."""
    return "[*]" if shape is None else f"[{', '.join('?' if d is None else str(d) for d in shape)}]"


def join_dims(a: Dim, b: Dim) -> Dim:
    """The dim on either of two paths: the same, or unknown."""
    return a if a == b else None


def join_shapes(a: Shape, b: Shape) -> Shape:
    """The shape on either of two paths: dims that agree stay, differing ranks give unknown rank."""
    if a is None or b is None or len(a) != len(b):
        return None
    return tuple(map(join_dims, a, b))


def broadcast_dims(a: Dim, b: Dim) -> Dim:
    """The dim of two broadcast axes; ShapeError where both are known and neither equal nor 1.

    An unknown axis against a known length above 1 can only be 1 or that length, so the result is known. Two different unknowns
    stay unknown, since either may be 1.
    """
    if a == b or b == 1:
        return a
    if a == 1:
        return b
    if isinstance(a, int) and isinstance(b, int):
        raise ShapeError(f"lengths {a} and {b} don't broadcast: they must be equal, or one of them 1")
    if isinstance(a, int) or isinstance(b, int):
        return a if isinstance(a, int) else b
    return None


def broadcast_shapes(*shapes: Shape) -> Shape:
    """The shape of operands broadcast together by NumPy's rules; ShapeError names the shapes and the axis."""
    result: Shape = ()
    for shape in shapes:
        result = _broadcast(result, shape, shapes)
    return result


def _broadcast(a: Shape, b: Shape, given: tuple[Shape, ...]) -> Shape:
    if a is None or b is None:
        return None
    rank = max(len(a), len(b))
    left, right = (1,) * (rank - len(a)) + a, (1,) * (rank - len(b)) + b
    dims = []
    for axis, (x, y) in enumerate(zip(left, right)):
        try:
            dims.append(broadcast_dims(x, y))
        except ShapeError as error:
            names = " and ".join(map(shape_text, given))
            raise ShapeError(f"shapes {names} don't broadcast: at axis {axis - rank}, {error}") from None
    return tuple(dims)


def shape_fits(given: Shape, declared: Shape) -> bool:
    """Whether an array of shape `given` may stand for `declared`, whose unknowns accept anything, names only themselves."""
    if declared is None:
        return True
    if given is None or len(given) != len(declared):
        return False
    return all(d is None or d == g for g, d in zip(given, declared))


def shape_agrees(a: Shape, b: Shape) -> bool:
    """Whether two descriptions of one array don't contradict each other: known lengths, where both know them, are equal."""
    if a is None or b is None:
        return True
    return len(a) == len(b) and all(x == y or not (isinstance(x, int) and isinstance(y, int)) for x, y in zip(a, b))


def size(shape: Shape) -> int | None:
    """The number of elements, where every dim is known."""
    count = 1
    for dim in shape if shape is not None else (None,):
        if not isinstance(dim, int):
            return None
        count *= dim
    return count
