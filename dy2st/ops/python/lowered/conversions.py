"""int(), float(), bool(), round(), and the other functions that turn one number into another, in a graph."""

from __future__ import annotations

import math
from typing import Any

from ....ir.types import BOOL, FLOAT, INT, NUMBER, STR
from ..words import said
from .scalars import BEYOND, fits, is_float, real, whole


def as_int(g: Any, x: Any, rounding: str | None = None) -> Any:
    """int(x), or what `rounding`, an operator of ONNX, makes of a float before."""
    if g.type_of(x) == STR:
        g.refuse("ONNX reads no number from a text; pass the number")
    if g.type_of(x) in (INT, BOOL):
        return whole(g, x)
    as_float = real(g, x) if rounding is None else g.node(rounding, real(g, x))
    floats = is_float(g, x)
    with g.only_if(floats):
        g.check(g.Not(g.IsNaN(as_float)), "ValueError", said(lambda: int(math.nan)))
        g.check(g.Not(g.IsInf(as_float)), "OverflowError", said(lambda: int(math.inf)))
        inside = fits(g, as_float)
        g.check(inside, *BEYOND)
    found = g.cast(g.Where(inside, as_float, 0.0), "int64")
    return g.Where(floats, found, whole(g, x)) if g.type_of(x) == NUMBER else found


def as_float(g: Any, x: Any) -> Any:
    """float(x)."""
    if g.type_of(x) == STR:
        g.refuse("ONNX reads no number from a text; pass the number")
    return real(g, x)


def rounded(g: Any, x: Any, ndigits: Any = None) -> Any:
    """round(x, ndigits)."""
    if ndigits is None:
        return as_int(g, x, "Round")
    digits, type_ = g.known(ndigits), g.type_of(x)
    if type_ in (INT, BOOL) and digits is not None and digits >= 0:
        return whole(g, x)
    if type_ == FLOAT and digits == 0:
        return g.Round(real(g, x))
    g.refuse("Python rounds to decimal digits exactly, which ONNX's floats don't; round outside, or without digits")
