"""Objects of the user's classes that only the Program knows: one of several, made in a loop, kept in a staged list, or state.

The Python object stays where it is, under all its names, but its class becomes a twin of the user's class that records every load
and store of a field. So methods, properties, `super()` and `isinstance` mean what they always meant.
"""

from __future__ import annotations

import dataclasses
import functools
from types import FunctionType, MemberDescriptorType

from ... import pytree
from ...errors import ConversionError, StagedValueError
from ...ir.core import Value
from ...ir.flows import field_slot
from ...ir.join import alternatives
from ...ir.types import BOOL, UNBOUND, SumType, Type
from ...ops.registry import lookup
from ..library import PYTHONS, DictView, Kept, Written, opened
from ..where.faults import as_the_user
from ..where.user_code import is_foreign
from .elements import ElementClass
from .recording import Recording, recording

PACKAGE = __name__.partition(".")[0]
HELD = "<value>"  # the one entry of a staged object's own namespace: the Value it stands for

_twins: dict[type, type] = {}  # the twin of each user's class
_twin_classes: set[int] = set()  # their ids: a metaclass may take the hash of a class away
_twins_slot: dict[type, MemberDescriptorType | None] = {}  # the slot that holds the Value, of a twin without a `__dict__`


def is_staged_object(value: object) -> bool:
    """Whether a Python object stands for a Value of the Program."""
    return id(type(value)) in _twin_classes


def can_be_staged(value: object) -> bool:
    """Whether all that an object is lies in its `__dict__` and its slots, under a class of the user's."""
    cls = type(value)
    if is_staged_object(value) or type(cls) is not type or isinstance(value, BaseException):
        return False
    if _is_kept_by_library(cls) and not issubclass(cls, Written | Kept):
        return False
    if pytree.is_laid_out_in_c(cls) or not (cls.__dictoffset__ or any(pytree.slots_of(cls))):
        return False
    stores_itself = cls.__setattr__ is not object.__setattr__ or cls.__delattr__ is not object.__delattr__
    if stores_itself and not _is_frozen(cls):
        return False
    return cls.__getattribute__ is object.__getattribute__ and not any(
        pytree.module_of(c).partition(".")[0] in (PACKAGE, "builtins") or "__init_subclass__" in vars(c)
        for c in cls.__mro__[:-1]
    )


def _is_kept_by_library(cls: type) -> bool:
    """Whether Python's library has made the attributes of an object, which its methods read: they aren't converted."""
    is_kept = (isinstance(vars(c).get("__init__"), FunctionType) and is_foreign(pytree.module_of(c)) for c in cls.__mro__[:-1])
    return is_foreign(pytree.module_of(cls)) or any(is_kept)


def stage(obj: object, value: Value) -> None:
    """From now on `obj` stands for `value`."""
    pytree.replace_attributes(obj, {})
    object.__setattr__(obj, "__class__", _twin(type(obj)))
    _hold(obj, value)


def stand_in(cls: type, value: Value) -> object:
    """A new staged object of the user's class `cls`."""
    made: object = object.__new__(_twin(cls))
    _hold(made, value)
    return made


def value_of(obj: object) -> Value:
    """What a staged object stands for."""
    slot = _twins_slot[type(obj)]
    return object.__getattribute__(obj, "__dict__")[HELD] if slot is None else slot.__get__(obj)


def _hold(obj: object, value: Value) -> None:
    """Keep what an object of a twin stands for: in its own namespace, or else in its first slot."""
    slot = _twins_slot[type(obj)]
    if slot is None:
        object.__getattribute__(obj, "__dict__")[HELD] = value
    else:
        slot.__set__(obj, value)


def user_class(obj: object) -> type:
    """The class that the user knows a staged object by."""
    return type(obj).__bases__[0]


def python_class(value: object) -> type | None:
    """Which class of Python's the class of an object stands for, if it is one of those that are written in `library`."""
    cls = type(value)
    if issubclass(cls, Kept):
        return cls.__stands_for__
    if type(cls).__hash__ is None:
        return None
    return PYTHONS.get(user_class(value) if is_staged_object(value) else cls)


def has_namespace(value: object) -> bool:
    """Whether an object has a `__dict__`, as far as the user knows: what stands for a container has one in any case."""
    cls = python_class(value)
    return cls is None or bool(cls.__dictoffset__)


def contents(value: object) -> object:
    """The list or dict of an object whose class is written in `library`; anything else as it is."""
    return value._items if isinstance(value, Written) and not isinstance(value, DictView) else value


def iterates_itself(value: object) -> bool:
    """Whether a class of the user's, derived from a container's, says itself how it is iterated."""
    cls = user_class(value) if is_staged_object(value) else type(value)
    return issubclass(cls, Written) and cls.__iter__ is not Written.__iter__


def _twin(cls: type) -> type:
    if cls not in _twins:
        namespace = {"__slots__": (), "__module__": cls.__module__, "__qualname__": cls.__qualname__, **_HOOKS}
        _twins[cls] = type(cls.__name__, (cls,), namespace)
        _twin_classes.add(id(_twins[cls]))
        _twins_slot[_twins[cls]] = None if cls.__dictoffset__ else next(slot for _, slot in pytree.slots_of(cls))
    return _twins[cls]


def _is_frozen(cls: type) -> bool:
    parameters = getattr(cls, "__dataclass_params__", None)
    return parameters is not None and parameters.frozen


def _recorder(obj: object) -> Recording:
    rec = recording()
    if rec is None:
        raise StagedValueError(f"this {user_class(obj).__qualname__} exists only while the Program runs")
    return rec


def _refused(obj: object, use: str) -> ConversionError:
    cls = user_class(obj).__qualname__
    return ConversionError(f"{_recorder(obj).here()}: {use} of a {cls} that is known only when the Program runs; use its fields")


# --- fields ------------------------------------------------------------------------------------------------------------


def _load(obj: object, name: str) -> object:
    cls = user_class(obj)
    if name == "__class__":
        return cls
    if name == "__dict__":
        raise _refused(obj, "__dict__")
    if issubclass(cls, Kept) and name not in cls.__parts__:
        return _of_callable(obj, name)
    found = _in_class(cls, name)
    if isinstance(found, property) and found.fget is not None:
        return _recorder(obj).convert_call(found.fget)(obj)
    if hasattr(type(found), "__set__") or (name.startswith("__") and not _has_field(obj, name)):
        return as_the_user(object.__getattribute__, obj, name)
    rec = _recorder(obj)
    slot = _fields(rec, obj).slots.get(field_slot(name))
    if slot is None:
        return _otherwise(rec, obj, cls, name)
    kinds = [t for t in alternatives(slot.type) if t != UNBOUND]
    if len(kinds) == len(alternatives(slot.type)):
        return _get(rec, obj, name, slot.type)
    if not kinds:
        return _otherwise(rec, obj, cls, name)
    rest = kinds[0] if len(kinds) == 1 else SumType(tuple(kinds))
    if issubclass(cls, Kept):  # which has all its fields; what else may be in its place has others
        return _get(rec, obj, name, rest)
    return rec.choose(_has(rec, obj, name), lambda: _get(rec, obj, name, rest), lambda: _otherwise(rec, obj, cls, name))


def _of_callable(obj: object, name: str) -> object:
    """An attribute of a partial or function that only the Program knows."""
    if name == "__call__":
        return object.__getattribute__(obj, name)
    found = as_the_user(getattr, opened(obj), name)
    return _recorder(obj).heap.shown(found) if type(found) is dict else found


def _has_field(obj: object, name: str) -> bool:
    rec = recording()
    return rec is not None and field_slot(name) in _fields(rec, obj).slots


def _fields(rec: Recording, obj: object) -> ElementClass:
    own = rec.heap.elements.class_of(value_of(obj))
    assert own is not None
    return own


def _get(rec: Recording, obj: object, name: str, type_: Type) -> object:
    described = rec.heap.elements.typed(type_, _fields(rec, obj).inner(field_slot(name)))
    return rec.wrap(rec.emit("object.get", [rec.lower(obj)], [described], {"field": name}).result)


def _has(rec: Recording, obj: object, name: str) -> Value:
    return rec.emit("object.has", [rec.lower(obj)], [BOOL], {"field": name}).result


def has_attribute(obj: object, name: str) -> object:
    """Whether a staged object has an attribute; a staged bool where the path decides it."""
    rec = _recorder(obj)
    if issubclass(type(obj), Kept):
        return hasattr(opened(obj), name)
    slot = _fields(rec, obj).slots.get(field_slot(name))
    if _in_class(user_class(obj), name) is not None or slot is None:
        return hasattr(user_class(obj), name)
    known = UNBOUND not in alternatives(slot.type)
    return True if known else rec.wrap(_has(rec, obj, name))


def _otherwise(rec: Recording, obj: object, cls: type, name: str) -> object:
    """What a name gives that isn't a field: something of the class, or what `__getattr__` says."""
    found = _in_class(cls, name)
    if isinstance(found, functools.cached_property):
        made = rec.convert_call(found.func)(obj)
        _store(obj, name, made)
        return made
    fallback = getattr(cls, "__getattr__", None)
    if fallback is not None and found is None:
        return rec.convert_call(fallback)(obj, name)
    if name in dict(pytree.slots_of(cls)):
        raise AttributeError(f"{cls.__name__!r} object has no attribute {name!r}")
    return as_the_user(object.__getattribute__, obj, name)


def _in_class(cls: type, name: str) -> object:
    """What a class has under a name; a slot is none of it, since the Program holds what is in it."""
    found = next((vars(c)[name] for c in cls.__mro__ if name in vars(c)), None)
    return None if isinstance(found, MemberDescriptorType) else found


def _store(obj: object, name: str, item: object) -> None:
    rec, cls = _recorder(obj), user_class(obj)
    if issubclass(cls, Kept):
        raise _refused(obj, f"storing the attribute {name}")
    found = _in_class(cls, name)
    if isinstance(found, property) and found.fset is not None:
        rec.convert_call(found.fset)(obj, item)
        return
    if _is_frozen(cls):
        raise dataclasses.FrozenInstanceError(f"cannot assign to field {name!r}")
    if (setter := getattr(type(found), "__set__", None)) is not None:
        as_the_user(setter, found, obj, item)
        return
    store_field(obj, name, item)


def store_field(obj: object, name: str, item: object) -> None:
    """`object.__setattr__(obj, name, item)`, where the class has nothing of its own under that name."""
    rec = _recorder(obj)
    rec.heap.refuse_lost(obj, name)
    lowered = rec.lower(item)
    is_known = field_slot(name) in _fields(rec, obj).slots
    rec.facts.policy.before_field(rec, obj, name, is_known)
    rec.emit("object.set", [rec.lower(obj), lowered], attrs={"field": name})


def _delete(obj: object, name: str) -> None:
    rec = _recorder(obj)
    rec.heap.refuse_lost(obj, name)
    rec.heap.elements.store(_fields(rec, obj), field_slot(name), UNBOUND, None)
    lookup("object.delete")(obj, field=name)


def _compare(obj: object, other: object, name: str) -> object:
    """`==` and `!=`: the user's, or by identity."""
    rec, method = _recorder(obj), getattr(user_class(obj), name)
    given = method is not getattr(object, name) and method.__code__.co_filename != "<string>"  # a dataclass's takes its own class
    found = rec.convert_call(method)(obj, other) if given else NotImplemented
    if found is not NotImplemented:
        return found
    return rec.negation(_compare(obj, other, "__eq__")) if name == "__ne__" else rec.identity(obj, other)


def _hash(obj: object) -> int:
    raise _refused(obj, "hash(x)")


def _repr(obj: object) -> str:
    if issubclass(type(obj), Kept):
        raise _refused(obj, "repr(x)")
    user_repr = getattr(user_class(obj), "__repr__")  # noqa: B009 - of a type, mypy knows the metaclass's
    return f"<staged {user_class(obj).__qualname__}>" if user_repr is object.__repr__ else user_repr(obj)


_HOOKS: dict[str, object] = {
    "__getattribute__": _load,
    "__setattr__": _store,
    "__delattr__": _delete,
    "__eq__": lambda obj, other: _compare(obj, other, "__eq__"),
    "__ne__": lambda obj, other: _compare(obj, other, "__ne__"),
    "__hash__": _hash,
    "__repr__": _repr,
}
