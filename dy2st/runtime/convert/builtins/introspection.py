"""The class and the attributes of a value: `isinstance`, `type`, `getattr`, `setattr`, `hasattr`, `delattr`."""

from __future__ import annotations

from abc import ABCMeta, get_cache_token
from typing import Any

from ....errors import ConversionError
from ....ops.registry import lookup
from ....pytree import flat
from ...heap.identity import SCALARS
from ...heap.markers import MISSING
from ...heap.own_attributes import no_attribute
from ...heap.staged_objects import has_attribute, has_namespace, is_staged_object, python_class, user_class
from ...proxies import PYTHON_CLASS, Staged, StagedContainer, StagedNumber, StagedSum
from ...recorder.caught import Caught
from ...recorder.recorder import Recorder, current_recorder, recorder
from ...where.faults import as_the_user
from ..operations.attributes import (
    delete_attribute,
    delete_past_class,
    has,
    is_computed,
    is_computed_by,
    load_attribute,
    load_unless_absent,
    store_attribute,
    store_past_class,
)
from ..operations.ifelse import convert_ifelse, convert_ifexp
from ..operations.item_sources import Iteration
from ..operations.logical import convert_logical_or
from ..operations.namespaces import namespace, refuse_absent
from ..operations.ranges import StagedRange
from ..operations.structures import class_of
from ..operations.sums import of_each_kind
from ..operations.try_ import by_class
from .foreign import called_by_the_user

NUMBERS = (bool, int, float)  # the classes that a number may have whose class follows the path
KNOWN = frozenset((type, ABCMeta))  # whose objects are classes: nothing staged is among them


def convert_isinstance(value: Any, classes: Any) -> Any:
    rec = current_recorder()
    if rec is None:
        return as_the_user(isinstance, value, classes)
    are_known = type(classes) in KNOWN or (type(classes) is tuple and KNOWN.issuperset(map(type, classes)))
    if are_known and type(value) in SCALARS:
        return type(value) is classes or as_the_user(isinstance, value, classes)
    value = rec.heap.resolve(value)
    for cls in flat(classes, tuple):
        if isinstance(cls, ABCMeta):
            _note_abstract(rec, value, cls)
    if isinstance(value, Caught):
        return value._is_one_of(classes)
    if isinstance(value, StagedSum):
        return rec.on_alternatives(value, lambda x: convert_isinstance(x, classes))
    if isinstance(classes, StagedSum):
        return rec.on_alternatives(classes, lambda x: convert_isinstance(value, x))
    if not are_known and any(isinstance(cls, StagedSum) for cls in flat(classes, tuple)):
        return convert_logical_or(False, *(lambda cls=cls: convert_isinstance(value, cls) for cls in flat(classes, tuple)))
    if isinstance(value, StagedNumber):
        held = [cls for cls in NUMBERS if as_the_user(issubclass, cls, classes)]
        told = 0 < len(held) < len(NUMBERS)  # only the Program can
        return lookup("py.isinstance")(value, classes=[cls.__name__ for cls in held]) if told else bool(held)
    if isinstance(value, Staged):
        stands_for = convert_type(value)
        return as_the_user(issubclass, stands_for, classes)
    if value in rec.promoted and len({as_the_user(isinstance, x, classes) for x in (value, False, 1, 1.5)}) > 1:
        rec.promoted.refuse(rec.here(), "isinstance")
    python = value.stands_for if isinstance(value, StagedRange | Iteration) else python_class(value)
    if isinstance(python, StagedSum):
        return rec.on_alternatives(python, lambda cls: as_the_user(issubclass, cls, classes))
    return as_the_user(isinstance, value, classes) if python is None else as_the_user(issubclass, python, classes)


def _note_abstract(rec: Recorder, value: Any, abstract: ABCMeta) -> None:
    """Guard whether the class of a value is registered with an abstract one; of a value of several kinds, each is asked apart."""
    if isinstance(value, StagedSum):
        return
    if isinstance(value, StagedNumber):
        own: tuple = NUMBERS
    elif isinstance(value, Staged | StagedRange | Iteration):
        own = (convert_type(value),)
    elif isinstance(value, Caught):
        own = (None,)  # of an exception, which class it is
    else:
        python = python_class(value)
        own = (type(value), as_the_user(getattr, value, "__class__")) if python is None else (python,)
    for cls in own:
        if isinstance(cls, type):
            rec.facts.guards.answers.note_abstract(cls, abstract)
        else:
            rec.facts.guards.answers.note(get_cache_token, ())


def convert_type(value: Any, *rest: Any, **named: Any) -> Any:
    rec = current_recorder()
    if rec is None:
        return as_the_user(type, value, *rest, **named)
    if rest or named:
        return rec.new(called_by_the_user(rec, type, value, *rest, **named))
    if isinstance(value, Caught):
        return by_class(value, lambda cls: cls)
    if isinstance(value, StagedSum):
        return rec.on_alternatives(value, convert_type)
    if isinstance(value, StagedNumber):
        return convert_ifelse(convert_isinstance(value, float), lambda: float, lambda: _bool_or_int(value))
    if isinstance(value, StagedContainer | StagedRange | Iteration):
        return value.stands_for
    if value in rec.promoted:
        rec.promoted.refuse(rec.here(), "the class")
    python = python_class(value)
    return python if python is not None else PYTHON_CLASS.get(type(value), class_of(value))


def convert_class(value: Any) -> Any:
    """`value.__class__`, which an object may say otherwise than `type`."""
    if current_recorder() is None:
        return value.__class__
    found = convert_type(value)
    return as_the_user(getattr, value, "__class__") if found is type(value) else found


def _bool_or_int(value: Any) -> Any:
    return convert_ifelse(convert_isinstance(value, bool), lambda: bool, lambda: int)


def convert_hasattr(owner: Any, name: str) -> Any:
    """`hasattr(owner, name)`; staged where the path decides it."""
    rec = current_recorder()
    if rec is None:
        return as_the_user(hasattr, owner, name)
    _known(rec, owner, name, "hasattr")
    owner = rec.heap.spoken_for(owner)
    if isinstance(owner, StagedSum | StagedNumber):
        return of_each_kind(rec, owner, lambda x: convert_hasattr(x, name))
    if owner in rec.promoted and len({as_the_user(hasattr, x, name) for x in (owner, 1, 1.5)}) > 1:
        rec.promoted.refuse(rec.here(), "hasattr or getattr")
    if not is_staged_object(owner):
        rec.facts.read_attribute(rec, owner, name)
    if _is_given_by_code(owner, name):
        return load_unless_absent(rec, name, lambda: load_attribute(rec, owner, name) is not MISSING, lambda: False)
    return has(rec, owner, name)


def convert_getattr(owner: Any, name: str, default: Any = MISSING) -> Any:
    """`getattr(owner, name, default)`"""
    rec = current_recorder()
    if rec is None:
        return as_the_user(getattr, owner, name, *([] if default is MISSING else [default]))
    _known(rec, owner, name, "getattr")
    rec.facts.read_attribute(rec, owner, name)
    if default is MISSING:
        return load_attribute(rec, owner, name)
    if isinstance(owner, StagedSum | StagedNumber):
        return of_each_kind(rec, owner, lambda x: convert_getattr(x, name, default))
    if _is_given_by_code(owner, name):
        return load_unless_absent(rec, name, lambda: load_attribute(rec, owner, name), lambda: default)
    return convert_ifexp(convert_hasattr(owner, name), lambda: load_attribute(rec, owner, name), lambda: default)


def _is_given_by_code(owner: Any, name: str) -> bool:
    """Whether code of the user's gives an attribute, or says that there is none: Python asks it once."""
    if is_staged_object(owner):
        return has_attribute(owner, name) is not True and is_computed_by(user_class(owner), name)
    return is_computed(owner, name)


def convert_vars(owner: Any) -> Any:
    """`vars(owner)`: a dict of the attributes that the object has whatever the path."""
    if isinstance(owner, StagedSum):
        return recorder().on_alternatives(owner, convert_vars)
    if not has_namespace(owner):
        raise TypeError("vars() argument must have __dict__ attribute")
    return _namespace(owner, as_the_user(vars, owner))


def convert_namespace(owner: Any) -> Any:
    """`owner.__dict__`, as `vars(owner)`."""
    if isinstance(owner, StagedSum):
        return recorder().on_alternatives(owner, convert_namespace)
    if not has_namespace(owner):
        raise no_attribute(owner, "__dict__")
    return _namespace(owner, as_the_user(getattr, owner, "__dict__"))


def convert_globals(variables: dict) -> dict:
    """`globals()`. ConversionError: a variable of the module exists on some paths only."""
    rec = current_recorder()
    if rec is not None:
        refuse_absent(rec, "globals() in a module", variables)
    return variables


def convert_dir(owner: Any) -> Any:
    """`dir(owner)`: the names of its own attributes and of those of its class."""
    rec = current_recorder()
    if rec is not None:
        for each in (owner, type(owner)):
            rec.facts.read_names(rec, each)
    return as_the_user(dir, owner)


def _namespace(owner: Any, found: Any) -> Any:
    rec = current_recorder()
    return found if rec is None else namespace(rec, owner, found)


def convert_setattr(owner: Any, name: str, value: Any) -> None:
    """`setattr(owner, name, value)`"""
    rec = current_recorder()
    if rec is None:
        as_the_user(setattr, owner, name, value)
    else:
        _known(rec, owner, name, "setattr")
        store_attribute(rec, owner, name, value)


def convert_object_setattr(owner: Any, name: str, value: Any) -> None:
    """`object.__setattr__(owner, name, value)`, and `super().__setattr__(name, value)` where that is the same."""
    rec = current_recorder()
    if rec is None:
        as_the_user(object.__setattr__, owner, name, value)
    else:
        _known(rec, owner, name, "object.__setattr__")
        store_past_class(rec, owner, name, value)


def convert_object_delattr(owner: Any, name: str) -> None:
    """`object.__delattr__(owner, name)`, and `super().__delattr__(name)` where that is the same."""
    rec = current_recorder()
    if rec is None:
        as_the_user(object.__delattr__, owner, name)
    else:
        _known(rec, owner, name, "object.__delattr__")
        delete_past_class(rec, owner, name)


def convert_delattr(owner: Any, name: str) -> None:
    """`delattr(owner, name)`"""
    rec = current_recorder()
    if rec is None:
        as_the_user(delattr, owner, name)
    else:
        _known(rec, owner, name, "delattr")
        delete_attribute(rec, owner, name)


def _known(rec: Recorder, owner: Any, name: Any, function: str) -> None:
    if not isinstance(name, str | Staged):
        as_the_user(getattr, owner, name)  # which raises
    if isinstance(name, Staged):
        raise ConversionError(
            f"{rec.here()}: {function} with a name that is known only when the Program runs; choose the attribute itself, "
            "o.a if c else o.b, or keep the values in a dict"
        )
