"""Operators that give an element for each element."""

from __future__ import annotations

from functools import reduce
from typing import Any

import numpy as np

from ....dtypes import DTYPES
from ....graphs.lowering.values import DTYPE_NAMES


def _is_whole(x: Any) -> bool:
    return np.dtype(x.dtype).kind in "iu"


def _div(m: Any, a: Any, b: Any) -> Any:
    """Of ints what ONNX's gives, which rounds towards 0; 0 in the place of a quotient by 0."""
    if not _is_whole(a):
        return m.divide(a, b)
    zero, by = _divisor(m, b)
    if m is not np:
        return _unless(m, zero, lax().div(*m.broadcast_arrays(a, by)))
    down = np.floor_divide(a, by)
    inexact = (down * by != a) & (down < 0) if np.dtype(a.dtype).kind == "i" else np.zeros_like(down, bool)
    return _unless(np, zero, down + inexact.astype(a.dtype))


def _divisor(m: Any, b: Any) -> tuple[Any, Any]:
    """Where a divisor is 0, None if it is nowhere, and the divisor with 1 there."""
    if isinstance(b, np.ndarray) and b.all():
        return None, b
    return b == 0, m.where(b == 0, m.ones_like(b), b)


def _unless(m: Any, zero: Any, found: Any) -> Any:
    """0 in the place of what is divided by 0."""
    return found if zero is None else where(m, zero, m.zeros_like(found), found)


def lax() -> Any:
    """JAX's primitives."""
    from jax import lax

    return lax


def _mod(m: Any, a: Any, b: Any, fmod: int = 0) -> Any:
    """The rest with the sign of the divisor, with `fmod` of the dividend; 0 by 0."""
    if not _is_whole(a):
        return m.fmod(a, b) if fmod else m.mod(a, b)
    zero, by = _divisor(m, b)
    if m is np:
        return _unless(np, zero, (np.fmod if fmod else np.mod)(a, by))
    rest = lax().rem(*m.broadcast_arrays(a, by))
    if not fmod and np.dtype(a.dtype).kind == "i":
        rest = where(m, (rest != 0) & ((rest < 0) != (by < 0)), rest + by, rest)
    return _unless(m, zero, rest)


def _floor_div(m: Any, a: Any, b: Any) -> Any:
    """The quotient of ints rounded down; no divisor is 0. For a constant one, LLVM shifts where the sign of `a` is asked."""
    if m is np:
        return np.floor_divide(a, b)
    a, b = m.broadcast_arrays(a, b)
    is_off = (lax().rem(a, b) != 0) & ((a < 0) != (b < 0))
    return lax().div(a, b) - is_off.astype(a.dtype)


def _pow(m: Any, a: Any, b: Any) -> Any:
    if not _is_whole(a):
        is_root = m is not np and isinstance(b, np.ndarray) and b.ndim == 0 and b == 0.5
        return m.sqrt(a) if is_root else m.power(a, b.astype(a.dtype))  # as NumPy: nan of -inf, -0.0 of -0.0
    return m.power(a, b) if _is_whole(b) else m.power(a.astype(b.dtype), b).astype(a.dtype)


def _cast(m: Any, x: Any, to: int) -> Any:
    target = DTYPES[DTYPE_NAMES[to]].numpy
    if np.dtype(x.dtype).kind == "f" and np.dtype(target).kind in "iu":
        return _whole_of(m, x, target)
    return x.astype(target)


def _whole_of(m: Any, x: Any, target: Any) -> Any:
    """Floats without their fractions, as NumPy has it on this hardware, where the processor converts to int32 or int64.

    What is beyond these becomes their least number, from which shorter ints take the last bits.
    """
    if m is np:
        with np.errstate(all="ignore"):
            return x.astype(target)
    way = np.dtype("int64" if np.dtype(target).itemsize == 8 or target == np.uint32 else "int32")
    end = 2.0 ** (8 * way.itemsize - 1)
    fits = (m.trunc(x) >= -end) & (x < end)
    return m.where(fits, m.trunc(x), -end).astype(way).astype(target)


def _sign(m: Any, x: Any) -> Any:
    """The sign; 0 of both zeros."""
    return m.sign(x) if m is np or _is_whole(x) else where(m, x == 0, m.zeros_like(x), m.sign(x))


def _clip(m: Any, x: Any, least: Any = None, most: Any = None) -> Any:
    x = x if least is None else m.maximum(x, least)
    return x if most is None else m.minimum(x, most)


def _isinf(m: Any, x: Any, detect_negative: int = 1, detect_positive: int = 1) -> Any:
    return m.isinf(x) & ((x < 0) & bool(detect_negative) | (x > 0) & bool(detect_positive))


def _bitshift(m: Any, a: Any, b: Any, direction: Any) -> Any:
    left = direction in ("LEFT", b"LEFT")
    return (m.left_shift if left else m.right_shift)(a, b)


def _erf(m: Any, x: Any) -> Any:
    from jax.scipy.special import erf

    return erf(x)


def _softplus(m: Any, x: Any) -> Any:
    return m.logaddexp(x, m.zeros_like(x))


def _gelu(m: Any, x: Any, approximate: Any = "none") -> Any:
    from jax.nn import gelu

    return gelu(x, approximate=approximate in ("tanh", b"tanh"))


def _fold(name: str) -> Any:
    return lambda m, *xs: reduce(getattr(m, name), xs)


def _softmax(m: Any, x: Any, axis: int = -1) -> Any:
    grown = m.exp(x - m.max(x, axis=axis, keepdims=True)) if x.shape[axis] else x
    return grown / m.sum(grown, axis=axis, keepdims=True)


def _log_softmax(m: Any, x: Any, axis: int = -1) -> Any:
    if not x.shape[axis]:
        return x
    shifted = x - m.max(x, axis=axis, keepdims=True)
    return shifted - m.log(m.sum(m.exp(shifted), axis=axis, keepdims=True))


def _bitcast(m: Any, x: Any, to: int) -> Any:
    return x.view(DTYPES[DTYPE_NAMES[to]].numpy)


_SAME = {  # ONNX's name, or what ONNX lacks -> NumPy's
    "Abs": "abs", "Acos": "arccos", "Acosh": "arccosh", "Add": "add", "And": "logical_and", "Asin": "arcsin",
    "Asinh": "arcsinh", "Atan": "arctan", "Atanh": "arctanh", "BitwiseAnd": "bitwise_and", "BitwiseNot": "invert",
    "BitwiseOr": "bitwise_or", "BitwiseXor": "bitwise_xor", "Ceil": "ceil", "Cos": "cos", "Cosh": "cosh", "Equal": "equal",
    "Exp": "exp", "Expm1": "expm1", "Floor": "floor", "Greater": "greater", "GreaterOrEqual": "greater_equal", "IsNaN": "isnan",
    "Less": "less", "LessOrEqual": "less_equal", "Log": "log", "Log1p": "log1p", "Mul": "multiply", "Neg": "negative",
    "Not": "logical_not", "Or": "logical_or", "Reciprocal": "reciprocal", "Round": "round", "Sin": "sin", "Sinh": "sinh",
    "Sqrt": "sqrt", "Sub": "subtract", "Tan": "tan", "Tanh": "tanh", "Xor": "logical_xor",
}  # fmt: skip


def where(m: Any, condition: Any, yes: Any, no: Any) -> Any:
    """NumPy's `where`; arrays of one shape and dtype are selected without a function of its own to be traced."""
    is_plain = m is not np and condition.shape in ((), yes.shape) and (yes.shape, yes.dtype) == (no.shape, no.dtype)
    return lax().select(condition, yes, no) if is_plain else m.where(condition, yes, no)


def _named(name: str) -> Any:
    return lambda m, *xs: getattr(m, name)(*xs)


NODES = {
    **{operator: _named(name) for operator, name in _SAME.items()},
    "BitCast": _bitcast,
    "BitShift": _bitshift,
    "Cast": _cast,
    "Clip": _clip,
    "Div": _div,
    "Elu": lambda m, x, alpha=1.0: m.where(x < 0, alpha * m.expm1(m.minimum(x, 0)), x),
    "Erf": _erf,
    "FloorDiv": _floor_div,
    "Gelu": _gelu,
    "HardSigmoid": lambda m, x, alpha=0.2, beta=0.5: m.clip(x * np.asarray(alpha, x.dtype) + np.asarray(beta, x.dtype), 0, 1),
    "Identity": lambda m, x: x,
    "IsInf": _isinf,
    "LeakyRelu": lambda m, x, alpha=0.01: m.where(x < 0, np.asarray(alpha, x.dtype) * x, x),
    "LogSoftmax": _log_softmax,
    "Max": _fold("maximum"),
    "Min": _fold("minimum"),
    "Mod": _mod,
    "Pow": _pow,
    "Relu": lambda m, x: m.maximum(x, m.zeros((), x.dtype)),
    "Sign": _sign,
    "Sigmoid": lambda m, x: 1 / (1 + m.exp(-x)) if m is np else lax().logistic(x),
    "Softmax": _softmax,
    "Softplus": _softplus,
    "Where": where,
}
OF_ROWS = frozenset(NODES) - {"BitCast", "LogSoftmax", "Softmax"}  # not along axes, nor of other dtypes
