"""What `to_static` makes of a module: an object of a class of its own under the module's class, on the module's own attributes.

So the parts, tensors, hooks and mode are the module's, whoever changes them; all methods but the static ones
are those of its class.
"""

from __future__ import annotations

import copy
import types
from collections.abc import Callable
from typing import Any

from ..errors import ConversionError
from ..runtime.where.tracebacks import leaving
from .originals import uncompiled


class StaticModule:
    """The base of such a class. `__dy2st_layer__`: the Layer that is saved. `_dy2st_made`: what made this, of which module."""

    __slots__ = ()

    __dy2st_layer__: Any = None
    _dy2st_made: tuple = ()

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        forward = vars(type(self)).get("forward")
        if forward is None:
            return plain(self)(*args, **kwargs)
        try:
            return forward.__func__.called(*args, **kwargs)
        except Exception as error:
            if (other := leaving(error)) is not None:
                raise other
            raise

    def __getattr__(self, name: str) -> Any:
        """An attribute of the module; where it has none, `module` is itself, and `code` the rewritten source of `forward`."""
        try:
            return super().__getattr__(name)  # type: ignore[misc]
        except AttributeError:
            if name == "module":
                return plain(self)
            if name == "code":
                return self.forward.code
            raise

    def __deepcopy__(self, memo: dict) -> Any:
        make, module, *others = self._dy2st_made
        return make(copy.deepcopy(module, memo), *others)

    def __reduce_ex__(self, protocol: Any) -> Any:
        make, *given = self._dy2st_made
        return make, tuple(given)


def plain(module: Any) -> Any:
    """The module that a static one was made of; any other one itself."""
    return module._dy2st_made[1] if isinstance(module, StaticModule) else module


def static_module(module: Any, layer: Any, functions: dict[str, Any], made: tuple) -> Any:
    """The module with these static functions, which the Layer has. made: what makes another one like it, and its arguments."""
    cls = type(module)
    own = {name: staticmethod(function) for name, function in functions.items()}
    named = {"__module__": cls.__module__, "__qualname__": cls.__qualname__}
    body = {**own, **named, "__slots__": (), "__dy2st_layer__": layer, "_dy2st_made": made}
    static = types.new_class(cls.__name__, (StaticModule, cls), {}, lambda namespace: namespace.update(body))
    found: Any = object.__new__(static)
    object.__setattr__(found, "__dict__", module.__dict__)
    for name, function in functions.items():
        function.belong_to(found, name)
    return found


def method_of(module: Any, name: str) -> Callable:
    """The function that `module.name` runs. ConversionError: no method of its class, nor one that was put in its place."""
    own = uncompiled(vars(module).get(name))
    if own is None:
        found = getattr(type(module), name)
        return uncompiled(getattr(found, "_function", found))  # of one that is static already
    if isinstance(own, types.MethodType) and own.__self__ is module:
        return own.__func__
    said = f"{type(module).__name__}.{name} was replaced by what isn't its method"
    raise ConversionError(f"{said}; write module.{name} = types.MethodType(function, module)")
