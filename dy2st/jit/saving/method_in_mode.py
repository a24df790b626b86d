"""A method of a model in one of its modes: its Program there, staged as if the model were in that mode."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import nullcontext
from pathlib import PurePath
from traceback import walk_tb
from typing import Any

from ...runtime.outside.facts import StateSlot
from ..static.concrete import ConcreteProgram
from ..static.part_modes import in_modes, parts_of
from ..static.static_function import StaticFunction


class MethodInMode:
    """A method in one mode: its Program, or why it has none. `program`: of the mode that the model is in, to begin with.

    modes: those of the parts of the function's layers, in their order; None: the ones that they have.
    """

    def __init__(
        self, function: StaticFunction, program: ConcreteProgram, modes: Sequence[bool] | None = None, refused: str = ""
    ):
        self.function, self.program, self.modes, self.refused = function, program, modes, refused
        if modes is not None and not refused:
            self.stage([])

    def stage(self, state: list[StateSlot]) -> None:
        """Stage anew, where `state` is state too."""
        try:
            self.program = self.staged(self.program.specs, state)
        except Exception as error:  # whatever the user's code raises in the other mode: it is told when the mode is used
            if self.modes is None:
                raise
            self.refused = _told(error)

    def staged(self, specs: dict[str, Any], state: Iterable[StateSlot] = ()) -> ConcreteProgram:
        """The Program for these arguments, by parameter, where `state` is state too. Errors: what staging raises."""
        with nullcontext() if self.modes is None else in_modes(parts_of(self.function.layers()), self.modes):
            return self.function.staged_anew(specs, state)

    @property
    def training(self) -> bool:
        """Whether the model is in training mode now."""
        return all(layer.training for layer in self.function.layers())

    @property
    def slots(self) -> dict[tuple, StateSlot]:
        """The state of the Program, by where it lives."""
        return {slot.location.key: slot for slot in self.program.staged.state.values()}


def _told(error: Exception) -> str:
    """The message of an error, with the files that it names by their names alone: it goes into a file."""
    text = str(error)
    for frame, _ in walk_tb(error.__traceback__):
        path = frame.f_code.co_filename
        text = text.replace(path, PurePath(path).name)
    return text
