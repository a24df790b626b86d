"""A Program as a pure function of JAX's arrays."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import jax
import numpy as np

from ..dtypes import BY_NUMPY
from ..errors import ConversionError
from ..ir.types import SequenceType, SumType, TensorType, TupleType, Type
from ..onnx.lowering.leaves import Leaf, leaves_of
from ..onnx.lowering.program import Port
from ..onnx.lowering.state_names import graph_name
from ..onnx.model import model_of
from ..onnx.preparing import prepared
from . import keys, narrow
from .computation import Computation, Found, element_of
from .engine import leaves_in_jax
from .lowering.forms import Form
from .status import Status

KEY = "random key"  # no parameter has this name: it is no word of Python's
_ROOM = 64


def function(
    layer: Any, input_spec: Any = None, *, list_capacity: int | None = None, x32: bool = False
) -> tuple[Callable[..., Any], dict[str, Any]]:
    """A Program as a pure function, and the parameters and the state that it begins with.

    layer: a Layer, a StaticFunction, a plain function, a loaded model, or the path that `jit.save` was given. Of a Layer,
        `forward` is taken, in the mode that it is in.
    input_spec: InputSpecs, as for `to_static`, where that wasn't given any. None in a shape is any length: JAX compiles for each.
    x32: whether what the model computes in 64 bits is computed in 32, which a caller's `jit` without `jax_enable_x64` asks for;
        without it, such a caller is refused where the model has tensors of int64 or float64.
    list_capacity: for how many items there is room in a list whose length only the run knows; 64.

    Returns `(f, params)`. `f(params, *inputs)` gives `(outputs, new_state, status)`: outputs have the structure of the result,
    with `(rows, count)` in place of a list; `new_state` has what the call changes, by the names that `params` has it under;
    `status.throw()` raises what Python would have raised. `f` may be given to `jax.jit`, `grad`, `vmap` and `checkpoint`.
    Random numbers follow from `params["random key"]`, whose first value follows from `dy2st.seed`; `new_state` has the next one.

    ConversionError, at the user's line: what has no form in JAX. ConversionError: an int that 32 bits don't hold. TypeError or
    ValueError: what is no model, spec or capacity.

    >>> from dy2st.static import InputSpec
    >>> f, params = dy2st.jax.function(dy2st.nn.Linear(3, 2), [InputSpec([None, 3])])  # doctest: +SKIP
    >>> f(params, jnp.ones([4, 3]))[0].shape  # doctest: +SKIP
    (4, 2)
    """
    if list_capacity is not None and (type(list_capacity) is not int or list_capacity < 1):
        raise ValueError(f"list_capacity is a number of items, at least 1, not {list_capacity!r}")
    program, info, _ = model_of(layer, input_spec, {})
    pure = PureFunction(Computation(prepared(program, keeps_slopes=True)), list_capacity or _ROOM, info.name, x32)
    return pure, pure.begin()


class PureFunction:
    """Computes a Program without changing anything; `function` says what goes in and comes out."""

    def __init__(self, computation: Computation, capacity: int, name: str, x32: bool = False):
        self._computation, self._capacity, self.__name__, self._x32 = computation, capacity, name, x32
        self._held = [(port, _name(port)) for port in computation.inputs if port.role != "value"]
        self._inputs = [port for port in computation.inputs if port.role == "value"]

    def begin(self) -> dict[str, Any]:
        """The parameters and the state as they are now."""
        ready = self._computation.ready
        params: dict[str, Any] = {name: np.asarray(x.data) for name, x in ready.program.parameters.items()}
        for port, name in self._held:
            params[name] = _alone(leaves_in_jax(port, ready.initial[port.role, str(port.key)]))
        if self._x32:
            params = jax.tree_util.tree_map_with_path(lambda path, x: narrow.fitted(x, path[0].key), params)
        return params | ({KEY: keys.fresh()} if self._computation.draws else {})

    def __call__(self, params: dict[str, Any], /, *inputs: Any) -> tuple[Any, dict[str, Any], Status]:
        """Compute. TypeError: as many inputs as the Program takes are expected, each of its dtype and number of axes."""
        if len(inputs) != len(self._inputs):
            names = ", ".join(str(port.key) for port in self._inputs)
            raise TypeError(f"{self.__name__} takes params and {len(self._inputs)} inputs ({names}), not {len(inputs)}")
        if not self._x32:
            self._check_width((params, inputs))
        with jax.enable_x64(not self._x32):
            parameters = {name: params[name] for name in self._computation.ready.program.parameters}
            given = self._given(params, iter(inputs))
            used, after = keys.parted(params[KEY]) if self._computation.draws else (None, None)
            found = self._in_32_bits(parameters, given, used) if self._x32 else self._found(parameters, given, used)
            return self._answer(found, {} if after is None else {KEY: after})

    def _given(self, params: dict[str, Any], rest: Iterator[Any]) -> list[list[Any]]:
        """The arrays of all inputs."""
        found = []
        for port in self._computation.inputs:
            name = str(port.key) if port.role == "value" else _name(port)
            found.append(_leaves(port, name, next(rest) if port.role == "value" else params[name], self._x32))
        return found

    def _check_width(self, arrays: Any) -> None:
        """ConversionError: a caller's transformation computes in 32 bits, and the model in 64."""
        is_inside = any(isinstance(x, jax.core.Tracer) for x in jax.tree_util.tree_leaves(arrays))
        wide = self._computation.wide() if is_inside and not jax.config.jax_enable_x64 else ""
        if wide:
            raise ConversionError(
                f"{wide}, and JAX computes in 32 bits here: jax.config.update('jax_enable_x64', True) keeps 64, "
                "dy2st.jax.function(..., x32=True) computes in 32"
            )

    def _found(self, parameters: dict[str, Any], given: list[list[Any]], key: Any) -> Found:
        return self._computation(parameters, given, self._capacity, key, x32=self._x32)

    def _in_32_bits(self, parameters: dict[str, Any], given: list[list[Any]], key: Any) -> Found:
        """What is found by a computation that is traced in 64 bits, and computed in 32."""
        traced: list[Found] = []

        def arrays(*arguments: Any) -> list[Any]:
            traced.append(self._found(*arguments))
            return traced[-1].arrays

        held = self._computation.ready.program.parameters
        wide = (
            {name: jax.ShapeDtypeStruct(np.shape(x), held[name].data.dtype) for name, x in parameters.items()},
            [
                [jax.ShapeDtypeStruct(np.shape(x), _dtype_of(leaf)) for x, leaf in zip(leaves, leaves_of(port.type))]
                for leaves, port in zip(given, self._computation.inputs)
            ],
            None if key is None else jax.ShapeDtypeStruct(key.shape, key.dtype),
        )
        with jax.enable_x64(True):
            jaxpr, form = jax.make_jaxpr(arrays, return_shape=True)(*wide)
        fitted = {name: narrow.fitted(x, name) for name, x in parameters.items()}
        found = narrow.computed(jaxpr, *jax.tree_util.tree_leaves((fitted, given, key)))
        traced[-1].arrays = jax.tree_util.tree_unflatten(jax.tree_util.tree_structure(form), found)
        return traced[-1]

    def _answer(self, found: Found, state: dict[str, Any]) -> tuple[Any, dict[str, Any], Status]:
        rest, form = iter(found.arrays), iter(found.forms)
        outputs, code = None, None
        details: dict[int, Any] = {}
        told: dict[int, Form] = {}
        for port in found.ports:
            value = _rebuilt(port.type, [next(rest) for _ in port.leaves])
            forms = [next(form) for _ in port.leaves]
            if port.role == "value":
                if any(part.text is not None for part in forms):
                    raise ConversionError("a result is a text, and JAX's arrays hold none; return what it is made of")
                outputs = value
            elif port.role == "error":
                code = value
            elif port.role == "detail":
                details[int(port.key)] = value
                (told[int(port.key)],) = forms
            else:
                state[_name(port) if port.role != "argument" else f"input {port.key}"] = value
        return outputs, state, Status(code, details, found.errors, told)


def _name(port: Port) -> str:
    """The name of a piece of state among the parameters."""
    return graph_name(str(port.key), port.type)


def _alone(leaves: list[Any]) -> Any:
    return leaves[0] if len(leaves) == 1 else tuple(leaves)


def _dtype_of(leaf: Leaf) -> str:
    """The dtype of the array of a leaf; of texts, that of their codes."""
    return element_of(leaf).replace("string", "int64")


def _leaves(port: Port, name: str, value: Any, x32: bool) -> list[Any]:
    """The arrays of an input. TypeError: they are of other dtypes, or of another number of axes."""
    found, wanted = jax.tree_util.tree_leaves(value), leaves_of(port.type)
    if len(found) != len(wanted):
        raise TypeError(f"{name} is a {port.type}, which has {len(wanted)} arrays, not {len(found)}")
    for x, leaf in zip(found, wanted):
        array = x if hasattr(x, "dtype") else np.asarray(x)
        dtype = BY_NUMPY[np.dtype(array.dtype)].name if np.dtype(array.dtype) in BY_NUMPY else str(array.dtype)
        is_half = x32 and np.dtype(array.dtype) == narrow.half(np.dtype(_dtype_of(leaf)))
        if dtype != element_of(leaf) and not is_half and isinstance(port.type, TensorType):
            given = f"{dtype}{list(array.shape)}"
            instead = "jax.config.update('jax_enable_x64', True) keeps 64 bits, function(..., x32=True) takes 32"
            raise TypeError(f"{name} is a {port.type}, not {given}; {instead}")
    if x32:
        return [narrow.fitted(x if hasattr(x, "dtype") else np.asarray(x), name) for x in found]
    return found if isinstance(port.type, TensorType) else [_wide(x, leaf) for x, leaf in zip(found, wanted)]


def _wide(x: Any, leaf: Leaf) -> Any:
    """A number of Python's in 64 bits, of which a caller without `jax_enable_x64` keeps 32."""
    return x if element_of(leaf) == "string" else (x if hasattr(x, "astype") else np.asarray(x)).astype(element_of(leaf))


def _rebuilt(type_: Type, arrays: list[tuple[Any, Any]]) -> Any:
    """The value of a type that arrays stand for, each with a number of rows where it has room for more."""
    rest = iter(arrays)
    return _taken(type_, rest)


def _taken(type_: Type, rest: Any) -> Any:
    if isinstance(type_, TupleType):
        return tuple(_taken(part, rest) for part in type_.elems)
    if isinstance(type_, SequenceType | SumType):
        found = [next(rest) for _ in leaves_of(type_)]
        if isinstance(type_, SumType):
            return tuple(data for data, _ in found)
        counts = [count for _, count in found if count is not None]
        length = counts[0] if counts else np.asarray(found[0][0].shape[0]) if np.ndim(found[0][0]) else found[0][0]
        return _alone([data for data, _ in found]), length
    found = [next(rest) for _ in leaves_of(type_)]
    return _alone([data if count is None else (data, count) for data, count in found]) if found else None
