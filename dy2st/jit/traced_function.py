"""What `trace` gives for a function or method: its one Program, which runs as it was recorded."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..nn.layer import Layer, attribute_epoch
from ..runtime.stage import StagedFunction
from ..runtime.static import current_recorder
from .inlining import inlined
from .script_errors import ScriptTypeError
from .script_function import ScriptFunction
from .script_program import ScriptProgram
from .script_signature import Signature
from .script_types import Hints, given_dtypes


class TracedFunction(ScriptFunction):
    """A recorded function: its inputs have the dtypes and numbers of axes of the examples."""

    def __init__(self, function: Any, hints: Hints, signature: Signature, staged: StagedFunction, specs: dict, kinds: tuple):
        super().__init__(function, hints, signature=signature)
        self._by_rank = True
        self._kinds = kinds
        self._programs = {(kinds, None): ScriptProgram(staged, specs, True)}
        self._layer: Layer | None = None
        self._epoch = -1
        self._places: list[tuple[dict[str, Any], str, str]] = []  # where the layer holds each tensor: table, key, its name

    def follow(self, layer: Layer) -> None:
        """The parameters and buffers are those that this layer holds under their names."""
        self._layer = layer

    def _held(self) -> ScriptProgram:
        """The Program, with the tensors of now. ScriptTypeError where one is of another type than the one that was traced."""
        program = self._programs[self._kinds, None]
        if self._layer is not None and self._epoch != attribute_epoch():
            self._epoch = attribute_epoch()
            self._places = [place for place in places(self._layer) if place[2] in program.tensors]
        for table, key, name in self._places:
            tensor = table[key]
            if tensor is not program.tensors[name]:
                known = program.program.parameters[name].type
                if tensor.type != known:
                    raise ScriptTypeError(f"{name} was traced as {known}; {tensor.type} can't take its place: trace again")
                program.tensors[name] = tensor
        return program

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        if current_recorder() is None:
            return super().__call__(*args, **kwargs)
        program = self._held()
        bound = self.signature.bind(args, kwargs)
        return inlined(program.program, program.program.entry.name, list(bound.values()), program.tensors)

    def program_for(self, dtypes: tuple[str, ...]) -> ScriptProgram:
        if dtypes != self._kinds:
            raise ScriptTypeError(
                f"{self.signature.name} was traced with Tensors of ({', '.join(self._kinds)}), not ({', '.join(dtypes)}): cast "
                "them, or trace it with such Tensors"
            )
        return self._held()

    def compile(self) -> None:
        """It was recorded already."""


def kinds_of(signature: Signature, inputs: tuple) -> tuple[str, ...]:
    """The dtypes and numbers of axes of example inputs."""
    return tuple(kind for p, x in zip(signature.parameters, inputs) for kind in given_dtypes(p.type, x, p.name))


def places(layer: Layer) -> Iterator[tuple[dict[str, Any], str, str]]:
    """Each place of a parameter or buffer: a table of a layer, the key there, and its name in the state dict."""
    for path, part in layer.named_sublayers(include_self=True):
        for table in (part._parameters, part._buffers):
            yield from ((table, key, f"{path}.{key}" if path else key) for key in table if table[key] is not None)
