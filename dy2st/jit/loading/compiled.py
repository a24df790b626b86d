"""What `script` and `trace` have saved, loaded: it needs neither the source nor what reads source."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...errors import ConversionError
from ...ir.core import Program
from ...ir.native import SHARED
from ...ir.types import parse_type
from ...nn.layer import Layer
from ...ops import dispatch
from ...runtime.engine.honest import honest
from ...runtime.engines import Engine
from ...runtime.heap.natives import Mirror, Revival, revive_error
from ...runtime.staging_lock import STAGING
from ...runtime.taped import TapedMirror
from ...runtime.tensors.borrowed import own_arguments
from ...runtime.tensors.call_hook import restart_staged
from ...runtime.tensors.grad_mode import is_grad_enabled
from ...runtime.tensors.spec import tensors
from ...runtime.tensors.tensor import Tensor
from ...saving import Info
from ...saving.attributes import decode
from ..interface.archive_file import write_script
from ..interface.errors import ScriptTypeError
from ..interface.gradients import Gradients, bring
from ..interface.info_keys import SCRIPT
from ..interface.named_arguments import bind
from ..interface.script_module import ScriptModule
from ..scripting.code import code_of
from ..scripting.dtypes import general, given_dtypes, of_any_rank, staged_dtypes
from ..scripting.graph import Graph
from ..scripting.values import checked, checked_attribute
from .state import LoadedState
from .translated_layer import TranslatedLayer, refuse_hooks


class LoadedMethod:
    """A saved function: its Programs by the dtypes of the Tensors, and by whether the layer is in training."""

    def __init__(self, owner: TranslatedLayer, name: str, saved: dict[str, Any]):
        self.owner, self.name = owner, name
        self.parameters = [(p["name"], general(parse_type(p["type"])), p) for p in saved["parameters"]]
        where = f"the default values of {name}"
        self.defaults = {p["name"]: decode(p["default"], where) for p in saved["parameters"] if "default" in p}
        self.by_keyword = [p["name"] for p in saved["parameters"] if p.get("by_keyword")]
        self.variants = saved["variants"]

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        args, kwargs = own_arguments(args, kwargs)
        mode = dispatch.current_mode()
        if mode.tracer is not None:
            return mode.tracer.called(self, args, kwargs)
        bound = bind(self.name, [name for name, _, _ in self.parameters], self.by_keyword, self.defaults, args, kwargs)
        if mode.rec is not None:
            return self._recorded(mode.rec, bound)
        restart_staged()
        values: list[Any] = []
        dtypes: list[str] = []
        for name, type_, _ in self.parameters:
            value = checked(type_, bound[name], name)
            values.append(value)
            dtypes += given_dtypes(type_, value, name)
        if not self.owner.has_state:
            return self._run(self._function(dtypes), values)
        with STAGING.stateful_call(self.owner):
            return self._run(self._function(dtypes), values)

    def _function(self, dtypes: list[str]) -> str:
        """The Function for these dtypes; the one that was compiled in this mode, if the mode has changed since saving."""
        owner = self.owner
        mode = owner.switched_to
        plain = list(of_any_rank(tuple(dtypes)))
        for wanted in (mode, None):
            for variant in self.variants:
                if variant["dtypes"] in (dtypes, plain) and variant["training"] == wanted:
                    return variant["function"]
        known = " or ".join("(" + ", ".join(v["dtypes"]) + ")" for v in self.variants if v["training"] is None)
        raise ScriptTypeError(
            f"{self.name} was saved for Tensors of {known}, not of ({', '.join(dtypes)}): cast them, or call it once with such "
            "Tensors before it is saved"
        )

    def _recorded(self, rec: Any, bound: dict[str, Any]) -> Any:
        """A call in a recording: the saved Function becomes part of it."""
        dtypes = [k for name, type_, _ in self.parameters for k in staged_dtypes(type_, rec.type_of(bound[name]))]
        return self.owner.callee(rec).call(rec, self._function(dtypes), list(bound.values()))

    def _gradients_of(self, function: str) -> Gradients:
        """How gradients flow through a Function, made when it is first called: a file may name very many."""
        known, owner = self.owner._gradients, self.owner
        found = known.get(function)
        if found is None:
            found = known.setdefault(function, Gradients(owner._program, function, owner._tensors, engine=owner._engine))
        return found

    def _run(self, function: str, values: list) -> Any:
        owner = self.owner
        on_tape = is_grad_enabled() and any(not t.stop_gradient for t in (*owner._tensors.values(), *tensors(values)))
        mirror = (TapedMirror if on_tape else Mirror)(owner._classes, {})
        natives = [mirror.to_native(x) for x in values]
        gradients, moving = self._gradients_of(function), owner.moving()
        owner._executable.state.update({name: mirror.to_native(owner._buffers[name]) for name in moving})
        revived = Revival(owner._classes, Tensor, mirror)
        try:
            if on_tape:
                state = owner._executable.state
                result = gradients.run_on_tape(natives, owner._tensors, state)
            else:
                bring(owner._tensors, owner._executable)
                result = owner._executable.run(function, *natives)
        except Exception as error:
            revive_error(error, Revival(owner._classes))
            better = honest(error, owner._program)
            if better is error:
                raise
            raise better from error
        finally:
            if not on_tape:  # which counts by itself
                gradients.effects.note_writes(values)
            for name in moving:
                left = owner._executable.state[name]
                if left is not owner._buffers[name] and left is not owner._buffers[name]._data:
                    title = owner._buffers[name].name
                    owner._buffers[name] = owner._tensors[name] = left if isinstance(left, Tensor) else Tensor(left, name=title)
            for native in natives:
                if isinstance(native, SHARED) and not isinstance(native, np.ndarray):
                    revived(native)
        return revived(result)

    @property
    def code(self) -> str:
        return code_of(self.owner.current_program(), self._first)

    @property
    def graph(self) -> Graph:
        return Graph(self.owner.current_program(), self._first)

    @property
    def _first(self) -> str:
        return self.variants[0]["function"]


class _Pickled:
    """What is pickled, and copied, as the Program and arrays that it holds."""

    def __reduce__(self) -> Any:
        from .pickled import reduced  # which only other processes need

        return reduced(self)

    def __deepcopy__(self, memo: dict) -> Any:
        from .pickled import copied

        return copied(self, memo)


class LoadedFunction(_Pickled):
    """A saved function that belongs to no layer."""

    def __init__(self, method: LoadedMethod):
        self._method = method
        self.__name__ = method.name

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self._method(*args, **kwargs)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.__name__}>"

    @property
    def code(self) -> str:
        return self._method.code

    @property
    def graph(self) -> Graph:
        return self._method.graph

    def release(self) -> None:
        """Give back the memory of large temporaries that is kept between calls; the next call takes it anew."""
        self._method.owner.release()

    def _contents(self) -> tuple[Program, Info]:
        """What is saved again."""
        return self._method.owner.current_program(), self._method.owner.info

    def save(self, f: Any, _extra_files: dict | None = None) -> None:
        """Write one archive, to a path or a binary file object."""
        write_script(f, self._contents(), _extra_files)


class LoadedModule(_Pickled, ScriptModule):
    """A saved layer: its parameters, attributes and methods, each instance with its own."""

    def __init__(self, owner: TranslatedLayer, methods: dict[str, LoadedMethod], attributes: list[str],
                 constants: dict[str, Any]):  # fmt: skip
        super().__init__()
        vars(self).update(_parameters=owner._parameters, _buffers=owner._buffers, _shadow=owner, _methods=methods)
        vars(self).update(_attributes=attributes, _constants=constants, training=owner.training)

    @property
    def _holder(self) -> Layer:
        return self._shadow

    @property
    def original_name(self) -> str:
        return self._shadow.info.name

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        if "forward" not in self._methods:
            methods = ", ".join(self._methods) or "no method"
            raise TypeError(f"the loaded {self.original_name} has no forward to call; it has {methods}")
        return self._methods["forward"](*args, **kwargs)

    def _set_training(self, value: bool) -> Layer:
        Layer._epoch[0] += 1
        vars(self)["training"] = value
        self._shadow._set_training(value)
        return self

    def __getattr__(self, name: str) -> Any:
        methods = vars(self).get("_methods", {})
        if name in methods:
            return methods[name]
        if name in vars(self).get("_attributes", ()):
            rec = dispatch.current_mode().rec
            if rec is not None:
                return self._shadow.callee(rec).read(rec, name)
            return LoadedState(self._shadow, name).get()
        if name in vars(self).get("_constants", ()):
            return self._constants[name]
        tables = ("_attributes", "_constants", "_parameters", "_buffers")
        if any(path.startswith(f"{name}.") for table in tables for path in vars(self).get(table, ())):
            return _Part(self, name)
        return super().__getattr__(name)

    def __setattr__(self, name: str, value: Any) -> None:
        if "_shadow" not in vars(self):
            super().__setattr__(name, value)
        elif name == "training":
            self._set_training(value)
        elif name in self._attributes and name not in self._shadow._places:
            self._store(name, value)
        elif self._shadow._reads(name):
            self._shadow._replace(name, value)
        elif name in self._constants:
            raise AttributeError(f"{name} is a constant of the loaded {self.original_name}: change it before it is saved")
        else:
            super().__setattr__(name, value)

    def __delattr__(self, name: str) -> None:
        if self._shadow._reads(name) or name in (*self._attributes, *self._constants):
            raise AttributeError(f"the loaded {self.original_name} needs {name}, which can't be deleted")
        super().__delattr__(name)

    def _store(self, name: str, value: Any) -> None:
        """Set an attribute, of the type that it was saved with."""
        if dispatch.current_mode().rec is not None:
            raise ConversionError(f"{name} of the loaded {self.original_name} is set in compiled code: only its own methods can")
        type_ = self._shadow._program.state[name].type
        native = Mirror(self._shadow._classes, {}).to_native(checked_attribute(general(type_), value, name))
        self._shadow._executable.state[name] = native

    def release(self) -> None:
        """Give back the memory of large temporaries that is kept between calls; the next call takes it anew."""
        self._shadow.release()

    def _contents(self) -> tuple[Program, Info]:
        """What is saved again: the values of now, and the mode. ConversionError: hooks, which the file has no place for."""
        refuse_hooks(self, self._shadow.info)
        return self._shadow.current_program(), self._shadow.info


class _Part:
    """A layer inside a loaded one: what it holds, by its path."""

    def __init__(self, module: LoadedModule, path: str):
        vars(self).update(_module=module, _path=path)

    def __setattr__(self, name: str, value: Any) -> None:
        setattr(self._module, f"{self._path}.{name}", value)

    def __delattr__(self, name: str) -> None:
        delattr(self._module, f"{self._path}.{name}")

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        raise TypeError(
            f"{self._path} is a part of a loaded {self._module.original_name}: the file holds the compiled methods of the layer "
            f"that was saved; before saving, @export a method of it that calls self.{self._path}"
        )

    def __getattr__(self, name: str) -> Any:
        return getattr(self._module, f"{self._path}.{name}")


def loaded(program: Program, info: Info, engine: Engine) -> Any:
    """The module or function of an archive."""
    owner = TranslatedLayer(program, info, nested=False, engine=engine)
    saved = info.extra[SCRIPT]
    methods = {name: LoadedMethod(owner, name, method) for name, method in saved["methods"].items()}
    if not saved["is_module"]:
        return LoadedFunction(next(iter(methods.values())))
    return LoadedModule(owner, methods, list(saved["attributes"]), _constants(saved["constants"]))


def _constants(saved: dict[str, Any]) -> dict[str, Any]:
    return {name: decode(value, f"the constant {name}") for name, value in saved.items()}

