"""Python's operators on staged numbers and strings: `py.add`, `py.lt`, ... with Python's own result classes and exceptions."""

from __future__ import annotations

import builtins
import operator
from typing import Any

from ...errors import DTypeError
from ...ir.types import BOOL, INT, NUMBER, STR, TupleType, Type
from ..registry import OpDef, define
from . import rules
from .lowered import arithmetic, equality, ordering

_ZERO = ("ZeroDivisionError", "OverflowError")


def _add_type(a: Type, b: Type) -> Type:
    return STR if a == b == STR else rules.arithmetic("py.add")(a, b)


def _mul_type(a: Type, b: Type) -> Type:
    if STR not in (a, b):
        return rules.arithmetic("py.mul")(a, b)
    times = b if a == STR else a
    if times not in (INT, BOOL):
        raise DTypeError(f"py.mul repeats a string an int number of times, not {times}")
    return STR


def _sign_type(type_: Type) -> Type:
    return INT if rules.scalar(type_, "a sign") == BOOL else type_


def _divmod_type(a: Type, b: Type) -> Type:
    part = rules.arithmetic("py.divmod")(a, b)
    return TupleType((part, part))


def _extreme_type(*types: Type) -> Type:
    """min and max give one of their operands: its class is known only where they agree."""
    if types and all(t == STR for t in types):
        return STR
    for type_ in types:
        rules.scalar(type_, "min / max")
    return types[0] if len(set(types)) == 1 else NUMBER


def _equality_type(a: Type, b: Type) -> Type:
    return BOOL


def _real_power(a: Any, b: Any) -> Any:
    result = a**b
    if isinstance(result, complex):
        raise ValueError(f"{a!r} ** {b!r} is a complex number, which a staged number can't hold")
    return result


def _mod(a: Any, b: Any) -> Any:
    if isinstance(a, str):
        raise DTypeError("py.mod takes numbers; `%` of a text is str.percent")
    return a % b


def _invert(a: Any) -> int:
    return -1 - operator.index(a)  # `~` itself draws a warning on a bool


def _identity_template(attrs: dict[str, Any], names: list[str], types: list[Type]) -> str | None:
    # `x is 3` draws a SyntaxWarning from the compiler: only names go inline.
    inline = all(name.isidentifier() and name not in ("True", "False") for name in names)
    return f"{names[0]} is {names[1]}" if inline else None


add = define(
    "py.add", kernel=operator.add, infer=_add_type, template="{0} + {1}", raises=("OverflowError",), onnx=arithmetic.add
)
sub = define(
    "py.sub",
    kernel=operator.sub,
    infer=rules.arithmetic("py.sub"),
    template="{0} - {1}",
    raises=("OverflowError",),
    onnx=arithmetic.sub,
)
mul = define(
    "py.mul",
    kernel=operator.mul,
    infer=_mul_type,
    template="{0} * {1}",
    raises=("OverflowError", "MemoryError"),
    onnx=arithmetic.mul,
)
truediv = define(
    "py.truediv", kernel=operator.truediv, infer=rules.division, template="{0} / {1}", raises=_ZERO, onnx=arithmetic.truediv
)
floordiv = define(
    "py.floordiv",
    kernel=operator.floordiv,
    infer=rules.arithmetic("py.floordiv"),
    template="{0} // {1}",
    raises=_ZERO,
    onnx=arithmetic.floordiv,
)
mod = define(
    "py.mod", kernel=_mod, infer=rules.arithmetic("py.mod"), template="{0} % {1}", raises=_ZERO, onnx=arithmetic.mod
)
divmod = define(
    "py.divmod", kernel=divmod, infer=_divmod_type, template="divmod({0}, {1})", raises=_ZERO, onnx=arithmetic.divmod
)
pow = define("py.pow", kernel=_real_power, infer=rules.power, raises=(*_ZERO, "ValueError"), onnx=arithmetic.power)

powmod = define(
    "py.powmod",
    kernel=builtins.pow,
    infer=rules.integer("py.powmod"),
    template="pow({0}, {1}, {2})",
    raises=("ValueError",),
    onnx=arithmetic.powmod,
)
neg = define("py.neg", kernel=operator.neg, infer=_sign_type, template="-{0}", onnx=arithmetic.neg)
pos = define("py.pos", kernel=operator.pos, infer=_sign_type, template="+{0}", onnx=arithmetic.pos)
abs = define("py.abs", kernel=abs, infer=_sign_type, template="abs({0})", onnx=arithmetic.abs)
invert = define(
    "py.invert", kernel=_invert, infer=rules.integer("py.invert"), raises=("TypeError",), onnx=arithmetic.invert
)


def _bitwise(name: str, symbol: str, kernel: Any) -> OpDef:
    """The operator of `&`, `|` or `^`."""
    return define(
        f"py.{name}",
        kernel=kernel,
        infer=rules.bitwise(f"py.{name}"),
        template=f"{{0}} {symbol} {{1}}",
        raises=("TypeError",),
        onnx=arithmetic.bitwise(name.title(), symbol),
    )


and_ = _bitwise("and", "&", operator.and_)
or_ = _bitwise("or", "|", operator.or_)
xor = _bitwise("xor", "^", operator.xor)


def _shift(name: str, symbol: str, kernel: Any, onnx: Any) -> OpDef:
    """The operator of `<<` or `>>`."""
    return define(
        f"py.{name}",
        kernel=kernel,
        infer=rules.integer(f"py.{name}"),
        template=f"{{0}} {symbol} {{1}}",
        raises=("TypeError", "ValueError", "OverflowError", "MemoryError"),
        onnx=onnx,
    )


lshift = _shift("lshift", "<<", operator.lshift, arithmetic.lshift)
rshift = _shift("rshift", ">>", operator.rshift, arithmetic.rshift)


def _order(name: str, symbol: str, kernel: Any) -> OpDef:
    """The operator of `<` or one of its siblings."""
    op = f"py.{name}"
    return define(
        op, kernel=kernel, infer=rules.comparison(op), template=f"{{0}} {symbol} {{1}}", onnx=ordering.ordered(symbol)
    )


lt, le = _order("lt", "<", operator.lt), _order("le", "<=", operator.le)
gt, ge = _order("gt", ">", operator.gt), _order("ge", ">=", operator.ge)
eq = define("py.eq", kernel=operator.eq, infer=_equality_type, template="{0} == {1}", onnx=equality.equal)
ne = define("py.ne", kernel=operator.ne, infer=_equality_type, template="{0} != {1}", onnx=equality.unequal)
not_ = define("py.not", kernel=operator.not_, infer=lambda type_: BOOL, template="not {0}", onnx=equality.falsity)
is_ = define("py.is", kernel=operator.is_, infer=_equality_type, template=_identity_template, onnx=equality.identical)

min = define("py.min", kernel=min, infer=_extreme_type, onnx=arithmetic.extreme("<"))
max = define("py.max", kernel=max, infer=_extreme_type, onnx=arithmetic.extreme(">"))
