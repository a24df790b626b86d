"""Which code is rewritten code: the transformers note it, staging asks."""

from __future__ import annotations
import __future__

from collections.abc import Iterator
from functools import reduce
from inspect import CO_OPTIMIZED
from types import CodeType
from weakref import WeakValueDictionary

FUTURE_FLAGS = reduce(int.__or__, (getattr(__future__, name).compiler_flag for name in __future__.all_feature_names))

_converted: WeakValueDictionary[int, CodeType] = WeakValueDictionary()  # by identity: equal code may stand in another file
_parts: WeakValueDictionary[int, CodeType] = WeakValueDictionary()  # of these, the branches and bodies of statements
_copies: WeakValueDictionary[int, CodeType] = WeakValueDictionary()  # of these, what only stands for a call of the user's
_sources: WeakValueDictionary[int, CodeType] = WeakValueDictionary()  # of these, what the function around it is written as


def note_converted(code: CodeType, source: CodeType | None = None) -> None:
    """Note a rewritten function and the functions inside it; a class inside it, with its methods, stands as it was.

    source: the user's own code of the whole function.
    """
    _converted[id(code)] = code
    if source is not None:
        _sources[id(code)] = source
    for constant in code.co_consts:
        if isinstance(constant, CodeType) and constant.co_flags & CO_OPTIMIZED:  # which the body of a class has not
            note_converted(constant, source)


def is_converted(code: CodeType) -> bool:
    """Whether this very code object is rewritten code."""
    return _converted.get(id(code)) is code


def source_of(code: CodeType) -> CodeType | None:
    """The user's own code of the whole function that rewritten code is, or stands in; None where nobody knows it."""
    return _sources.get(id(code)) if is_converted(code) else None


def note_part(code: CodeType) -> None:
    """Note a branch, a loop's body or the like: a function in rewritten code, and a part of one in the user's source."""
    _parts[id(code)] = code


def is_part(code: CodeType) -> bool:
    """Whether this very code object is a branch, a loop's body or the like of a rewritten function."""
    return _parts.get(id(code)) is code


def note_copy(code: CodeType) -> None:
    """Note code that runs in frames which only stand for those of the user's."""
    _converted[id(code)] = _copies[id(code)] = code


def is_copy(code: CodeType) -> bool:
    """Whether a frame of this very code object only stands for one of the user's, which is further out."""
    return _copies.get(id(code)) is code


def codes_in(code: CodeType) -> Iterator[CodeType]:
    """A code object and those inside it, at any depth."""
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from codes_in(constant)
