"""What a Program does, whatever the shapes of its tensors: one comparable step for each Operation, in order.

Two Programs with equal skeletons run the same operators on the same Values. Only what inference knew of the shapes may differ.
"""

from __future__ import annotations

from collections.abc import Iterator

from .core import Block, Loc, Program, Value
from .literal import write_literal
from .types import TensorType, Type

Step = tuple[tuple, Loc | None]  # what is done, and the user's line for it


def skeleton(program: Program) -> Iterator[Step]:
    """The steps of all Functions, with where their Blocks begin and end."""
    for function in program.functions.values():
        yield ("function", function.name), None
        yield from _steps(function.block, {})


def _steps(block: Block, numbers: dict[Value, int]) -> Iterator[Step]:
    yield ("block", *_defined(block.args, numbers)), None
    for op in block.ops:
        operands = [numbers[value] for value in op.operands]
        yield (op.name, *operands, op.n_positional, write_literal(op.attrs)), op.loc
        for inner in op.blocks:
            yield from _steps(inner, numbers)
        yield ("gives", *_defined(op.results, numbers)), op.loc
    yield ("end",), None


def _defined(values: list[Value], numbers: dict[Value, int]) -> list[str]:
    """The types of Values that are defined here, without shapes; each gets the next number."""
    numbers.update((value, len(numbers) + k) for k, value in enumerate(values))
    return [str(_without_shapes(value.type)) for value in values]


def _without_shapes(type_: Type) -> Type:
    if isinstance(type_, TensorType):
        return TensorType(type_.dtype)
    return type_.with_parts(map(_without_shapes, type_.parts()))
