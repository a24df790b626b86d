"""The functions of Python's `math` in a graph: those that onnxruntime has float64 for, or that are made of such."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from ....ir.types import BOOL, INT
from .conversions import as_int
from .floats import DOMAIN, exponential, math_power, truediv
from .scalars import BEYOND, real, whole


def call(g: Any, *operands: Any, name: str) -> Any:
    """math.name(*operands)."""
    if name in _OF_INTS:
        return _OF_INTS[name](g, *operands)
    if name in _ROUNDINGS:
        return as_int(g, operands[0], _ROUNDINGS[name])
    if name not in _OF_FLOATS:
        g.refuse(f"onnxruntime has no math.{name} of float64; compute it outside, or on a tensor of float32")
    return _OF_FLOATS[name](g, *(real(g, x) for x in operands))


def _in_domain(g: Any, x: Any, ok: Any) -> Any:
    """`x` where a function is defined, else 1."""
    g.check(ok, "ValueError", DOMAIN)
    return g.Where(ok, x, 1.0)


def _node(operator: str) -> Callable[..., Any]:
    return lambda g, x: g.node(operator, x)


def _sqrt(g: Any, x: Any) -> Any:
    return g.Sqrt(_in_domain(g, x, g.Not(g.Less(x, 0.0))))


def _wave(operator: str) -> Callable[..., Any]:
    """sin and cos, which have no value at infinity."""
    return lambda g, x: g.node(operator, _in_domain(g, x, g.Not(g.IsInf(x))))


def _log(g: Any, x: Any, base: Any = None) -> Any:
    if base is None:
        return g.Log(_in_domain(g, x, g.Not(g.LessOrEqual(x, 0.0))))
    return truediv(g, _log(g, x), _log(g, base))


def _log_to(base: int) -> Callable[..., Any]:
    """log2 and log10, which are exact where the argument is a power of the base."""

    def lowered(g: Any, x: Any) -> Any:
        near = g.Div(_log(g, x), math.log(base))
        whole = g.Round(near)
        return g.Where(g.Equal(g.Pow(g.const(float(base)), whole), x), whole, near)

    return lowered


def _fmod(g: Any, a: Any, b: Any) -> Any:
    undefined = g.And(g.Or(g.IsInf(a), g.Equal(b, 0.0)), g.Not(g.Or(g.IsNaN(a), g.IsNaN(b))))
    g.check(g.Not(undefined), "ValueError", DOMAIN)
    return g.Mod(a, b, fmod=1)


def _copysign(g: Any, a: Any, b: Any) -> Any:
    negative = g.Less(g.Where(g.Equal(b, 0.0), g.Reciprocal(b), b), 0.0)  # of -0.0, -inf
    return g.Mul(g.Abs(a), g.Where(negative, -1.0, 1.0))


def _cosh(g: Any, x: Any) -> Any:
    return exponential(g, g.Mul(g.Add(g.Exp(x), g.Exp(g.Neg(x))), 0.5), x)


def _is_close(g: Any, a: Any, b: Any) -> Any:
    """Python's default: relative to the larger one, 1e-9."""
    near = g.LessOrEqual(g.Abs(g.Sub(a, b)), g.Mul(g.Max(g.Abs(a), g.Abs(b)), 1e-9))
    finite = g.Not(g.Or(g.IsInf(a), g.IsInf(b)))
    return g.Or(g.Equal(a, b), g.And(finite, near))


def _factorial(g: Any, x: Any) -> Any:
    if g.type_of(x) not in (INT, BOOL):
        g.refuse("math.factorial takes an int; give it int(x)")
    at = whole(g, x)
    g.check(g.GreaterOrEqual(at, 0), "ValueError", "factorial() not defined for negative values")
    g.check(g.LessOrEqual(at, 20), *BEYOND)
    table = np.array([math.factorial(k) for k in range(21)], np.int64)
    return g.Gather(table, g.Clip(at, np.int64(0), np.int64(20)), axis=0)


_ROUNDINGS = {"floor": "Floor", "ceil": "Ceil", "trunc": None}
_OF_INTS: dict[str, Callable[..., Any]] = {"factorial": _factorial}
_OF_FLOATS: dict[str, Callable[..., Any]] = {
    "sqrt": _sqrt,
    "exp": lambda g, x: exponential(g, g.Exp(x), x),
    "exp2": lambda g, x: exponential(g, g.Pow(g.const(2.0), x), x),
    "log": _log,
    "log2": _log_to(2),
    "log10": _log_to(10),
    "pow": math_power,
    "fabs": _node("Abs"),
    "fmod": _fmod,
    "copysign": _copysign,
    "sin": _wave("Sin"),
    "cos": _wave("Cos"),
    "tan": lambda g, x: g.Div(_wave("Sin")(g, x), g.Cos(x)),
    "cosh": _cosh,
    "tanh": _node("Tanh"),
    "degrees": lambda g, x: g.Mul(x, 180.0 / math.pi),
    "radians": lambda g, x: g.Mul(x, math.pi / 180.0),
    "isnan": _node("IsNaN"),
    "isinf": _node("IsInf"),
    "isfinite": lambda g, x: g.Not(g.Or(g.IsInf(x), g.IsNaN(x))),
    "isclose": _is_close,
}
