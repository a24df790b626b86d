"""What a file holds of a model: the Program of its static methods, and what is known of them."""

from __future__ import annotations

import inspect
from typing import Any

from ...config import VERSION
from ...errors import ConversionError
from ...ir.core import Program
from ...nn.layer import Layer
from ...saving import Info
from ..interface import argument_tree
from ..interface.info_keys import INPUT_MEMORY, NO_OTHER_MODE, NO_WHOLE_MODE, OTHER_MODE, WHOLE_MODE
from ..static.concrete import ConcreteProgram, settled
from ..static.linking import Linker
from ..static.overlaps import refuse_overlaps
from ..static.property_function import PropertyFunction
from ..static.static_function import StaticFunction
from .modes import InModes, Methods
from .pruning import Pruning


def static_methods(layer: Layer) -> dict[str, StaticFunction]:
    """The static methods of a layer but `forward`: those that its classes were given, and its own."""
    attributes = {name: inspect.getattr_static(type(layer), name) for name in dir(type(layer))} | vars(layer)
    static = {name: f for name, f in attributes.items() if isinstance(f, StaticFunction) and name != "forward"}
    return {name: getattr(layer, name) for name, f in static.items() if not f.is_property}


def properties(layer: Layer) -> dict[str, Any]:
    """The values of the methods that were made static with `property=True`."""
    attributes = {name: inspect.getattr_static(type(layer), name) for name in dir(type(layer))} | vars(layer)
    return {name: getattr(layer, name).saved_value() for name, f in attributes.items() if isinstance(f, PropertyFunction)}


def contents(methods: InModes, name: str, prunings: dict[str, Pruning]) -> tuple[Program, Info]:
    """The Program and the Info of a file, which is called `name`.

    methods: by name, in each mode. prunings: by method, what is kept of its inputs and outputs.
    """
    now = methods.now
    programs = {method: in_mode.program for method, in_mode in now.items()}
    trees = {method: in_mode.function.spread(in_mode.program.arguments) for method, in_mode in now.items()}
    info = Info(
        entries=dict.fromkeys(programs, "main"),
        inputs={method: _encoded(tree, prunings[method], programs[method]) for method, tree in trees.items()},
        outputs={method: [str(t) for t in program.result_types] for method, program in programs.items()},
        training=next(iter(now.values())).training,
        name=name,
        versions={"dy2st": VERSION},
    )
    granted = {method: in_mode.program.memory for method, in_mode in now.items()}
    if memories := {method: memory.text for method, memory in granted.items() if memory is not None}:
        info.extra[INPUT_MEMORY] = memories
    for key, switched in ((NO_OTHER_MODE, methods.other), (NO_WHOLE_MODE, methods.whole)):
        if refused := {method: in_mode.refused for method, in_mode in switched.items() if in_mode.refused}:
            info.extra[key] = refused
    others, whole = _programs(methods.other), _programs(methods.whole)
    if len(programs) == 1 and not others and not whole and not any(prunings.values()):
        (alone,) = programs.values()
        refuse_overlaps(alone.program, alone.tensors)
        return settled(alone), info
    linker = Linker()
    info.entries = {method: linker.add(method, program) for method, program in programs.items()}
    own, other = ("train", "eval") if info.training else ("eval", "train")
    for key, linked, mode in ((OTHER_MODE, others, other), (WHOLE_MODE, whole, own)):
        if linked:
            info.extra[key] = {method: linker.add(f"{method}.{mode}", program) for method, program in linked.items()}
    refuse_overlaps(linker.program, linker.tensors)
    for functions in (info.entries, *(info.extra.get(key, {}) for key in (OTHER_MODE, WHOLE_MODE))):
        for method, function in functions.items():
            if prunings[method]:
                prunings[method].apply(linker.program, function, trees[method])
                info.outputs[method] = [str(t) for t in linker.program.functions[function].result_types]
    return linker.program, info


def _programs(methods: Methods) -> dict[str, ConcreteProgram]:
    return {method: in_mode.program for method, in_mode in methods.items() if not in_mode.refused}


def _encoded(arguments: list, pruning: Pruning, program: ConcreteProgram) -> list:
    """The arguments as a file tells them. ConversionError where two of them share a container: a loaded model's never do."""
    encoded = [[key, argument_tree.encode(value)] for key, value in arguments]
    if sum(len(argument_tree.specs(node)) for _, node in encoded) != len(program.inputs):
        raise ConversionError(
            "one list, tuple, dict or object is in two places of the arguments that this was staged for, which a file can't say: "
            "call it with copies before it is saved, or give it an input_spec"
        )
    dropped = pruning.dropped(arguments)
    return [pair for pair in encoded if pair[0] not in dropped]
