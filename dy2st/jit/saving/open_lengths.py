"""A method that was called with an example, and has no InputSpec, is saved for other lengths, too.

A length of an input stays open where staging with it open gives the same Program, in each mode that is saved. Which ones don't
is told at save, with the user's lines that ask for them.
"""

from __future__ import annotations

import warnings
from itertools import zip_longest
from typing import Any

from ...errors import Dy2stWarning
from ...ir.core import Loc, Program
from ...ir.skeleton import skeleton
from ...passes import run
from ...passes.copying import copied
from ...runtime.control.trial import raised_at
from ...runtime.tensors.spec import InputSpec, leaves, map_leaves
from ...runtime.where.lines import source_line
from ...runtime.where.user_code import user_loc
from ...runtime.where.warn import warn_at
from ..static.concrete import ConcreteProgram
from .method_in_mode import MethodInMode

Axis = tuple[InputSpec, int]  # an input, and one of its axes


def open_lengths(name: str, modes: list[MethodInMode]) -> None:
    """Give a method, in its modes, Programs that take all lengths which make no difference; `name` is what it is called."""
    opening = Opening(modes)
    opening.open(opening.known_axes())
    if opening.fixed:
        warn_at(user_loc(), _told(name, opening.fixed), Dy2stWarning)


class Opening:
    """The search for the lengths that may be open. fixed: the axes of the others, each with the line that asks for its length."""

    def __init__(self, modes: list[MethodInMode]):
        self.modes, self.specs = modes, modes[0].program.specs
        self.of_example = [_as_of_now(mode) for mode in modes]
        self.opened: list[Axis] = []
        self.fixed: list[tuple[Axis, Loc | None]] = []

    def known_axes(self) -> list[Axis]:
        """The axes of known length, the first of each input before the second of any."""
        inputs = [spec for spec in leaves(self.specs) if isinstance(spec, InputSpec)]
        known = [(spec, axis) for spec in inputs for axis, length in enumerate(spec.shape) if length != -1]
        return sorted(known, key=lambda axis: axis[1])

    def open(self, axes: list[Axis]) -> None:
        """Open these axes all at once; where that makes a difference, those of each half that may be."""
        if not axes:
            return
        difference = self._difference([*self.opened, *axes])
        if difference is None:
            self.opened += axes
        elif len(axes) == 1:
            self.fixed.append((axes[0], difference.loc))
        else:
            half = len(axes) // 2
            self.open(axes[:half])
            self.open(axes[half:])

    def _difference(self, axes: list[Axis]) -> Difference | None:
        """Where the Programs differ with these axes open; where they don't, the modes take them."""
        specs = map_leaves(self.specs, lambda leaf: _opened(leaf, axes))
        programs = []
        for mode, of_example in zip(self.modes, self.of_example):
            try:
                programs.append(_staged_quietly(mode, specs))
                difference = _first_difference(of_example, programs[-1].program)
                if difference and _first_difference(of_example, _closed(programs[-1].program, of_example)):
                    return difference
            except Exception as error:  # whatever the user's code raises without that length, or a check of the example's lengths
                return Difference(raised_at(error))
        for mode, program in zip(self.modes, programs):
            mode.program = program
        return None


class Difference:
    """What one Program does and another doesn't. loc: the user's line for it, where there is one."""

    def __init__(self, loc: Loc | None):
        self.loc = loc


def _opened(leaf: Any, axes: list[Axis]) -> Any:
    """The spec of an input with those of its axes open that are among these."""
    own = [axis for spec, axis in axes if spec is leaf]
    if not own:
        return leaf
    shape = [None if axis in own else length for axis, length in enumerate(leaf.shape)]
    return InputSpec(shape, leaf.dtype, leaf.name, leaf.stop_gradient)


def _as_of_now(mode: MethodInMode) -> Program:
    """The Program of the example, for the state that the model has by now."""
    program = mode.program
    return (_staged_quietly(mode, program.specs) if program.staged.state else program).program


def _staged_quietly(mode: MethodInMode, specs: dict[str, Any]) -> ConcreteProgram:
    """Staged for these specs; the warnings are those that staging the example has given."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return mode.staged(specs)


def _closed(opened: Program, example: Program) -> Program:
    """What the opened Program is for the lengths of the example: an operator that no one uses may fail on other lengths alone."""
    program = copied(opened)
    for arg, known in zip(program.entry.block.args, example.entry.block.args):
        arg.type = known.type
    return run(program, "shapes", "dead_code")


def _first_difference(example: Program, opened: Program) -> Difference | None:
    nothing = (None, None)
    for (step, loc), (other, other_loc) in zip_longest(skeleton(example), skeleton(opened), fillvalue=nothing):
        if step != other:
            return Difference(other_loc or loc)
    return None


def _told(name: str, fixed: list[tuple[Axis, Loc | None]]) -> str:
    by_line: dict[Loc | None, list[str]] = {}
    for (spec, axis), loc in fixed:
        by_line.setdefault(loc, []).append(f"{spec.name}.shape[{axis}] is {spec.shape[axis]}")
    lengths = "; ".join(f"{', '.join(axes)} ({loc}: {source_line(loc)})" for loc, axes in by_line.items())
    return (
        f"{name} is saved for these lengths of its example alone: {lengths}. An InputSpec with None, given to to_static or "
        "jit.save, leaves a length open"
    )
