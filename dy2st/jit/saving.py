"""`jit.save`: a Program as three files, or as one archive."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..errors import ConversionError
from ..ir.core import Operation
from ..ir.effects import EffectAnalysis
from ..ir.join import children
from ..ir.types import AtomType, ClassType, Type
from ..nn.layer import Layer
from ..ops.registry import OPERATORS
from ..runtime.library import FACTORIES, NAMED
from ..runtime.tracebacks import shows_users_frames
from ..saving import write_files
from .concrete import ConcreteProgram
from .conversion import to_static
from .forms import forms_of
from .hooked import HookedForward
from .loaded_script import LoadedFunction
from .loading import check_path
from .save_hooks import run_save_pre_hooks
from .saved_methods import contents, static_methods
from .script_archive import save_script
from .script_function import ScriptFunction
from .script_module import ScriptModule
from .static_function import StaticFunction, enabled
from .translated_layer import TranslatedLayer


@shows_users_frames
def save(layer: Any, path: Any, input_spec: Any = None, _extra_files: dict | None = None, **configs: Any) -> None:
    """Save a Layer or a static function so that it runs in another process, without its source.

    layer: a Layer (its `forward` is saved, and the methods that to_static was given), a StaticFunction, or a plain function.
    path: a prefix for `<path>.model.json`, `<path>.params.safetensors`, `<path>.info.json`; or a path that ends in `.dy2st` or a
        binary file object, for one archive. What `script` or `trace` gave is one archive, at exactly this path.
    input_spec: as for `to_static`, where that wasn't given any.
    _extra_files: name -> text or bytes, kept in the archive of what `script` or `trace` gave.
    """
    run_save_pre_hooks(layer, input_spec, configs)
    if configs:
        raise ValueError(f"jit.save knows no option {', '.join(configs)}")
    check_path(path)
    if not enabled():
        raise RuntimeError("jit.save needs staging, which enable_to_static(False) turned off")
    if isinstance(layer, ScriptModule | ScriptFunction | LoadedFunction):
        save_script(layer, path, _extra_files)
        return
    if isinstance(layer, TranslatedLayer):
        write_files(path, layer.current_program(), layer.info)
        return
    methods, name = _methods(layer, input_spec)
    now, others = forms_of(methods)
    for form in now.values():
        _refuse_overlaps(form.program)
        _refuse_nameless(form.program)
        _refuse_hopeless(form.program.program)
    write_files(path, *contents(now, others, name))


def _methods(layer: Any, input_spec: Any) -> tuple[dict[str, StaticFunction], str]:
    """The static functions that are saved, by method, and what the model is called."""
    if isinstance(layer, Layer):
        others = static_methods(layer)
        if others and input_spec is not None:
            raise ValueError(
                f"input_spec is that of forward alone, but {', '.join(others)} would be saved as well: "
                "give each to_static its own"
            )
        forward = _static_function(vars(layer).get("forward", layer.forward), input_spec)
        return {"forward": HookedForward(forward) if HookedForward.is_needed(layer) else forward, **others}, type(layer).__name__
    if not (isinstance(layer, StaticFunction) or callable(layer) and not isinstance(layer, type)):
        raise TypeError(f"jit.save takes a Layer, a StaticFunction or a function, not {type(layer).__name__}")
    function = _static_function(layer, input_spec)
    return {function.dygraph_function.__name__: function}, getattr(layer, "__name__", "function")


def _static_function(forward: Any, input_spec: Any) -> StaticFunction:
    function = forward if isinstance(forward, StaticFunction) else to_static(forward, input_spec=input_spec)
    if input_spec is not None and function is forward:
        if function._input_spec is not None and list(function._input_spec) != list(input_spec):
            raise ValueError(
                f"input_spec {list(input_spec)} is in conflict with to_static's {list(function._input_spec)}; give it once"
            )
        function = to_static(forward, input_spec=input_spec)
    return function


def _refuse_hopeless(program: Any) -> None:
    """A function that raises whatever its inputs are is no model to ship."""
    end = program.entry.block.terminator
    if end is not None and end.name == "raise" and not _comes_after_raises(end):
        before = _before(end)
        if before is not None and before.name == "call" and not before.results:
            raise ConversionError(
                f"{end.loc}: {before.attrs['function']} raises or calls itself again whatever it is given; there is nothing to "
                "save: return from it under a condition"
            )
        name = end.attrs["exception"]
        raise ConversionError(f"{end.loc}: every call of this function raises {name} here; there is nothing to save")


def _comes_after_raises(end: Operation) -> bool:
    """Whether a raise at the end of a Block is never reached, since every branch of the `if` before it raises."""
    before = _before(end)
    return before is not None and before.name == "if" and not before.results


def _before(end: Operation) -> Operation | None:
    return end.parent.ops[-2] if end.parent is not None and len(end.parent.ops) > 1 else None


def _refuse_nameless(concrete: ConcreteProgram) -> None:
    """A result that is one of several Python objects can be given back by this process, and by no other."""
    end = concrete.program.entry.block.terminator
    assert end is not None
    pending = list(concrete.outputs)
    while pending:
        type_ = pending.pop()
        pending.extend(part for part in children(type_) if not _is_factory(type_, part))
        if isinstance(type_, AtomType):
            raise ConversionError(
                f"{end.loc}: the result may be the Python object {type_.text}, which a file can't hold; "
                "return its fields, or make a new object on each path"
            )


def _is_factory(owner: Type, part: Type) -> bool:
    """Whether a part of a result is what makes a defaultdict's values, and one of Python's own: any process knows it by name."""
    return isinstance(owner, ClassType) and owner.name in NAMED and isinstance(part, AtomType) and part.text in FACTORIES


def _refuse_overlaps(concrete: ConcreteProgram) -> None:
    """Tensors that share part of their memory would be apart in the file: wrong as soon as one of them is written."""
    arrays = [(name, t._data) for name, t in concrete.tensors.items()]
    written = None
    for i, (name, array) in enumerate(arrays):
        for other, second in arrays[:i]:
            if np.may_share_memory(array, second) and np.shares_memory(array, second):
                written = written if written is not None else _written(concrete.program)
                if name in written or other in written:
                    raise ConversionError(
                        f"the tensors {other!r} and {name!r} share memory and the model writes into it; a "
                        f"saved model would keep them apart: "
                        "keep one of them on the model and take the other as a view of it in forward"
                    )


def _written(program: Any) -> set[str]:
    """The names of the parameters that a Program writes in place."""
    analysis = EffectAnalysis(program, OPERATORS)
    found: set[str] = set()
    for op in program.walk():
        if op.name in OPERATORS:
            for index in OPERATORS[op.name].mutates:
                found.update(root[1] for root in analysis.memory_of(op.operands[index]) if root[0] == "param")
    return found

