"""Lengths of tensors that are known to be the same, though only the Program knows them: a sum is as long as what it adds.

    mask = x.ne(0) * weights        mask.shape[1] == x.shape[1] is True while the Program is made
"""

from __future__ import annotations

from ..ir.core import Operation, Ref, Value
from ..ir.types import TensorType
from .families import FAMILIES

_GIVES_SHAPE = ("activation", "cast", "compare", "elementwise", "erf", "floats", "integers", "unary", "select", "scan", "softmax")
_ELEMENTWISE = frozenset(name for family in _GIVES_SHAPE for name in FAMILIES[family].split() if not name.endswith("_"))
_LIKE = ("full_like", "zeros_like")
Length = tuple[Value, int]  # a tensor and an axis; of an int that is no length, itself and -1


def are_same(a: Value, b: Value) -> bool:
    """Whether two ints of a Program are one length, whatever that is."""
    return a is b or (_is_length(a) and _is_length(b) and _of_number(a) == _of_number(b))


def _is_length(number: Value) -> bool:
    return isinstance(number.owner, Operation) and number.owner.name == "py.dim"


def _of_number(number: Value) -> Length:
    op = number.owner
    return _origin(op.operands[0], op.attrs["axis"]) if isinstance(op, Operation) and op.name == "py.dim" else (number, -1)


def _origin(tensor: Value, axis: int) -> Length:
    """The tensor, of those that this one is computed from elementwise, whose length along an axis this length is."""
    while True:
        found = {*_sources(tensor, axis)}
        if len(found) != 1:
            return tensor, axis
        ((source, place),) = found
        if place < 0:
            return _of_number(source)
        tensor, axis = source, place


def _sources(tensor: Value, axis: int) -> list[Length]:
    """The operands that have this length, each with its axis; an int with -1."""
    op, type_ = tensor.owner, tensor.type
    if not isinstance(op, Operation) or not isinstance(type_, TensorType) or type_.shape is None or len(op.results) != 1:
        return []
    if op.name == "full":
        length = op.attrs["shape"][axis]
        return [(op.operands[length.index], -1)] if isinstance(length, Ref) else []
    if op.name in _LIKE:
        return [(op.operands[0], axis)]
    if op.name == "repeat_interleave":
        return [(op.operands[0], axis)] if op.attrs["axis"] not in (axis, axis - len(type_.shape), None) else []
    if op.name not in _ELEMENTWISE:
        return []
    found = []
    for operand in op.operands:
        if isinstance(operand.type, TensorType):
            if operand.type.shape is None:
                return []
            place = axis - len(type_.shape) + len(operand.type.shape)
            if place >= 0 and operand.type.shape[place] != 1:
                found.append(_origin(operand, place))
    return found
