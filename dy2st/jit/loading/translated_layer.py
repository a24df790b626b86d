"""TranslatedLayer: a loaded Program as a Layer. Needs neither the model's source nor anything that rewrites source."""

from __future__ import annotations

from copy import copy, deepcopy
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from ...errors import ConversionError
from ...ir.core import Program
from ...ir.visible import visible
from ...nn.hooks import has_hooks
from ...nn.layer import Layer
from ...nn.parameter import Parameter
from ...ops.families import FOR_GRADIENTS, HOMES
from ...runtime.engines import NUMPY, Engine
from ...runtime.tensors.spec import InputSpec, ValueSpec
from ...runtime.tensors.tensor import Tensor
from ...runtime.tensors.unique_names import generate
from ...runtime.where.tracebacks import leave_out_this_frame, leaving
from ...saving import Info
from ...viewer import HasPage, program_page
from ..interface.errors import ScriptTypeError
from ..interface.info_keys import CALLED, MODES, PROPERTIES, TIED
from ..interface.outputs import outputs_of
from ..interface.written_call import OTHER
from .held import HoldingLayer, LoadedPart, state_paths
from .saved_method import SavedMethod


def refuse_hooks(layer: Layer, info: Info) -> None:
    """ConversionError where a loaded model that is saved again has hooks of its own: the file has no place for them."""
    if has_hooks(layer):
        raise ConversionError(
            f"{info.name} is a loaded model with forward hooks of its own; make it a sublayer of another Layer, whose "
            "forward calls it, and save that"
        )


def _as_it_runs(program: Program) -> Program:
    """The Program where no gradient is asked for."""
    if not any(HOMES.get(op.name) in FOR_GRADIENTS for op in program.walk()):
        return program
    from ...passes.slopes import undifferentiated  # few models have such operators: loading is quick without

    return undifferentiated(program)


class TranslatedLayer(HoldingLayer, HasPage):
    """What `jit.load` gives. Its parameters and buffers have the names they had in the saved model's `state_dict`.

    Each instance owns its state; a call takes the tensors (or arrays) that the saved function took, in the same structure.
    It starts in the mode that it was saved in; `train()` and `eval()` switch to what the model does in the other one.

    program, info: what the file holds. nested: parameters lie in parts, as in the saved model, not flat. flat: methods take and
    give tensors as Paddle's do, one by one. engine: what runs the Program. A call gives what the saved function gave; TypeError
    or ValueError: tensors of other shapes or dtypes than the file says.
    """

    def __init__(self, program: Program, info: Info, nested: bool = True, flat: bool = False, engine: Engine = NUMPY):
        super().__init__()
        vars(self)["training"], vars(self)["_switched_to"] = info.training, None
        vars(self)["_program"], vars(self)["_info"] = program, info
        vars(self)["_engine"], vars(self)["_executable"] = engine, engine.compile_program(_as_it_runs(program))
        vars(self)["_tensors"], vars(self)["_places"] = {}, {}
        vars(self)["_state_paths"], vars(self)["_methods"] = state_paths(list(program.state)), {}
        self._belongs_to(self, "")
        for name, parameter in program.parameters.items():
            self._own(name, parameter, nested)
        for name, held in info.extra.get(TIED, {}).items():
            self._hold(name, self._tensors[held], program.parameters[held].kind, nested)
        vars(self)["_history"] = {}  # id of an array in the state -> the Tensor that knows what it was computed from
        vars(self)["_classes"] = {}
        vars(self)["_gradients"] = {}  # by the name of a Function
        vars(self)["_flat"] = flat
        vars(self)["_methods"] = {name: self._made_method(name) for name in info.inputs}
        properties = {name: partial(copy, value) for name, value in info.extra.get(PROPERTIES, {}).items()}
        own = {**properties, **self._methods}
        vars(self).update((name, method) for name, method in own.items() if not hasattr(self, name))  # a file replaces nothing
        vars(self)["_called"] = self._methods.get(self.called)

    def __repr__(self) -> str:
        from ...ir.summary import counts_text, signature_text

        program, entries = self._program, self._info.entries
        methods = [f"{visible(name)}{signature_text(program.functions[function])}" for name, function in entries.items()]
        return f"<TranslatedLayer {visible(self._info.name)}: {'; '.join(methods)}: {counts_text(program)}>"

    def _page(self) -> str:
        return program_page(self._program, self._info.name, self._info.entries)

    def _made_method(self, name: str) -> SavedMethod:
        if not self._flat:
            return SavedMethod(self, name)
        from .flat_method import FlatMethod  # which only such models need: others load quicker without

        return FlatMethod(self, name)

    def _own(self, name: str, parameter: Any, nested: bool) -> None:
        """Hold one stored array under its `state_dict` name: in a part, if `nested`, or flat.

        The tensor has a name of its own in this process: a file may be loaded twice.
        """
        data = self._executable.parameters[name]
        tensor = Parameter(data, trainable=parameter.trainable) if parameter.kind == "parameter" else Tensor(data)
        tensor.name = generate(name)
        self._tensors[name] = tensor
        self._hold(name, tensor, parameter.kind, nested)

    def _hold(self, name: str, tensor: Tensor, kind: str, nested: bool) -> None:
        part: HoldingLayer = self
        steps, key = (name.split(".")[:-1], name.split(".")[-1]) if nested else ([], name)
        for i, step in enumerate(steps):
            if step not in part._sub_layers:
                part._sub_layers[step] = LoadedPart("part")
                part._sub_layers[step]._belongs_to(self, ".".join(steps[: i + 1]))
            part = part._sub_layers[step]
        table = part._parameters if kind == "parameter" else part._buffers
        table[key], self._places[name] = tensor, (table, key)

    def _reads(self, path: str) -> bool:
        """Whether the Program reads the attribute: a parameter, a buffer, state, or a layer that has some."""
        known = (*self._places, *self._state_paths)
        return path in known or any(name.startswith(f"{path}.") for name in known)

    def _replace(self, name: str, value: Any) -> None:
        """Let the Program run on `value` in the place of the Parameter or buffer `name`, whose type it has.

        ScriptTypeError: another type. AttributeError: state, a layer, or a tensor that has two names.
        """
        title, tied = self._info.name, self._info.extra.get(TIED, {})
        if name not in self._places:
            state = f"{name} is state, which the methods of the loaded {title} change: save a method that sets it, too"
            layer = f"{name} is a layer of the loaded {title}, whose code is in the file: replace its parameters"
            raise AttributeError(state if name in self._state_paths else layer)
        for other in (tied.get(name), *(alias for alias, held in tied.items() if held == name)):
            if other is not None:
                raise AttributeError(f"{name} and {other} of the loaded {title} are one tensor: write into it")
        known, (table, key) = self._tensors[name], self._places[name]
        kind = Parameter if isinstance(known, Parameter) else Tensor
        if not isinstance(value, kind) or value.type != known.type:
            given = type(value).__name__ + (f" of type {value.type}" if isinstance(value, Tensor) else "")
            words = f"a {kind.__name__} of type {known.type}; a {given} can't take its place"
            raise ScriptTypeError(f"{name} of the loaded {title} is {words}")
        table[key] = self._tensors[name] = value
        Layer._epoch[0] += 1
        vars(self)["_gradients"] = {}  # which know the tensors, as the written calls do
        for method in self._methods.values():
            method.forget_calls()

    @property
    def has_state(self) -> bool:
        """Whether the methods read or write Python state."""
        return bool(self._program.state)

    @property
    def switched_to(self) -> bool | None:
        """The mode, training or not, that `train()` or `eval()` has put all parts in; None: they are in those of the file."""
        return vars(self)["_switched_to"]

    @property
    def follows_modes(self) -> bool:
        """Whether the model does something else in another mode."""
        return any(self._info.extra.get(key) for key in MODES)

    def _switch(self, training: bool) -> None:
        Layer._epoch[0] += 1
        vars(self)["training"] = vars(self)["_switched_to"] = training

    def _take_mode_of(self, other: TranslatedLayer) -> None:
        if other.switched_to is not None:
            self._set_training(other.switched_to)

    def __deepcopy__(self, memo: dict) -> TranslatedLayer:
        """A copy shares the operations and has its own parameters and state."""
        from .pickled import add, added

        program = self.current_program()
        parameters = {name: replace(p, data=np.array(p.data)) for name, p in program.parameters.items()}
        state = {name: replace(s) for name, s in program.state.items()}
        memo[id(self)] = copied = TranslatedLayer(
            replace(program, parameters=parameters, state=state), self._info, flat=self._flat, engine=self._engine
        )
        copied._take_mode_of(self)
        for name, tensor in self._tensors.items():
            copied._tensors[name].stop_gradient = tensor.stop_gradient
        add(copied, deepcopy(added(self), memo))
        return copied

    def __reduce__(self) -> Any:
        from .pickled import reduced  # which only other processes need

        return reduced(self)

    def __call__(self, *inputs: Any, **kwargs: Any) -> Any:
        own = self.__dict__
        method, hooked = own["_called"], own["_forward_pre_hooks"] or own["_forward_post_hooks"]
        try:
            if method is None or hooked or "forward" in own or type(self) is not TranslatedLayer:
                return super().__call__(*inputs, **kwargs)
            result = method.again.call(inputs, kwargs)
            return super().__call__(*inputs, **kwargs) if result is OTHER else result
        except Exception as error:
            if (other := leaving(error)) is not None:
                raise other
            raise

    def bind(self, /, *arrays: Any, out: Any, **named: Any) -> Any:
        """The model, bound to the arrays that each call reads and writes, for who calls it with one shape again and again.

        arrays, named: the arguments of a call, with NumPy arrays of the saved shapes and dtypes where tensors stand.
        out: an array of the dtype and shape of the result; where that is a tuple, list or dict, one of arrays, with None for a
            part that isn't wanted or is no tensor. An array may be an argument and `out`: the next call reads the result.

        Gives a callable without arguments. `run()` computes what a call of the model would, without gradients, of what the arrays
        hold then. It writes the result into `out`, which it returns. State of the model changes as by a call. Names, shapes and
        dtypes are checked here, once. Not thread-safe: threads bind arrays of their own, of a model that keeps no state.

            run = loaded.bind(x=x, out=out)  # x: an array float32[8, 16]; out: float32[8, 4]
            x[...] = batch; run()            # out holds the result for this batch

        TypeError: an argument is missing, unknown or no array; `out` isn't of the result's structure; the model changes a list.
        DTypeError, ShapeError: an array of another dtype or shape than the file says. ValueError: an array of `out` that is
        read-only, or shares memory with another one or with a parameter.
        """
        return self._method(None).bound(self, arrays, named, out)

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        """Run the saved `forward`, or the function that was saved."""
        try:
            return self._method(None)(*args, **kwargs)
        except Exception as error:
            leave_out_this_frame(error)
            raise

    @property
    def called(self) -> str:
        """The name of the method that a call runs: what the file or `load` says, `forward`, or the only one."""
        only = "forward" if "forward" in self._methods else next(iter(self._methods), "forward")
        return self._info.extra.get(CALLED, only)

    def _method(self, name: str | None) -> SavedMethod:
        """A method by its name, or what a call runs. ValueError: the file doesn't hold it."""
        name = name or self.called
        if name not in self._methods:
            raise ValueError(f"there is no method {name!r}; the file holds {', '.join(self._methods)}")
        return self._methods[name]

    def callee(self, rec: Any) -> Any:
        """The Program as one that the recording `rec` calls."""
        from ..interface.callee import Callee  # only a recording needs these: loading is quick without
        from ..interface.layer_names import tensor_tables
        from .state import LoadedState

        state = {name: LoadedState(self, name) for name in self._program.state}
        held = [(part, key) for part, _, key, _ in tensor_tables(self)]
        return Callee(self._info.name, self._program, self._tensors, state, self._classes, {}, held, rec.name_of(self))

    def moving(self) -> list[str]:
        """The buffers that the saved methods assign: they are state, and what the layer holds follows it."""
        return [name for name in self._program.state if name in self._buffers]

    def release(self) -> None:
        """Give back the memory of large temporaries that is kept between calls; the next call takes it anew."""
        self._executable.release()
        for gradients in self._gradients.values():
            gradients.release()

    def current_program(self) -> Program:
        """The Program with the values that its parameters and state hold now."""
        for name, tensor in self._tensors.items():
            self._program.parameters[name].data = tensor._data
        for name, state in self._program.state.items():
            state.value = self._tensors[name]._data if name in self._buffers else self._executable.state[name]
        return self._program

    def program(self, method_name: str | None = None) -> Program:
        """The Program of the method `method_name`, `forward` where None, in the mode of now.

        ValueError: no such method was saved.
        """
        return self._program.starting_at(self._method(method_name).function)

    @property
    def code(self) -> str:
        """What a call runs, as typed Python for people to read. ValueError: as of `input_spec`."""
        from ..scripting.code import code_of

        return code_of(self._program, self._method(None).function)

    @property
    def input_spec(self) -> list[InputSpec | ValueSpec]:
        """The specs of the inputs, in order; of a container that the model changes, its type.

        ValueError: the file has several methods, and none that a call runs.
        """
        return self._method(None).input_spec

    def _input_spec(self, method_name: str | None = None) -> list[InputSpec | ValueSpec]:
        """The specs of a method's inputs, in order. ValueError: no such method was saved."""
        return self._method(method_name).input_spec

    def _output_spec(self, method_name: str | None = None) -> list[InputSpec]:
        """The specs of the tensors in a method's result, in order. ValueError: no such method was saved."""
        outputs = outputs_of(self._program.functions[self._method(method_name).function])
        return [InputSpec(output.shape, output.dtype) for output in outputs]

    @property
    def info(self) -> Info:
        """What the file says of itself: names, modes, versions."""
        return self._info
