"""Which layers are calls of their own: those of dy2st.nn, and the classes that the user registers."""

from __future__ import annotations

from typing import TypeVar

from .. import nn
from ..nn import Layer

_LAYERS = (f"{nn.__name__}.layers.", "dy2st.jit.")  # a loaded model is one call, too
CONTAINERS = (nn.LayerList, nn.LayerDict, nn.ParameterList)
_registered: dict[str, type[Layer]] = {}
C = TypeVar("C", bound=type[Layer])


def register_as_builtin(cls: C) -> C:
    """Keep layers of this class whole: one call, not traced into. A saved one is loaded where the class is registered."""
    if not (isinstance(cls, type) and issubclass(cls, Layer)):
        raise TypeError(f"register_as_builtin takes a Layer class, not {cls!r}")
    _registered[f"{cls.__module__}.{cls.__qualname__}"] = cls
    return cls


def is_builtin(layer: Layer) -> bool:
    """Whether this layer is kept whole."""
    cls = type(layer)
    return cls.__module__.startswith(_LAYERS) or cls in _registered.values()


def class_name(layer: Layer) -> str:
    """The name by which a saved layer finds its class again."""
    cls = type(layer)
    own = cls.__module__.startswith(f"{nn.__name__}.")
    return cls.__name__ if own else f"{cls.__module__}.{cls.__qualname__}"


def class_named(name: str) -> type[Layer] | None:
    """The builtin or container class of this name; None where there is none."""
    found = _registered.get(name, getattr(nn, name, None) if name.isidentifier() else None)
    return found if isinstance(found, type) and issubclass(found, Layer) else None
