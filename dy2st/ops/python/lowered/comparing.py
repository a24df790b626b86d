"""Comparing Python's numbers, exactly: an int with a float, too, and beyond 2**53."""

from __future__ import annotations

from typing import Any

from ....ir.types import BOOL, FLOAT, INT, NUMBER
from .answers import Typed
from .scalars import LEAST, MOST

NODES = {"<": "Less", "<=": "LessOrEqual", ">": "Greater", ">=": "GreaterOrEqual", "==": "Equal"}
_STRICT = {"<": "Less", "<=": "Less", ">": "Greater", ">=": "Greater"}
_EXACT = 2**53  # up to here every int is a float


def compare(g: Any, symbol: str, a: Typed, b: Typed) -> Any:
    """Whether two numbers compare so; `symbol` isn't `!=`."""
    types = {a[0], b[0]}
    if types <= {INT, BOOL}:
        return g.node(NODES[symbol], *(g.cast(leaves[0], "int64") for _, leaves in (a, b)))
    (real_a, rest_a), (real_b, rest_b) = (_near(g, *x) for x in (a, b))
    if rest_a is None and rest_b is None:
        return g.node(NODES[symbol], real_a, real_b)
    same = g.Equal(real_a, real_b)
    rest = g.node(NODES[symbol], *(g.const(0) if x is None else x for x in (rest_a, rest_b)))
    close = g.And(same, rest)
    return close if symbol == "==" else g.Or(g.node(_STRICT[symbol], real_a, real_b), close)


def _near(g: Any, type_: Any, leaves: list) -> tuple[Any, Any]:
    """The nearest float, and how much more the number is, as an int; None: nothing.

    Rounding keeps order: numbers whose nearest floats differ compare as these do.
    """
    if type_ in (FLOAT, BOOL):
        return g.cast(leaves[0], "float64"), None
    whole = leaves[1 if type_ == NUMBER else 0]
    real = leaves[2] if type_ == NUMBER else g.cast(whole, "float64")
    if whole.item is not None and abs(whole.item) <= _EXACT:
        return real, None
    near = g.cast(whole, "float64")  # of a number that is a float, 0
    above = g.GreaterOrEqual(near, float(MOST))  # 2**63, which is no int of 64 bits: a difference from it is one from -2**63
    back = g.Where(above, LEAST, g.cast(g.Where(above, 0.0, near), "int64"))
    return real, g.Sub(whole, back)
