"""Which branches take less than one of XLA's, so that both arms may be computed, and one selected."""

from __future__ import annotations

import math

from ...graphs.lowering.leaves import leaves_of
from ...graphs.lowering.refusal import InexpressibleError
from ...graphs.lowering.values import Array
from ...ir.core import Block, Operation
from ...ir.types import Type
from ...ops.registry import OPERATORS

_MOST_OPERATIONS, _MOST_ELEMENTS = 12, 64
_HAND_ON = ("const", "sum.make", "sum.get", "sum.tag", "tuple.new", "undef", "unbound", "atom")


def is_cheap(op: Operation) -> bool:
    """Whether the arms of an `if` hand values on, and compute but few whole numbers, which have no slope that might be nan."""
    return all(_is_small(x.type) for x in op.results) and all(map(_is_cheap_arm, op.blocks))


def _is_cheap_arm(block: Block) -> bool:
    *steps, end = block.ops
    computed = [op for op in steps if op.name not in _HAND_ON]
    return end.name == "yield" and len(computed) <= _MOST_OPERATIONS and all(map(_is_of_few_numbers, computed))


def _is_of_few_numbers(op: Operation) -> bool:
    is_plain = op.name in OPERATORS and not OPERATORS[op.name].random and op.results and not op.blocks
    return bool(is_plain) and all(_is_small(x.type, whole=True) for x in (*op.operands, *op.results))


def _is_small(type_: Type, whole: bool = False) -> bool:
    """Whether a value has few elements. whole: and all are ints or bools."""
    try:
        kinds = [leaf.type for leaf in leaves_of(type_) if not leaf.is_column]
        are_arrays = len(kinds) == len(leaves_of(type_)) and all(isinstance(x, Array) and x.is_fixed for x in kinds)
    except InexpressibleError:
        return False
    return are_arrays and all(_is_few(x, whole) for x in kinds if isinstance(x, Array))


def _is_few(kind: Array, whole: bool) -> bool:
    is_number = kind.dtype.startswith(("int", "uint", "bool")) if whole else kind.dtype != "string"
    return is_number and math.prod(n for n in kind.shape or () if isinstance(n, int)) <= _MOST_ELEMENTS
