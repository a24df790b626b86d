"""TranslatedLayer: a loaded Program as a Layer. Needs neither the model's source nor anything that rewrites source."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from ..errors import ConversionError
from ..ir.core import Program
from ..ir.native import with_leaves
from ..nn.layer import Layer
from ..nn.parameter import Parameter
from ..ops import dispatch
from ..runtime.engine import compile_program
from ..runtime.natives import Revival, revive_error
from ..runtime.spec import InputSpec
from ..runtime.tensor import Tensor
from ..saving import Info
from . import argument_tree
from .gradients import Gradients, bring
from .result_leaves import arrays


class TranslatedLayer(Layer):
    """What `jit.load` gives. Its parameters and buffers have the names they had in the saved model's `state_dict`.

    Each instance owns its state; a call takes the tensors (or arrays) that the saved function took, in the same structure.
    """

    def __init__(self, program: Program, info: Info):
        super().__init__()
        self.training = info.training
        vars(self)["_program"], vars(self)["_info"] = program, info
        vars(self)["_executable"] = compile_program(program)
        vars(self)["_tensors"] = {}
        for name, parameter in program.parameters.items():
            self._own(name, parameter)
        vars(self)["_history"] = {}  # id of an array in the state -> the Tensor that knows what it was computed from
        vars(self)["_gradients"] = {name: Gradients(program, name, self._tensors) for name in info.entries.values()}
        self._method = next(iter(info.entries))

    def _own(self, name: str, parameter: Any) -> None:
        """Hold one stored array under its `state_dict` name."""
        data = self._executable.parameters[name]
        tensor = (
            Parameter(data, trainable=parameter.trainable, name=name)
            if parameter.kind == "parameter"
            else Tensor(data, name=name)
        )
        (self._parameters if parameter.kind == "parameter" else self._buffers)[name] = tensor
        self._tensors[name] = tensor

    def __deepcopy__(self, memo: dict) -> TranslatedLayer:
        """A copy shares the operations and has its own parameters and state."""
        program = self.current_program()
        parameters = {name: replace(p, data=np.array(p.data)) for name, p in program.parameters.items()}
        state = {name: replace(s) for name, s in program.state.items()}
        memo[id(self)] = copied = TranslatedLayer(replace(program, parameters=parameters, state=state), self._info)
        copied.training = self.training
        for name, tensor in self._tensors.items():
            copied._tensors[name].stop_gradient = tensor.stop_gradient
        return copied

    def __reduce__(self) -> Any:
        raise TypeError(f"{self._info.name} is a loaded model, which can't be pickled: dy2st.jit.save(net, path) saves it")

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        """Run the saved function."""
        if getattr(dispatch.current_mode(), "frames", None) is not None:
            raise ConversionError(
                f"{self._info.name} is a loaded model: it can't become part of another model's Program; run "
                f"it before or after that one"
            )
        nodes = self._info.inputs[self._method]
        inputs: list[Any] = []
        for name, node, value in self._matched(nodes, args, kwargs):
            argument_tree.collect(node, value, name, inputs)
        function = self._info.entries[self._method]
        gradients = self._gradients[function]
        call = gradients.call(inputs)
        if call is not None:
            inputs = call.inputs
        if call is not None and (call.on_tape or gradients.remembers):
            return self._run_taped(gradients, inputs)
        form = None if call is None else call.form
        executable, name = (self._executable, function) if form is None else (form.executable, "forward")
        result = self._execute(executable, name, inputs)
        gradients.note_writes()
        if call is None:
            return Revival({})(result)
        result = call.finish(result)
        return Revival({}, call.attach())(result)

    def _execute(self, executable: Any, function: str, inputs: list) -> Any:
        """Run a Function on the tensors and the state that this layer holds."""
        bring(self._tensors, executable)
        held = self._executable.state
        executable.state.update(held)
        try:
            return executable.run(function, *(x._data if isinstance(x, Tensor) else x for x in inputs))
        except Exception as error:
            revive_error(error, Revival({}))
            raise
        finally:
            held.update(executable.state)

    def _run_taped(self, gradients: Gradients, inputs: list[Tensor]) -> Any:
        """Run on the tape, which goes on through what earlier calls have left in the state."""
        held, history = self._executable.state, self._history
        known = lambda x: history[id(x)] if id(x) in history else Tensor(x)  # noqa: E731
        state = with_leaves(held, lambda x: known(x) if isinstance(x, np.ndarray) else x)
        try:
            return Revival({})(gradients.run_taped(inputs, self._tensors, state))
        finally:
            left = {id(x._data): x for x in arrays(list(state.values())) if isinstance(x, Tensor) and not x.stop_gradient}
            history.clear()
            history.update(left)
            held.update(with_leaves(state, lambda x: x._data if isinstance(x, Tensor) else x))

    def _matched(self, nodes: list, args: tuple, kwargs: dict) -> list[tuple[str, dict, Any]]:
        """Each parameter's name, node and argument; a constant that isn't given is the saved one."""
        names = [name for name, _ in nodes]
        if len(args) > len(names):
            raise TypeError(f"{self._info.name} takes {len(names)} arguments ({', '.join(names)}), not {len(args)}")
        given = dict(zip(names, args))
        for name, value in kwargs.items():
            if name not in names or name in given:
                raise TypeError(f"{self._info.name}: the argument {name!r} is {'given twice' if name in given else 'unknown'}")
            given[name] = value
        found = []
        for name, node in nodes:
            if name not in given and argument_tree.specs(node):
                raise TypeError(f"{self._info.name}: the argument {name!r} is missing; it takes {', '.join(names)}")
            if name in given:
                found.append((name, node, given[name]))
        return found

    def current_program(self) -> Program:
        """The Program with the values that its parameters and state hold now."""
        for name, tensor in self._tensors.items():
            self._program.parameters[name].data = tensor._data
        for name, state in self._program.state.items():
            state.value = self._executable.state[name]
        return self._program

    def program(self, method_name: str | None = None) -> Program:
        """The Program; `method_name` must be one that was saved."""
        if method_name is not None and method_name not in self._info.entries:
            raise ValueError(f"there is no method {method_name!r}; the file holds {', '.join(self._info.entries)}")
        return self._program

    @property
    def input_spec(self) -> list[InputSpec]:
        """The specs of the input tensors, in order."""
        return [spec for _, node in self._info.inputs[self._method] for spec in argument_tree.specs(node)]

    @property
    def info(self) -> Info:
        return self._info
