"""A loaded model in pieces that pickle takes: its Program as text, its arrays, and what was changed or added since.

Arrays are given as they are, so that joblib maps large ones into the memory of its processes, once for all of them.
"""

from __future__ import annotations

from copy import deepcopy
from typing import Any

from ...nn.hooks import TABLES as HOOK_TABLES
from ...nn.layer import Layer
from ...runtime.engines import engine_named
from ...saving import Info
from ...saving.model_json import program_from_json, program_to_json
from ..interface.info_keys import PROPERTIES
from .held import HoldingLayer
from .load import made_of
from .translated_layer import TranslatedLayer

_TABLES = ("_parameters", "_buffers", "_sub_layers")
Added = list[tuple[str, str, Any]]  # path of the layer, name, value


def reduced(made: Any) -> tuple:
    """What `__reduce__` gives for what `load` has given."""
    model = model_in(made)
    program = model.current_program()
    arrays = {name: parameter.data for name, parameter in program.parameters.items()}
    trained = {name: tensor.stop_gradient for name, tensor in model._tensors.items()}
    changed = (model.switched_to, trained, added(made))
    return remade, (program_to_json(program), arrays, model.info, model._flat, model._engine.name, *changed)


def copied(made: Any, memo: dict) -> Any:
    """A copy with arrays of its own."""
    text, arrays, info, *rest = reduced(made)[1]
    found = memo[id(made)] = remade(text, deepcopy(arrays, memo), info, *deepcopy(rest, memo))
    return found


def remade(
    text: str, arrays: dict, info: Info, flat: bool, engine: str, mode: bool | None, trained: dict[str, bool], more: Added
) -> Any:  # fmt: skip
    """The model of such pieces, as `load` gives it, in the mode that it was in."""
    program = program_from_json(text.encode())
    for name, parameter in program.parameters.items():
        parameter.data = arrays[name]
    made = made_of(program, info, flat, engine_named(engine))
    model = model_in(made)
    for name, stop_gradient in trained.items():
        model._tensors[name].stop_gradient = stop_gradient
    if mode is not None:
        (made if isinstance(made, Layer) else model)._set_training(mode)
    add(made, more)
    return made


def model_in(made: Any) -> TranslatedLayer:
    """The loaded model in what `load` gives: itself, or that of a compiled module or function."""
    if isinstance(made, TranslatedLayer):
        return made
    return made._shadow if isinstance(made, Layer) else made._method.owner


def added(made: Any) -> Added:
    """What doesn't come from the file: attributes of layers, and their hooks."""
    found: Added = []
    for path, layer in _layers(made).items():
        own = vars(layer)
        found += ((path, name, own[name]) for name in HOOK_TABLES if own[name])
        found += ((path, name, value) for name, value in own.items() if name[0] != "_" and not _is_made(made, path, name))
        for table in _TABLES:
            found += ((path, name, value) for name, value in own[table].items() if not _is_read(made, path, name, value))
    return found


def add(made: Any, more: Added) -> None:
    """Put what was added into what is loaded of the same file."""
    layers = _layers(made)
    for path, name, value in more:
        if name in HOOK_TABLES:
            vars(layers[path])[name] = value
        else:
            setattr(layers[path], name, value)


def _layers(made: Any) -> dict[str, Layer]:
    """The layers that come from the file, by their paths."""
    if not isinstance(made, Layer):
        return {}
    return {"": made, **{path: layer for path, layer in made.named_sublayers() if _is_part(layer)}}


def _is_part(layer: Any) -> bool:
    return isinstance(layer, HoldingLayer) and "_model" in vars(layer)


def _is_made(made: Any, path: str, name: str) -> bool:
    """Whether loading sets the attribute."""
    model = model_in(made)
    return name == "training" or (not path and (name in model._methods or name in model.info.extra.get(PROPERTIES, {})))


def _is_read(made: Any, path: str, name: str, value: Any) -> bool:
    """Whether an entry of a table comes from the file."""
    return _is_part(value) or (f"{path}.{name}" if path else name) in model_in(made)._places
