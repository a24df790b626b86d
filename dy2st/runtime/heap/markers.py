"""Objects that stand for the absence of a value, and the signals that staging sends itself.

The signals derive from BaseException, so that the user's `except Exception` doesn't see them.
"""

from __future__ import annotations

from typing import Any


class Unbound:
    """A name that has no value (yet, or on this path): what a generated function passes in its place."""

    __slots__ = ("name",)

    def __init__(self, name: str):
        self.name = name

    def __repr__(self) -> str:
        return f"<unbound {self.name}>"


class Missing:
    """What a location of the heap holds that doesn't exist: an attribute never set, an absent key, an empty cell."""

    def __repr__(self) -> str:
        return "<missing>"


class NoValue:
    """A value that no path reads: a flag guards it. Joins with anything, as that."""

    def __repr__(self) -> str:
        return "<no value>"


class Never:
    """The outcome of a path that doesn't arrive."""

    def __repr__(self) -> str:
        return "<never>"


MISSING = Missing()
no_value = NoValue()
NEVER = Never()


class Signal(BaseException):
    """Base of what staging raises to steer itself; never an error of the user's."""


class Raised(Signal):
    """The current Block ended in a `raise` operation: nothing after it runs."""


class Restage(Signal):
    """What was recorded rests on a wrong assumption.

    The control flow that is being staged in the Block of `frame` is staged again after `mend()`; for None, the whole function.
    """

    def __init__(self, frame: Any, mend: Any):
        super().__init__("internal: restage")
        self.frame, self.mend = frame, mend
