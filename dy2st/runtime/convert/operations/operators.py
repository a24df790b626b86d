"""`_jst.operator("+", a, b)`, `_jst.unary("-", a)`: operators between containers, and of the user's classes.

Python would call the special methods as they are; here they are converted, in the order in which Python asks them.
"""

from __future__ import annotations

import operator
from array import array
from collections import deque
from collections.abc import Callable
from types import FunctionType, MethodType
from typing import Any

import numpy as np

from ....errors import ConversionError
from ...heap.identity import SCALARS
from ...heap.markers import MISSING
from ...heap.own_attributes import in_classes
from ...heap.staged_objects import contents, python_class
from ...library.base import name_in_c
from ...proxies import Staged, StagedSum, own_index
from ...recorder.recorder import Recorder, current_recorder
from ...tensors.tensor import Tensor
from ...where.faults import as_the_user
from .structures import class_of

BINARY: dict[str, Callable[[Any, Any], Any]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
    "//": operator.floordiv,
    "%": operator.mod,
    "**": operator.pow,
    "@": operator.matmul,
    "|": operator.or_,
    "&": operator.and_,
    "^": operator.xor,
    "<<": operator.lshift,
    ">>": operator.rshift,
}
OF_PYTHON = {"**": "** or pow()"}  # operators that Python itself calls otherwise
UNARY: dict[str, Callable[[Any], Any]] = {"-": operator.neg, "+": operator.pos, "~": operator.invert, "abs": operator.abs}
SEQUENCES = (list, tuple, str, bytes, bytearray, array, deque)  # Python asks the other operand of `+` and `*` first


def convert_operator(symbol: str, left: Any, right: Any, written: str = "") -> Any:
    """`left symbol right`; written: what stands in the user's code, if that is `+=` or the like."""
    rec = current_recorder()
    function = BINARY[symbol]
    if rec is None:
        return function(left, right)
    if not (type(left) in SCALARS and type(right) in SCALARS):
        left, right = rec.heap.resolve(left), rec.heap.resolve(right)
        if _may_overload(rec, left, function) and isinstance(left, StagedSum):
            return rec.on_alternatives(left, lambda x: convert_operator(symbol, x, right, written))
        if _may_overload(rec, right, function, "r") and isinstance(right, StagedSum):
            return rec.on_alternatives(right, lambda x: convert_operator(symbol, left, x, written))
        if _may_overload(rec, left, function) or _may_overload(rec, right, function, "r"):
            _refuse_numpy(rec, left, right)
            return _by_methods(rec, symbol, left, right, written or symbol)
        if symbol == "*":
            left, right = (own_index(x) if is_asked_last(y, "__mul__") else x for x, y in ((left, right), (right, left)))
    try:
        made = as_the_user(function, left, right)
    except TypeError as error:
        if not written:
            raise
        raise TypeError(str(error).replace(f" for {OF_PYTHON.get(symbol, symbol)}: ", f" for {written}: ")) from None
    return rec.new(made) if type(made) in (list, set, dict) else made


def _refuse_numpy(rec: Recorder, left: Any, right: Any) -> None:
    """ConversionError for an operator of NumPy's that would take an object of the user's apart."""
    if isinstance(left, np.generic | np.ndarray) and not isinstance(right, Tensor | Staged):
        raise ConversionError(
            f"{rec.here()}: an operator of a NumPy value on the left and an object of class {class_of(right).__name__} on the "
            "right, which NumPy takes apart; make the NumPy value a Python number, with .item()"
        )


def convert_unary(symbol: str, operand: Any) -> Any:
    """`symbol operand`, or `abs(operand)`."""
    rec = current_recorder()
    function = UNARY[symbol]
    if rec is None or not _may_overload(rec, operand, function):
        return as_the_user(function, operand)
    if isinstance(operand, StagedSum):
        return rec.on_alternatives(operand, lambda x: convert_unary(symbol, x))
    return rec.convert_call(MethodType(getattr(class_of(operand), _method(function)), operand))()


def overloads(value: Any) -> bool:
    """Whether a value is of a class of the user's that says what `+` is."""
    cls = class_of(value)
    return any(is_users(getattr(cls, name, None), cls) for name in ("__add__", "__radd__"))


def _method(function: Callable, prefix: str = "") -> str:
    return f"__{prefix}{function.__name__.strip('_')}__"


def _may_overload(rec: Recorder, value: Any, function: Callable, prefix: str = "") -> bool:
    """Whether an operand's class, or one of those that it may be of, has a method of the user's for the operator."""
    classes = rec.classes_of(value) if isinstance(value, StagedSum) else [class_of(value)]
    return any(is_users(in_classes(cls.__mro__, _method(function, prefix)), cls) for cls in classes)


def is_users(method: Any, cls: type) -> bool:
    """Whether a special method is one that the user has written."""
    return isinstance(method, FunctionType) and not issubclass(cls, Tensor | Staged)


def _by_methods(rec: Recorder, symbol: str, left: Any, right: Any, written: str) -> Any:
    """The first answer: of the left operand, or of the right one first where its class is derived from that of the left."""
    function = BINARY[symbol]
    straight, reflected = _method(function), _method(function, "r")
    first, second = class_of(left), class_of(right)
    asked = [(left, straight, right), (right, reflected, left)]
    if first is second:
        asked.pop()
    elif is_asked_last(left, straight) or (
        _derives(right, left) and in_classes(second.__mro__, reflected) is not in_classes(first.__mro__, reflected)
    ):
        asked.reverse()
    for operand, name, other in asked:
        if in_classes(class_of(operand).__mro__, name) is MISSING:  # whatever `int | str` may be
            continue
        method = getattr(class_of(operand), name)
        users = is_users(method, class_of(operand))
        found = rec.convert_call(MethodType(method, operand))(other) if users else _by_python(rec, method, operand, other)
        if found is not NotImplemented:
            return found
    raise TypeError(f"unsupported operand type(s) for {written}: {name_in_c(first)!r} and {name_in_c(second)!r}")


def is_asked_last(value: Any, method: str) -> bool:
    """Whether this is a sequence of C's, or of a class of the user's that leaves `+` or `*` to it."""
    cls = python_class(value) or class_of(value)
    return issubclass(cls, SEQUENCES) and not isinstance(in_classes(cls.__mro__, method), FunctionType)


def reflected_of(rec: Recorder, function: Callable, left: Any, right: Any) -> Any:
    """What a class written in Python says of `left function right` on its right; NotImplemented where it says nothing."""
    name = _method(function, "r")
    known = in_classes((python_class(right) or class_of(right)).__mro__, name)
    if isinstance(right, Tensor | Staged) or not isinstance(known, FunctionType):
        return NotImplemented
    return rec.convert_call(MethodType(getattr(class_of(right), name), right))(left)


def _derives(value: Any, other: Any) -> bool:
    return issubclass(*(python_class(each) or class_of(each) for each in (value, other)))


def _by_python(rec: Recorder, method: Any, operand: Any, other: Any) -> Any:
    """What a method of Python's gives, which reads the items of a subclass as those of its own class."""
    is_read = issubclass(python_class(other) or object, type(operand))
    made = as_the_user(method, operand, contents(other) if is_read else other)
    return rec.new(made) if type(made) in (list, set, dict) else made
