"""Comparison chains, `is`, `in`."""

from __future__ import annotations

import operator
from array import array
from collections.abc import Callable
from functools import partial
from types import FunctionType
from typing import Any

from ....ir.join import alternatives
from ....ir.types import INT, NONE, UNBOUND
from ....ops.dispatch import RECORDERS
from ....ops.registry import lookup
from ...heap.identity import CALLABLES, SCALARS
from ...heap.staged_objects import is_staged_object, python_class
from ...library import CLASSES, Kept
from ...library.base import name_in_c
from ...proxies import Staged, StagedBool, StagedContainer, StagedInt, StagedNumber, StagedStr, StagedSum, as_own
from ...proxies.scalars import PYTHON_CLASS
from ...recorder.recorder import Recorder, current_recorder, recorder
from ...tensors.tensor import Tensor
from ...where.faults import as_the_user
from ..operations.ifelse import convert_ifexp
from ..operations.item_sources import Iteration, refuse_outside
from ..operations.logical import convert_logical_and, convert_logical_not, convert_logical_or
from ..operations.ranges import StagedRange
from ..operations.structures import OPERATORS, compare, equal_items, holds_scalars, is_staged_in
from ..operations.sums import of_each_kind
from ..operations.tensor_identity import refuse_unknown
from .entries import convert_iter
from .gathering import fold

TOLD_APART = SCALARS | {list, tuple, dict, set, FunctionType, type}  # nothing of one of these classes is one of another


def convert_is(a: Any, b: Any) -> Any:
    if not RECORDERS or (rec := current_recorder()) is None or (type(a) in SCALARS and type(b) in SCALARS):
        return a is b
    if type(a) is not type(b) and type(a) in TOLD_APART and type(b) in TOLD_APART:
        return False
    a, b = (rec.heap.resolve(x) if type(x) in CLASSES else rec.heap.spoken_for(x) for x in (a, b))
    if isinstance(a, Staged) or isinstance(b, Staged):
        return _is_staged(rec, a, b)
    if is_staged_object(a) and is_staged_object(b):
        return a is b or lookup("py.is")(a, b)
    for x, y in ((a, b), (b, a)):
        if issubclass(type(x), Kept) and type(y) in CALLABLES:
            rec.type_of(y)  # which is from outside: it is known by its name from here on, in state, too
    refuse_unknown(rec, a, b)
    return a is b


def _is_staged(rec: Recorder, a: Any, b: Any) -> Any:
    """`a is b`, where one of them is known only when the Program runs."""
    if a is b and not (isinstance(a, StagedSum) and UNBOUND in alternatives(rec.type_of(a))):
        return True
    for x, y in ((a, b), (b, a)):
        if isinstance(x, StagedSum):
            kinds = alternatives(rec.type_of(x))
            if y is None and NONE in kinds and UNBOUND not in kinds:
                tag = StagedInt(rec.emit("sum.tag", [rec.lower(x)], [INT]).result)
                return lookup("py.eq")(tag, kinds.index(NONE))
            return rec.on_alternatives(x, lambda v: convert_is(v, y))  # noqa: B023
        if isinstance(x, StagedBool) and isinstance(y, bool):
            return lookup("py.eq")(x, y)
        if isinstance(x, StagedNumber) and isinstance(y, bool):
            return rec.on_kinds(x, lambda k: convert_is(k, y))  # noqa: B023
    if isinstance(a, Staged) and isinstance(b, Staged):
        return lookup("py.is")(a, b)
    if type(a) in (list, dict, set):
        return convert_is(rec.heap.materialise(a), b)
    if type(b) in (list, dict, set):
        return convert_is(a, rec.heap.materialise(b))
    refuse_unknown(rec, a, b)
    return a is b


def convert_is_not(a: Any, b: Any) -> Any:
    return convert_logical_not(convert_is(a, b)) if RECORDERS else a is not b


def convert_in(item: Any, container: Any) -> Any:
    if not RECORDERS or (rec := current_recorder()) is None:
        return item in container
    if type(item) in SCALARS and _is_known(rec, container):
        return as_the_user(operator.contains, container, item)
    if isinstance(container, StagedSum | StagedNumber):
        return of_each_kind(rec, container, lambda c: convert_in(item, c))
    container = rec.heap.resolve(rec.convert_call(list)(container) if isinstance(container, StagedRange) else container)
    method = getattr(type(container), "__contains__", None)
    if isinstance(method, FunctionType) and not isinstance(container, Tensor):
        return rec.truth(rec.convert_call(method)(container, item))
    if isinstance(container, Tensor):
        equal = container == item
        return rec.truth(equal.any()) if isinstance(equal, Tensor) else False
    if isinstance(container, StagedStr | str) and isinstance(item, StagedSum | StagedNumber):
        return of_each_kind(rec, item, lambda x: convert_in(x, container))
    if isinstance(container, StagedStr) and not isinstance(item, StagedStr | str):
        return as_the_user(operator.contains, "", item)  # which says that it isn't a text
    if isinstance(container, StagedStr) or (isinstance(container, str) and isinstance(item, StagedStr)):
        return lookup("str.contains")(as_own(container), as_own(item))
    if isinstance(container, StagedContainer):
        if container.stands_for in (dict, set):
            _refuse_unhashable(item, in_dict=container.stands_for is dict)
        return container.contains(item)
    if type(container) in PYTHON_CLASS:
        return as_the_user(operator.contains, PYTHON_CLASS[type(container)](), item)  # which says that it has no items
    refuse_outside(rec, container)
    if method is None and isinstance(getattr(type(container), "__iter__", None), FunctionType):
        container = convert_iter(container)
    if isinstance(container, Iteration) and (container.is_staged or is_staged_in(item)):
        return fold(container, False, lambda _, x: equal_items(item, x), convert_logical_not)
    if isinstance(container, bytes | bytearray) and isinstance(item, StagedInt | StagedBool):
        return _in_bytes(item, container)
    if isinstance(container, set | frozenset | dict) and isinstance(item, Tensor):
        return any(x is item for x in container)  # Python asks for its hash, which is that of the object
    if isinstance(container, set | frozenset | dict) and isinstance(item, StagedSum):
        return rec.on_alternatives(item, lambda x: convert_in(x, container))
    if isinstance(container, LISTED) and (is_staged_in(item) or _is_staged_sequence(container)):
        if isinstance(container, range):
            return _in_range(item, container)
        if isinstance(container, set | frozenset | dict):
            _refuse_unhashable(item, in_dict=isinstance(container, dict))
        tests = [lambda x=x: equal_items(item, x) for x in container]
        return rec.truth(convert_logical_or(tests[0](), *tests[1:])) if tests else False
    if isinstance(item, StagedSum):
        return rec.on_alternatives(item, lambda x: convert_in(x, container))
    if isinstance(container, set | frozenset | dict):
        _refuse_unhashable(item, in_dict=isinstance(container, dict))
    return as_the_user(operator.contains, container, item)


LISTED = (list, tuple, set, frozenset, dict, range, array)


def _in_bytes(number: StagedInt | StagedBool, numbers: bytes | bytearray) -> Any:
    def refuse() -> None:
        raise ValueError("byte must be in range(0, 256)")

    convert_ifexp(convert_logical_or(number < 0, lambda: number > 255), refuse, lambda: None)
    return convert_in(number, [*numbers])


def _refuse_unhashable(item: Any, in_dict: bool) -> None:
    """TypeError for what no set and no dict can hold; a set looks for the frozenset that a set equals."""
    cls = python_class(item) or getattr(type(item), "stands_for", type(item))
    if cls.__hash__ is None and not is_staged_object(item) and (in_dict or not issubclass(cls, set)):
        named = {"__hash__": None, "__module__": cls.__module__, "__qualname__": cls.__qualname__}
        as_the_user(operator.contains, {} if in_dict else set(), type(name_in_c(cls), (), named)())


def _is_known(rec: Recorder, container: Any) -> bool:
    """Whether Python itself knows what a text, dict or set holds, or a list or tuple of its scalars."""
    cls = type(container)
    if cls in (dict, set):
        return rec.heap.resolve(container) is container
    return cls is str or holds_scalars(rec, container)


def _is_staged_sequence(container: Any) -> bool:
    return isinstance(container, list | tuple) and is_staged_in(container)


def _in_range(item: Any, numbers: range) -> Any:
    if isinstance(item, StagedSum):
        return recorder().on_alternatives(item, lambda x: convert_in(x, numbers))
    if not numbers or isinstance(item, StagedContainer | StagedStr | str | list | tuple | dict | set):
        return False
    low, high = sorted((numbers[0], numbers[-1]))
    inside = convert_compare(low, "<=", lambda: item, "<=", lambda: high)
    return convert_logical_and(inside, lambda: (item - low) % abs(numbers.step) == 0)


def convert_not_in(item: Any, container: Any) -> Any:
    return convert_logical_not(convert_in(item, container)) if RECORDERS else item not in container


OPERATIONS: dict[str, Callable[[Any, Any], Any]] = {
    **{symbol: partial(compare, symbol) for symbol in OPERATORS},
    "is": convert_is,
    "is not": convert_is_not,
    "in": convert_in,
    "not in": convert_not_in,
}
IN_PYTHON: dict[str, Callable[[Any, Any], Any]] = {
    **OPERATORS,
    "is": operator.is_,
    "is not": operator.is_not,
    "in": lambda item, container: item in container,
    "not in": lambda item, container: item not in container,
}


def convert_compare(left: Any, *rest: Any) -> Any:
    """`left op1 b op2 c ...`.

    `rest` alternates operator texts and functions giving the operands, each evaluated once, as Python would.
    """
    symbol, operand = rest[0], rest[1]()
    first = OPERATIONS[symbol](left, operand) if RECORDERS else IN_PYTHON[symbol](left, operand)
    if len(rest) == 2:
        return first
    if not RECORDERS:
        return convert_compare(operand, *rest[2:]) if first else first
    return convert_logical_and(first, lambda: convert_compare(operand, *rest[2:]))
