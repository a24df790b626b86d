"""A compiled function or layer as one archive: its Programs linked into one, and what its inputs are called and are."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np

from ..config import VERSION
from ..errors import ConversionError
from ..ir.core import Parameter, Program, State
from ..ir.join import is_subtype
from ..runtime.natives import Mirror
from ..runtime.tensor import Tensor
from ..saving import Info
from ..saving.model_json import program_from_json, program_to_json
from .compiled_module import CompiledModule, ScriptMethod
from .concrete import settled
from .python_calls import refuse_python_calls
from .script_files import write_script
from .script_function import ScriptFunction
from .script_module import ScriptModule
from .script_program import ScriptProgram
from .script_types import default_types

KIND = "script"


def save_script(made: Any, f: Any, extra_files: dict | None = None) -> None:
    """Write a ScriptFunction or ScriptModule to exactly this path, or to a file object with `write` and `flush`."""
    write_script(f, made.contents() if hasattr(made, "contents") else _compiled_contents(made), extra_files)


def _compiled_contents(made: Any) -> tuple[Program, Info]:
    methods = made._methods if isinstance(made, CompiledModule) else {made.__name__: made}
    linker = Linker()
    table = {name: _method(linker, name, method) for name, method in methods.items()}
    is_module = isinstance(made, ScriptModule)
    training = made.training if is_module else False
    name = made.original_name if is_module else made.__name__
    attributes = linker.attributes(made) if is_module else []
    entries = {v["function"]: v["function"] for method in table.values() for v in method["variants"]}
    constants = _constants(made) if is_module else {}
    extra = {KIND: {"methods": table, "is_module": is_module, "attributes": attributes, "constants": constants}}
    return linker.program, Info(entries=entries, training=training, name=name, versions={"dy2st": VERSION}, extra=extra)


def _method(linker: Linker, name: str, method: ScriptFunction) -> dict[str, Any]:
    """A method's parameters, and its Programs: by the dtypes of its Tensors, and by whether the layer is in training."""
    if not method._programs:
        method.program  # noqa: B018 - says what is missing
    texts: dict[str, str] = {}
    variants = []
    for number, (dtypes, training, program) in enumerate(_variants(method)):
        refuse_python_calls(program.program)
        text = program_to_json(settled(program))
        if text not in texts:
            texts[text] = linker.add(name if number == 0 else f"{name}.{number}", program)
        variants.append({"function": texts[text], "dtypes": list(dtypes), "training": training})
    parameters = [
        {"name": p.name, "type": str(default_types(p.type)), **_default(p.default)} for p in method.signature.parameters
    ]
    return {"parameters": parameters, "variants": variants}


def _variants(method: ScriptFunction) -> list[tuple[tuple[str, ...], bool | None, ScriptProgram]]:
    """Of a layer's method: as its parts are now (None), all of them in training, and none of them."""
    all_dtypes = list(dict.fromkeys(dtypes for dtypes, _ in method._programs))
    found: list[tuple[tuple[str, ...], bool | None, ScriptProgram]]
    found = [(dtypes, None, method.program_for(dtypes)) for dtypes in all_dtypes]
    if not isinstance(method, ScriptMethod):
        return found
    layers = method._owner.sublayers(include_self=True)
    before = [layer.training for layer in layers]
    try:
        for mode in (True, False):
            for layer in layers:
                layer.training = mode
            found += [(dtypes, mode, method.program_for(dtypes)) for dtypes in all_dtypes]
    finally:
        for layer, training in zip(layers, before):
            layer.training = training
    return found


def _constants(module: CompiledModule) -> dict[str, Any]:
    """The attributes that are constants of the Programs, where JSON can hold them."""
    found: dict[str, Any] = {}
    for method in module._methods.values():
        if isinstance(method, ScriptMethod):
            found.update({name: loc.get() for name, loc in method._attributes.constants.items() if _default(loc.get())})
    return found


def _default(value: Any) -> dict[str, Any]:
    """The default value of a parameter, where JSON can hold it."""
    plain = type(value) in (bool, int, str, type(None)) or (type(value) is float and math.isfinite(value))
    return {"default": value} if plain else {}


class Linker:
    """Puts Programs together: each one's Functions under names of their own, their parameters and state shared."""

    def __init__(self) -> None:
        self.program = Program()
        self._tensors: dict[str, Tensor] = {}

    def add(self, name: str, concrete: ScriptProgram) -> str:
        """Add one; the name of its entry Function."""
        original = settled(concrete)
        program = program_from_json(program_to_json(original).encode())
        entry = program.entry.name
        functions = {old: name if old == entry else f"{name}.{old}" for old in program.functions}
        parameters = {old: self._parameter(old, original.parameters[old], concrete.tensors[old]) for old in program.parameters}
        for op in program.walk():
            if op.name == "call":
                op.attrs["function"] = functions[op.attrs["function"]]
            elif op.name == "param":
                op.attrs["name"] = parameters[op.attrs["name"]]
        for old, function in program.functions.items():
            function.name = functions[old]
            self.program.functions[function.name] = function
        for slot, state in original.state.items():
            self._add_state(slot, state)
        return name

    def _parameter(self, name: str, parameter: Any, tensor: Tensor) -> str:
        made, n = name, 0
        while made in self._tensors and self._tensors[made]._data is not tensor._data:
            n += 1
            made = f"{name}_{n}"
        self._tensors[made] = tensor
        self.program.parameters[made] = parameter
        return made

    def _add_state(self, name: str, state: Any) -> None:
        known = self.program.state.get(name)
        if known is None or is_subtype(known.type, state.type):
            self.program.state[name] = replace(state)
        elif not is_subtype(state.type, known.type):
            types = f"{known.type} in one method and {state.type} in another"
            raise ConversionError(f"{name} is {types}; give it a hint in the class")

    def attributes(self, module: Any) -> list[str]:
        """The names of all attributes; tensors and attributes that no Program reads are saved as well."""
        for name, tensor in (*module.named_parameters(), *module.named_buffers()):
            if name not in self._tensors:
                kind = "buffer" if tensor.stop_gradient else "parameter"
                self._tensors[name] = tensor
                self.program.parameters[name] = Parameter(tensor.type, np.asarray(tensor._data), kind, not tensor.stop_gradient)
        for method in module._methods.values():
            if isinstance(method, ScriptMethod):
                mirror = Mirror(dict(method._hints.classes), {})
                for name, (location, type_) in method._attributes.slots.items():
                    if name not in self.program.state:
                        self.program.state[name] = State(type_, mirror.to_native(location.get()))
        return sorted(self.program.state)
