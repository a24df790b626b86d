"""The core operations of a Program as nodes: constants, parameters, sums, `if` and `while`."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ...ir.core import Block, Operation
from ...ir.types import SumType
from . import coercion
from .loops import While
from .packed import Packed
from .refusal import InexpressibleError
from .values import GraphValue

if TYPE_CHECKING:
    from .walk import Walk


def const(walk: Walk, op: Operation) -> list[Any]:
    """A Python number or text; None has no leaves."""
    value = op.attrs["value"]
    if isinstance(value, int) and not -(2**63) <= value < 2**63:
        raise InexpressibleError(f"{value} is beyond 64 bits")
    return [Packed(walk.g, op.result.type, [] if value is None else [walk.g.const(value)])]


def nothing(walk: Walk, op: Operation) -> list[Any]:
    """A value without leaves, or one that no path reads."""
    return [Packed(walk.g, op.result.type, coercion.blanks(walk.g, op.result.type))]


def param(walk: Walk, op: Operation) -> list[Any]:
    """A parameter, buffer or captured constant."""
    return [walk.parameters[op.attrs["name"]]]


def sum_make(walk: Walk, op: Operation) -> list[Any]:
    """One alternative as the sum."""
    type_, place = op.result.type, op.attrs["index"]
    assert isinstance(type_, SumType)
    leaves = coercion.coerced(walk.g, walk.leaves(op.operands[0]), op.operands[0].type, type_.alternatives[place])
    return [Packed(walk.g, type_, coercion.in_sum(walk.g, leaves, type_, place))]


def sum_tag(walk: Walk, op: Operation) -> list[Any]:
    """The number of its alternative."""
    return [walk.packed(op.operands[0]).tag]


def sum_get(walk: Walk, op: Operation) -> list[Any]:
    """One alternative."""
    return [walk.packed(op.operands[0]).alternative(op.attrs["index"])]


def if_(walk: Walk, op: Operation) -> list[Any]:
    """An If, or one of its arms where the condition is known."""
    condition = walk.value(op.operands[0])
    if condition.item is not None:
        return walk.block(op.blocks[0] if condition.item else op.blocks[1])
    types = [result.type for result in op.results]

    def arm(block: Block) -> Callable[[], list[GraphValue]]:
        return lambda: [leaf for x, type_ in zip(walk.block(block), types) for leaf in x.as_type(type_).leaves]

    found = walk.branch(op, condition, *map(arm, op.blocks))
    return [Packed(walk.g, type_, part) for type_, part in zip(types, coercion.split(found, types))]


def while_(walk: Walk, op: Operation) -> list[Any]:
    """A Loop that asks the condition before its first turn and at the end of each."""
    return [*While(walk, op).results()]


CORE = {
    "const": const,
    "atom": nothing,
    "unbound": nothing,
    "undef": nothing,
    "param": param,
    "sum.make": sum_make,
    "sum.tag": sum_tag,
    "sum.get": sum_get,
    "if": if_,
    "while": while_,
}
