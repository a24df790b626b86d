"""A Program as a pure function of JAX's arrays."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from ..dtypes import BY_NUMPY
from ..errors import ConversionError, ShapeError
from ..graphs.lowering.leaves import Leaf, leaves_of
from ..graphs.model import model_of
from ..graphs.ports import Port
from ..graphs.preparing import prepared
from ..ir.core import Program
from ..ir.shape import shape_agrees
from ..ir.types import TensorType
from . import keys, narrow
from .cleared import without_cleared_gradients
from .computation import Computation, Found, element_of
from .engine import leaves_in_jax
from .late_writes import LateWrites
from .lowering import varying
from .lowering.codes import heard
from .lowering.forms import Form
from .names import names_of
from .placing import refuse_explicit
from .status import Errors, Status
from .structure import arrays_in, each, held, joined, structured

KEY = "random key"  # no parameter has this name: it is no word of Python's
_ROOM = 64


def function(
    layer: Any, input_spec: Any = None, *, list_capacity: int | None = None, x32: bool = False
) -> tuple[Callable[..., Any], dict[str, Any]]:
    """A Program as a pure function, and the parameters and the state that it begins with.

    layer: a Layer, a StaticFunction, a plain function, a loaded model, or the path that `jit.save` was given. Of a Layer,
        `forward` is taken, in the mode that it is in.
    input_spec: InputSpecs, as for `to_static`, where that wasn't given any. None in a shape is any length: JAX compiles for each.
    list_capacity: for how many items there is room in a list whose length only the run knows, and how many states of a loop that
        data ends a gradient keeps; 64.
    x32: whether what the model computes in 64 bits is computed in 32, with inputs and results of 32. Otherwise it is in 64, also
        in a caller's `jit` without `jax_enable_x64`, whose inputs of int64 or float64 are then refused: they have 32.

    Returns `(f, params)`. `f(params, *inputs)` gives `(outputs, new_state, status)`: outputs have the structure of the result,
    with `(rows, count)` in place of a list; `new_state` has what the call changes, by the names that `params` has it under;
    `status.throw()` raises what Python would have raised. `f` may be given to `jax.jit`, `grad`, `vmap` and `checkpoint`.
    Gradients that the call clears are in neither `params` nor `new_state`.
    Random numbers follow from `params["random key"]`, whose first value follows from `dy2st.seed`; `new_state` has the next one.

    ConversionError, at the user's line: what has no form in JAX. ConversionError: an int that 32 bits don't hold. TypeError or
    ValueError: what is no model, spec or capacity.

    >>> from dy2st.static import InputSpec
    >>> f, params = dy2st.jax.function(dy2st.nn.Linear(3, 2), [InputSpec([None, 3])])  # doctest: +SKIP
    >>> f(params, jnp.ones([4, 3]))[0].shape  # doctest: +SKIP
    (4, 2)
    """
    pure, _ = pure_function(layer, input_spec, list_capacity, x32)
    return pure, pure.begin()


def pure_function(
    layer: Any, input_spec: Any, list_capacity: int | None, x32: bool, trains: bool = False
) -> tuple[PureFunction, Program]:
    """What `function` gives, and the Program that it computes. Errors as those of `function`. trains: as in `saved_form`."""
    if list_capacity is not None and (type(list_capacity) is not int or list_capacity < 1):
        raise ValueError(f"list_capacity is a number of items, at least 1, not {list_capacity!r}")
    program, info, _ = model_of(layer, input_spec, {}, trains)
    computation = Computation(without_cleared_gradients(prepared(program, keeps_slopes=True)))
    return PureFunction(computation, list_capacity or _ROOM, info.name, x32, program), program


class PureFunction:
    """Computes a Program without changing anything; `function` says what goes in and comes out. program: it, with its writes."""

    def __init__(self, computation: Computation, capacity: int, name: str, x32: bool, program: Program):
        self._computation, self._capacity, self.__name__, self._x32 = computation, capacity, name, x32
        self._inputs = [port for port in computation.inputs if port.role == "value"]
        known = computation.ready.program.parameters
        self._constants = {name: np.array(known[name].data) for name in computation.constants}
        self._known = [Port(x.type, [], x.type, "parameter", name) for name, x in known.items() if name not in self._constants]
        self._late_writes = LateWrites(program, [str(port.key) for port in self._known])
        self._held = [port for port in computation.inputs if port.role != "value"]
        self._texts: set[str] = set()  # of the state, at first
        self._names = names_of({(port.role, str(port.key)): port.type for port in (*self._known, *self._held)})

    def called(self, kind: str, name: str) -> str | None:
        """The name among the parameters of a "state" or a "parameter", as the Program names it; None: it isn't there."""
        return self._names.get((kind, name))

    @property
    def changes(self) -> set[str]:
        """What of the parameters and the state a call may change."""
        return {name for x in self._computation.ready.interface.outputs if (name := self.called(x.kind, x.name)) is not None}

    def begin(self) -> dict[str, Any]:
        """The parameters and the state as they are now."""
        ready = self._computation.ready
        params = {self._name(port): _copied(ready.program.parameters[str(port.key)].data) for port in self._known}
        for port in self._held:
            with heard() as texts:
                leaves = leaves_in_jax(port, ready.initial[port.role, str(port.key)])
            self._texts |= texts
            params[self._name(port)] = self._kept(port, [(_begun(x), None) for x in leaves])
        if self._x32:
            params = jax.tree_util.tree_map_with_path(lambda path, x: narrow.fitted(np.asarray(x), path[0].key), params)
        return params | ({KEY: keys.fresh()} if self._computation.draws else {})

    def _kept(self, port: Port, arrays: list[tuple[Any, Any]]) -> Any:
        """What stands for state, or for the code of an exception."""
        with jax.enable_x64(not self._x32):
            return structured(port.type, port.type, arrays) if isinstance(port.type, TensorType) else held(arrays)

    def _name(self, port: Port) -> str:
        return self._names[port.role, str(port.key)]

    def __call__(self, params: dict[str, Any], /, *inputs: Any) -> tuple[Any, dict[str, Any], Status]:
        """Compute. TypeError: as many inputs as the Program takes are expected, each of its dtype. ShapeError: of its lengths.

        KeyError: params has none of a name. ValueError: one lies on a mesh whose axes aren't of the kind Auto.
        """
        if len(inputs) != len(self._inputs):
            names = ", ".join(str(port.key) for port in self._inputs)
            raise TypeError(f"{self.__name__} takes params and {len(self._inputs)} inputs ({names}), not {len(inputs)}")
        rest = iter(inputs)
        with jax.enable_x64(not self._x32):
            parameters = {str(port.key): joined(port.type, self._leaves(port, params)) for port in self._known}
            given = [
                _leaves(port, str(port.key), next(rest), self._x32) if port.role == "value" else self._leaves(port, params)
                for port in self._computation.inputs
            ]
            parameters, given = varying.together((parameters, given))
            used, after = keys.parted(params[KEY]) if self._computation.draws else (None, None)
            found = (self._in_32_bits if self._x32 else self._found)(parameters, given, used)
            outputs, state, status = self._answer(found, {} if after is None else {KEY: after})
            return *self._late_writes.guarded((outputs, state)), status

    def _leaves(self, port: Port, params: dict[str, Any]) -> list[Any]:
        name = self._name(port)
        if name not in params:
            raise KeyError(f"params has no {name!r}; it takes what `function` has given")
        return _leaves(port, name, params[name], self._x32)

    def _found(self, parameters: dict[str, Any], given: list[list[Any]], key: Any) -> Found:
        return self._computation({**parameters, **self._constants}, given, self._capacity, key, x32=self._x32)

    def _in_32_bits(self, parameters: dict[str, Any], given: list[list[Any]], key: Any) -> Found:
        """What is found by a computation that is traced in 64 bits, and computed in 32."""
        traced: list[Found] = []

        def arrays(*arguments: Any) -> list[Any]:
            traced.append(self._found(*arguments))
            return traced[-1].arrays

        known = self._computation.ready.program.parameters
        wide = (
            {name: _typed(x, known[name].data.dtype) for name, x in parameters.items()},
            [
                [each(_typed, x, _dtype_of(leaf)) for x, leaf in zip(leaves, leaves_of(port.type))]
                for leaves, port in zip(given, self._computation.inputs)
            ],
            None if key is None else jax.typeof(key),
        )
        with jax.enable_x64(True):
            jaxpr, form = jax.make_jaxpr(arrays, return_shape=True)(*wide)
        found = narrow.computed(jaxpr, *jax.tree_util.tree_leaves((parameters, given, key)))
        traced[-1].arrays = jax.tree_util.tree_unflatten(jax.tree_util.tree_structure(form), found)
        return traced[-1]

    def _answer(self, found: Found, state: dict[str, Any]) -> tuple[Any, dict[str, Any], Status]:
        rest, form = iter(found.arrays), iter(found.forms)
        outputs, code = None, None
        details: dict[int, Any] = {}
        told: dict[int, Form] = {}
        for port in found.ports:
            arrays = [next(rest) for _ in port.leaves]
            value = structured(port.type, port.original, arrays) if port.role == "value" else self._kept(port, arrays)
            forms = [next(form) for _ in port.leaves]
            if port.role == "value":
                if any(part.text is not None for part in forms):
                    raise ConversionError("a result is a text, and JAX's arrays hold none; return what it is made of")
                outputs = value
            elif port.role == "error":
                code = value
            elif port.role == "detail":
                details[int(port.key)] = value
                (part,) = forms
                assert isinstance(part, Form)
                told[int(port.key)] = part
            else:
                state[self._name(port) if port.role != "argument" else f"input {port.key}"] = value
        return outputs, state, Status(code, details, Errors(found.errors, told, found.texts | self._texts))


def _copied(array: np.ndarray) -> Any:
    """A copy: one of JAX's, where that would take an array of NumPy's for one with half the bits."""
    if jax.dtypes.canonicalize_dtype(array.dtype) == array.dtype:
        return np.array(array)
    with jax.enable_x64(True):
        return jnp.array(array)


def _begun(leaf: Any) -> Any:
    """A copy of the array of a leaf; of items that are apart, with no number of rows each."""
    return [(_copied(x), None) for x in leaf] if isinstance(leaf, list) else _copied(leaf)


def _typed(x: Any, dtype: Any) -> Any:
    """The type of an array of another dtype, for a trace; with the number of its rows, of both."""
    rows, count = x if isinstance(x, tuple) else (x, None)
    type_ = jax.typeof(rows).update(dtype=np.dtype(dtype))
    return type_ if count is None else (type_, jax.typeof(count).update(dtype=np.dtype(np.int64)))


def _dtype_of(leaf: Leaf) -> str:
    """The dtype of the array of a leaf; of texts, that of their codes."""
    return element_of(leaf).replace("string", "int64")


def _leaves(port: Port, name: str, value: Any, x32: bool) -> list[Any]:
    """The arrays of an input. TypeError, ShapeError: they are of other dtypes, of other lengths, or more or fewer.

    One of which only so many rows are there is a tuple with their number.
    """
    found, wanted = arrays_in(value, port.type), leaves_of(port.type)
    if len(found) != len(wanted):
        raise TypeError(f"{name} is a {port.type}, which has {len(wanted)} arrays, not {len(found)}")
    for x, leaf in zip(found, wanted):
        each(_check, x, port, leaf, name, x32)
    return [each(_fitted, x, port, leaf, name, x32) for x, leaf in zip(found, wanted)]


def _check(x: Any, port: Port, leaf: Leaf, name: str, x32: bool) -> None:
    """TypeError: it is of another dtype. ShapeError: it has other lengths than the Program has been made for."""
    if isinstance(x, tuple):
        return  # rows and their number, which a call has left
    array = x if hasattr(x, "dtype") else np.asarray(x)
    refuse_explicit(name, jax.typeof(array).sharding.mesh)
    dtype = BY_NUMPY[np.dtype(array.dtype)].name if np.dtype(array.dtype) in BY_NUMPY else str(array.dtype)
    is_half = x32 and np.dtype(array.dtype) == narrow.half(np.dtype(_dtype_of(leaf)))
    if dtype != element_of(leaf) and not is_half and isinstance(port.type, TensorType):
        given = f"{dtype}{list(array.shape)}"
        instead = "jax.config.update('jax_enable_x64', True) keeps 64 bits, function(..., x32=True) takes 32"
        raise TypeError(f"{name} is a {port.type}, not {given}; {instead}")
    if isinstance(port.type, TensorType) and not shape_agrees(port.type.shape, array.shape):
        instead = "; None in its InputSpec takes any length" if port.role == "value" else ""
        raise ShapeError(f"{name} is a {port.type}, not {dtype}{list(array.shape)}{instead}")


def _fitted(x: Any, port: Port, leaf: Leaf, name: str, x32: bool) -> Any:
    if isinstance(x, tuple):
        rows, count = x
        return _fitted_array(rows, port, leaf, name, x32), jnp.asarray(count, "int32" if x32 else "int64")
    return _fitted_array(x, port, leaf, name, x32)


def _fitted_array(x: Any, port: Port, leaf: Leaf, name: str, x32: bool) -> Any:
    if x32:
        return narrow.fitted(x if hasattr(x, "dtype") else np.asarray(x), name)
    return x if isinstance(port.type, TensorType) else _wide(x, leaf)


def _wide(x: Any, leaf: Leaf) -> Any:
    """A number of Python's in 64 bits, of which a caller without `jax_enable_x64` keeps 32."""
    return x if element_of(leaf) == "string" else (x if hasattr(x, "astype") else np.asarray(x)).astype(element_of(leaf))
