"""Members of the user's Enums as results: a file knows no classes, so a loaded Program gives a stand-in with name and value."""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum

from ...errors import EngineError

NAME, VALUE, DATA = "_name_", "_value_", "_data_"  # Python's own names, and the number or text that a member of an IntEnum is


class Member:
    """A member of an Enum whose class nobody here knows: equal to the member of that class, name and value, and hashed as it."""

    _class_: str
    _name_: str | None
    _value_: object

    @property
    def name(self) -> str | None:
        return self._name_

    @property
    def value(self) -> object:
        return self._value_

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Enum):
            return (type(other).__qualname__, other._name_, other._value_) == (self._class_, self._name_, self._value_)
        return isinstance(other, Member) and vars(other) == vars(self)

    def __hash__(self) -> int:
        return hash(self._name_)

    def __repr__(self) -> str:
        return f"<{self._class_}.{self._name_}: {self._value_!r}>"


class IntMember(Member, int):
    """A member that is an int, as those of an IntEnum are."""

    __eq__, __hash__ = int.__eq__, int.__hash__


class FloatMember(Member, float):
    """A member that is a float."""

    __eq__, __hash__ = float.__eq__, float.__hash__


class StrMember(Member, str):
    """A member that is a text, as those of a StrEnum are."""

    __eq__, __hash__ = str.__eq__, str.__hash__


def fields_of_member(member: Enum) -> dict[str, object]:
    """What the Program tells of a member, by field."""
    return {NAME: member._name_, VALUE: member._value_, **_data_of(member)}


def _data_of(member: Enum) -> dict[str, object]:
    """The number or text that a member is, whatever methods its class has."""
    if isinstance(member, int):
        return {DATA: int.__int__(member)}
    if isinstance(member, float):
        return {DATA: float.__float__(member)}
    return {DATA: str.__str__(member)} if isinstance(member, str) else {}


def is_member(fields: Iterable[str]) -> bool:
    """Whether the fields of these names are a member's, and not an object's."""
    return {NAME, VALUE} == {*fields} - {DATA}


def stand_in(cls: str, fields: dict[str, object]) -> Member:
    """The member of a class that is known by name only."""
    made = _of_data(cls, fields[DATA]) if DATA in fields else Member()
    vars(made).update(_class_=cls.rstrip("'"), _name_=fields[NAME], _value_=fields[VALUE])
    return made


def _of_data(cls: str, data: object) -> Member:
    """A member that is a number or a text. EngineError: it is neither, but says so."""
    if isinstance(data, int):
        return IntMember(data)
    if isinstance(data, float):
        return FloatMember(data)
    if isinstance(data, str):
        return StrMember(data)
    raise EngineError(f"the Program made a member of {cls[:60]} that is a {type(data).__name__}")
