"""Fewer outputs, and fewer inputs, of a Function that is saved."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from ...ir.core import Block, Program, Value
from ...ir.effects import EffectAnalysis
from ...ops.registry import OPERATORS
from ...passes import run
from ...runtime.tensors.spec import InputSpec, leaves
from ..interface.outputs import choose_outputs


@dataclass(frozen=True)
class Pruning:
    """outputs: positions of the tensors of the result to keep; inputs: names of the inputs to keep. None: all."""

    outputs: list[int] | None = None
    inputs: list[str] | None = None

    def __bool__(self) -> bool:
        return self.outputs is not None or self.inputs is not None

    def dropped(self, arguments: list[tuple[str, Any]]) -> list[str]:
        """Which of the arguments go."""
        return [] if self.inputs is None else dropped_arguments(arguments, self.inputs)

    def apply(self, program: Program, function: str, arguments: list[tuple[str, Any]]) -> None:
        """Cut a Function down to what is kept, in place. ValueError: an output that isn't there, an input that is needed."""
        if self.outputs is not None:
            choose_outputs(program.functions[function], self.outputs)
        drop_inputs(program, function, arguments, self.dropped(arguments))


def names_of_input(name: str, tree: Any) -> set[str | None]:
    """What an argument may be called: by its parameter, or by its spec."""
    return {name, tree.name} if isinstance(tree, InputSpec) else {name}


def dropped_arguments(arguments: list[tuple[str, Any]], kept: list[str]) -> list[str]:
    """The parameters with tensors that aren't among those kept; ValueError for a name to keep that nothing has."""
    for name in kept:
        if not any(name in names_of_input(*argument) for argument in arguments):
            raise ValueError(
                f"there is no input {name!r}; the inputs are {', '.join(n for n, _ in arguments)}: name them alike in the "
                "InputSpecs of to_static and jit.save"
            )
    has_tensors = [(name, tree) for name, tree in arguments if any(True for _ in leaves(tree))]
    return [name for name, tree in has_tensors if not names_of_input(name, tree).intersection(kept)]


def drop_inputs(program: Program, function: str, arguments: list[tuple[str, Any]], dropped: list[str]) -> None:
    """Take these parameters from a Function, in place, with what was computed of them in vain; ValueError where it needs one.

    What only checks a tensor that is no longer given, such as a label that is out of range, goes as well.
    """
    block = program.functions[function].block
    slices = {name: part for name, part in _slices(arguments) if name in dropped}
    gone = {value for part in slices.values() for value in block.args[part]}
    _sweep(block, gone, EffectAnalysis(program, OPERATORS))
    users = {value: op for op in reversed(list(block.walk())) for value in op.operands}
    for name, part in slices.items():
        first = next((users[value] for value in block.args[part] if value in users), None)
        if first is not None:
            line = f" ({first.loc})" if first.loc else ""
            raise ValueError(
                f"the outputs that are saved need the input {name!r}{line}: keep it in input_spec, or choose others with "
                "output_spec"
            )
    block.args[:] = [value for value in block.args if value not in gone]
    run(program, "dead_code")


def _slices(arguments: list[tuple[str, Any]]) -> Iterator[tuple[str, slice]]:
    """Which of the inputs each argument holds."""
    start = 0
    for name, tree in arguments:
        stop = start + sum(1 for _ in leaves(tree))
        yield name, slice(start, stop)
        start = stop


def _sweep(block: Block, gone: set[Value], analysis: EffectAnalysis) -> None:
    """Remove what depends on values that are gone, whose results nobody uses, and that has no effect but to fail."""
    depending = set(gone)
    for op in block.walk():
        if depending.intersection(op.operands):
            depending.update(op.results)
    used: set[Value] = set()
    for op in reversed(list(block.ops)):
        operands = {value for inner in op.walk() for value in inner.operands}
        if depending.intersection(operands) and not used.intersection(op.results) and analysis.at_most_fails(op):
            block.ops.remove(op)
        else:
            used.update(operands)
