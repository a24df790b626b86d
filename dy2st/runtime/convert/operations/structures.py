"""`==`, `<` and their siblings on lists, tuples, dicts and sets whose items, or which themselves, are known only at run time."""

from __future__ import annotations

import dataclasses
import operator
from collections.abc import Callable, Iterator
from types import FunctionType, MappingProxyType, SimpleNamespace
from typing import Any

import numpy as np

from ....errors import ConversionError
from ....ops.dispatch import RECORDERS
from ....ops.registry import lookup
from ....pytree import held_in, nodes
from ...heap.identity import SCALARS
from ...heap.redirected import outside_class
from ...heap.staged_objects import contents, is_staged_object, python_class, user_class
from ...library import BASES, Written, base_of, to_python
from ...library.base import name_in_c
from ...proxies import PYTHON_CLASS, Staged, StagedContainer, StagedSum
from ...recorder.recorder import Recorder, current_recorder
from ...tensors.tensor import Tensor
from ...where.faults import as_the_user
from ...where.user_code import FOLDER
from .ifelse import convert_ifexp
from .item_sources import Iteration
from .logical import convert_logical_and, convert_logical_not

OPERATORS: dict[str, Callable[[Any, Any], Any]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "==": operator.eq,
    "!=": operator.ne,
}
METHODS = {"<": "__lt__", "<=": "__le__", ">": "__gt__", ">=": "__ge__", "==": "__eq__", "!=": "__ne__"}
MIRRORED = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}
STRICT = {"<=": "<", ">=": ">"}
STAGED = (Staged, Tensor)  # as a tuple, which isn't made anew at each question
ROWS = (list, tuple, set, frozenset)


def convert_eq(a: Any, b: Any) -> Any:
    """`a == b`"""
    return compare("==", a, b) if RECORDERS else a == b


def convert_ne(a: Any, b: Any) -> Any:
    """`a != b`"""
    return compare("!=", a, b) if RECORDERS else a != b


def compare(symbol: str, a: Any, b: Any) -> Any:
    """`a symbol b`; what Python's own operator would need to know while staging is compared item by item, or at run time."""
    rec = current_recorder()
    if rec is None:
        return OPERATORS[symbol](a, b)
    if type(a) in SCALARS and type(b) in SCALARS:
        return as_the_user(OPERATORS[symbol], a, b)
    a, b = rec.heap.resolve(a), rec.heap.resolve(b)
    if isinstance(a, StagedSum):
        return rec.on_alternatives(a, lambda x: compare(symbol, x, b))
    if isinstance(b, StagedSum):
        return rec.on_alternatives(b, lambda x: compare(symbol, a, x))
    if python_class(b) is not None and python_class(a) is None:
        return compare(MIRRORED.get(symbol, symbol), b, a)
    if isinstance(a, StagedContainer) and isinstance(b, np.generic | np.ndarray):
        raise ConversionError(
            f"{rec.here()}: a {a.stands_for.__name__} that depends on the input data is compared with a NumPy value; make it a "
            "tensor, or compare with a Python number"
        )
    if python_class(a) is None and (isinstance(a, StagedContainer) or isinstance(b, StagedContainer)):
        return _at_run_time(rec, symbol, a, b)
    if _item_by_item(symbol, a, b):
        return _within(rec, _sequences, symbol, a, b)
    if type(a) is slice and type(b) is slice:
        return compare(symbol, (a.start, a.stop, a.step), (b.start, b.stop, b.step))
    if type(a) is dict and type(b) is dict and symbol in ("==", "!="):
        return _within(rec, _dicts, symbol, a, b)
    for each in (a, b):
        if isinstance(each, SimpleNamespace):
            rec.facts.read_names(rec, each)
    return _objects(rec, symbol, a, b)


def is_staged_in(value: Any) -> bool:
    """Whether something in a value is known only at run time."""
    if type(value) in SCALARS:
        return False
    if not RECORDERS or (rec := current_recorder()) is None:
        return False
    return any(isinstance(part, STAGED) for part in resolved_in(rec, value))


def holds_scalars(rec: Recorder, value: Any) -> bool:
    """Whether a list, tuple or set holds Python's scalars and nothing else, and isn't one that only the Program knows."""
    return type(value) in ROWS and SCALARS.issuperset(map(type, value)) and rec.heap.resolve(value) is value


def resolved_in(rec: Recorder, value: Any) -> Iterator[Any]:
    """A value and all that it holds, as the Program sees it, Python's scalars apart."""
    value, resolve = rec.heap.resolve(value), rec.heap.resolve
    if type(value) in SCALARS or (type(value) in ROWS and SCALARS.issuperset(map(type, value))):
        return iter(())
    return nodes(value, lambda part: [resolve(inner) for inner in held_in(part) if type(inner) not in SCALARS])


def is_run_time(value: Any) -> bool:
    """Whether a value is one that only the Program knows, or a tensor while staging."""
    return isinstance(value, Staged) or (isinstance(value, Tensor) and current_recorder() is not None)


def _within(rec: Recorder, by_items: Callable[[str, Any, Any], Any], symbol: str, a: Any, b: Any) -> Any:
    """The comparison by items. RecursionError: it leads back to the same two containers."""
    pair = (symbol, id(a), id(b))
    if pair in rec.compared:
        raise RecursionError("maximum recursion depth exceeded in comparison")
    rec.compared.add(pair)
    try:
        return by_items(symbol, a, b)
    finally:
        rec.compared.discard(pair)


def _at_run_time(rec: Recorder, symbol: str, a: Any, b: Any) -> Any:
    a, b = (rec.new(x.copy()) if type(x) in (list, dict, set) else x for x in (a, b))
    return lookup("container.compare")(a, b, symbol=symbol)


def _item_by_item(symbol: str, a: Any, b: Any) -> bool:
    """Whether these are two lists, or two tuples or namedtuples, whose classes leave it to Python to compare them."""
    if type(a) is list or type(b) is list:
        return type(a) is type(b)
    asked = (a, METHODS[symbol]), (b, METHODS[MIRRORED.get(symbol, symbol)])
    return all(isinstance(x, tuple) and getattr(type(x), name) is getattr(tuple, name) for x, name in asked)


def _sequences(symbol: str, a: Any, b: Any) -> Any:
    """Two Python sequences, in their order: the first items that differ decide."""
    if symbol == "!=":
        return convert_logical_not(_sequences("==", a, b))
    a, b = (x if type(x) is list else tuple.__getitem__(x, slice(None)) for x in (a, b))  # past what a subclass says
    if symbol == "==":
        return len(a) == len(b) and convert_logical_and(True, *(lambda x=x, y=y: equal_items(x, y) for x, y in zip(a, b)))
    if not a or not b:
        return as_the_user(OPERATORS[symbol], len(a), len(b))
    return convert_ifexp(
        equal_items(a[0], b[0]),
        lambda: _sequences(symbol, a[1:], b[1:]),
        lambda: compare(STRICT.get(symbol, symbol), a[0], b[0]),
    )


def equal_items(a: Any, b: Any) -> Any:
    """Whether two items of containers count as the same: one object, or equal."""
    return True if a is b else compare("==", a, b)


def _dicts(symbol: str, a: dict, b: dict) -> Any:
    if symbol == "!=":
        return convert_logical_not(_dicts("==", a, b))
    return a.keys() == b.keys() and convert_logical_and(True, *(lambda k=k: equal_items(a[k], b[k]) for k in a))


def _objects(rec: Recorder, symbol: str, a: Any, b: Any) -> Any:
    """Objects of the user's classes compare as their converted method says, a dataclass field by field; others by Python."""
    cls = class_of(a)
    method = getattr(cls, METHODS[symbol])
    if symbol == "!=" and method is object.__ne__ and isinstance(cls.__eq__, FunctionType):
        return convert_logical_not(_objects(rec, "==", a, b))
    if isinstance(a, Tensor | Staged):
        return as_the_user(OPERATORS[symbol], a, b)
    if not isinstance(method, FunctionType):
        return _reflected(rec, symbol, a, b)
    if dataclasses.is_dataclass(cls) and method.__code__.co_filename == "<string>":
        return _sequences(symbol, _fields(a), _fields(b)) if cls is class_of(b) else as_the_user(OPERATORS[symbol], a, b)
    found = _said(rec, method, symbol, a, b)
    return _reflected(rec, symbol, a, b) if found is NotImplemented else found


def _said(rec: Recorder, method: FunctionType, symbol: str, a: Any, b: Any) -> Any:
    """What the method of a class says. One of the user's may end by itself, though it asks for the same two again."""
    if getattr(method, "__dy2st_original__", method).__code__.co_filename.startswith(FOLDER):
        return _within(rec, lambda _, a, b: rec.convert_call(method)(a, b), symbol, a, b)
    before, rec.compared = rec.compared, set()
    try:
        return rec.convert_call(method)(a, b)
    finally:
        rec.compared = before


def _reflected(rec: Recorder, symbol: str, a: Any, b: Any) -> Any:
    """What the class of the second operand says, where that of the first says nothing."""
    pythons = b.stands_for if isinstance(b, StagedContainer) else type(b)
    base = base_of(python_class(a) or object) if isinstance(a, Written) else None
    if base is not None and pythons in BASES and (issubclass(base, pythons) or issubclass(pythons, base)):
        return _with_pythons(rec, BASES[pythons], symbol, a, b)
    mirrored = MIRRORED.get(symbol, symbol)
    method = getattr(class_of(b), METHODS[mirrored])
    given = isinstance(method, FunctionType) and method.__code__.co_filename != "<string>"  # a dataclass's takes its own class
    found = _said(rec, method, mirrored, b, a) if given and not isinstance(b, Tensor | Staged) else NotImplemented
    if found is NotImplemented and isinstance(b, MappingProxyType) and isinstance(a, Written) and not is_staged_in(contents(a)):
        a = to_python(a)  # as what lies behind the proxy would be given it
    return _as_pythons(symbol, a, b) if found is NotImplemented else found


def _with_pythons(rec: Recorder, written: type, symbol: str, a: Any, b: Any) -> Any:
    """What a dict of Python's, or the like, says of an object whose class derives from dict. written: what stands for dict."""
    if symbol == "!=":
        return convert_logical_not(_with_pythons(rec, written, "==", a, b))
    method = getattr(written, METHODS[symbol])
    found = _said(rec, method, symbol, a, b) if isinstance(method, FunctionType) else NotImplemented
    return _as_pythons(symbol, a, b) if found is NotImplemented else found


def _as_pythons(symbol: str, a: Any, b: Any) -> Any:
    """What Python says of two values whose classes say nothing. A proxy would be asked, and ask this again: no order."""
    if symbol in MIRRORED and (isinstance(a, StagedContainer) or isinstance(b, StagedContainer)):
        names = [name_in_c(known_class(x)) for x in (a, b)]
        raise TypeError(f"'{symbol}' not supported between instances of {names[0]!r} and {names[1]!r}")
    return as_the_user(OPERATORS[symbol], a, b)


def class_of(value: Any) -> type:
    """The class of an object, as the user knows it."""
    return user_class(value) if is_staged_object(value) else outside_class(value)


def known_class(value: Any) -> type:
    """The class that a value has in the user's code, whatever proxy it is while staging; not for one of several kinds."""
    if isinstance(value, StagedContainer):
        return value.stands_for
    if isinstance(value, Iteration):
        return Iterator if isinstance(value.stands_for, StagedSum) else value.stands_for
    return python_class(value) or PYTHON_CLASS.get(type(value)) or getattr(type(value), "stands_for", None) or class_of(value)


def _fields(value: Any) -> tuple:
    return tuple(getattr(value, field.name) for field in dataclasses.fields(value) if field.compare)
