"""Python's arithmetic in a graph: ints, floats, and numbers whose class follows the path."""

from __future__ import annotations

from typing import Any

from ....ir.types import BOOL, FLOAT, INT, NUMBER, STR, TupleType
from .. import rules
from . import floats, integers, residues
from .comparing import compare
from .scalars import by_class, chosen, is_float, kind, of_either, real, whole
from .texts import concatenated


def add(g: Any, a: Any, b: Any) -> Any:
    """a + b, of numbers or of texts."""
    return concatenated(g, a, b) if g.type_of(a) == STR else _add(g, a, b)


def mul(g: Any, a: Any, b: Any) -> Any:
    """a * b."""
    if STR in (g.type_of(a), g.type_of(b)):
        g.refuse("ONNX repeats no text; return the text and how often it is there")
    return _mul(g, a, b)


def divmod(g: Any, a: Any, b: Any) -> Any:
    """divmod(a, b)."""
    part = rules.arithmetic("py.divmod")(g.type_of(a), g.type_of(b))
    return g.joined(TupleType((part, part)), _divmod(g, a, b))


_add = by_class(integers.add, lambda g, a, b: g.Add(a, b))
_mul = by_class(integers.mul, lambda g, a, b: g.Mul(a, b))
_divmod = by_class(integers.both, floats.both)
sub = by_class(integers.sub, lambda g, a, b: g.Sub(a, b))
floordiv = by_class(integers.floordiv, floats.floordiv)
mod = by_class(integers.mod, floats.mod)
neg = by_class(integers.neg, lambda g, x: g.Neg(x))
pos = by_class(lambda g, x: x, lambda g, x: x)
abs = by_class(integers.absolute, lambda g, x: g.Abs(x))


def truediv(g: Any, a: Any, b: Any) -> Any:
    """a / b, a float for all classes."""
    if FLOAT in (g.type_of(a), g.type_of(b)):
        return floats.truediv(g, real(g, a), real(g, b))
    if NUMBER not in (g.type_of(a), g.type_of(b)):
        return integers.truediv(g, whole(g, a), whole(g, b))
    ints = g.Not(g.Or(is_float(g, a), is_float(g, b)))
    with g.only_if(ints):
        found = integers.truediv(g, whole(g, a), whole(g, b))
    with g.only_if(g.Not(ints)):
        return chosen(g, ints, found, floats.truediv(g, real(g, a), real(g, b)))


def of_whole(lowering: Any, symbol: str) -> Any:
    """A lowering of operands that have to be whole numbers."""

    def lowered(g: Any, *operands: Any) -> Any:
        for x in operands:
            if g.type_of(x) == NUMBER:
                g.check(g.Not(is_float(g, x)), "TypeError", f"{symbol} takes ints, not a float")
        return lowering(g, *(whole(g, x) for x in operands))

    return lowered


lshift = of_whole(integers.lshift, "<<")
rshift = of_whole(integers.rshift, ">>")
invert = of_whole(integers.invert, "~")
powmod = of_whole(residues.powmod, "pow(a, b, m)")


def bitwise(name: str, symbol: str) -> Any:
    """The lowering of `&`, `|` or `^`: of bools a bool, else an int."""
    of_ints = of_whole(lambda g, a, b: g.node(f"Bitwise{name}", a, b), symbol)

    def lowered(g: Any, a: Any, b: Any) -> Any:
        types = {g.type_of(a), g.type_of(b)}
        if types == {BOOL}:
            return g.node(name, a, b)
        found = of_ints(g, a, b)
        if NUMBER not in types or types & {INT}:
            return found
        return g.number(g.Min(g.Max(kind(g, a), kind(g, b)), 1), found, g.cast(found, "float64"))

    return lowered


def extreme(symbol: str) -> Any:
    """The lowering of min or max: the first of the operands that none of the others is below, or above, and its class."""

    def lowered(g: Any, *operands: Any) -> Any:
        types = {g.type_of(x) for x in operands}
        if STR in types:
            g.refuse("ONNX doesn't order texts; compare numbers that stand for them")
        result = types.pop() if len(types) == 1 else NUMBER
        best = g.as_type(operands[0], result)
        for x in operands[1:]:
            other = g.as_type(x, result)
            better = compare(g, symbol, (result, other.leaves), (result, best.leaves))
            best = g.packed(result, [chosen(g, better, a, b) for a, b in zip(other.leaves, best.leaves)])
        return best

    return lowered


def power(g: Any, a: Any, b: Any) -> Any:
    """a ** b: of ints, a float where the exponent is negative."""
    if FLOAT in (g.type_of(a), g.type_of(b)):
        return floats.power(g, real(g, a), real(g, b))
    exponent = whole(g, b)
    found = g.const(1) if exponent.item is not None and exponent.item >= 0 else g.Where(g.Less(exponent, 0), 2, 1)
    if NUMBER in (g.type_of(a), g.type_of(b)):
        found = g.Max(found, kind(g, a), kind(g, b))
    return of_either(g, found, integers.power, floats.power, (a, b))
