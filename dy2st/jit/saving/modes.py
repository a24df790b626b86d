"""The methods of a model in the modes that are saved: the one of now, and the others where that makes a difference.

The parts of a model may be in different modes, such as a frozen batch norm in a model that trains. `train()` and `eval()` put all
of them in one, so that such a model has three: that of now, `eval()`, and `train()`.

What one method changes is state in all: `infer` reads the counter that `forward` counts, in a loaded model too.
"""

from __future__ import annotations

from functools import cache
from types import CodeType, FunctionType
from typing import NamedTuple

from ...errors import ConversionError
from ...ir.types import Type
from ...nn.layer import Layer
from ...runtime.heap.elements import join_shared
from ...runtime.outside.facts import StateSlot
from ...saving.model_json import program_to_json
from ..static.part_modes import modes_after, parts_of
from ..static.static_function import StaticFunction
from .method_in_mode import MethodInMode
from .open_lengths import open_lengths
from .open_numbers import open_numbers

ONE_MODE = "the file holds one mode only; save the model without one_mode=True"
Methods = dict[str, MethodInMode]


class InModes(NamedTuple):
    """The methods that are saved, by name. now: as the model is.

    other, whole: those that differ, or can't be staged, once all parts are in the other mode, or all in the model's own.
    """

    now: Methods
    other: Methods
    whole: Methods


def in_all_modes(functions: dict[str, StaticFunction], one_mode: bool = False) -> InModes:
    """Each method as it is now, and those that differ in other modes, with the ones that can't be staged there.

    one_mode: none of them is, since the file is to hold the mode that the model is in.
    """
    refused = ONE_MODE if one_mode else ""
    now = {name: MethodInMode(function, function.concrete_program) for name, function in functions.items()}
    asking = {name: method for name, method in now.items() if _asks_for_mode(method)}
    other = {name: _switched(method, not method.training, refused) for name, method in asking.items()}
    mixed = {name: method for name, method in asking.items() if len(set(_modes(method))) > 1}
    whole = {name: _switched(method, method.training, refused) for name, method in mixed.items()}
    for name, method in now.items():
        if method.function.follows_example:
            modes = [each for each in (method, other.get(name), whole.get(name)) if each is not None and not each.refused]
            open_numbers(modes)
            open_lengths(name, modes)
    _share_state([*now.values(), *(method for method in (*other.values(), *whole.values()) if not method.refused)])
    return InModes(now, _that_differ(other, now), _that_differ(whole, now))


def _switched(method: MethodInMode, training: bool, refused: str) -> MethodInMode:
    """The method once `train()` or `eval()` has been called."""
    function = method.function
    try:
        modes = modes_after(function.layers(), training, function.layer_class)
    except ConversionError as error:
        modes, refused = [], refused or str(error)
    return MethodInMode(function, method.program, modes, refused)


def _modes(method: MethodInMode) -> list[bool]:
    return [part.training for part in parts_of(method.function.layers())]


def _that_differ(methods: Methods, now: Methods) -> Methods:
    """Those that do something else than now, with the ones that can't be staged."""
    for name, method in methods.items():
        if not method.refused and _input_types(method) != _input_types(now[name]):
            method.refused = f"{name} changes other arguments in that mode"
    return {name: method for name, method in methods.items() if method.refused or differs(method, now[name])}


def differs(method: MethodInMode, now: MethodInMode) -> bool:
    """Whether a method has another Program than in the mode of now."""
    return _text(method) != _text(now)


def _input_types(method: MethodInMode) -> list[str]:
    return [str(spec.type) for spec in method.program.inputs]


def _text(method: MethodInMode) -> str:
    return program_to_json(method.program.program)


def _share_state(methods: list[MethodInMode]) -> None:
    """Stage again what lacks some of the state of the others, as long as that makes a difference."""
    tried: set[tuple] = set()
    pending = methods if len(methods) > 1 else []
    while pending:
        everywhere: dict[tuple, StateSlot] = {}
        types: dict[tuple, Type] = {}
        for method in methods:
            everywhere.update(method.slots)
            for key, slot in method.slots.items():
                types[key] = join_shared(types[key], slot.type) if key in types else slot.type
        pending = []
        for number, method in enumerate(methods):
            known = {key: slot.type for key, slot in method.slots.items()}
            lacking = [key for key, type_ in types.items() if known.get(key) != type_ and (number, key, str(type_)) not in tried]
            if lacking:
                tried.update((number, key, str(types[key])) for key in lacking)
                method.stage([_slot(everywhere[key], types[key]) for key in types])
                pending.append(method)


def _slot(like: StateSlot, type_: Type) -> StateSlot:
    made = StateSlot(like.name, like.location)
    made.type = type_
    return made


def _asks_for_mode(method: MethodInMode) -> bool:
    """Whether the converted code, or a built-in layer, reads `training`."""
    roots = method.function.layers()
    if roots and method.program.staged.guards.mentions("training"):
        return True
    return any(map(_asks, (part for part in parts_of(roots) if isinstance(part, Layer))))


def _asks(layer: Layer) -> bool:
    return "_derived" in vars(layer) or _class_asks(type(layer))  # type: ignore[arg-type]


@cache
def _class_asks(cls: type) -> bool:
    own = cls.__mro__[: cls.__mro__.index(Layer)]
    return any("training" in _names(f.__code__) for c in own for f in vars(c).values() if isinstance(f, FunctionType))


def _names(code: CodeType) -> set[str]:
    return set(code.co_names).union(*(_names(c) for c in code.co_consts if isinstance(c, CodeType)))
