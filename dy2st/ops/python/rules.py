"""What Python's arithmetic gives: the result type of an operator for the types of its operands."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from ...errors import DTypeError
from ...ir.types import BOOL, FLOAT, INT, NUMBER, NUMERIC, STR, DictType, ListType, SetType, SumType, TensorType, TupleType, Type

K = TypeVar("K", bound=Type)


def need(kind: type[K], what: str) -> Callable[[Type, str], K]:
    """A check that a type is of this class, for the operator of a name; DTypeError otherwise."""

    def check(type_: Type, op: str) -> K:
        if not isinstance(type_, kind):
            raise DTypeError(f"{op} takes {what}, not {type_}")
        return type_

    return check


def query(check: Callable[[Type, str], Type], op: str, result: Any) -> Callable[..., Any]:
    """An operator whose first operand passes a check, and whose result is always of one type."""

    def infer(container: Type, *rest: Type, **attrs: Any) -> Any:
        check(container, op)
        return result

    return infer


def membership(check: Callable[[Type, str], Type], op: str) -> Callable[[Type, Type], Type]:
    """`key in container`, for keys that have a hash."""

    def infer(container: Type, key: Type) -> Type:
        check(container, op)
        hashable(key, op)
        return BOOL

    return infer


def scalar(type_: Type, op: str) -> Type:
    """`type_` where it is a Python number; DTypeError otherwise."""
    if type_ not in NUMERIC:
        raise DTypeError(f"{op} takes Python numbers, not {type_}")
    return type_


def arithmetic(op: str) -> Callable[..., Type]:
    """int with int gives int, a float makes it float, a number of unknown class leaves a number (with a float: a float)."""

    def infer(*types: Type, **_: Any) -> Type:
        for type_ in types:
            scalar(type_, op)
        if FLOAT in types:
            return FLOAT
        return NUMBER if NUMBER in types else INT

    return infer


def division(a: Type, b: Type) -> Type:
    """`/` gives a float for any two numbers."""
    scalar(a, "py.truediv"), scalar(b, "py.truediv")
    return FLOAT


def power(a: Type, b: Type) -> Type:
    """int ** int is a float where the exponent is negative; a negative float to a fraction would be complex and raises."""
    scalar(a, "py.pow"), scalar(b, "py.pow")
    return FLOAT if FLOAT in (a, b) else NUMBER


def integer(op: str) -> Callable[..., Type]:
    """Operators on whole numbers: ints and bools."""

    def infer(*types: Type) -> Type:
        for type_ in types:
            if type_ not in (INT, BOOL, NUMBER):
                raise DTypeError(f"{op} takes ints, not {type_}")
        return INT

    return infer


def bitwise(op: str) -> Callable[..., Type]:
    """`&`, `|`, `^`: bool with bool stays bool; with a number of unknown class the result's class is unknown too."""

    def infer(a: Type, b: Type) -> Type:
        integer(op)(a, b)
        if a == b == BOOL:
            return BOOL
        return INT if INT in (a, b) else NUMBER

    return infer


def comparison(op: str) -> Callable[..., Type]:
    """`<` and its siblings, on two numbers, two strings, or two sequences of the same kind."""

    def infer(a: Type, b: Type) -> Type:
        numbers = a in NUMERIC and b in NUMERIC
        if not (numbers or a == b == STR or (isinstance(a, (ListType, TupleType)) and type(a) is type(b))):
            raise DTypeError(f"{op} compares two numbers, two strings or two sequences, not {a} with {b}")
        return BOOL

    return infer


def hashable(type_: Type, op: str) -> Type:
    """`type_` where it can be a key; DTypeError otherwise."""
    if isinstance(type_, ListType):
        raise DTypeError("a list can't be a key (unhashable); use a tuple")
    if isinstance(type_, DictType | SetType):
        raise DTypeError(f"a {'dict' if isinstance(type_, DictType) else 'set'} can't be a key (unhashable)")
    if isinstance(type_, TensorType):
        raise DTypeError(f"a tensor can't be a key, as this {type_} is to be; use its value, x.item()")
    if isinstance(type_, TupleType | SumType):
        for part in type_.elems if isinstance(type_, TupleType) else type_.alternatives:
            hashable(part, op)
    return type_
