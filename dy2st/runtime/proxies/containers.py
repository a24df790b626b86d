"""The base of lists, tuples, dicts and sets that are known only at run time."""

from __future__ import annotations

import operator
from typing import Any

from ...errors import ConversionError
from ..library import PYTHONS
from ..library.base import name_in_c
from ..where.faults import as_the_user
from .base import Staged, recorder, refuse


class StagedContainer(Staged):
    """A list, dict or set that is known only at run time."""

    __slots__ = ()
    stands_for: type

    def __init_subclass__(cls) -> None:
        """What Python itself says of a proxy names what it stands for."""
        cls.__name__ = cls.__qualname__ = getattr(cls, "stands_for", cls).__name__

    def __getattr__(self, name):
        if hasattr(self.stands_for, name) and not name.startswith("__"):
            kind = self.stands_for.__name__
            raise ConversionError(
                f"{recorder().here()}: {kind}.{name} on a {kind} that is known only when the Program runs isn't supported; "
                "write it with a loop, or another method"
            )
        raise AttributeError(f"'{self.stands_for.__name__}' object has no attribute '{name}'")

    def __lt__(self, other):
        return recorder().convert_call(operator.lt)(self, other)

    def __le__(self, other):
        return recorder().convert_call(operator.le)(self, other)

    def __gt__(self, other):
        return recorder().convert_call(operator.gt)(self, other)

    def __ge__(self, other):
        return recorder().convert_call(operator.ge)(self, other)

    def __rmul__(self, other):
        return as_the_user(operator.mul, other, self.stands_for())

    def __index__(self):
        raise TypeError(f"'{self.stands_for.__name__}' object cannot be interpreted as an integer")

    def __len__(self):
        raise refuse(self, "len(x) in code that isn't converted")

    def __iter__(self):
        recorder().convert_unpackings()
        raise ConversionError(
            f"{recorder().here()}: the items of this {self.stands_for.__name__} are known only when the Program runs, and "
            "code that isn't converted has to know them while staging; use a loop, an index or a method"
        )


NUMBERS = ("bool", "int", "float", "complex")  # classes, and proxies of these names, that add nothing but numbers


def not_concatenated(sequence: type, other: Any) -> Any:
    """What `+` of a sequence gives for an operand that is none: NotImplemented where that may say, else Python's TypeError."""
    cls = PYTHONS.get(type(other), getattr(type(other), "stands_for", type(other)))
    if hasattr(cls, "__radd__") and cls.__name__ not in NUMBERS:
        return NotImplemented
    raise TypeError(f'can only concatenate {sequence.__name__} (not "{name_in_c(cls)}") to {sequence.__name__}')
