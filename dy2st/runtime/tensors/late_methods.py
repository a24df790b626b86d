"""The methods of Tensor that `dy2st.api` and `dy2st.nn.functional` attach, until they are imported: the first use of one does.

So a process that loads and runs a model, and takes the arrays of its results, imports no function that it doesn't use.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any

from ..where.faults import as_the_user

_BINARY = "add sub mul truediv floordiv mod pow matmul and or xor lshift rshift".split()
_COMPARED = "eq ne lt le gt ge".split()
_ALONE = "abs pos neg invert bool int float complex index len contains iter getitem setitem repr str format copy reduce".split()
_HOMES = ("dy2st.api", "dy2st.nn.functional")  # by name: they are above this module, which knows of them only this
SPECIAL = [f"__{name}__" for name in (*_ALONE, *_COMPARED, *_BINARY, *(f"r{name}" for name in _BINARY))]


class LateMethods:
    """Base of Tensor. What Python looks up in the class has to stand there; anything else, Python asks `__getattr__` for."""

    __slots__ = ()

    def __getattr__(self, name: str) -> Any:
        for home in _HOMES[: 1 if name.startswith("_") else None]:
            import_module(home)
            try:
                return object.__getattribute__(self, name)
            except AttributeError:
                continue
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")


def _attach() -> None:
    import_module(_HOMES[0])


def _stand_in(name: str) -> Callable:
    def call(self: Any, *args: Any) -> Any:
        _attach()
        return as_the_user(getattr(type(self), name), self, *args)

    call.__name__ = name
    return call


for _name in SPECIAL:
    setattr(LateMethods, _name, _stand_in(_name))
