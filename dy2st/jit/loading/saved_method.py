"""A method of a loaded model: what it takes, and which Function of the Program it runs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ...ir.native import is_of, with_leaves
from ...ops import dispatch
from ...runtime.engine.honest import honest
from ...runtime.heap.natives import Mirror, Revival, revive_error
from ...runtime.staging_lock import STAGING
from ...runtime.tensors.call_hook import restart_staged
from ...runtime.tensors.grad_mode import is_grad_enabled
from ...runtime.tensors.input_memory import InputMemory
from ...runtime.tensors.spec import InputSpec, ValueSpec, tensors
from ...runtime.tensors.tensor import Tensor
from ...saving import Info
from ..interface import argument_tree
from ..interface.gradients import Gradients, bring
from ..interface.info_keys import INPUT_MEMORY, NO_OTHER_MODE, NO_WHOLE_MODE, OTHER_MODE, WHOLE_MODE
from ..interface.result_leaves import arrays
from ..interface.written_call import CalledAgain, NoCall
from .loaded_call import LoadedCall

if TYPE_CHECKING:
    from ...nn.layer import Layer
    from .bound_call import BoundCall
    from .translated_layer import TranslatedLayer


def _memory(info: Info, method: str) -> InputMemory | None:
    text = info.extra.get(INPUT_MEMORY, {}).get(method)
    return None if text is None else InputMemory.of_text(text)


def _of(info: Info, key: str, method: str) -> str | None:
    return info.extra.get(key, {}).get(method)


class SavedMethod(CalledAgain):
    """`loaded.forward`, and any other method that the file holds: takes tensors or arrays in the structure of the saved one's."""

    def __init__(self, owner: TranslatedLayer, name: str):
        self.owner, self.__name__ = owner, name
        info = owner.info
        self._label = info.name if name in ("forward", info.name) else f"{info.name}.{name}"
        self.nodes = info.inputs[name]
        self._function = info.entries[name]
        self._switched = {  # by whether it is to the mode of the file: the Function, and why there is none
            False: (_of(info, OTHER_MODE, name) or self._function, _of(info, NO_OTHER_MODE, name)),
            True: (_of(info, WHOLE_MODE, name) or self._function, _of(info, NO_WHOLE_MODE, name)),
        }
        self.memory = _memory(info, name)
        self._changed = [(i, s) for i, s in enumerate(self.input_spec) if isinstance(s, ValueSpec)]
        self.again = NoCall()
        self._written: dict[bool | None, LoadedCall] = {}  # by the mode that the model was switched to

    def forget_calls(self) -> None:
        """The written calls know the tensors that the model had."""
        self.again = NoCall()
        self._written.clear()

    def gradients_of(self, function: str) -> Gradients:
        """How gradients flow through a Function, made when it is first called: a file may name very many."""
        owner = self.owner
        found = owner._gradients.get(function)
        if found is None:
            program = owner._program.starting_at(function)
            tensors = {name: owner._tensors[name] for name in program.parameters}
            found = owner._gradients.setdefault(function, Gradients(program, function, tensors, engine=owner._engine))
        return found

    def __reduce__(self) -> Any:
        return getattr, (self.owner, self.__name__)

    def __repr__(self) -> str:
        return f"<SavedMethod {self._label}>"

    @property
    def function(self) -> str:
        """The name of the Function for the mode that the model is in. RuntimeError: the file holds none."""
        mode, saved = self.owner.switched_to, self.owner.info.training
        found, why_none = self.switched(mode)
        if why_none is None:
            return found
        now, then = ("training" if mode else "evaluation"), ("training" if saved else "evaluation")
        was = f"in {then} mode, and what it does in" if mode != saved else "with parts in two modes, and what it does with all in"
        raise RuntimeError(f"{self._label} was saved {was} {now} couldn't be saved: {why_none}")

    def switched(self, mode: bool | None) -> tuple[str, str | None]:
        """The name of the Function once all parts are in a mode, training or not, and why there is none. None: as saved."""
        return (self._function, None) if mode is None else self._switched[mode == self.owner.info.training]

    @property
    def input_spec(self) -> list[InputSpec | ValueSpec]:
        """The specs of the inputs, in order: of a list, dict or set that the model changes, its type."""
        return [spec for _, node in self.nodes for spec in argument_tree.specs(node)]

    def _called(self, args: tuple, kwargs: dict[str, Any]) -> Any:
        """A call in all its steps."""
        mode = dispatch.current_mode()
        if mode.tracer is not None:
            return mode.tracer.called(self, args, kwargs)
        inputs, function = self._inputs(args, kwargs), self.function
        if mode.rec is not None:
            return self.owner.callee(mode.rec).call(mode.rec, function, inputs)
        restart_staged()
        if self.memory is not None:
            self.memory.check(inputs, self.owner._tensors.values())
        self.again = self._call_like_this(function)
        if not self.owner.has_state:
            return self.run(function, inputs)
        with STAGING.stateful_call(self.owner):
            return self.run(function, inputs)

    def _call_like_this(self, function: str) -> NoCall | LoadedCall:
        """One more call, as one function; none where it is more than to run a Function on arguments that are tensors."""
        if self.memory is not None or not all("tensor" in node for _, node in self.nodes):
            return NoCall()
        mode = self.owner.switched_to
        found = self._written.get(mode)
        if found is None:
            specs = [InputSpec(**node["tensor"]) for _, node in self.nodes]
            found = self._written.setdefault(mode, LoadedCall(self, specs, mode, function, self.gradients_of(function)))
        return found

    def run(self, function: str, inputs: list) -> Any:
        """Run a Function of the Program on its inputs; the result as a call gives it."""
        try:
            return self._run(function, inputs)
        except Exception as error:
            better = honest(error, self.owner._program)
            if better is error:
                raise
            raise better from error

    def _run(self, function: str, inputs: list) -> Any:
        gradients = self.gradients_of(function)
        if self._changed:
            return self._run_on_values(gradients, function, inputs)
        call = gradients.call(inputs)
        if call is not None:
            inputs = call.inputs
        if call is not None and (call.on_tape or gradients.goes_on):
            return Revival({})(self._run_taped(gradients, inputs))
        executable, name = self.owner._executable, function
        if call is not None and call.executable is not None:
            executable, name = call.executable, call.function
        if call is not None:
            call.start.keep_state(self.owner._executable.state)
        result = self._execute(executable, name, inputs)
        gradients.effects.note_writes(inputs)
        if call is None:
            return self.revived(result)
        result = call.finish(result)
        return Revival({}, call.attach())(result)

    def _run_on_values(self, gradients: Gradients, function: str, inputs: list) -> Any:
        """Run on containers among other inputs: what the Program does to one, it does to the caller's."""
        from ...runtime.taped import TapedMirror  # few models change what they are given: loading is quick without

        for place, spec in self._changed:
            if not is_of(spec.type, Mirror({}, {}).to_native(inputs[place])):
                kind = type(inputs[place]).__name__
                raise TypeError(f"argument {spec.name} is a {kind} that isn't a {spec.type}, which the model takes")
        leaves = (*self.owner._tensors.values(), *tensors(inputs))
        on_tape = is_grad_enabled() and not all(x.stop_gradient for x in leaves)
        mirror = (TapedMirror if on_tape else Mirror)({}, {})
        natives = [mirror.to_native(x) for x in inputs]
        revived = Revival({}, Tensor, mirror)
        try:
            if on_tape:
                return revived(self._run_taped(gradients, natives))
            return revived(self._execute(self.owner._executable, function, natives))
        finally:
            if not on_tape:  # which counts by itself
                gradients.effects.note_writes(inputs)
            for native, value in zip(natives, inputs):
                if not isinstance(value, Tensor | np.ndarray):
                    revived(native)

    def _execute(self, executable: Any, function: str, inputs: list) -> Any:
        """Run a Function on the tensors and the state that the layer holds."""
        bring(self.owner._tensors, executable)
        held = self.owner._executable.state
        executable.state.update(held)
        try:
            return executable.run(function, *(x._data if isinstance(x, Tensor) else x for x in inputs))
        except Exception as error:
            revive_error(error, Revival({}))
            raise
        finally:
            held.update(executable.state)

    def revived(self, result: Any) -> Any:
        """What the executable gave, as live values."""
        return Revival({})(result)

    def explained(self, error: Exception) -> Exception:
        """What is raised in place of an exception that leaves the executable."""
        revive_error(error, Revival({}))
        return honest(error, self.owner._program)

    def _run_taped(self, gradients: Gradients, natives: list) -> Any:
        """Run on the tape, with Tensors in the place of arrays; it goes on through what earlier calls have left in the state."""
        held, history = self.owner._executable.state, self.owner._history
        known = lambda x: history[id(x)] if id(x) in history else Tensor(x)  # noqa: E731
        state = with_leaves(held, lambda x: known(x) if isinstance(x, np.ndarray) else x)
        try:
            return gradients.run_on_tape(natives, self.owner._tensors, state)
        except Exception as error:
            revive_error(error, Revival({}))
            raise
        finally:
            left = {id(x._data): x for x in arrays(list(state.values())) if isinstance(x, Tensor) and not x.stop_gradient}
            history.clear()
            history.update(left)
            held.update(with_leaves(state, lambda x: x._data if isinstance(x, Tensor) else x))

    def bind(self, /, *arrays: Any, out: Any, **named: Any) -> BoundCall:
        """This method, bound to the arrays that each call reads and writes; as `TranslatedLayer.bind`."""
        return self.bound(None, arrays, named, out)

    def bound(self, layer: Layer | None, args: tuple, kwargs: dict[str, Any], out: Any) -> BoundCall:
        """The same; layer: the one whose hooks a call would run."""
        from .bound_call import BoundCall, bound_inputs  # which servers need: others load quicker without

        if self._changed:
            _, spec = self._changed[0]
            raise TypeError(f"{self._label}.bind: the model changes {spec.name}, a {spec.type}: call it instead")
        return BoundCall(layer, self, bound_inputs(self._label, self._inputs_by_name(args, kwargs)), out)

    def _inputs_by_name(self, args: tuple, kwargs: dict[str, Any]) -> list[tuple[str, list[Any]]]:
        """The inputs of the Program in each argument of a call."""
        found: list[tuple[str, list[Any]]] = []
        for name, node, value in argument_tree.matched(self._label, self.nodes, args, kwargs):
            found.append((name, []))
            argument_tree.collect(node, value, name, found[-1][1])
        return found

    def _inputs(self, args: tuple, kwargs: dict[str, Any]) -> list[Any]:
        """The inputs of the Program among the arguments of a call."""
        return [value for _, values in self._inputs_by_name(args, kwargs) for value in values]
