"""`script`: from plain Python with types to a compiled function, layer or class."""

from __future__ import annotations

import types
from typing import Any

from ...nn.layer import Layer
from ...runtime.where.tracebacks import shows_users_frames
from ..interface.errors import ScriptError
from ..interface.script_module import ScriptModule
from .classes import fields_of, script_class
from .compiled_module import script_layer
from .function import ScriptFunction
from .hints import Hints
from .markers import enabled, how


@shows_users_frames
def script(obj: Any) -> Any:
    """Compile a function, a Layer, or a class, from its source.

    A function gives a ScriptFunction, a Layer a ScriptModule (the Layer stays what it is), a class itself, usable as a type. An
    argument without a hint is a Tensor. With `DY2ST_JIT=0` in the environment, `obj` comes back as it is.

    ScriptError: what can't be compiled, at its line.
    """
    if not enabled() or isinstance(obj, ScriptFunction):
        return obj
    if isinstance(obj, Layer):
        return obj if isinstance(obj, ScriptModule) else script_layer(obj)
    if isinstance(obj, type):
        return script_class(obj)
    if isinstance(obj, types.FunctionType):
        if how(obj) in ("ignore", "drop"):
            return obj
        made = ScriptFunction(obj, Hints(fields_of))
        made.compile()
        return made
    if isinstance(obj, types.MethodType):
        raise ScriptError(f"script takes a function, a Layer or a class; script the layer that {obj.__qualname__} belongs to")
    raise ScriptError(f"script takes a function, a Layer or a class, not {type(obj).__name__}: it has no source to compile")
