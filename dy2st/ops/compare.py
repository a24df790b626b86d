"""Comparisons, logic and bits, element by element. None of them has a gradient."""

from __future__ import annotations

import math

import numpy as np

from ..dtypes import DTYPES
from ..errors import DTypeError
from ..ir.types import NUMBER, TensorType
from .lowered import complexes
from .python.lowered.scalars import is_float
from .registry import OpDef, define
from .rules import infer_broadcast, need_tensor, quiet


def _compare(name: str, function, sign: str, onnx, onnx_complex=None) -> OpDef:
    template = f"{{0}} {sign} {{1}}"

    return define(
        name,
        kernel=function,
        infer=infer_broadcast(name, "bool"),
        template=template,
        out=True,
        onnx=lambda g, x, y: _compared(g, x, y, onnx),
        onnx_complex=onnx_complex,
    )


def _compared(g, x, y, onnx):
    """A tensor of integers or bools meets a number in that one's own dtype: 2 < 2.5, and a uint8 is less than 300."""
    number, tensor = (x, y) if g.number_dtype(x) is not None else (y, x)
    own = g.number_dtype(number)
    if own is None or DTYPES[tensor.dtype].is_floating:
        return onnx(g, x, y)

    def in_dtype(dtype):
        return onnx(g, *(g.cast(g.value(part, dtype), dtype) for part in (x, y)))

    if g.type_of(number) == NUMBER:
        return g.Where(is_float(g, number), in_dtype("float64"), in_dtype("int64"))
    return in_dtype("float64" if own == "float64" else "int64")


equal = _compare("equal", np.equal, "==", lambda g, x, y: g.Equal(x, y), complexes.equal)
not_equal = _compare("not_equal", np.not_equal, "!=", lambda g, x, y: g.Not(g.Equal(x, y)), complexes.not_equal)
less_than = _compare("less_than", np.less, "<", lambda g, x, y: g.Less(x, y))
less_equal = _compare("less_equal", np.less_equal, "<=", lambda g, x, y: g.LessOrEqual(x, y))
greater_than = _compare("greater_than", np.greater, ">", lambda g, x, y: g.Greater(x, y))
greater_equal = _compare("greater_equal", np.greater_equal, ">=", lambda g, x, y: g.GreaterOrEqual(x, y))


def _logical(name: str, function, operator: str) -> OpDef:
    def lowering(g, x, y):
        return g.node(operator, *(g.cast(part, "bool") for part in g.alike(x, y)))

    template = f"np.{name}({{0}}, {{1}})"
    return define(name, kernel=function, infer=infer_broadcast(name, "bool"), template=template, out=True, onnx=lowering)


logical_and = _logical("logical_and", np.logical_and, "And")
logical_or = _logical("logical_or", np.logical_or, "Or")
logical_xor = _logical("logical_xor", np.logical_xor, "Xor")


def _infer_flag(op: str):
    return lambda x, **_: TensorType("bool", need_tensor(op, x).shape)


logical_not = define(
    "logical_not",
    kernel=np.logical_not,
    infer=_infer_flag("logical_not"),
    template="np.logical_not({0})",
    out=True,
    onnx=lambda g, x: g.Not(g.cast(x, "bool")),
)


def whole(name: str, function: np.ufunc, or_bools: bool = False, onnx=None) -> OpDef:
    """An operator on integers, or bools where it takes them, element by element."""
    broadcast = infer_broadcast(name)

    def infer(*types):
        result = broadcast(*types)
        if not (DTYPES[result.dtype].is_integer or (or_bools and result.dtype == "bool")):
            raise DTypeError(f"{name} takes integers{' or booleans' if or_bools else ''}, not {result.dtype}")
        return result

    slots = ", ".join(f"{{{i}}}" for i in range(function.nin))
    return define(name, kernel=function, infer=infer, template=f"np.{function.__name__}({slots})", out=True, onnx=onnx)


def _bits(operator: str):
    """ONNX's operator on integers, and that on bools."""
    return lambda g, *operands: g.node(operator if g.alike(*operands)[0].dtype == "bool" else f"Bitwise{operator}", *operands)


bitwise_and = whole("bitwise_and", np.bitwise_and, or_bools=True, onnx=_bits("And"))
bitwise_or = whole("bitwise_or", np.bitwise_or, or_bools=True, onnx=_bits("Or"))
bitwise_xor = whole("bitwise_xor", np.bitwise_xor, or_bools=True, onnx=_bits("Xor"))
bitwise_not = whole("bitwise_not", np.invert, or_bools=True, onnx=_bits("Not"))


def _flag(name: str, function: np.ufunc, of_whole: bool, onnx) -> OpDef:
    """A question about floating-point numbers, to which `of_whole` is the answer for all others."""

    def lowering(g, x):
        return onnx(g, x) if DTYPES[x.dtype].is_floating else g.filled("bool", of_whole, g.shape_of(x))

    return define(name, kernel=function, infer=_infer_flag(name), template=f"np.{name}({{0}})", out=True, onnx=lowering)


isnan = _flag("isnan", np.isnan, False, lambda g, x: g.IsNaN(x))
isinf = _flag("isinf", np.isinf, False, lambda g, x: g.IsInf(x))
isfinite = _flag("isfinite", np.isfinite, True, lambda g, x: g.Less(g.Abs(x), math.inf))


def _infer_isclose(x, y, rtol, atol, equal_nan):
    return infer_broadcast("isclose", "bool")(x, y)


def _onnx_isclose(g, x, y, rtol, atol, equal_nan):
    x, y = g.alike(x, y)
    if not DTYPES[x.dtype].is_floating:
        x, y = g.cast(x, "float64"), g.cast(y, "float64")
    near = g.LessOrEqual(g.Abs(g.Sub(x, y)), g.Add(g.Mul(g.Abs(y), rtol), atol))
    found = g.Or(g.And(near, isfinite.onnx(g, y)), g.Equal(x, y))
    return g.Or(found, g.And(g.IsNaN(x), g.IsNaN(y))) if g.fixed(equal_nan, "equal_nan") else found


isclose = define("isclose", kernel=quiet(np.isclose), infer=_infer_isclose, onnx=_onnx_isclose)
