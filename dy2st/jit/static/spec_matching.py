"""The InputSpecs that a call is staged for: those that were given, held against what is passed, and those that tensors tell."""

from __future__ import annotations

from collections import deque
from typing import Any

import numpy as np

from ... import pytree
from ...errors import EndlessTypeError
from ...runtime.heap.elements import ENDLESS
from ...runtime.tensors.spec import InputSpec, has_parts, holds_leaf, map_named, name_of_part, spec_of
from .binding import Binder

FORMS: tuple[tuple[type, ...], ...] = ((list, tuple, deque), (dict,))  # a spec of one class of a form is one of the others


def specs_of(bound: dict[str, Any], input_spec: Any, binder: Binder) -> dict[str, Any]:
    """The argument tree with an InputSpec in place of each tensor: the given one where there is one, checked."""
    made: dict[int, Any] = {}
    given = _by_name(input_spec or (), list(bound), binder)

    def spec(name: str, value: Any) -> Any:
        try:
            return _matched(given[name], value, name, made, binder) if name in given else map_named(value, name, spec_of, made)
        except RecursionError:
            raise EndlessTypeError(f"argument {name}: {ENDLESS}") from None

    return {name: spec(name, value) for name, value in bound.items()}


def _by_name(input_spec: Any, parameters: list[str], binder: Binder) -> dict[str, Any]:
    """The given specs by parameter; ValueError where there are more of them than parameters. A dict is by parameter already."""
    if isinstance(input_spec, dict):
        return input_spec
    if len(input_spec) > len(parameters) and not binder.takes_any:
        raise ValueError(
            f"input_spec has {len(input_spec)} entries, but {binder.name} takes {len(parameters)} arguments: {parameters}"
        )
    given = dict(zip(parameters, input_spec))
    for name in given:
        if binder.is_rest(name):
            given[name] = tuple(input_spec[parameters.index(name) :])
    return given


def _matched(spec: Any, value: Any, name: str, made: dict[int, Any], binder: Binder) -> Any:
    """The given spec for a parameter, after a look at what was passed for it. made: as for `map_named`."""
    if isinstance(spec, InputSpec):
        return _tensor_matched(spec, value, name, binder)
    if _is_of_one_form(spec, value):
        if id(value) not in made:
            parts = zip(_specs_of_parts(spec, value, name, made), pytree.parts_of(value))
            matched = [_matched(one, part, name_of_part(value, name, key), made, binder) for one, (key, part) in parts]
            made[id(value)] = pytree.rebuilt(value, matched)
        return made[id(value)]
    if holds_leaf(value) and not holds_leaf(spec):
        instead = f"; for a tensor of that shape write {as_spec(spec)}" if is_shape(spec) else ""
        raise TypeError(f"argument {name} holds tensors; its spec says the constant {spec!r}{instead}")
    if holds_leaf(spec):
        raise TypeError(f"argument {name} is a {type(value).__name__}; its spec is a {type(spec).__name__} of InputSpecs")
    return value


def _is_of_one_form(spec: Any, value: Any) -> bool:
    """Whether the parts of a spec tell of the parts of a value."""
    if pytree.is_object(value):
        return type(spec) is type(value) and has_parts(value)
    return any(isinstance(spec, form) and isinstance(value, form) for form in FORMS)


def _specs_of_parts(spec: Any, value: Any, name: str, made: dict[int, Any]) -> list[Any]:
    """The specs of the parts of a value, in their order; attributes of which the spec tells nothing are as they are.

    ValueError: another number of items, or other keys.
    """
    (keys, items), (told, specs) = pytree.contents_of(value), pytree.contents_of(spec)
    if isinstance(value, dict):
        by_key = dict(zip(told, specs))
        if by_key.keys() != set(keys):
            raise ValueError(f"argument {name} has the keys {list(keys)}; its spec has {list(told)}")
        specs = [by_key[key] for key in keys]
    elif len(items) != len(specs):
        raise ValueError(f"argument {name} has {len(items)} items; its spec has {len(specs)}")
    known = pytree.attributes_of(spec)
    held = pytree.attributes_of(value).items()
    return [*specs, *(known[key] if key in known else map_named(part, key, spec_of, made) for key, part in held)]


def is_shape(spec: Any) -> bool:
    """Whether a constant looks like the shape of a tensor."""
    return type(spec) in (list, tuple) and len(spec) > 0 and all(type(length) in (int, type(None)) for length in spec)


def as_spec(shape: Any) -> str:
    """The InputSpec of a tensor of this shape, as it is written."""
    return f"InputSpec({list(shape)}, 'float32')"


def refuse_shapes(input_spec: Any) -> None:
    """TypeError where a shape with an open length stands in place of an InputSpec: as a constant it means nothing."""
    for entry in input_spec.values() if isinstance(input_spec, dict) else input_spec:
        if is_shape(entry) and None in entry and any(type(length) is int for length in entry):
            raise TypeError(f"input_spec holds {entry!r}, which is a shape: write {as_spec(entry)}")


def _tensor_matched(spec: InputSpec, value: Any, name: str, binder: Binder) -> InputSpec:
    """The spec of a tensor under the name of its parameter; TypeError or ValueError where something else was passed."""
    if isinstance(value, InputSpec):
        return spec_of(spec, name)
    if isinstance(value, np.generic) or not hasattr(value, "shape") or not hasattr(value, "dtype"):
        kind = type(value).__name__
        raise TypeError(f"argument {name} is a {kind}; its InputSpec asks for a tensor, {binder.tensor.format(name)}")
    if not spec.accepts(value):
        shape = [None if n == -1 else n for n in spec.shape]
        instead = (
            f"cast it, {binder.cast.format(name, spec.dtype)}"
            if value.dtype.name != spec.dtype
            else "write None in the InputSpec for a length that differs from call to call"
            if len(shape) == len(value.shape)
            else f"give the InputSpec {len(value.shape)} lengths, that of the batch included"
        )
        raise ValueError(
            f"argument {name} is {value.dtype.name}{list(value.shape)}; its InputSpec says {spec.dtype}{shape}: {instead}"
        )
    return spec_of(spec, name)
