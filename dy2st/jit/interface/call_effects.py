"""The side effects of a call of a Program: the memory of the caller that it writes, random numbers, state."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from itertools import product
from typing import Any

import numpy as np

from ...ir.alias import Aliases
from ...ir.core import Program, Value
from ...ir.effects import EffectAnalysis, Effects
from ...ir.types import TensorType
from ...ops.registry import OPERATORS
from ...runtime.tensors.spec import tensors as tensors_in
from ...runtime.tensors.tensor import Tensor

_OUTSIDE = ("outside", "param", "state")


class CallEffects:
    """The side effects of one Function of a Program, with tensors for its parameters."""

    def __init__(self, program: Program, function: str, tensors: Mapping[str, Tensor]):
        self._program, self._function, self._tensors = program, function, tensors

    @cached_property
    def _found(self) -> tuple[Effects, Aliases]:
        analysis = EffectAnalysis(self._program, OPERATORS)
        return analysis.functions[self._function], analysis.aliases

    @cached_property
    def _roots(self) -> set:
        effects, aliases = self._found
        return {root for group in effects.writes for root in aliases.roots.get(group, ())}

    @cached_property
    def acts(self) -> bool:
        """Whether another run would be seen, or would give something else."""
        return self.is_seen or self.draws

    @cached_property
    def is_seen(self) -> bool:
        """Whether another run would be seen: it changes state or memory of others, or prints."""
        effects, _ = self._found
        return bool(self._program.state) or effects.io or any(root[0] in _OUTSIDE for root in self._roots)

    @cached_property
    def may_write_inputs(self) -> bool:
        """Whether the Program may write memory that its inputs bring."""
        return any(root[0] == "outside" for root in self._roots)

    @cached_property
    def draws(self) -> bool:
        """Whether the Program draws random numbers."""
        return self._found[0].random

    @cached_property
    def parameters(self) -> list[str]:
        """The names of the parameters that the Program writes in place."""
        return [root[1] for root in self._roots if root[0] == "param"] if self._tensors else []

    @cached_property
    def inputs(self) -> list[int]:
        """The numbers of the inputs that the Program writes in place: tensors, or containers of some."""
        (effects, aliases), args = self._found, self._program.functions[self._function].block.args
        found = [k for k, arg in enumerate(args) if arg.type.holds(TensorType) and aliases.group(arg) in effects.writes]
        return self._surely_written(found) if found else found

    def _surely_written(self, numbers: list[int]) -> list[int]:
        """Those of some inputs of which a tensor is written: not only a container that holds it, nor another tensor of that."""
        from ...passes.copying import copied  # few models write their inputs: loading is quick without
        from ...passes.functionalize import FunctionalizeError, functionalize_program
        from ...passes.functionalize.writes import written_tensors

        (_, aliases), args = self._found, self._program.functions[self._function].block.args
        targets = {op.operands[k] for op in self._program.walk() for k in written_tensors(op)}
        written = {aliases.group(target) for target in targets}
        numbers = [k for k in numbers if aliases.group(args[k]) in written]
        if all(args[k] in targets or _is_from_outside(aliases, args[k]) for k in numbers):
            return numbers
        program = copied(self._program.starting_at(self._function))
        try:
            functionalize_program(program)
        except FunctionalizeError:
            return numbers
        given = {op.operands[k] for op in program.walk() for k in written_tensors(op)}
        args = program.entry.block.args
        return [k for k in numbers if args[k] in given or not isinstance(args[k].type, TensorType)]

    @property
    def writes(self) -> bool:
        """Whether a call writes tensors of the caller."""
        return bool(self.parameters or self.inputs)

    def note_writes(self, inputs: Sequence) -> None:
        """Count that the parameters and inputs which the Program writes have been written."""
        for name in self.parameters:
            self._tensors[name]._writes[0] += 1
        for number in self.inputs:
            for tensor in tensors_in(inputs[number]):
                tensor._writes[0] += 1

    def writes_shared(self, inputs: Sequence[Tensor]) -> bool:
        """Whether the Program writes memory that several of the inputs and parameters share."""
        if not self.writes:
            return False
        given: list[tuple[Any, Tensor]] = [*enumerate(inputs), *self._tensors.items()]
        changed = [(key, x) for key, x in given if key in self.inputs or key in self.parameters]
        return any(a != b and _share(x, y) for (a, x), (b, y) in product(changed, given))


def _is_from_outside(aliases: Aliases, value: Value) -> bool:
    """Whether no tensor that the Program makes may be taken for the memory of a Value."""
    made = (root[1] for root in aliases.memory_of(value) if root[0] == "new")
    return not any(isinstance(v.type, TensorType) for op in made for v in op.results)


def _share(x: Tensor, y: Tensor) -> bool:
    """Whether a write to one tensor counts as one to the other, or changes it."""
    return x._writes is y._writes or np.may_share_memory(x._data, y._data)
