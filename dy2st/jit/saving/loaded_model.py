"""What a loaded model is saved as: the values of now, all of it or the inputs and outputs that are kept."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from ...ir.core import Program
from ...saving import Info
from ...saving.model_json import program_from_json, program_to_json
from ..interface import argument_tree
from ..interface.info_keys import MODES, NO_OTHER_MODE, OTHER_MODE, WHOLE_MODE
from ..loading.translated_layer import TranslatedLayer, refuse_hooks
from .configs import SaveConfigs
from .pruning import Pruning


def saved_again(layer: TranslatedLayer, input_spec: Any, options: SaveConfigs) -> tuple[Program, Info]:
    """The Program and the Info of a loaded model, cut down to what is kept.

    ValueError: an input or output that isn't there, an input that is needed; ConversionError: hooks, which the file has no
    place for.
    """
    refuse_hooks(layer, layer.info)
    program, info = layer.current_program(), _as_of_now(layer)
    pruning = Pruning(options.output_spec, options.input_names_after_prune or _names(layer, input_spec))
    if not pruning:
        return program, info
    copy = program_from_json(program_to_json(program).encode())
    copy.parameters = dict(program.parameters)
    info = replace(info, inputs=dict(info.inputs), outputs=dict(info.outputs))
    for functions in (info.entries, *(info.extra.get(key, {}) for key in (OTHER_MODE, WHOLE_MODE))):
        for method, function in functions.items():
            arguments = [(name, _tree(node)) for name, node in layer.info.inputs[method]]
            pruning.apply(copy, function, arguments)
            dropped = pruning.dropped(arguments)
            info.inputs[method] = [pair for pair in layer.info.inputs[method] if pair[0] not in dropped]
            info.outputs[method] = [str(t) for t in copy.functions[function].result_types]
    return copy, info


def _as_of_now(layer: TranslatedLayer) -> Info:
    """What a file says of the model in the mode that it was switched to. RuntimeError: what it does there isn't known."""
    mode, info = layer.switched_to, layer.info
    if mode is None:
        return info
    methods = {name: layer._method(name) for name in info.entries}
    entries = {name: method.function for name, method in methods.items()}
    other = {name: method.switched(not mode) for name, method in methods.items()}
    extra = {key: value for key, value in info.extra.items() if key not in MODES}
    if refused := {name: why for name, (_, why) in other.items() if why is not None}:
        extra[NO_OTHER_MODE] = refused
    if differing := {name: found for name, (found, why) in other.items() if why is None and found != entries[name]}:
        extra[OTHER_MODE] = differing
    outputs = {name: [str(t) for t in layer._program.functions[found].result_types] for name, found in entries.items()}
    return replace(info, training=mode, entries=entries, outputs=outputs, extra=extra)


def _names(layer: TranslatedLayer, input_spec: Any) -> list[str] | None:
    """The names of the inputs that a shorter list of specs keeps."""
    if input_spec is None or len(input_spec) >= len(layer.input_spec):
        return None
    return [spec.name for spec in input_spec]


def _tree(node: dict) -> Any:
    """The InputSpec of an argument that is a tensor; of any other, those inside it."""
    specs = argument_tree.specs(node)
    return specs[0] if "tensor" in node else specs
