"""What `trace` gives for a function or method: its one Program, which runs as it was recorded."""

from __future__ import annotations

from typing import Any

from ...nn.before import Before
from ...nn.layer import Layer, attribute_epoch
from ...runtime.recorder.recorder import Recorder
from ...runtime.stage.stage import StagedFunction
from ..interface.errors import ScriptTypeError
from ..interface.layer_names import tensor_tables
from ..scripting.dtypes import given_dtypes
from ..scripting.function import ScriptFunction
from ..scripting.hints import Hints
from ..scripting.program import ScriptProgram
from ..scripting.signature import Signature


class TracedFunction(ScriptFunction):
    """A recorded function: its inputs have the dtypes and numbers of axes of the examples."""

    def __init__(self, function: Any, hints: Hints, signature: Signature, staged: StagedFunction, specs: dict, kinds: tuple):
        super().__init__(function, hints, signature=signature)
        self._by_rank = True
        self._kinds = kinds
        self._programs = {(kinds, None): ScriptProgram(staged, specs, True)}
        self._layer: Layer | None = None
        self._epoch = -1
        self._slots: list[tuple[Layer, dict[str, Any], str, str]] = []  # where the layer holds each tensor: see tensor_tables

    def follow(self, layer: Layer) -> None:
        """The parameters and buffers are those that this layer holds under their names."""
        self._layer = layer

    def before(self, layer: Layer | None) -> Before:
        """What the recorded Program may change, and the layer that it is a method of, as they are now."""
        staged, found = self._programs[self._kinds, None].staged, Before()
        for tensor in staged.tensors.values():
            found.keep_tensor(tensor)
        for slot in staged.state.values():
            found.keep_location(slot.location, slot.location.get())
        if layer is not None:
            found.keep_layer(layer)
        return found

    def copied(self, layer: Layer, attributes: Any) -> TracedFunction:
        """The same trace with the tensors of a copy of the layer. TypeError: the trace has state."""
        program = self._programs[self._kinds, None]
        if program.staged.state:
            raise TypeError(f"{self.signature.name} was traced with state, which can't be copied: save it, and load it twice")
        made = TracedFunction(self._plain, self._hints, self.signature, program.staged, program.arguments, self._kinds)
        made.follow(layer)
        return made

    def _held(self) -> ScriptProgram:
        """The Program, with the tensors of now. ScriptTypeError where one is of another type than the one that was traced."""
        program = self._programs[self._kinds, None]
        is_checked = self._epoch == attribute_epoch()
        if self._layer is not None and not is_checked:
            self._epoch = attribute_epoch()
            self._slots = [slot for slot in tensor_tables(self._layer) if slot[3] in program.tensors]
        for _, table, key, name in self._slots:
            tensor = table[key]
            if tensor is not program.tensors[name] or not is_checked:
                known = program.program.parameters[name].type
                if tensor.type != known:
                    self._epoch = -1
                    raise ScriptTypeError(f"{name} was traced as {known}; {tensor.type} can't take its place: trace again")
                program.tensors[name] = tensor
        return program

    def recorded(self, rec: Recorder, args: tuple, kwargs: dict) -> Any:
        """A call in a recording: what was traced becomes part of it."""
        bound = list(self.signature.bind(args, kwargs).values())
        held = [] if self._layer is None else [(part, key) for part, _, key, _ in tensor_tables(self._layer)]
        return self._held().callee(self.signature.name, rec.name_of(self._layer), held).call(rec, "main", bound)

    def program_for(self, dtypes: tuple[str, ...]) -> ScriptProgram:
        if dtypes != self._kinds:
            raise ScriptTypeError(
                f"{self.signature.name} was traced with Tensors of ({', '.join(self._kinds)}), not ({', '.join(dtypes)}): cast "
                "them, or trace it with such Tensors"
            )
        return self._held()

    def compile(self) -> None:
        """It was recorded already."""

    def widen(self) -> None:
        """A trace is what was recorded."""


def kinds_of(signature: Signature, inputs: tuple) -> tuple[str, ...]:
    """The dtypes and numbers of axes of example inputs."""
    return tuple(kind for p, x in zip(signature.parameters, inputs) for kind in given_dtypes(p.type, x, p.name))
