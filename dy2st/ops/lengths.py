"""Trace-time facts about dynamic dimensions: which are equal, and that none is negative.

    mask = x.ne(0) * weights        mask.shape[1] == x.shape[1] and x.shape[1] + 2 > 0 are True while the Program is made
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


def comparison(name: str, a: Value | int, b: Value | int) -> bool | None:
    """The result of `py.lt` or another comparison of two ints, at least one dynamic; None where it depends on the input data."""
    if isinstance(a, Value) and isinstance(b, Value):
        return name in ("py.eq", "py.le", "py.ge") if are_same(a, b) else None
    if isinstance(a, int):
        a, b, name = b, a, _TURNED.get(name, name)
    assert isinstance(a, Value) and isinstance(b, int)
    least = _least(a)
    if least is None or least < b or (least == b and name not in ("py.ge", "py.lt")):
        return None
    return name in ("py.ge", "py.gt", "py.ne")


_TURNED = {"py.lt": "py.gt", "py.gt": "py.lt", "py.le": "py.ge", "py.ge": "py.le"}


def _least(number: Value) -> int | None:
    """A number that an int of the Program isn't below, or None."""
    op = number.owner
    if not isinstance(op, Operation):
        return None
    if op.name == "py.dim":
        return 0
    if op.name == "const":
        value = op.attrs["value"]
        return value if type(value) is int else None
    if op.name in ("py.add", "py.mul"):
        a, b = map(_least, op.operands)
        if a is None or b is None or (op.name == "py.mul" and min(a, b) < 0):
            return None
        return a + b if op.name == "py.add" else a * b
    return None


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
