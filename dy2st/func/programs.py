"""`make_program`: the Program of a function, as something that can be read and called."""

from __future__ import annotations

import functools
import types
from collections.abc import Callable
from typing import Any, NamedTuple

from ..ir.core import Program
from ..jit.static.concrete import ConcreteProgram
from ..jit.static.partials import unfold
from ..jit.static.static_function import StaticFunction
from ..nn.layer import Layer
from .printing import print_python


def make_program(function: Any) -> Callable[..., TracedProgram]:
    """`make_program(f)(x)` is the Program of `f` for arguments like `x`: Python values are constants of it.

    function: a plain function, a method, a Layer, or what `functionalize` gives.
    """
    static = function if isinstance(function, StaticFunction) else parts_of(function).static()
    return lambda *args, **kwargs: TracedProgram(static, static.get_concrete_program(*args, **kwargs))


class TracedProgram:
    """A Program that can be called as the function was; its text is `code`."""

    def __init__(self, function: StaticFunction, concrete: ConcreteProgram):
        self._function, self._concrete = function, concrete

    @property
    def program(self) -> Program:
        return self._concrete.program

    @property
    def code(self) -> str:
        """The Program as one Python function, `forward`."""
        return print_python(self.program)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Run it on other data; the arguments have the structure, dtypes and shapes that it was made with."""
        bound = self._function._binder.bind(args, kwargs)
        if self._function._program_for(bound) is not self._concrete:
            raise ValueError("this Program was made for arguments of other shapes, dtypes or Python values; make another one")
        return self._concrete(self._concrete.inputs_of(bound))


class Parts(NamedTuple):
    """A plain function, the object that it is a method of, and the Layer whose hooks run around it; or None for these."""

    function: Any
    owner: Any
    layer: Layer | None = None

    def static(self) -> StaticFunction:
        """The function that is staged."""
        return StaticFunction(self.function, None, self.owner, self.layer)


def parts_of(function: Any) -> Parts:
    """What a function is made of. TypeError: it is none that can be staged."""
    if isinstance(function, functools.partial):
        function = unfold(function)
    if isinstance(function, Layer):
        return parts_of(function.forward)._replace(layer=function)
    if isinstance(function, StaticFunction):
        return Parts(function._function, function._owner, function._layer)
    if isinstance(function, types.MethodType):
        return Parts(function.__func__, function.__self__)
    if isinstance(function, types.FunctionType):
        return Parts(function, None)
    method = getattr(type(function), "__call__", None)  # noqa: B004 - the function itself is wanted
    if isinstance(method, types.FunctionType) and not isinstance(function, type):
        return Parts(method, function)
    raise TypeError(f"a function, a method or a Layer is expected, not {type(function).__name__}")


def transformed(function: Any, program: Program, arguments: dict[str, Any]) -> Program:
    """What a function that was made from another one by this package makes of the other's Program."""
    transform = getattr(function, "transform", None)
    return transform(program, arguments) if isinstance(function, StaticFunction) and transform is not None else program
