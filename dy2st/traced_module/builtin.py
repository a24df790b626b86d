"""Which layers are calls of their own: those of dy2st.nn, and the classes that the user registers."""

from __future__ import annotations

import dis
from collections.abc import Iterator
from functools import lru_cache
from types import CodeType
from typing import Any, TypeVar

from .. import nn
from ..nn import Layer

_LAYERS = (f"{nn.__name__}.layers.", "dy2st.jit.")  # a loaded model is one call, too
CONTAINERS = (nn.LayerList, nn.LayerDict, nn.ParameterList)
_registered: dict[str, type[Layer]] = {}
C = TypeVar("C", bound=type[Layer])


def register_as_builtin(cls: C) -> C:
    """Keep layers of the class `cls` whole: one call, not traced into. A saved one is loaded where the class is registered.

    Gives the class back. TypeError: no class of Layers.
    """
    if not (isinstance(cls, type) and issubclass(cls, Layer)):
        raise TypeError(f"register_as_builtin takes a Layer class, not {cls!r}")
    _registered[f"{cls.__module__}.{cls.__qualname__}"] = cls
    return cls


def is_builtin(layer: Layer) -> bool:
    """Whether this layer is kept whole."""
    cls = type(layer)
    return cls.__module__.startswith(_LAYERS) or cls in _registered.values()


def is_of_library(cls: type[Layer]) -> bool:
    """Whether this is a class of dy2st.nn."""
    return cls.__module__.startswith(f"{nn.__name__}.")


def class_name(layer: Layer) -> str:
    """The name by which a saved layer finds its class again."""
    cls = type(layer)
    return cls.__name__ if is_of_library(cls) else f"{cls.__module__}.{cls.__qualname__}"


def class_named(name: str) -> type[Layer] | None:
    """The builtin or container class of this name; None where there is none."""
    found = _registered.get(name, getattr(nn, name, None) if name.isidentifier() else None)
    return found if isinstance(found, type) and issubclass(found, Layer) else None


# --- attributes ---------------------------------------------------------------------------------------------------------


def attribute_problem(cls: Any, name: str) -> str:
    """Why a file can't hold an attribute of this name for a layer of this class; empty where it can.

    Names that the class's own code assigns are data of its layers; so are public names that the class knows nothing of.
    """
    if name in assigned_names(cls):
        kept = getattr(cls, name, None)
        return f"{name} is a part of its class" if callable(kept) or hasattr(kept, "__get__") else ""
    if hasattr(cls, name):
        return f"{name} is a part of its class"
    return "" if name.isidentifier() and not name.startswith("_") else f"its class never assigns {name[:200]!r}"


@lru_cache(maxsize=1024)
def assigned_names(cls: Any, method: str | None = None) -> frozenset[str]:
    """The attributes that the code of a class and its bases assigns, but for Layer, in all methods or in those of this name."""
    members = [pair for base in cls.__mro__ if not issubclass(Layer, base) for pair in vars(base).items()]
    codes = [code for name, member in members if method in (None, name) for code in _codes(member)]
    return frozenset(i.argval for code in codes for i in dis.get_instructions(code) if i.opname == "STORE_ATTR")


def _codes(member: Any) -> Iterator[CodeType]:
    """The code of a method or property, with that of the functions in it."""
    holders = [member, *(getattr(member, part, None) for part in ("fget", "fset", "dygraph_function", "__wrapped__"))]
    pending = [getattr(holder, "__code__", None) for holder in holders]
    for code in filter(None, pending):
        yield code
        pending += [part for part in code.co_consts if isinstance(part, CodeType)]
