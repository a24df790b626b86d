"""What tells one Python object from all others, where the Program knows objects by a text."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from functools import partial
from types import FunctionType, MethodType

CALLABLES = (partial, FunctionType)
SCALARS = frozenset((bool, int, float, str, complex, bytes, type(None)))  # nothing stands for their objects: they hold no others

_TOLD_BY_TEXT: set[type] = {bytes, complex}


def note_constants(*classes: type) -> None:
    """Objects of these classes of another library never change, and their `repr` tells all of them."""
    _TOLD_BY_TEXT.update(classes)


def is_told_by_text(cls: type) -> bool:
    """Whether the `repr` of an object of exactly this class tells what it is: its id means nothing."""
    return cls in _TOLD_BY_TEXT


def are_scalars(values: Iterable[object]) -> bool:
    """Whether all of these are Python scalars."""
    for value in values:  # noqa: SIM110 - quicker than `all`, which starts a generator
        if type(value) not in SCALARS:
            return False
    return True


def identity(value: object) -> Hashable:
    """The object's id; of a bound method, which is made anew by each load, those of the object and the function.

    A constant that has no type of its own in a Program, and may be made anew by each turn of a loop, is told by its value.
    """
    if type(value) is MethodType:
        return (id(value.__self__), id(value.__func__))
    if type(value) in _TOLD_BY_TEXT:
        return (type(value), repr(value))
    if type(value) is frozenset and all(type(item) in SCALARS for item in value):
        return (frozenset, frozenset((type(item), repr(item)) for item in value))
    return id(value)


def is_kept(value: object, texts: Mapping[Hashable, str]) -> bool:
    """Whether this is a partial or function, and none that the Program knows by name: it may know it by what it holds."""
    return type(value) in CALLABLES and id(value) not in texts


def known_class(objects: Mapping[str, object], text: str) -> type | None:
    """The class that a Program knows by a text, "class ..." or "tuple ..."; None where this process doesn't."""
    found = objects.get(text)
    assert found is None or isinstance(found, type)
    return found


def same_object(a: object, b: object) -> bool:
    """Whether two Python objects are one to a Program: the same object or bound method, or the same constant."""
    return a is b or same_constant(a, b) or identity(a) == identity(b)


def same_constant(a: object, b: object) -> bool:
    """Whether two Python scalars are the same constant: type and value, 0.0 apart from -0.0, a NaN equal to itself."""
    if type(a) is not type(b) or type(a) not in SCALARS:
        return False
    return repr(a) == repr(b) if isinstance(a, (float, complex)) else a == b
