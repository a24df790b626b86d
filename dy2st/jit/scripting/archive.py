"""A compiled function or layer as one archive: its Programs linked into one, and what its inputs are called and are."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...config import VERSION
from ...ir.core import Parameter, Program, State
from ...runtime.heap.natives import Mirror
from ...saving import Info
from ...saving.attributes import encode
from ...saving.model_json import program_to_json
from ..interface.archive_file import write_script
from ..interface.script_module import ScriptModule
from ..static.concrete import settled
from ..static.linking import Linker
from .compiled_module import CompiledModule, ScriptMethod
from .function import ScriptFunction
from .hints import default_types
from .program import ScriptProgram
from .python_calls import refuse_python_calls

KIND = "script"


def save_script(made: Any, f: Any, extra_files: dict | None = None, weights: str | None = None) -> None:
    """Write a ScriptFunction or ScriptModule to exactly this path, or to a file object with `write` and `flush`."""
    write_script(f, made.contents() if hasattr(made, "contents") else _compiled_contents(made), extra_files, weights)


def _compiled_contents(made: Any) -> tuple[Program, Info]:
    methods = made._methods if isinstance(made, CompiledModule) else {made.__name__: made}
    linker = Linker()
    table = {name: _method(linker, name, method) for name, method in methods.items()}
    is_module = isinstance(made, ScriptModule)
    training = made.training if is_module else False
    name = made.original_name if is_module else made.__name__
    attributes = _attributes(linker, made) if is_module else []
    entries = {v["function"]: v["function"] for method in table.values() for v in method["variants"]}
    constants = _constants(made) if is_module else {}
    extra = {KIND: {"methods": table, "is_module": is_module, "attributes": attributes, "constants": constants}}
    return linker.program, Info(entries=entries, training=training, name=name, versions={"dy2st": VERSION}, extra=extra)


def _method(linker: Linker, name: str, method: ScriptFunction) -> dict[str, Any]:
    """A method's parameters, and its Programs: by the dtypes of its Tensors, and by whether the layer is in training."""
    if not method._programs:
        method.program  # noqa: B018 - says what is missing
    method.widen()
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
            held = {name: location.get() for name, location in method._attributes.constants.items()}
            found.update({name: encode(value) for name, value in held.items() if _can_be_written(value)})
    return found


def _default(value: Any) -> dict[str, Any]:
    """The default value of a parameter, where JSON can hold it."""
    return {"default": encode(value)} if _can_be_written(value) else {}


def _can_be_written(value: Any) -> bool:
    """Whether a value consists of numbers, texts and None."""
    if isinstance(value, dict):
        return all(isinstance(key, str) and _can_be_written(part) for key, part in value.items())
    if type(value) in (list, tuple):
        return all(map(_can_be_written, value))
    return type(value) in (bool, int, float, str, type(None))


def _attributes(linker: Linker, module: Any) -> list[str]:
    """The names of all attributes; tensors and attributes that no Program reads are saved as well."""
    program = linker.program
    for name, tensor in (*module.named_parameters(), *module.named_buffers()):
        if name not in linker.tensors:
            kind = "buffer" if tensor.stop_gradient else "parameter"
            linker.tensors[name] = tensor
            program.parameters[name] = Parameter(tensor.type, np.asarray(tensor._data), kind, not tensor.stop_gradient)
    for method in module._methods.values():
        if isinstance(method, ScriptMethod):
            mirror = Mirror(dict(method._hints.classes), {})
            for name, (location, type_) in method._attributes.slots.items():
                if name not in program.state:
                    program.state[name] = State(type_, mirror.to_native(location.get()))
    return sorted(program.state)
