"""Python's numbers in a graph: int64[], float64[] or bool[]; one of unknown class is all of them, and which it is."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ....ir.types import BOOL, FLOAT, INT, NUMBER

LEAST, MOST = -(2**63), 2**63 - 1
KINDS = {BOOL: 0, INT: 1, FLOAT: 2}
BEYOND = ("OverflowError", "an int is beyond 64 bits; compute with floats")
Lowering = Callable[..., Any]


def kind(g: Any, x: Any) -> Any:
    """Which class a number is of: 0 bool, 1 int, 2 float."""
    return x.leaves[0] if g.type_of(x) == NUMBER else g.const(KINDS[g.type_of(x)])


def whole(g: Any, x: Any) -> Any:
    """A number as an int, int64[]; 0 for a number that is a float."""
    return x.leaves[1] if g.type_of(x) == NUMBER else g.cast(x, "int64")


def real(g: Any, x: Any) -> Any:
    """A number as a float, float64[]: the nearest one."""
    return x.leaves[2] if g.type_of(x) == NUMBER else g.cast(x, "float64")


def is_float(g: Any, x: Any) -> Any:
    """Whether a number is a float."""
    return g.Equal(kind(g, x), KINDS[FLOAT]) if g.type_of(x) == NUMBER else g.const(g.type_of(x) == FLOAT)


def by_class(of_ints: Lowering, of_floats: Lowering) -> Lowering:
    """Python's rule: a float among the operands makes all of them floats; bools count as ints."""

    def lowered(g: Any, *operands: Any) -> Any:
        types = {g.type_of(x) for x in operands}
        if FLOAT in types:
            return of_floats(g, *(real(g, x) for x in operands))
        if NUMBER not in types:
            return of_ints(g, *(whole(g, x) for x in operands))
        found = g.Max(1, *(kind(g, x) for x in operands))
        return of_either(g, found, of_ints, of_floats, operands)

    return lowered


def of_either(g: Any, found: Any, of_ints: Lowering, of_floats: Lowering, operands: Any) -> Any:
    """What one of two lowerings gives: that of floats where `found`, the kind of the result, is 2."""
    ints = g.Not(g.Equal(found, KINDS[FLOAT]))
    with g.only_if(ints):
        wholes = of_ints(g, *(whole(g, x) for x in operands))
    with g.only_if(g.Not(ints)):
        reals = of_floats(g, *(real(g, x) for x in operands))
    if isinstance(wholes, tuple):  # of divmod
        return tuple(_number(g, found, ints, *pair) for pair in zip(wholes, reals))
    return _number(g, found, ints, wholes, reals)


def _number(g: Any, found: Any, ints: Any, as_int: Any, as_float: Any) -> Any:
    """A number that is `as_int` where `ints` holds, else `as_float`."""
    return g.number(found, g.Where(ints, as_int, 0), chosen(g, ints, g.cast(as_int, "float64"), as_float))


def chosen(g: Any, condition: Any, yes: Any, no: Any) -> Any:
    """One of two tensors without axes. onnxruntime's Where of floats loses the sign of -0.0."""
    if yes.dtype != "float64":
        return g.Where(condition, yes, no)
    both = g.Concat(g.Unsqueeze(no, [0]), g.Unsqueeze(yes, [0]), axis=0)
    return g.Gather(both, g.cast(condition, "int64"), axis=0)


def is_in(g: Any, x: Any, least: int, most: int) -> Any:
    """Whether an int lies between two, these included."""
    return g.Equal(g.Clip(x, np.int64(least), np.int64(most)), x)


def fits(g: Any, x: Any) -> Any:
    """Whether a float without its fraction is an int of 64 bits."""
    return g.And(g.GreaterOrEqual(x, float(LEAST)), g.Less(x, float(MOST)))
