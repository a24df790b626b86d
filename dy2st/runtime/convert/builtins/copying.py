"""`copy.copy` and `copy.deepcopy` of what only the Program knows: copied when it runs."""

from __future__ import annotations

import collections
import copy
from types import ModuleType
from typing import Any

from ....errors import ConversionError
from ....ir.join import alternatives
from ....ir.types import UNBOUND, AtomType, ClassType, ExceptionType, FunctionType, Type
from ....ops.registry import lookup
from ....pytree import attributes_of, contents_of
from ...heap.heap import Poison
from ...heap.staged_objects import is_staged_object, python_class, user_class, value_of
from ...library import BASES, CLASSES, base_of, is_overridden, lists, mappings, twin_of
from ...proxies import StagedContainer, StagedSum, StagedTuple
from ...recorder.recorder import Recorder, current_recorder
from ...where.faults import as_the_user
from .foreign import foreign_function

STATES = ("__getstate__", "__setstate__", "__getnewargs__", "__getnewargs_ex__", "__deepcopy__")
HOOKS = ("__copy__", "__deepcopy__", "__reduce__", "__reduce_ex__", "__getstate__", "__setstate__", "__getnewargs__")


def convert_copy(value: Any) -> Any:
    """`copy.copy(value)`"""
    rec = current_recorder()
    if rec is None:
        return as_the_user(copy.copy, value)
    value = rec.heap.resolve(value)
    if isinstance(value, StagedSum):
        return rec.on_alternatives(value, convert_copy)
    if isinstance(value, StagedContainer):
        return value if isinstance(value, StagedTuple) else rec.convert_call(value.copy)()
    if twin_of(python_class(value) or type(value)) is not None:
        return _copied(rec, value, python_class(value) or type(value))
    if not is_staged_object(value):
        return foreign_function(rec, copy.copy)(value)
    cls: Any = user_class(value)
    if hasattr(cls, "__copy__"):
        return rec.convert_call(cls.__copy__)(value)
    _refuse_hooks(rec, cls, "copy")
    return lookup("object.copy")(value)


def convert_deepcopy(value: Any, memo: Any = None) -> Any:
    """`copy.deepcopy(value)`"""
    rec = current_recorder()
    if rec is None:
        return as_the_user(copy.deepcopy, value, memo)
    value = rec.heap.resolve(value)
    if isinstance(value, StagedSum):
        return rec.on_alternatives(value, convert_deepcopy)
    cls = python_class(value) or type(value)
    is_subclass = cls not in CLASSES and twin_of(cls) is not None
    if is_subclass and any(is_overridden(cls, name) for name in (*STATES, "append", "__setitem__", "__iter__", "items")):
        raise ConversionError(
            f"{rec.here()}: copy.deepcopy would call methods of {cls.__qualname__}; call a method of it that returns the copy"
        )
    if is_subclass and python_class(value) is None:
        return rec.heap.as_twin(copy.deepcopy(value))
    if not _holds_values(rec, value, set()):
        return foreign_function(rec, copy.deepcopy)(value)
    own = getattr(user_class(value), "__deepcopy__", None) if is_staged_object(value) else None
    if own is not None:
        return rec.convert_call(own)(value, {})
    lowered = rec.lower(value)
    for type_ in _types_in(rec.type_of_value(lowered), rec.heap.elements.class_of(lowered), set()):
        if isinstance(type_, ClassType):
            _refuse_hooks(rec, rec.class_named(f"class {type_.name}"), "deepcopy")
        elif isinstance(type_, ExceptionType | FunctionType) or isinstance(type_, AtomType) and not _is_one(rec, type_):
            raise ConversionError(
                f"{rec.here()}: copy.deepcopy of a value that holds {type_}, which only the Program could copy; copy its parts "
                "one by one"
            )
    return lookup("container.deepcopy")(rec.wrap(lowered))


def _copied(rec: Recorder, value: Any, cls: type) -> Any:
    """`copy.copy` of a container of `collections`, or of a subclass, as the methods of its class say that it is done."""
    if cls in CLASSES and cls is not collections.OrderedDict:
        return rec.convert_call(value.copy)()
    if is_overridden(cls, "__copy__"):
        return rec.convert_call(cls.__copy__)(value)  # type: ignore[attr-defined]
    hook = next((name for name in STATES if is_overridden(cls, name)), None)
    if hook is not None:
        raise ConversionError(
            f"{rec.here()}: copy.copy would call {cls.__qualname__}.{hook}; call a method of it that returns the copy"
        )
    base = base_of(cls)
    assert base is not None
    if base in (collections.Counter, collections.defaultdict, collections.deque):
        return rec.convert_call(BASES[base].copy)(value)  # type: ignore[attr-defined]
    own = value if python_class(value) is not None else rec.heap.as_twin(value)
    if base in (set, tuple):
        made = rec.convert_call(cls)(rec.convert_call(list)(value))
    elif base is collections.OrderedDict:
        made = rec.convert_call(cls)()
    else:
        made = rec.new(object.__new__(twin_of(cls)))  # type: ignore[arg-type]
        vars(made)["_items"] = rec.new(base())
    for name in _attributes_of(rec, own):
        setattr(made, name, getattr(own, name))
    if base not in (set, tuple):
        rec.convert_call(lists.append_all if base is list else mappings.store_all)(made, value)
    return made


def _attributes_of(rec: Recorder, value: Any) -> list[str]:
    """The names of the attributes that an object has besides its items; ConversionError where only the Program knows them."""
    if not is_staged_object(value):
        return [name for name in vars(value) if name != "_items"]
    slots: dict[Any, Any] = rec.heap.elements.class_of(value_of(value)).slots  # type: ignore[union-attr]
    if any(UNBOUND in alternatives(slot.type) for slot in slots.values()):
        raise ConversionError(
            f"{rec.here()}: copy.copy of a {user_class(value).__qualname__} whose attributes are known only when the Program "
            "runs; call a method of it that returns the copy"
        )
    return [name[1:] for name in slots if name != "._items"]


def _is_one(rec: Recorder, type_: AtomType) -> bool:
    """Whether a Python object that the Program knows by name is its own copy."""
    known = rec.objects[type_.text]
    return callable(known) or isinstance(known, ModuleType)


def _holds_values(rec: Recorder, value: Any, seen: set[int]) -> bool:
    """Whether a value is, or reaches, a container or an object that only the Program knows."""
    value = rec.heap.resolve(value)
    if isinstance(value, StagedContainer | StagedSum | Poison) or is_staged_object(value):
        return True
    if id(value) in seen:
        return False
    seen.add(id(value))
    fields = attributes_of(value).values() if rec.heap.is_object(value) else ()
    return any(_holds_values(rec, part, seen) for part in (*contents_of(value)[1], *fields))


def _types_in(type_: Type, own: Any, seen: set[int]) -> list[Type]:
    """A type, and those of all that a value of it holds, where a class tells its name only."""
    found = [type_, *(t for part in type_.parts() for t in _types_in(part, None, seen))]
    if own is None or id(own) in seen:
        return found
    seen.add(id(own))
    for key, slot in own.slots.items():
        found += _types_in(slot.type, own.inner(key), seen)
    return found


def _refuse_hooks(rec: Recorder, cls: type, function: str) -> None:
    """ConversionError where a class says itself how it is copied."""
    hook = next((name for name in HOOKS if getattr(cls, name, None) is not getattr(object, name, None)), None)
    if hook is not None:
        raise ConversionError(
            f"{rec.here()}: copy.{function} would call {cls.__qualname__}.{hook}, of an object that is known only when the "
            "Program runs; call a method of it that returns the copy"
        )


CONVERTED = {copy.copy: convert_copy, copy.deepcopy: convert_deepcopy}
