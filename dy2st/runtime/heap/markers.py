"""Objects that stand for the absence of a value, and the signals that staging sends itself.

The signals derive from BaseException, so that the user's `except Exception` doesn't see them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .frames import Frame
    from .heap import Heap


class Opaque:
    """What a static function keeps for its calls: nothing of the user's is looked for in it."""

    __slots__ = ()


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


def is_absent(value: object) -> bool:
    """Whether no path brings a value that anybody reads."""
    return value is NEVER or value is no_value


class Signal(BaseException):
    """Base of what staging raises to steer itself; never an error of the user's."""


class Raised(Signal):
    """The current Block ended in a `raise` operation: nothing after it runs."""


class NotRolled(Signal):
    """The turns of a loop can't be recorded once; obj: the list, dict, set or object of Python that would have to be a Value."""

    def __init__(self, why: str, obj: object = None):
        super().__init__(f"internal: {why}")
        self.why, self.obj = why, obj


class Restage(Signal):
    """The recording rests on a wrong assumption: what is being recorded in the Block of `frame` is recorded again after `mend()`.

    Raised by: whoever meets what the assumption excludes (a list that an inner Block changes, a type that a loop doesn't carry
    yet, a `try` whose body may raise when the Program runs). Facts of the whole function are noted before it is raised.

    Caught by: `control.settle` alone, where the loop, `if`, `try`, condition or recursion stands that was begun in that Block;
    for None, where the whole recording began. Everything in between passes it on.

    By then: the trials in between are taken back. The objects of Python hold what they held when the control flow began, and the
    Operations of the trials are dropped with their Blocks. `mend()` changes what holds from there on: therefore it runs after
    that, or it would be taken back, too.

    Why the recording doesn't go on: Operations that rest on the assumption are recorded already, and the code of the user that
    recorded them has gone on with what they gave. Code can't be taken back to its middle, only be run again.
    """

    def __init__(self, frame: Frame | None, mend: Callable[[], object] = lambda: None):
        super().__init__("internal: restage")
        self.frame, self.mend = frame, mend

    @classmethod
    def of_function(cls, mend: Callable[[], object] = lambda: None) -> Restage:
        """The whole function is recorded again: its Facts say by now what this recording didn't know."""
        return cls(None, mend)

    @classmethod
    def of_object(cls, heap: Heap, obj: object) -> Restage:
        """What is recorded in the Block where an object is at home is recorded again, with a Value of it made there first."""
        return cls(heap.home(obj), lambda: heap.materialise(obj))
