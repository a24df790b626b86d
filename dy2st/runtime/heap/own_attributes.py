"""Attributes that an object has itself, apart from what its class, or `__getattr__`, gives in their place."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property
from types import FunctionType, GetSetDescriptorType

from ...errors import ConversionError
from ...pytree import namespace_of
from ..where.faults import as_the_user
from ..where.user_code import is_ours, user_loc
from .markers import MISSING

Binding = Callable[[object], object]


def own_attribute(owner: object, name: str) -> object:
    """What an object, or a class, has itself under a name, or MISSING: nothing is computed, and no base is asked."""
    stored = namespace_of(owner)
    if name in stored:
        return stored[name]
    found = in_classes(type(owner).__mro__, name)
    if hasattr(type(found), "__set__"):  # a slot, or what else stores it elsewhere
        return getattr(owner, name, MISSING)
    return _kept_by_its_class(owner, name) if found is MISSING else MISSING


def in_classes(classes: tuple[type, ...], name: str) -> object:
    """What the first of some classes that has a name has under it, or MISSING."""
    for cls in classes:  # quicker than a generator
        if name in cls.__dict__:
            return cls.__dict__[name]
    return MISSING


def has_special(cls: type, name: str) -> bool:
    """Whether objects of a class have a special method: Python looks among its classes, not in the class of the class."""
    return in_classes(cls.__mro__, name) not in (MISSING, None)


def refuse_in_c(owner: object, name: str) -> None:
    """ConversionError where C keeps an attribute: it takes no value that only the Program knows."""
    if isinstance(in_classes(type(owner).__mro__, name), GetSetDescriptorType):
        cls = type(owner).__name__
        raise ConversionError(
            f"{user_loc()}: {name} of this {cls} would be known only when the Program runs, and C keeps it in the {cls}; keep "
            f"the value in a variable or an attribute of your own, and store it in the {cls} outside of the function"
        )


def places_of(owner: object) -> Iterator[tuple[object, Binding]]:
    """Where Python looks for an attribute, one place after the other, each with what it makes of what it finds there."""
    if isinstance(owner, type):
        for cls in owner.__mro__:
            yield cls, lambda value: _bound(value, None, owner)
    else:
        yield owner, lambda value: value
        for cls in type(owner).__mro__:
            yield cls, lambda value: _bound(value, owner, type(owner))


def _bound(value: object, owner: object, cls: type) -> object:
    """What a class has, as the object gives it. What a cached_property computes, the caller does."""
    bind = getattr(type(value), "__get__", None)
    return value if bind is None or isinstance(value, cached_property) else as_the_user(bind, value, owner, cls)


def has_substitute(owner: object, name: str) -> bool:
    """Whether a name of an object that hasn't the attribute itself gives something else: of a class, or of `__getattr__`."""
    classes = owner.__mro__[1:] if isinstance(owner, type) else type(owner).__mro__
    return in_classes(classes, name) is not MISSING or hasattr(type(owner), "__getattr__")


def no_attribute(owner: object, name: str) -> AttributeError:
    """What Python raises where an attribute is read that an object doesn't have."""
    kind = f"type object {owner.__name__!r}" if isinstance(owner, type) else f"{type(owner).__name__!r} object"
    return AttributeError(f"{kind} has no attribute {name!r}")


def _kept_by_its_class(owner: object, name: str) -> object:
    """What Layer, which says itself where attributes are stored, finds there. A `__getattr__` of the user's may compute."""
    keeper = next(cls for cls in type(owner).__mro__ if "__setattr__" in vars(cls))
    find = vars(keeper).get("__getattr__")
    if not isinstance(find, FunctionType) or not is_ours(find.__code__.co_filename):
        return MISSING
    try:
        return find(owner, name)
    except AttributeError:
        return MISSING
