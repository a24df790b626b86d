"""`to_static`: from plain Python to a function that is staged."""

from __future__ import annotations

import functools
import types
from collections.abc import Callable
from typing import Any, ParamSpec, Protocol, TypeVar, overload

from ...api.build_strategy import BuildStrategy
from ...nn.layer import Layer
from ...runtime.convert.calls.skipped import ignore_module, skip  # noqa: F401 - both are names of jit
from ...runtime.convert.iteration.unrolling import keep_unrolled
from ...runtime.engines import NUMPY, Engine, engine_named
from ...runtime.tensors.borrowed import own
from ...runtime.tensors.spec import map_leaves, spec_of
from ...runtime.where.tracebacks import shows_users_frames
from .partials import unfold
from .property_function import PropertyFunction
from .pytorch_modules import refuse_pytorch
from .spec_matching import refuse_shapes
from .static_function import StaticFunction

L = TypeVar("L", bound=Layer)
P = ParamSpec("P")
R = TypeVar("R")


class _Decorator(Protocol):
    """For type checkers: what `to_static` without a function gives."""

    @overload
    def __call__(self, function: L) -> L: ...  # type: ignore[overload-overlap]
    @overload
    def __call__(self, function: Callable[P, R]) -> StaticFunction[P, R]: ...


@overload
def to_static(  # type: ignore[overload-overlap]  # a Layer can be called, too
    function: L, input_spec: Any = None, build_strategy: Any = None, backend: Any = None, *,
    property: bool = False, full_graph: bool = True,
) -> L: ...  # fmt: skip
@overload
def to_static(
    function: Callable[P, R], input_spec: Any = None, build_strategy: Any = None, backend: Any = None, *,
    property: bool = False, full_graph: bool = True,
) -> StaticFunction[P, R]: ...  # fmt: skip
@overload
def to_static(
    function: None = None, input_spec: Any = None, build_strategy: Any = None, backend: Any = None, *,
    property: bool = False, full_graph: bool = True,
) -> _Decorator: ...  # fmt: skip
@shows_users_frames
def to_static(
    function: Any = None, input_spec: Any = None, build_strategy: Any = None, backend: Any = None, *,
    property: bool = False, full_graph: bool = True,
) -> Any:  # fmt: skip
    """Make a function, method or Layer static.

    function: a function, a bound method, a partial that binds its last parameters by name, or a Layer, whose `forward` is
        replaced (the Layer itself is returned). Without it, a decorator is returned.
    input_spec: a list or tuple with, for each leading parameter, an InputSpec, a nested structure of them, or a constant.
        Without it, the tensors of each first call are the specs.
    build_strategy: a `static.BuildStrategy`, of which `merge_products` and `reorder_weights` matter here.
    backend: the engine that runs the Programs: "numpy", or "onnxruntime" (`pip install '.[onnx]'`). None leaves it to a
        static function that is given, and is "numpy" otherwise; so is Paddle's compiler "CINN", which changes no results.
    full_graph: Paddle's, without effect: a function is one Program, always.
    property: a method that gives a number or a text: it stays plain Python, and `jit.save` keeps its value.

    Nothing is read or staged before the first call, `concrete_program`, or `save`. TypeError: an argument of another kind.
    ValueError: an engine that there isn't.

    >>> twice = dy2st.jit.to_static(lambda x: x * 2)
    >>> twice(dy2st.to_tensor([1.0])).tolist()
    [2.0]
    """
    if build_strategy and not isinstance(build_strategy, BuildStrategy):
        raise TypeError(f"build_strategy is a static.BuildStrategy, None or False, not {type(build_strategy).__name__}")
    input_spec = _checked_spec(input_spec)
    engine = engine_named(NUMPY.name if backend == "CINN" else backend)
    if function is None:
        return lambda f: to_static(f, input_spec, build_strategy, backend, property=property, full_graph=full_graph)
    passes = build_strategy.passes if build_strategy else ()
    made = functools.partial(_made, PropertyFunction if property else StaticFunction, passes=passes, engine=engine)
    if isinstance(function, functools.partial):
        function = unfold(function)
    if isinstance(function, Layer):
        return _layer_to_static(function, input_spec, passes, engine)
    if isinstance(function, StaticFunction):
        found = function.with_specs(input_spec if input_spec is not None else function._input_spec)
        found.passes, found.engine = passes or function.passes, function.engine if backend is None else engine
        return found
    refuse_pytorch(getattr(function, "__self__", function))
    if isinstance(function, types.MethodType):
        return made(function.__func__, input_spec, function.__self__)
    if isinstance(function, types.FunctionType):
        return made(function, input_spec)
    method = getattr(type(function), "__call__", None)  # noqa: B004 - the function itself is wanted
    if isinstance(method, types.FunctionType) and not isinstance(function, type):
        return made(method, input_spec, function)
    if isinstance(function, type):
        name = function.__name__
        instead = f"decorate {name}.forward, or one object"
        raise TypeError(f"to_static takes a function, a method or a Layer, not the class {name}: {instead}")
    raise TypeError(f"to_static takes a function, a method or a Layer, not {type(function).__name__}")


def _made(kind: type, function: Any, input_spec: Any, owner: Any = None, *, passes: tuple[str, ...], engine: Engine) -> Any:
    made = kind(function, input_spec, owner)
    made.passes, made.engine = passes, engine
    return made


def _layer_to_static(layer: Layer, input_spec: Any, passes: tuple[str, ...], engine: Engine) -> Layer:
    forward = layer.forward
    if isinstance(forward, StaticFunction):
        forward = forward.dygraph_function
    function = forward.__func__ if isinstance(forward, types.MethodType) else forward
    owner = layer if isinstance(forward, types.MethodType) else None
    vars(layer)["forward"] = _made(StaticFunction, function, input_spec, owner, passes=passes, engine=engine)
    return layer


def _checked_spec(input_spec: Any) -> Any:
    """The specs, with an InputSpec in place of each example tensor or array."""
    if input_spec is None:
        return None
    if not isinstance(input_spec, list | tuple):
        raise TypeError(f"input_spec is a list or tuple of InputSpecs, not {type(input_spec).__name__}")
    refuse_shapes(input_spec)
    return map_leaves(own(input_spec), spec_of)


def unroll(function: Any) -> Any:
    """Decorator: each turn of the loops in the function's body is recorded by itself, also where one would do for all.

    Gives the function back. `dy2st.config.limits.roll_operations` does so for all functions. TypeError: no function or method.

    >>> @dy2st.jit.unroll
    ... def repeated(x):
    ...     for i in range(100):
    ...         x = x * 2 + 1
    ...     return x
    """
    return keep_unrolled(function)


def not_to_static(function: Any = None) -> Any:
    """Decorator: the function isn't converted; it is called as it is while staging, and what it does to tensors is recorded.

    Gives the function back.
    """
    return not_to_static if function is None else skip(function)
