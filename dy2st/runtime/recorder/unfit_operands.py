"""Operands of classes that a Python operation doesn't take: what Python raises for them.

    [1, 2, 3][k ** 2]       k ** 2 may be an int or a float: on the path of a float, "list indices must be integers or slices"
    "a b".split([])         "must be str or None, not list"
    [1, 2, 3][Level(k)]     the index is what `Level.__index__` gives
"""

from __future__ import annotations

from collections.abc import Callable
from types import FunctionType, MethodType
from typing import TYPE_CHECKING

from ...errors import ConversionError, DTypeError, Dy2stError
from ...ir.types import (
    ClassType,
    DictType,
    ListType,
    ScalarType,
    SequenceType,
    SetType,
    TupleType,
    Type,
)
from ...ops.families import HOMES
from ...ops.registry import OpDef
from ..heap.staged_objects import is_staged_object, user_class
from ..proxies import Staged, StagedNumber, StagedSum, on_kinds
from ..tensors.tensor import Tensor
from .refusals import in_words

if TYPE_CHECKING:
    from .recorder import Recorder

_SCALARS = {"int": 1, "float": 1.5, "bool": True, "str": "a", "none": None}
_CONTAINERS: dict[type[Type], type] = {
    ListType: list, DictType: dict, SetType: set, TupleType: tuple, SequenceType: tuple
}  # fmt: skip
_INTS = {"gcd", "lcm", "isqrt", "comb", "perm", "factorial"}  # functions of `math` that ask an object for its `__index__`
_ASKING_INDEX = ("list.", "str.", "sequence.", "tuple.", "range.", "py.spell")


def bound_again(
    rec: Recorder, definition: OpDef, operands: tuple, attrs: dict[str, object], error: DTypeError, bind: Callable
) -> object:
    """What an operation gives that took none of its operands' types: for each kind that they may be of, or as a number.

    bind: binds the operation with other operands. TypeError: what Python raises. ConversionError: Python takes the operands.
    """
    if not HOMES.get(definition.name, "").startswith("python."):
        raise error
    for k, operand in enumerate(operands):
        again = lambda x, k=k: bind(*operands[:k], x, *operands[k + 1 :])  # noqa: E731
        if isinstance(operand, StagedSum):
            return rec.on_alternatives(operand, again)
        if isinstance(operand, StagedNumber):
            return on_kinds(operand, again)
        method = number_method(definition.name, attrs, operand)
        if method is not None:
            return again(rec.convert_call(method)())
    if str(error).startswith("a tensor "):
        raise ConversionError(f"{rec.here()}: {error}") from None
    raise _of_python(rec, definition, operands, attrs) or ConversionError(
        f"{rec.here()}: this isn't computed of {' and '.join(in_words(rec.type_of(x)) for x in operands)} when the Program "
        "runs; convert the operands first, with int(x) or float(x)"
    ) from None


def number_method(name: str, attrs: dict[str, object], operand: object) -> MethodType | None:
    """The `__index__` or `__float__` of the user's that Python asks an operand for."""
    if isinstance(operand, Staged | Tensor):
        return None
    cls = user_class(operand) if is_staged_object(operand) else type(operand)
    asked: tuple[str, ...] = ()
    if name == "math.call":
        asked = ("__index__",) if attrs["name"] in _INTS else ("__float__", "__index__")
    elif name.startswith(_ASKING_INDEX):
        asked = ("__index__",)
    found = next((method for each in asked if isinstance(method := getattr(cls, each, None), FunctionType)), None)
    return None if found is None else MethodType(found, operand)


def _of_python(rec: Recorder, definition: OpDef, operands: tuple, attrs: dict[str, object]) -> Exception | None:
    """What Python raises for operands of these classes."""
    try:
        if definition.name.startswith(("dict.", "set.")) and len(operands) > 1:
            hash(sample(rec, operands[1]))
        definition.kernel(*(sample(rec, x) for x in operands), **{name: sample(rec, x) for name, x in attrs.items()})
    except (Dy2stError, _NoSample):
        return None
    except TypeError as error:
        return TypeError(*error.args)
    return None


class _NoSample(Exception):
    """A value for which no Python value says how Python takes it."""


def sample(rec: Recorder, value: object) -> object:
    """A Python value of the class that a value has when the Program runs."""
    if isinstance(value, Tensor):
        raise _NoSample
    if isinstance(value, Staged) or is_staged_object(value):
        return _of_type(rec.type_of(value))
    return value


def _of_type(type_: Type) -> object:
    if isinstance(type_, ScalarType) and type_.name in _SCALARS:
        return _SCALARS[type_.name]
    if isinstance(type_, ClassType):
        return type(type_.name, (), {})()
    python = next((python for known, python in _CONTAINERS.items() if isinstance(type_, known)), None)
    if python is None:
        raise _NoSample
    return python()
