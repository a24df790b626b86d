"""What `trace` gives for a function or method: its one Program, which runs as it was recorded."""

from __future__ import annotations

from typing import Any

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

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        if current_recorder() is None:
            return super().__call__(*args, **kwargs)
        program = self._programs[self._kinds, None]
        bound = self.signature.bind(args, kwargs)
        return inlined(program.program, program.program.entry.name, list(bound.values()), program.tensors)

    def program_for(self, dtypes: tuple[str, ...]) -> ScriptProgram:
        if dtypes != self._kinds:
            raise ScriptTypeError(
                f"{self.signature.name} was traced with Tensors of ({', '.join(self._kinds)}), not ({', '.join(dtypes)}): cast "
                "them, or trace it with such Tensors"
            )
        return self._programs[self._kinds, None]

    def compile(self) -> None:
        """It was recorded already."""


def kinds_of(signature: Signature, inputs: tuple) -> tuple[str, ...]:
    """The dtypes and numbers of axes of example inputs."""
    return tuple(kind for p, x in zip(signature.parameters, inputs) for kind in given_dtypes(p.type, x, p.name))
