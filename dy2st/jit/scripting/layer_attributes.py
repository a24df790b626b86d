"""The attributes of a compiled layer: which are state of its Programs, of which type, and which are constants."""

from __future__ import annotations

import dis
import types
import typing
from typing import Any, NamedTuple

from ... import pytree
from ...annotations import annotations_of, evaluates_annotations
from ...ir.core import Program
from ...ir.effects import EffectAnalysis
from ...ir.types import Type
from ...nn.hooks import TABLES as HOOK_TABLES
from ...nn.layer import Layer
from ...ops.registry import OPERATORS
from ...runtime.heap.journal import Attribute as AttributeLocation
from ...runtime.tensors.tensor import Tensor
from ..interface.errors import script_error
from ..interface.script_module import ScriptModule
from .dtypes import default_types, general
from .hints import Hints, of_value
from .policy import ScriptPolicy
from .signature import evaluated, namespace_of
from .values import checked_attribute

PACKAGE = __name__.partition(".")[0]
OWN = ("training", "_full_name", "_dtype", "_parameters", "_buffers", "_sub_layers", *HOOK_TABLES)


class Attributes:
    """The attributes of a copied layer: which are state of the Programs, of which type, and which are constants.

    They are looked for again before each staging: layers may have been put in place of others.
    """

    def __init__(self, shadow: Layer, hints: Hints):
        self.slots: dict[str, tuple[AttributeLocation, Type]] = {}
        self.layers: dict[int, str] = {}  # the path of each layer, by id
        self.finals: set[tuple] = set()
        self.constants: dict[str, AttributeLocation] = {}
        self._shadow, self._hints = shadow, hints
        self._known: dict[tuple, tuple[AttributeLocation, LayerAttribute]] = {}
        self._is_soft = False
        self._look()

    def copied(self, shadow: Layer) -> Attributes:
        """Those of a copy of the layer."""
        made = Attributes(shadow, self._hints)
        made._is_soft = self._is_soft
        return made

    def _look(self) -> None:
        self.slots, self.constants, self.layers = {}, {}, {}
        for path, layer in self._shadow.named_sublayers(include_self=True):
            layer = layer._holder if isinstance(layer, ScriptModule) else layer
            self.layers[id(layer)] = path
            if not is_builtin(layer):
                self._add(path, layer)

    def _add(self, path: str, layer: Layer) -> None:
        for name, value in list(vars(layer).items()):
            if name in OWN or name.startswith("_") or isinstance(value, Layer | Tensor):
                continue
            location = AttributeLocation(layer, name)
            if location.key not in self._known:
                self._known[location.key] = location, _slot(location, self._hints)
            slot = self._known[location.key][1]
            full = f"{path}.{name}" if path else name
            if slot.is_final:
                self.finals.add(location.key)
            if slot.is_final or (self._is_soft and not slot.is_needed):
                self.constants[full] = location
            elif slot.type is not None:
                self.slots[full] = (location, slot.type)

    def enter(self, policy: ScriptPolicy) -> None:
        """Tell the rules of one staging; ScriptTypeError where an attribute holds what isn't of its type."""
        self._look()
        for name, (location, type_) in self.slots.items():
            location.restore(checked_attribute(general(type_), location.get(), name))
        policy.finals, policy.slots, policy.layers = self.finals, self.slots, self.layers

    def refuse_shared(self, program: Program) -> None:
        """ScriptError where a method changes a list or dict that two attributes share: as state, each has its own."""
        owners: dict[int, list[str]] = {}
        for name, (location, _) in self.slots.items():
            for container in {id(part): part for part in pytree.nodes(location.get()) if isinstance(part, list | dict | set)}:
                owners.setdefault(container, []).append(name)
        shared = [names for names in owners.values() if len(names) > 1]
        if not shared:
            return
        analysis = EffectAnalysis(program, OPERATORS)
        for op in program.walk():
            for k in OPERATORS[op.name].mutates if op.name in OPERATORS else ():
                written = {root[1] for root in analysis.memory_of(op.operands[k]) if root[0] == "state"}
                for names in shared:
                    if written & set(names):
                        raise script_error(
                            f"{' and '.join(names)} share a list or dict, and it is changed here, which a compiled layer "
                            "can't follow: keep it in one attribute, and read that",
                            op.loc,
                        )

    def soften(self) -> bool:
        """From now on, attributes that no method stores are constants; whether that is news."""
        before = len(self.slots)
        self._is_soft = True
        self._look()
        return len(self.slots) < before


class LayerAttribute(NamedTuple):
    """One attribute: its type, or None; whether it is Final; whether it is state though no number is stored in it."""

    type: Type | None
    is_final: bool
    is_needed: bool


def _slot(location: AttributeLocation, hints: Hints) -> LayerAttribute:
    """What the class says of an attribute, or else its value."""
    layer, name, value = location.owner, location.name, location.get()
    cls = type(layer)
    written = {**hints_of(cls), **vars(layer).get("_attribute_types", {})}
    methods = methods_of(cls)
    hint = evaluated(written[name], namespace_of(next(iter(methods.values()))) if methods else {}) if name in written else None
    constants = {constant for base in cls.__mro__ for constant in vars(base).get("__constants__", ())}
    if name in constants or hint is typing.Final or typing.get_origin(hint) is typing.Final:
        return LayerAttribute(None, True, False)
    try:
        type_ = hints.type_of(hint) if hint is not None else of_value(hints, value)
    except TypeError:
        type_ = None
    is_needed = name in stored_attributes(cls) or isinstance(value, list | dict) or hint is not None
    return LayerAttribute(None if type_ is None else default_types(type_), False, is_needed)


def stored_attributes(cls: type) -> set[str]:
    """The attributes that the methods of a class store outside `__init__`."""
    return {
        i.argval
        for name, method in methods_of(cls).items()
        if name != "__init__"
        for i in dis.get_instructions(method)
        if i.opname in ("STORE_ATTR", "DELETE_ATTR")
    }


def hints_of(cls: type) -> dict[str, Any]:
    """The hints of attributes in the bodies of a class and its bases."""
    found: dict[str, Any] = {}
    for base in reversed(cls.__mro__):
        if base.__module__.partition(".")[0] not in (PACKAGE, "builtins"):
            found.update(annotations_of(base))
    return found


def methods_of(cls: type) -> dict[str, types.FunctionType]:
    """The methods of a class and its bases that are no part of this package."""
    found: dict[str, types.FunctionType] = {}
    for base in reversed(cls.__mro__):
        if base.__module__.partition(".")[0] != PACKAGE:
            found.update({name: value for name, value in vars(base).items() if isinstance(value, types.FunctionType)})
    return {name: method for name, method in found.items() if not evaluates_annotations(method.__code__)}


def is_builtin(layer: Layer) -> bool:
    """Whether a layer is of a class of this package."""
    return type(layer).__module__.partition(".")[0] == PACKAGE
