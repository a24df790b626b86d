"""Members of the user's Enums as results: a file knows no classes, so a loaded Program gives a stand-in with name and value."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import suppress
from enum import Enum, Flag

from ...errors import EngineError
from ...ir.names import TEXT
from ..where.faults import as_the_user

NAME, VALUE, DATA = "_name_", "_value_", "_data_"  # Python's own names, and the number or text that a member of an IntEnum is
REPR = "__repr__"  # as TEXT: what the class says of a member in words of its own


class Member:
    """A member of an Enum whose class nobody here knows: equal to the member of that class, name and value, and hashed as it."""

    _class_: str
    _name_: str | None
    _value_: object
    _texts_: dict[str, object]

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
        return str(self._texts_.get(REPR, f"<{self._class_}.{self._name_}: {self._value_!r}>"))

    def __str__(self) -> str:
        return str(self._texts_.get(TEXT, f"{self._class_}.{self._name_}"))


class IntMember(Member, int):
    """A member that is an int, as those of an IntEnum are."""

    __eq__, __hash__ = int.__eq__, int.__hash__  # type: ignore[assignment]


class FloatMember(Member, float):
    """A member that is a float."""

    __eq__, __hash__ = float.__eq__, float.__hash__  # type: ignore[assignment]


class StrMember(Member, str):
    """A member that is a text, as those of a StrEnum are."""

    __eq__, __hash__ = str.__eq__, str.__hash__  # type: ignore[assignment]


def fields_of_member(member: Enum) -> dict[str, object]:
    """What the Program tells of a member, by field."""
    return {NAME: member._name_, VALUE: member._value_, **_data_of(member), **_texts_of(member)}


def _texts_of(member: Enum) -> dict[str, object]:
    """What a class says of a member where it doesn't say what `Enum` does: an IntEnum, or one with a `__str__` of the user's."""
    asked: dict[str, Callable[[object], str]] = {TEXT: str, REPR: repr}
    found: dict[str, object] = {}
    for name, ask in asked.items():
        if getattr(type(member), name) not in (getattr(Enum, name), getattr(Flag, name)):
            with suppress(Exception):  # of a method that raises, which nobody may ever call
                found[name] = as_the_user(ask, member)
    return found


def _data_of(member: Enum) -> dict[str, object]:
    """The number or text that a member is, whatever methods its class has."""
    if isinstance(member, int):
        return {DATA: int.__int__(member)}
    if isinstance(member, float):
        return {DATA: float.__float__(member)}
    return {DATA: str.__str__(member)} if isinstance(member, str) else {}


def is_member(fields: Iterable[str]) -> bool:
    """Whether the fields of these names are a member's, and not an object's."""
    return {NAME, VALUE} == {*fields} - {DATA, TEXT, REPR}


def stand_in(cls: str, fields: dict[str, object]) -> Member:
    """The member of a class that is known by name only."""
    made = _of_data(cls, fields[DATA]) if DATA in fields else Member()
    texts = {name: fields[name] for name in (TEXT, REPR) if name in fields}
    vars(made).update(_class_=cls.rstrip("'"), _name_=fields[NAME], _value_=fields[VALUE], _texts_=texts)
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
