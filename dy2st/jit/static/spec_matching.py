"""The InputSpecs that a call is staged for: those that were given, held against what is passed, and those that tensors tell."""

from __future__ import annotations

from typing import Any

from ...pytree import rebuilt
from ...runtime.tensors.spec import InputSpec, leaves, map_named, spec_of
from .binding import Binder


def specs_of(bound: dict[str, Any], input_spec: Any, binder: Binder) -> dict[str, Any]:
    """The argument tree with an InputSpec in place of each tensor: the given one where there is one, checked."""
    made: dict[int, Any] = {}
    given = _by_name(input_spec or (), list(bound), binder)
    return {
        name: _matched(given[name], value, name) if name in given else map_named(value, name, spec_of, made)
        for name, value in bound.items()
    }


def _by_name(input_spec: Any, parameters: list[str], binder: Binder) -> dict[str, Any]:
    """The given specs by parameter; ValueError where there are more of them than parameters."""
    if len(input_spec) > len(parameters) and not binder.takes_any:
        raise ValueError(
            f"input_spec has {len(input_spec)} entries, but {binder.name} takes {len(parameters)} arguments: {parameters}"
        )
    given = dict(zip(parameters, input_spec))
    for name in given:
        if binder.is_rest(name):
            given[name] = tuple(input_spec[parameters.index(name) :])
    return given


def _matched(spec: Any, value: Any, name: str) -> Any:
    """The given spec for a parameter, after a look at what was passed for it."""
    if isinstance(spec, InputSpec):
        return _tensor_matched(spec, value, name)
    if isinstance(spec, list | tuple) and isinstance(value, list | tuple):
        if len(spec) != len(value):
            raise ValueError(f"argument {name} has {len(value)} items; its spec has {len(spec)}")
        parts = [_matched(s, v, f"{name}_{i}") for i, (s, v) in enumerate(zip(spec, value))]
        return rebuilt(value, parts)
    if isinstance(spec, dict) and isinstance(value, dict):
        if list(spec) != list(value):
            raise ValueError(f"argument {name} has the keys {list(value)}; its spec has {list(spec)}")
        return {k: _matched(spec[k], v, k) for k, v in value.items()}
    if any(True for _ in leaves(value)) and not any(True for _ in leaves(spec)):
        raise TypeError(f"argument {name} holds tensors; its spec says the constant {spec!r}")
    if any(True for _ in leaves(spec)):
        raise TypeError(f"argument {name} is a {type(value).__name__}; its spec is a {type(spec).__name__} of InputSpecs")
    return value


def _tensor_matched(spec: InputSpec, value: Any, name: str) -> InputSpec:
    """The spec of a tensor under the name of its parameter; TypeError or ValueError where something else was passed."""
    if isinstance(value, InputSpec):
        return spec_of(spec, name)
    if not hasattr(value, "shape") or not hasattr(value, "dtype"):
        kind = type(value).__name__
        raise TypeError(f"argument {name} is a {kind}; its InputSpec asks for a tensor, dy2st.to_tensor({name})")
    if not spec.accepts(value):
        shape = [None if n == -1 else n for n in spec.shape]
        instead = (
            f"cast it, {name}.astype({spec.dtype!r})"
            if value.dtype.name != spec.dtype
            else "write None in the InputSpec for a length that differs from call to call"
            if len(shape) == len(value.shape)
            else f"give the InputSpec {len(value.shape)} lengths, that of the batch included"
        )
        raise ValueError(
            f"argument {name} is {value.dtype.name}{list(value.shape)}; its InputSpec says {spec.dtype}{shape}: {instead}"
        )
    return spec_of(spec, name)
