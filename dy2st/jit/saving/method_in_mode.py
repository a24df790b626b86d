"""A method of a model in one of its modes, train or eval: its Program there, staged as if the model were in that mode."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager, nullcontext
from pathlib import PurePath
from traceback import walk_tb
from typing import Any

from ...nn.layer import Layer
from ...runtime.outside.facts import StateSlot
from ..static.concrete import ConcreteProgram
from ..static.static_function import StaticFunction


class MethodInMode:
    """A method in one mode: its Program, or why it has none. `program`: of the mode that the model is in, to begin with."""

    def __init__(self, function: StaticFunction, program: ConcreteProgram, flipped: bool = False, refused: str = ""):
        self.function, self.program, self.flipped, self.refused = function, program, flipped, refused
        if flipped and not refused:
            self.stage([])

    def stage(self, state: list[StateSlot]) -> None:
        """Stage anew, where `state` is state too."""
        try:
            self.program = self.staged(self.program.specs, state)
        except Exception as error:  # whatever the user's code raises in the other mode: it is told when the mode is used
            if not self.flipped:
                raise
            self.refused = _told(error)

    def staged(self, specs: dict[str, Any], state: Iterable[StateSlot] = ()) -> ConcreteProgram:
        """The Program for these arguments, by parameter, where `state` is state too. Errors: what staging raises."""
        with _flipped(self.function.layers()) if self.flipped else nullcontext():
            return self.function.staged_anew(specs, state)

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


@contextmanager
def _flipped(roots: list[Layer]) -> Iterator[None]:
    """All of some layers in the mode that they aren't all in."""
    layers = [layer for root in roots for layer in root.sublayers(include_self=True)]
    before = [layer.training for layer in layers]
    mode = not all(root.training for root in roots)
    try:
        for root in roots:
            root.train(mode)
        yield
    finally:
        for layer, training in zip(layers, before):
            layer.training = training
