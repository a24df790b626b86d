"""Enums of the user's: a member by a value that is known only at run time."""

from __future__ import annotations

from enum import Enum, Flag
from typing import Any

from ...library import enums
from ...proxies import Staged, StagedSum
from ...recorder.made_anew import is_nobodys
from ...recorder.recorder import Recorder
from .foreign import called_by_the_user


def member_by_value(rec: Recorder, cls: type[Enum], *args: Any, **kwargs: Any) -> Any:
    """`cls(value)`; a Flag, or a class with a `_missing_` of its own, knows more values than those of its members."""
    rec.facts.guards.look_up(cls)
    if len(args) == 1 and not kwargs and isinstance(args[0], StagedSum):
        return rec.on_alternatives(args[0], lambda value: member_by_value(rec, cls, value))
    looks_up = len(args) == 1 and not kwargs and isinstance(args[0], Staged)
    if looks_up and not issubclass(cls, Flag) and cls._missing_.__func__ is Enum._missing_.__func__:  # type: ignore[attr-defined]
        return rec.convert_call(enums.member_of)(cls, _by_value(cls), args[0])
    found = called_by_the_user(rec, cls, *args, **kwargs)
    return rec.new(found) if isinstance(found, type) and is_nobodys(found) else found  # `Enum("Name", "A B")` makes a class


def _by_value(cls: type[Enum]) -> list[tuple[Any, Enum]]:
    """The values under which `cls(value)` finds members: those in its table, and those that have no hash."""
    unhashable = [member for member in cls._member_map_.values() if type(member._value_).__hash__ is None]
    return [*cls._value2member_map_.items(), *((member._value_, member) for member in unhashable)]
