"""`Level(value)` of an Enum, for a value that only the Program knows."""

from __future__ import annotations


def member_of(cls, members, value):
    """The member with this value, of pairs of a value and its member."""
    for known, member in members:
        if value == known:
            return member
    raise ValueError(f"{value!r} is not a valid {cls.__qualname__}")
