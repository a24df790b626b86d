"""Subscripts and attribute stores, through the journal.

`_jst.at(x)[i]`, `_jst.at(x)[i] = v`, `_jst.at(o).a = v`, `_jst.inplace(o).a += v`.
"""

from __future__ import annotations

import operator
from array import array
from collections import Counter
from collections.abc import Callable
from types import FunctionType, MethodType
from typing import Any

import numpy as np

from ....errors import ConversionError
from ....ops.dispatch import RECORDERS
from ....ops.python.words import LOCAL
from ....ops.registry import lookup
from ...heap.arrays import changed
from ...heap.identity import SCALARS, are_scalars
from ...heap.journal import Item
from ...heap.markers import Unbound
from ...heap.own_attributes import has_special, in_classes
from ...library import twin_of
from ...proxies import (
    PYTHON_CLASS,
    Staged,
    StagedBool,
    StagedContainer,
    StagedFloat,
    StagedInt,
    StagedList,
    StagedNumber,
    StagedScalar,
    StagedStr,
    StagedSum,
    StagedTuple,
    as_index,
    own_index,
)
from ...pythons import held
from ...recorder.recorder import Recorder, current_recorder
from ...tensors.tensor import Tensor
from ...where.faults import as_the_user, speaks_for_the_user
from .attributes import delete_attribute, load_attribute, stand_in, store_attribute
from .item_sources import fails_between
from .namespaces import delete_by_name, store_by_name
from .operators import convert_operator, is_asked_last, reflected_of
from .ranges import StagedRange
from .structures import STAGED, is_staged_in, known_class
from .sums import first_kinds, of_each_kind, with_alternatives


def new(value: Any) -> Any:
    """A list, dict, set or inner function was made here.

    Code in an inner Block that changes it changes something from outside.
    """
    if not RECORDERS or (rec := current_recorder()) is None:
        return value
    if type(value) in (list, dict) and not value:
        rec.facts.policy.note_empty(value)
    return rec.new(value)


def at(value: Any, *path: Any) -> Any:
    """`value`, or what these indices lead to from it, ready to be subscripted, or to have an item or attribute stored."""
    for index in path:
        value = _item_of(at(value), index)
    if not RECORDERS or (rec := current_recorder()) is None:
        return value
    if type(value) in INDEXED or not issubclass(type(value), STAGED):
        return At(rec, value)
    if isinstance(value, StagedList | StagedTuple | StagedScalar | Tensor):
        return OfStaged(rec, value)
    if isinstance(value, Staged) and not isinstance(value, StagedSum):
        return value
    return At(rec, value)


def _item_of(value: Any, index: Any) -> Any:
    """What Python makes of `value[index]` in the user's code."""
    return value[index] if isinstance(value, At) else as_the_user(operator.getitem, value, index)


def inplace(value: Any, *path: Any) -> Any:
    """As `at`, where an item or attribute is the target of `+=` and the like."""
    for index in path:
        value = _item_of(at(value), index)
    if not RECORDERS or (rec := current_recorder()) is None or (isinstance(value, Tensor) and value.is_staged):
        return value
    return InPlace(rec, value)


def convert_inplace(symbol: str, target: Any, operand: Any) -> Any:
    """`target += operand` and the like for a name: what the name is bound to afterwards."""
    function = INPLACE[symbol]
    if not RECORDERS or (rec := current_recorder()) is None:
        return function(target, operand)
    if type(target) in SCALARS and type(operand) in SCALARS:
        return as_the_user(function, target, operand)
    operand = rec.heap.resolve(operand)
    if isinstance(target, StagedSum) or (isinstance(target, StagedNumber) and type(operand) not in NUMBERS):
        return of_each_kind(rec, target, lambda x: convert_inplace(symbol, x, operand))
    if type(target) in SCALARS and isinstance(operand, StagedSum):
        return rec.on_alternatives(operand, lambda x: convert_inplace(symbol, target, x))
    if isinstance(target, np.ndarray):
        _refuse_array(rec, target)
    plain = PLAIN_OPERATORS.get(symbol)
    if plain is not None and (isinstance(target, StagedList) or is_asked_last(target, f"__{function.__name__}__")):
        found = reflected_of(rec, plain, target, operand)
        if found is not NotImplemented:
            return found
    if (stands := _changed_in_place(rec, target, function)) is not target:
        found = rec.convert_call(getattr(stands, f"__{function.__name__}__"))(operand)
        return target if found is stands else found
    if type(target) in (list, dict, set) and isinstance(operand, StagedSum | StagedNumber):
        return of_each_kind(rec, operand, lambda x: convert_inplace(symbol, target, x))
    adding = ADDING.get((type(target), symbol))
    if adding is not None and fails_between(type(target), operand):
        rec.convert_call(getattr(target, adding))(operand)
        return target
    if isinstance(operand, StagedRange):
        operand = rec.heap.resolve(rec.convert_call(list)(operand))
    if type(target) in (list, dict, set):
        changed = rec.heap.materialise(target) if isinstance(operand, StagedContainer) else rec.heap.change(target)
        found = as_the_user(function, changed, operand)
        return target if found is changed else rec.new(found)
    method = getattr(type(target), f"__{function.__name__}__", None)
    if isinstance(method, FunctionType) and not isinstance(target, Tensor | Staged):
        found = rec.convert_call(MethodType(method, target))(operand)
        return convert_operator(symbol[:-1], target, operand, symbol) if found is NotImplemented else found
    if method is None:
        return convert_operator(symbol[:-1], target, operand, symbol)
    if isinstance(target, bytearray | array):
        return rec.convert_call(getattr(target, f"__{function.__name__}__"))(operand)
    return as_the_user(function, target, operand)


def _changed_in_place(rec: Recorder, target: Any, function: Callable) -> Any:
    """What stands for a container from outside that the operator `+=` or the like changes; the target itself otherwise."""
    is_changed = twin_of(type(target)) is not None and hasattr(type(target), f"__{function.__name__}__")
    return stand_in(rec, target) if is_changed else target


NUMBERS = (bool, int, float, StagedBool, StagedInt, StagedFloat, StagedNumber, Tensor)
INDEXED = (list, tuple, dict, str)  # whose items Python itself knows, of an index that it knows
ADDING: dict[tuple[type, str], str] = {(list, "+="): "extend", (dict, "|="): "update"}  # operators that take any iterable
PLAIN_OPERATORS = {"+=": operator.add, "*=": operator.mul}  # whose other operand Python asks first where a sequence is changed
INPLACE = {
    "+=": operator.iadd,
    "-=": operator.isub,
    "*=": operator.imul,
    "|=": operator.ior,
    "&=": operator.iand,
    "^=": operator.ixor,
    "/=": operator.itruediv,
    "//=": operator.ifloordiv,
    "%=": operator.imod,
    "**=": operator.ipow,
    "@=": operator.imatmul,
    "<<=": operator.ilshift,
    ">>=": operator.irshift,
}


PROXIES = (StagedList, StagedTuple, StagedStr, StagedRange)  # whose `__getitem__` is no code of the user's
BY_PLACE = (list, tuple, str, range, bytes, bytearray, *PROXIES)


def place(value: Any, index: Any) -> Any:
    """What a sequence is subscripted with: of an object, what its `__index__` gives. TypeError: a slice has another bound."""
    if type(index) in SCALARS or not isinstance(value, BY_PLACE):
        return index
    if not isinstance(value, PROXIES) and isinstance(type(value).__getitem__, FunctionType):
        return index
    if type(index) is not slice or are_scalars((index.start, index.stop, index.step)):
        return own_index(index)
    return slice(*map(_bound, (index.start, index.stop, index.step)))


def _bound(bound: Any) -> Any:
    """A bound of a slice. TypeError: what Python says of a bound that is no int."""
    bound = as_index(bound) if isinstance(bound, Tensor) else own_index(bound)
    is_index = isinstance(bound, StagedInt | StagedBool | StagedNumber | StagedSum | Tensor) or hasattr(type(bound), "__index__")
    if bound is not None and (isinstance(bound, StagedStr | StagedFloat | StagedContainer) or not is_index):
        as_the_user(operator.getitem, (), slice(1.5))  # which raises
    return bound


def _refuse_unlisted(rec: Recorder, items: Any) -> None:
    """TypeError for what a slice of a list can't be assigned from."""
    if isinstance(items, StagedSum | StagedNumber):
        of_each_kind(rec, items, lambda x: _refuse_unlisted(rec, x))
    elif not has_special(cls := known_class(items), "__iter__") and not has_special(cls, "__getitem__"):
        raise TypeError("can only assign an iterable")


class At:
    """One access to one object while staging."""

    __slots__ = ("_rec", "_value")

    def __init__(self, rec: Recorder, value: Any):
        _hold_rec(self, rec)
        _hold_value(self, value)

    def __getitem__(self, index: Any) -> Any:
        rec, value = self._rec, self._value
        index = place(value, index)
        if type(value) in (list, dict, set):
            resolved = rec.heap.resolve(value)
            if resolved is not value:
                return as_the_user(operator.getitem, resolved, index)
        if type(value) in INDEXED and type(index) in SCALARS:
            return _item(value, index)
        if type(value) in INDEXED and type(index) is slice and are_scalars((index.start, index.stop, index.step)):
            found = as_the_user(operator.getitem, value, index)
            return rec.new(found) if type(value) is list else found
        if _is_of_kinds(value, index):
            return with_alternatives(rec, lambda i: At(rec, value)[i], index)
        value = stand_in(rec, value, is_staged_in(index) or _is_missing(value, index))
        if isinstance(value, list | tuple | dict) and isinstance(type(value).__getitem__, FunctionType):
            return _special(rec, value, "__getitem__", index)(index)
        if isinstance(value, str) and _has_staged(index):
            return _of_text(value, index)
        if isinstance(value, list | tuple) and _has_staged(index):
            return _select(rec, value, index)
        if isinstance(value, dict) and is_staged_in(index):
            _refuse_subclass(rec, value)
            return as_the_user(operator.getitem, rec.heap.materialise(value), index)
        if isinstance(value, StagedSum | StagedRange | list | tuple | dict | str | range):
            found = as_the_user(operator.getitem, value, index)
            return rec.new(found) if isinstance(found, list) and isinstance(index, slice) else found
        parts = getattr(getattr(type(value), "__getitem__", None), "parts", None)
        if parts is not None and is_staged_in(index):  # a layer that holds others: which one, the Program will know
            return At(rec, rec.new(parts(value)))[index]
        return _special(rec, value, "__getitem__", index)(index)

    def __setitem__(self, index: Any, item: Any) -> None:
        rec, value = self._rec, self._value
        rec.facts.policy.before_item(rec, value, item)
        index = place(value, index)
        if _is_of_kinds(value, index):
            with_alternatives(rec, lambda i: At(rec, value).__setitem__(i, item), index)
        elif (owner := rec.heap.namespace_owner(value)) is not None and not is_staged_in(index):
            store_by_name(rec, owner, index, item)
        elif type(value) is dict and not is_staged_in(index):
            target = rec.heap.change_item(value, index)
            if target is value and rec.heap.birth(value) is None:
                rec.write(Item(value, index), item)
                return
            as_the_user(operator.setitem, target, index, item)
        elif type(value) in (list, dict):
            target = rec.heap.change(value)
            if type(index) in SCALARS:
                as_the_user(operator.setitem, target, index, item)
                return
            if isinstance(index, slice):
                _refuse_unlisted(rec, rec.heap.resolve(item))
                item = rec.heap.resolve(rec.convert_call(list)(item))
            spreads = isinstance(index, slice) and isinstance(item, StagedContainer)
            if target is value and (spreads or _has_staged(index) or is_staged_in(index)):
                target = rec.heap.materialise(value)
            as_the_user(operator.setitem, target, index, item)
        elif isinstance(value, StagedSum):
            value[index] = item
        else:
            value = stand_in(rec, value)
            if isinstance(value, dict) and (is_staged_in(index) or not rec.heap.is_local(value)):
                _refuse_subclass(rec, value)
            if isinstance(value, np.ndarray):
                _refuse_array(rec, value)
            _special(rec, value, "__setitem__", index)(index, item)

    def __delitem__(self, index: Any) -> None:
        rec, value = self._rec, self._value
        index = place(value, index)
        if _is_of_kinds(value, index):
            with_alternatives(rec, lambda i: At(rec, value).__delitem__(i), index)
        elif (owner := rec.heap.namespace_owner(value)) is not None and not is_staged_in(index):
            delete_by_name(rec, owner, value, index)
        elif type(value) in (list, dict):
            target = rec.heap.materialise(value) if _has_staged(index) or is_staged_in(index) else rec.heap.change(value)
            if type(target) is dict:
                rec.iterators.note_change(target, lambda: _has(target, index))
            as_the_user(operator.delitem, target, index)
        elif isinstance(value, StagedSum):
            del value[index]
        else:
            _special(rec, stand_in(rec, value), "__delitem__", index)(index)

    def __getattr__(self, name: str) -> Any:
        return load_attribute(self._rec, self._value, name)

    def __setattr__(self, name: str, item: Any) -> None:
        store_attribute(self._rec, self._value, name, item)

    def __delattr__(self, name: str) -> None:
        delete_attribute(self._rec, self._value, name)


_hold_rec, _hold_value = (vars(At)[name].__set__ for name in At.__slots__)  # past `__setattr__`, which the user's stores call


def _subscripted(value: Any) -> Any:
    """A value; in place of a number, which has no items, one of Python's, which says so."""
    return PYTHON_CLASS[type(value)]() if isinstance(value, StagedInt | StagedFloat | StagedBool) else value


class OfStaged(At):
    """One access to one tensor, or list, tuple or text that the Program computes, of each kind that the index may be of."""

    __slots__ = ()

    def __getitem__(self, index: Any) -> Any:
        return self._done(operator.getitem, index)

    def __setitem__(self, index: Any, item: Any) -> None:
        self._done(operator.setitem, index, item)

    def __delitem__(self, index: Any) -> None:
        self._done(operator.delitem, index)

    def _done(self, operation: Callable, index: Any, *item: Any) -> Any:
        value = _subscripted(self._value)
        given = place(value, index)
        return with_alternatives(self._rec, lambda i: as_the_user(operation, value, place(value, i), *item), given)

    def __setattr__(self, name: str, item: Any) -> None:
        if isinstance(self._value, Tensor | StagedNumber):
            store_attribute(self._rec, self._value, name, item)
        else:
            as_the_user(setattr, self._value, name, item)

    def __delattr__(self, name: str) -> None:
        if isinstance(self._value, StagedNumber):
            delete_attribute(self._rec, self._value, name)
        else:
            as_the_user(delattr, self._value, name)


class InPlace(At):
    """One item or attribute of one object, as the target of an in-place operator."""

    __slots__ = ()

    def __getitem__(self, index: Any) -> Any:
        return Target(self._rec.at(self._value)[index])

    def __getattr__(self, name: str) -> Any:
        return Target(load_attribute(self._rec, self._value, name))

    def __setitem__(self, index: Any, item: Any) -> None:
        self._rec.at(self._value)[index] = item


class Target:
    """What an item or attribute holds, while `+=` and the like are applied to it."""

    __slots__ = ("_value",)

    def __init__(self, value: Any):
        self._value = value


def _applied(symbol: str) -> Callable:
    return lambda self, operand: convert_inplace(symbol, self._value, operand)


for _symbol, _function in INPLACE.items():
    setattr(Target, f"__{_function.__name__}__", _applied(_symbol))


def _is_of_kinds(value: Any, index: Any) -> bool:
    """Whether an index may be of several kinds. A key may be: keys are told apart by their values."""
    return type(index) not in SCALARS and not isinstance(value, dict) and first_kinds(index) is not None


@speaks_for_the_user
def _item(value: Any, index: Any) -> Any:
    return value[index]


def _is_missing(value: Any, index: Any) -> bool:
    """Whether a dict of a subclass has no such key, so that its `__missing__` is asked, which may store one."""
    asks = isinstance(value, dict) and type(value) is not Counter and hasattr(type(value), "__missing__")
    return asks and not dict.__contains__(value, index)


def _refuse_subclass(rec: Recorder, value: dict) -> None:
    """ConversionError for an object of a subclass of dict that would have to become a dict known only at run time."""
    if type(value) is not dict:
        rec.facts.changes_argument(value)
        raise ConversionError(
            f"{rec.here()}: this {type(value).__name__} can't be changed inside staged control flow, nor have staged keys; "
            "use a dict: table.setdefault(key, []).append(item), or table[key] = table.get(key, 0) + 1"
        )


def _refuse_array(rec: Recorder, array: np.ndarray) -> None:
    """ConversionError where a NumPy array is changed that isn't a value of the code's own: staging would change it, once."""
    if rec.frame is not rec.frames[0] or rec.facts.outlasts(rec, array):
        raise changed(rec.here())


def _special(rec: Recorder, value: Any, name: str, index: Any) -> Any:
    """A special method of the user's class, converted."""
    if isinstance(value, Unbound):
        raise UnboundLocalError(LOCAL.format(value.name))
    of_a_class = isinstance(value, type) and name == "__getitem__" and not has_special(type(value), name)
    if of_a_class and hasattr(value, "__class_getitem__"):
        return rec.convert_call(value.__class_getitem__)
    if of_a_class:
        raise TypeError(f"type {value.__name__!r} is not subscriptable")
    if not has_special(type(value), name):
        sample = slice(None) if type(index) is slice else 0 if issubclass(known_class(index), int) else ""
        as_the_user(getattr(operator, name), value, sample, *([0] if name == "__setitem__" else []))  # which raises
    return rec.convert_call(of_class(value, name))


def of_class(value: Any, name: str) -> Any:
    """A special method as Python looks it up: in the class, whatever the object itself has under this name."""
    method = in_classes(type(value).__mro__, name)
    bind = getattr(type(method), "__get__", None)
    return method if bind is None else bind(method, value, type(value))


def _has(table: dict, key: Any) -> bool:
    return as_the_user(operator.contains, table, key)


def _has_staged(index: Any) -> bool:
    if isinstance(index, slice):
        return any(isinstance(x, Staged | Tensor) for x in (index.start, index.stop, index.step))
    return isinstance(index, Staged | Tensor)


def _of_text(text: str, index: Any) -> Any:
    """A string indexed or sliced by a staged int."""
    if isinstance(index, slice):
        return lookup("str.slice")(text, start=index.start, stop=index.stop, step=index.step)
    return lookup("str.get")(text, index)


def _select(rec: Recorder, values: Any, index: Any) -> Any:
    """A Python list or tuple indexed by a staged int."""
    if isinstance(values, tuple):
        return as_the_user(operator.getitem, lookup("sequence.from_list")(rec.new(list(values))), index)
    chosen = rec.heap.materialise(values if type(values) is list else rec.new(held(values)))
    return as_the_user(operator.getitem, chosen, index)
