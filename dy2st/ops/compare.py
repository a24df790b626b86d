"""Comparisons, logic and bits, element by element. None of them has a gradient."""

from __future__ import annotations

import numpy as np

from ..dtypes import DTYPES
from ..errors import DTypeError
from ..ir.types import TensorType
from .registry import OpDef, define
from .rules import infer_broadcast, need_tensor, quiet


def _compare(name: str, function, sign: str, onnx) -> OpDef:
    template = f"{{0}} {sign} {{1}}"
    return define(name, kernel=function, infer=infer_broadcast(name, "bool"), template=template, out=True, onnx=onnx)


equal = _compare("equal", np.equal, "==", lambda g, x, y: g.Equal(x, y))
not_equal = _compare("not_equal", np.not_equal, "!=", lambda g, x, y: g.Not(g.Equal(x, y)))
less_than = _compare("less_than", np.less, "<", lambda g, x, y: g.Less(x, y))
less_equal = _compare("less_equal", np.less_equal, "<=", lambda g, x, y: g.LessOrEqual(x, y))
greater_than = _compare("greater_than", np.greater, ">", lambda g, x, y: g.Greater(x, y))
greater_equal = _compare("greater_equal", np.greater_equal, ">=", lambda g, x, y: g.GreaterOrEqual(x, y))


def _logical(name: str, function) -> OpDef:
    template = f"np.{name}({{0}}, {{1}})"
    return define(name, kernel=function, infer=infer_broadcast(name, "bool"), template=template, out=True)


logical_and = _logical("logical_and", np.logical_and)
logical_or = _logical("logical_or", np.logical_or)
logical_xor = _logical("logical_xor", np.logical_xor)


def _infer_flag(op: str):
    return lambda x, **_: TensorType("bool", need_tensor(op, x).shape)


logical_not = define(
    "logical_not", kernel=np.logical_not, infer=_infer_flag("logical_not"), template="np.logical_not({0})", out=True
)


def whole(name: str, function: np.ufunc, or_bools: bool = False) -> OpDef:
    """An operator on integers, or bools where it takes them, element by element."""
    broadcast = infer_broadcast(name)

    def infer(*types):
        result = broadcast(*types)
        if not (DTYPES[result.dtype].is_integer or (or_bools and result.dtype == "bool")):
            raise DTypeError(f"{name} takes integers{' or booleans' if or_bools else ''}, not {result.dtype}")
        return result

    slots = ", ".join(f"{{{i}}}" for i in range(function.nin))
    return define(name, kernel=function, infer=infer, template=f"np.{function.__name__}({slots})", out=True)


bitwise_and = whole("bitwise_and", np.bitwise_and, or_bools=True)
bitwise_or = whole("bitwise_or", np.bitwise_or, or_bools=True)
bitwise_xor = whole("bitwise_xor", np.bitwise_xor, or_bools=True)
bitwise_not = whole("bitwise_not", np.invert, or_bools=True)

isnan = define("isnan", kernel=np.isnan, infer=_infer_flag("isnan"), template="np.isnan({0})", out=True)
isinf = define("isinf", kernel=np.isinf, infer=_infer_flag("isinf"), template="np.isinf({0})", out=True)
isfinite = define("isfinite", kernel=np.isfinite, infer=_infer_flag("isfinite"), template="np.isfinite({0})", out=True)


def _infer_isclose(x, y, rtol, atol, equal_nan):
    return infer_broadcast("isclose", "bool")(x, y)


isclose = define("isclose", kernel=quiet(np.isclose), infer=_infer_isclose)
