"""What an archive holds of a compiled function or layer: its Programs linked into one, and what its inputs are called and are."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np

from ... import pytree
from ...config import VERSION
from ...ir.core import Parameter, Program, State
from ...ir.types import ClassType
from ...nn.layer import Layer
from ...runtime.heap.natives import Mirror
from ...saving import Info
from ...saving.attributes import encode
from ...saving.model_json import program_to_json
from ..interface.errors import script_error
from ..interface.info_keys import SCRIPT, TIED
from ..interface.layer_names import tied_names
from ..static.concrete import settled
from ..static.linking import Linker
from ..static.nameless import refuse_nameless
from ..static.overlaps import refuse_overlaps
from .dtypes import default_types
from .layer_attributes import Attributes
from .program import ScriptProgram
from .python_calls import refuse_python_calls
from .signature import Signature, TypedParameter

_WRITABLE = {bool, int, float, str, type(None), list, tuple, dict}


class Variant(NamedTuple):
    """A Program of a method: for Tensors of these dtypes, and for a layer in training, out of it, or as it is now (None)."""

    dtypes: tuple[str, ...]
    training: bool | None
    program: ScriptProgram


class Archive:
    """Takes the methods of one function or layer, and what the layer holds, and gives the Program and the Info of a file."""

    def __init__(self) -> None:
        self._linker = Linker()
        self._methods: dict[str, dict[str, Any]] = {}
        self._attributes: list[str] = []
        self._constants: dict[str, Any] = {}
        self._tied: dict[str, str] = {}

    def add_method(self, name: str, signature: Signature, variants: Iterable[Variant]) -> None:
        """Add the Programs of a method; of those that are alike, one. ScriptError for a Program that calls Python."""
        texts: dict[str, str] = {}
        entries = []
        for number, (dtypes, training, program) in enumerate(variants):
            refuse_python_calls(program.program)
            refuse_nameless(program)
            text = program_to_json(settled(program))
            if text not in texts:
                texts[text] = self._linker.add(name if number == 0 else f"{name}.{number}", program)
            entries.append({"function": texts[text], "dtypes": list(dtypes), "training": training})
        parameters = [_described(p, signature) for p in signature.parameters]
        self._methods[name] = {"parameters": parameters, "variants": entries}

    def add_layer(self, layer: Layer, attributes: Iterable[tuple[Attributes, dict[str, type]]]) -> None:
        """Add what a layer holds, whether a Program reads it or not: its tensors, and its attributes with the classes in them."""
        self._add_tensors(layer)
        self._tied = tied_names(layer, self._linker.program)
        for held, classes in attributes:
            self._add_state(held, classes)
            constants = {name: location.get() for name, location in held.constants.items()}
            self._constants.update({name: encode(value) for name, value in constants.items() if _can_be_written(value)})
        self._attributes = sorted(self._linker.program.state)

    def contents(self, name: str, is_module: bool, training: bool) -> tuple[Program, Info]:
        """The Program and the Info of a file, which is called `name`. ConversionError: tensors share memory that it writes."""
        refuse_overlaps(self._linker.program, self._linker.tensors)
        entries = {v["function"]: v["function"] for method in self._methods.values() for v in method["variants"]}
        script = {
            "methods": self._methods,
            "is_module": is_module,
            "attributes": self._attributes,
            "constants": self._constants,
        }
        info = Info(entries=entries, training=training, name=name, versions={"dy2st": VERSION}, extra={SCRIPT: script})
        if self._tied:
            info.extra[TIED] = self._tied
        return self._linker.program, info

    def _add_tensors(self, layer: Layer) -> None:
        linker = self._linker
        for name, tensor in (*layer.named_parameters(), *layer.named_buffers()):
            if name not in linker.tensors:
                kind = "buffer" if tensor.stop_gradient else "parameter"
                linker.tensors[name] = tensor
                data = np.asarray(tensor._data)
                linker.program.parameters[name] = Parameter(tensor.type, data, kind, not tensor.stop_gradient)

    def _add_state(self, held: Attributes, classes: dict[str, type]) -> None:
        state, mirror = self._linker.program.state, Mirror(dict(classes), {})
        for name, (location, type_) in held.slots.items():
            if name not in state:
                state[name] = State(type_, mirror.to_native(location.get()))


def _described(parameter: TypedParameter, signature: Signature) -> dict[str, Any]:
    """A parameter, with its default value, where JSON can hold it. ScriptError: it takes an object."""
    if parameter.type.holds(ClassType):
        raise script_error(
            f"the argument {parameter.name} of {signature.name} is or holds an object of a class, which the process that loads "
            "the file doesn't know: pass its fields",
            signature.loc,
        )
    default = {"default": encode(parameter.default)} if _can_be_written(parameter.default) else {}
    by_keyword = {"by_keyword": True} if parameter.by_keyword else {}
    return {"name": parameter.name, "type": str(default_types(parameter.type)), **default, **by_keyword}


def _can_be_written(value: Any) -> bool:
    """Whether a value consists of numbers, texts and None, and lists, tuples and dicts by name of them."""
    nodes = list(pytree.nodes(value))
    keys = [key for node in nodes if type(node) is dict for key in node]
    return _WRITABLE.issuperset(map(type, nodes)) and {str}.issuperset(map(type, keys))
