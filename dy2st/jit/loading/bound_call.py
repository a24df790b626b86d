"""A method of a loaded model, bound to the arrays that each call of it reads and writes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain, combinations
from typing import Any

import numpy as np

from ...dtypes import DTYPES
from ...errors import ConversionError, DTypeError, ShapeError
from ...ir.types import DictType, ListType, ScalarType, TensorType, TupleType, Type
from ...nn.hooks import TABLES as HOOK_TABLES
from ...nn.layer import Layer
from ...ops import dispatch
from ...runtime.tensors.call_hook import current_observer
from ...runtime.tensors.tensor import Tensor
from ...runtime.where.tracebacks import leaving
from ..interface.result_leaves import arrays

Pair = tuple[np.ndarray, np.ndarray]  # an array of `out`, and what it is to hold


class BoundCall:
    """What `bind` gives: `run()` reads the arrays that it was bound to, and writes the result into `out`, which it gives.

    layer: the layer whose hooks a call would run, or None. method: a SavedMethod; inputs: the arrays that it takes.
    RuntimeError: the model has forward hooks by now. ConversionError: the call is recorded. ShapeError, DTypeError, TypeError or
    ValueError: the result isn't of the structure of `out` this time. It raises what the model raises. Not thread-safe: all calls
    of one write the same arrays.
    """

    def __init__(self, layer: Layer | None, method: Any, inputs: list[np.ndarray], out: Any):
        self._method, self._model, self._out = method, vars(method.owner), out
        self._before, self._after = ({}, {}) if layer is None else (vars(layer)[table] for table in HOOK_TABLES)
        self._inputs = [array.view(np.ndarray) for array in inputs]  # which nobody can give another shape
        self._outs = list(arrays(out))
        self._choose()
        self._refuse_shared()
        self._shares_inputs = any(np.shares_memory(a, b) for a in self._outs for b in self._inputs)

    def __repr__(self) -> str:
        return f"<BoundCall of {self._method!r}>"

    def __call__(self) -> Any:
        try:
            if dispatch.mode_stack() or current_observer() is not None:
                self._refuse_recording()
            if self._before or self._after:
                raise RuntimeError("a bound call runs no forward hooks, but the model has some: remove them, or call the model")
            if self._model["_switched_to"] is not self._mode or self._model["_gradients"] is not self._known:
                self._choose()
            result, out = self._result(), self._only
            if out is None or result.shape != out.shape:
                self._write(list(_pairs(self._out, result, "the result")))
            else:
                out[...] = result
            return self._out
        except Exception as error:
            if (other := leaving(error)) is not None:
                raise other
            raise

    def _choose(self) -> None:
        """What the call runs in the mode of now. Errors: `out` isn't of the result's type."""
        method = self._method
        owner, function = method.owner, method.function
        type_ = owner._program.functions[function].result_types[0]
        _check(type_, self._out, "the result")
        self._only = self._out if isinstance(type_, TensorType) else None
        self._gradients = method.gradients_of(function)
        self._held, self._tensors = owner._executable.parameters, list(self._gradients.tensors.items())
        self._body, self._has_state = owner._executable.body(function, tuple(self._inputs)), bool(self._gradients.program.state)
        self._mode, self._known = self._model["_switched_to"], self._model["_gradients"]

    def _refuse_shared(self) -> None:
        """ValueError where writing `out` would change the model, or another array of it."""
        for a, b in combinations(self._outs, 2):
            if np.shares_memory(a, b):
                raise ValueError("bind: two arrays of `out` share memory: each is written at each call")
        owner = self._method.owner
        held = [(name, tensor._data) for name, tensor in owner._tensors.items()]
        held += [(name, array) for name, value in owner._executable.state.items() for array in arrays(value)]
        for name, array in held:
            if any(np.shares_memory(out, array) for out in self._outs):
                raise ValueError(f"bind: `out` shares memory with {name} of the model, which the call would change: give a copy")

    @staticmethod
    def _refuse_recording() -> None:
        """A call in a recording reads and writes arrays, which no Program does."""
        mode = dispatch.current_mode()
        if mode.rec is not None or mode.tracer is not None or current_observer() is not None:
            here = f"{mode.rec.here()}: " if mode.rec is not None else ""
            raise ConversionError(f"{here}a bound call reads and writes arrays, which can't be recorded: call the model here")

    def _result(self) -> Any:
        """What the body gives for what the inputs hold now."""
        method, inputs, held = self._method, self._inputs, self._held
        if method.memory is not None:
            method.memory.check(inputs, method.owner._tensors.values())
        for name, tensor in self._tensors:
            held[name] = tensor._data
        try:
            return self._body(*inputs) if not self._has_state else self._on_copies(inputs)
        except Exception as error:
            better = method.explained(error)
            if better is error:
                raise
            raise better from error
        finally:
            if self._gradients.effects.writes:
                self._gradients.effects.note_writes(inputs)

    def _on_copies(self, inputs: list[np.ndarray]) -> Any:
        """State may keep an input, which the caller writes before the next call: it keeps a copy."""
        copies = [array.copy() for array in inputs]
        for array, copy in zip(inputs, copies):
            copy.flags.writeable = array.flags.writeable
        try:
            return self._body(*copies)
        finally:
            for array, copy in zip(inputs, copies):
                if array.flags.writeable:
                    array[...] = copy

    def _write(self, pairs: list[Pair]) -> None:
        """All arrays of `out`; where one lies in the memory of an input, so may what others are to hold."""
        if self._shares_inputs:
            pairs = [(out, result.copy()) for out, result in pairs]
        for out, result in pairs:
            out[...] = result


def bound_inputs(label: str, matched: list[tuple[str, list[Any]]]) -> list[np.ndarray]:
    """The inputs, which are arrays; TypeError, which names the argument, for a Tensor."""
    for name, values in matched:
        if any(isinstance(value, Tensor) for value in values):
            raise TypeError(f"{label}.bind: argument {name} is or holds a Tensor; give an array: x.numpy() shares its memory")
    return list(chain.from_iterable(values for _, values in matched))


def _check(type_: Type, out: Any, where: str) -> None:
    """Errors where an array of `out` isn't of the type of its place in the result, as far as that is known before a call."""
    if isinstance(out, np.ndarray):
        if isinstance(type_, TensorType):
            _check_dtype_and_shape(type_, out, where)
        elif isinstance(type_, ScalarType | TupleType | DictType | ListType):
            raise TypeError(f"bind: {where} is {_in_words(type_)}, which an array can't take: {_cure(type_)}")
        if not out.flags.writeable:
            raise ValueError(f"bind: the array for {where} can't be written")
    elif isinstance(out, list | tuple):
        count = len(type_.elems) if isinstance(type_, TupleType) else len(out)
        if isinstance(type_, TensorType | ScalarType | DictType) or count != len(out):
            raise TypeError(f"bind: {where} is {_in_words(type_)}, not a {type(out).__name__} of {len(out)}: {_cure(type_)}")
        types: Sequence[Type] = type_.elems if isinstance(type_, TupleType) else [_held_type(type_)] * len(out)
        for i, (part, item) in enumerate(zip(types, out)):
            _check(part, item, f"{where}[{i}]")
    elif isinstance(out, dict):
        if isinstance(type_, TensorType | ScalarType | TupleType | ListType):
            raise TypeError(f"bind: {where} is {_in_words(type_)}, not a dict: {_cure(type_)}")
        for key, item in out.items():
            _check(_held_type(type_), item, f"{where}[{key!r}]")
    elif out is not None:
        raise TypeError(f"bind: `out` is an array, or a list, tuple or dict of arrays as {where} is, not {type(out).__name__}")


def _held_type(type_: Type) -> Type:
    """The type of what a list or a dict holds; of anything else itself, as it may be one of several."""
    return type_.elem if isinstance(type_, ListType) else type_.value if isinstance(type_, DictType) else type_


def _check_dtype_and_shape(type_: TensorType, out: np.ndarray, where: str) -> None:
    if out.dtype != DTYPES[type_.dtype].numpy:
        raise DTypeError(f"bind: {where} has dtype {type_.dtype}, and the array for it {out.dtype.name}")
    shape = None if type_.shape is None else [dim if isinstance(dim, int) else None for dim in type_.shape]
    if shape is not None and (len(shape) != out.ndim or any(d not in (None, n) for d, n in zip(shape, out.shape))):
        raise ShapeError(f"bind: {where} has shape {shape}, and the array for it {list(out.shape)}")


def _in_words(type_: Type) -> str:
    if isinstance(type_, TupleType):
        return f"a tuple of {len(type_.elems)}"
    return "a tensor" if isinstance(type_, TensorType) else f"of type {type_}"


def _cure(type_: Type) -> str:
    if isinstance(type_, ScalarType):
        return "give None in its place"
    return "give an array" if isinstance(type_, TensorType) else "give arrays in the structure of the result"


def _pairs(out: Any, result: Any, where: str) -> Iterator[Pair]:
    """Each array of `out`, with what it is to hold; errors where the result isn't of that structure."""
    if isinstance(out, np.ndarray):
        found = np.asarray(result) if isinstance(result, np.generic) else result
        if not isinstance(found, np.ndarray):
            raise TypeError(f"bind: {where} is {type(found).__name__} this time, which an array can't take: give None there")
        if found.dtype != out.dtype:
            raise DTypeError(f"bind: {where} has dtype {found.dtype.name} this time, and the array for it {out.dtype.name}")
        if found.shape != out.shape:
            raise ShapeError(f"bind: {where} has shape {list(found.shape)}, and the array for it {list(out.shape)}")
        yield out, found
    elif isinstance(out, dict):
        if not isinstance(result, dict) or result.keys() != out.keys():
            keys = list(result) if isinstance(result, dict) else type(result).__name__
            raise ValueError(f"bind: {where} has the keys {keys}, and `out` {list(out)}")
        for key, item in out.items():
            yield from _pairs(item, result[key], f"{where}[{key!r}]")
    elif isinstance(out, list | tuple):
        if not isinstance(result, list | tuple) or len(result) != len(out):
            held = len(result) if isinstance(result, list | tuple) else type(result).__name__
            raise ValueError(f"bind: {where} holds {held} items, and `out` {len(out)}")
        for i, (item, part) in enumerate(zip(out, result)):
            yield from _pairs(item, part, f"{where}[{i}]")
