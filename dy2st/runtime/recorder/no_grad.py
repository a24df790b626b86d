"""`no_grad` in a Program: what is computed under it is detached, so that whoever differentiates the Program stops there.

    with no_grad():              %1 = multiply %x, %w : float32[3]
        y = x * w        ->      %2 = detach %1 : float32[3]
        y = y + 1                %3 = add %1, ... : float32[3]
                                 %4 = detach %3 : float32[3]

Inside, operators use the Values before they were detached, so that only those that leave are detached for long: nobody uses the
others.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...dtypes import has_gradient
from ...ir.core import Block, Operation, Value
from ...ir.types import TensorType
from ...ops.registry import OPERATORS, OpDef
from ..tensors.gradient_marks import is_structural

if TYPE_CHECKING:
    from .blocks import Blocks

_COMPUTE = ("list.stack", "list.concat_tensors")  # the operators on containers that do more than move what these hold


def without_history(blocks: Blocks, definition: OpDef, values: list[Value]) -> list[Value]:
    """The operands under `no_grad`: what is written in place is written through a detached view, but for containers."""
    if _writes(definition):
        return [_detached(blocks, v) for v in values]
    return [_attached(v) for v in values] if _computes(definition) else values


def cut_off(blocks: Blocks, definition: OpDef, results: list[Value]) -> list[Value]:
    """The results under `no_grad`."""
    return [_detached(blocks, v) for v in results] if _computes(definition) else results


def cut_block(block: Block, known: dict[Value, Value]) -> None:
    """The same for a finished Block. known: what stands for the results of the operations so far."""
    ops, block.ops = block.ops, []
    for op in ops:
        definition = OPERATORS.get(op.name)
        op.operands = [known.get(v, v) for v in op.operands]
        if definition is not None and _writes(definition):
            op.operands = [_behind(block, v) for v in op.operands]
        for inner in op.blocks:
            cut_block(inner, known)
        block.append(op)
        if definition is not None and _computes(definition):
            known.update((v, _behind(block, v)) for v in op.results)


def _behind(block: Block, value: Value) -> Value:
    """A detached Value, at the end of a Block."""
    if not isinstance(value.type, TensorType) or not has_gradient(value.type.dtype) or _is_detached(value):
        return value
    return block.append(Operation("detach", [value], None, [value.type])).result


def _writes(definition: OpDef) -> bool:
    """Whether an operator writes tensors."""
    return bool(definition.mutates) and not is_structural(definition)


def _computes(definition: OpDef) -> bool:
    return definition.grad is not None or definition.name in _COMPUTE


def _detached(blocks: Blocks, value: Value) -> Value:
    if not isinstance(value.type, TensorType) or not has_gradient(value.type.dtype) or _is_detached(value):
        return value
    return blocks.emit("detach", [value], [value.type]).result


def _attached(value: Value) -> Value:
    return value.owner.operands[0] if isinstance(value.owner, Operation) and _is_detached(value) else value


def _is_detached(value: Value) -> bool:
    return isinstance(value.owner, Operation) and value.owner.name == "detach"
