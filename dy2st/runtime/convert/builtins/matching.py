"""What `match` asks of its subject: `_jst.is_sequence(s, 2)`, `_jst.is_mapping(s, "k")`, `_jst.is_instance(s, Point, 2)`.

Python marks the classes that sequence and mapping patterns accept by flags, and the built-in ones whose single positional
pattern stands for the subject itself.
"""

from __future__ import annotations

import operator
from typing import Any

from ....errors import ConversionError
from ...heap.own_attributes import in_classes
from ...heap.staged_objects import contents, python_class
from ...proxies import StagedDict, StagedList, StagedSum, StagedTuple
from ...recorder.recorder import current_recorder, recorder
from ...where.faults import as_the_user
from ...where.storing import gives_and_stores
from ...where.user_code import is_users_function
from ..iteration.collecting import convert_list
from ..operations.access import at
from ..operations.logical import convert_logical_and
from ..operations.ranges import StagedRange
from .introspection import convert_hasattr, convert_isinstance
from .table import convert_len

SEQUENCE, MAPPING, MATCHES_ITSELF = 1 << 5, 1 << 6, 1 << 22
SEQUENCES = (StagedList, StagedTuple, StagedRange)


def is_sequence(subject: Any, count: int, more: str = "") -> Any:
    """Whether the subject is a sequence of `count` items (`more`: or more)."""
    subject = _resolved(subject)
    if isinstance(subject, StagedSum):
        return _each(subject, lambda x: is_sequence(x, count, more))
    if not isinstance(subject, SEQUENCES) and not type(subject).__flags__ & SEQUENCE:
        return False
    length = convert_len(subject)
    return length >= count if more else length == count


def items_between(subject: Any, before: int, after: int) -> Any:
    """The value that a starred pattern binds: a list of the items but for some at both ends."""
    subject = _resolved(subject)
    rec = current_recorder()
    if isinstance(subject, StagedSum):
        return _each(subject, lambda x: items_between(x, before, after))
    if isinstance(subject, SEQUENCES):
        return at(convert_list(subject))[before : convert_len(subject) - after]
    between = slice(before, as_the_user(len, subject) - after)
    found = as_the_user(list, as_the_user(operator.getitem, subject, between))
    return found if rec is None else rec.new(found)


def is_mapping(subject: Any, *keys: Any) -> Any:
    """Whether the subject is a mapping with these keys."""
    _refuse_own_get(subject, keys)
    subject = _resolved(subject)
    if isinstance(subject, StagedSum):
        return _each(subject, lambda x: is_mapping(x, *keys))
    if isinstance(subject, StagedDict):
        return convert_logical_and(True, *(lambda key=key: subject.contains(key) for key in keys))  # type: ignore[misc]
    return bool(type(subject).__flags__ & MAPPING) and all(as_the_user(operator.contains, subject, key) for key in keys)


def _refuse_own_get(subject: Any, keys: tuple) -> None:
    """ConversionError where Python would ask code of the user's for the items, once: here it would be asked twice."""
    rec, cls = current_recorder(), python_class(subject) or type(subject)
    if rec is None or not keys or not cls.__flags__ & MAPPING:
        return
    names = ("get", "__contains__", "__getitem__") if issubclass(cls, dict) else ("get", "__contains__")
    own = next((name for name in names if is_users_function(in_classes(cls.__mro__, name))), None)
    if own is not None:
        raise ConversionError(
            f"{rec.here()}: a pattern asks for items of this {cls.__name__}, whose class has its own {own}; match dict(...), "
            "or ask for the items before the match"
        )


def items_beside(subject: Any, *keys: Any) -> Any:
    """What `**rest` binds: a dict of the items under other keys."""
    subject = _resolved(subject)
    rec = current_recorder()
    if isinstance(subject, StagedSum):
        return _each(subject, lambda x: items_beside(x, *keys))
    if isinstance(subject, StagedDict):
        rest = subject.copy()
        for key in keys:
            rest.pop(key)
        return rest
    found = {key: value for key, value in as_the_user(list, as_the_user(getattr, subject, "items")()) if key not in keys}
    return found if rec is None else rec.new(found)


def is_instance(subject: Any, cls: Any, count: int = 0, *names: str) -> Any:
    """Whether the subject is of a class and has the attributes that `count` positional patterns, and keyword ones, name."""
    subject = _resolved(subject)
    if isinstance(subject, StagedSum):
        return _each(subject, lambda x: is_instance(x, cls, count, *names))
    if not isinstance(cls, type):
        raise TypeError("called match pattern must be a class")
    is_one = convert_isinstance(subject, cls)
    if is_one is False:
        return False
    names = (*(name for i in range(count) if (name := _name(cls, i, count)) is not None), *names)
    _refuse_changing(subject, names)
    return convert_logical_and(is_one, *(lambda name=name: convert_hasattr(subject, name) for name in names))  # type: ignore[misc]


def _refuse_changing(subject: Any, names: tuple[str, ...]) -> None:
    """ConversionError where code that gives an attribute may change something: the pattern looks for it, and then loads it."""
    for name in names:
        if gives_and_stores(type(subject), name) and (rec := current_recorder()) is not None:
            raise ConversionError(
                f"{rec.here()}: a pattern asks for {name} of this {type(subject).__name__}, whose class has code for it that "
                "may change something; load it before the match, and match that"
            )


def positional(subject: Any, cls: Any, position: int) -> Any:
    """The attribute that a positional pattern of a class is matched with."""
    name = _name(cls, position, position + 1)
    return subject if name is None else as_the_user(getattr, subject, name)


def _name(cls: Any, position: int, count: int) -> str | None:
    """The attribute behind a positional pattern; None for the subject itself."""
    names = getattr(cls, "__match_args__", None)
    accepted = len(names) if names is not None else int(bool(cls.__flags__ & MATCHES_ITSELF))
    if count > accepted:
        plural = "" if accepted == 1 else "s"
        raise TypeError(f"{cls.__name__}() accepts {accepted} positional sub-pattern{plural} ({count} given)")
    return None if names is None else names[position]


def _resolved(value: Any) -> Any:
    rec = current_recorder()
    return value if rec is None else rec.heap.resolve(contents(rec.heap.resolve(value)))


def _each(value: Any, function: Any) -> Any:
    rec = recorder()
    return rec.on_alternatives(value, function)
