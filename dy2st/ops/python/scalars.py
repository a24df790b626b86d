"""Python's operators on staged numbers and strings: `py.add`, `py.lt`, ... with Python's own result classes and exceptions."""

from __future__ import annotations

import builtins
import operator
from typing import Any

from ...errors import DTypeError
from ...ir.types import BOOL, INT, NUMBER, STR, TupleType, Type
from ..registry import define
from . import rules

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


add = define("py.add", kernel=operator.add, infer=_add_type, template="{0} + {1}", raises=("OverflowError",))
sub = define("py.sub", kernel=operator.sub, infer=rules.arithmetic("py.sub"), template="{0} - {1}", raises=("OverflowError",))
mul = define("py.mul", kernel=operator.mul, infer=_mul_type, template="{0} * {1}", raises=("OverflowError", "MemoryError"))
truediv = define("py.truediv", kernel=operator.truediv, infer=rules.division, template="{0} / {1}", raises=_ZERO)
floordiv = define(
    "py.floordiv", kernel=operator.floordiv, infer=rules.arithmetic("py.floordiv"), template="{0} // {1}", raises=_ZERO
)
mod = define("py.mod", kernel=_mod, infer=rules.arithmetic("py.mod"), template="{0} % {1}", raises=_ZERO)
divmod = define("py.divmod", kernel=divmod, infer=_divmod_type, template="divmod({0}, {1})", raises=_ZERO)
pow = define("py.pow", kernel=_real_power, infer=rules.power, raises=(*_ZERO, "ValueError"))

powmod = define(
    "py.powmod", kernel=builtins.pow, infer=rules.integer("py.powmod"), template="pow({0}, {1}, {2})", raises=("ValueError",)
)
neg = define("py.neg", kernel=operator.neg, infer=_sign_type, template="-{0}")
pos = define("py.pos", kernel=operator.pos, infer=_sign_type, template="+{0}")
abs = define("py.abs", kernel=abs, infer=_sign_type, template="abs({0})")
invert = define("py.invert", kernel=_invert, infer=rules.integer("py.invert"), raises=("TypeError",))

and_ = define("py.and", kernel=operator.and_, infer=rules.bitwise("py.and"), template="{0} & {1}", raises=("TypeError",))
or_ = define("py.or", kernel=operator.or_, infer=rules.bitwise("py.or"), template="{0} | {1}", raises=("TypeError",))
xor = define("py.xor", kernel=operator.xor, infer=rules.bitwise("py.xor"), template="{0} ^ {1}", raises=("TypeError",))
_SHIFT = ("TypeError", "ValueError", "OverflowError", "MemoryError")
lshift = define("py.lshift", kernel=operator.lshift, infer=rules.integer("py.lshift"), template="{0} << {1}", raises=_SHIFT)
rshift = define("py.rshift", kernel=operator.rshift, infer=rules.integer("py.rshift"), template="{0} >> {1}", raises=_SHIFT)

lt = define("py.lt", kernel=operator.lt, infer=rules.comparison("py.lt"), template="{0} < {1}")
le = define("py.le", kernel=operator.le, infer=rules.comparison("py.le"), template="{0} <= {1}")
gt = define("py.gt", kernel=operator.gt, infer=rules.comparison("py.gt"), template="{0} > {1}")
ge = define("py.ge", kernel=operator.ge, infer=rules.comparison("py.ge"), template="{0} >= {1}")
eq = define("py.eq", kernel=operator.eq, infer=_equality_type, template="{0} == {1}")
ne = define("py.ne", kernel=operator.ne, infer=_equality_type, template="{0} != {1}")
not_ = define("py.not", kernel=operator.not_, infer=lambda type_: BOOL, template="not {0}")
is_ = define("py.is", kernel=operator.is_, infer=_equality_type, template=_identity_template)

min = define("py.min", kernel=min, infer=_extreme_type)
max = define("py.max", kernel=max, infer=_extreme_type)
