"""Trace-time facts about dynamic dimensions: which are equal, that none is negative, and what they tell of a shape.

    mask = x.ne(0) * weights        mask.shape[1] == x.shape[1] and x.shape[1] + 2 > 0 are True while the Program is made

Each dynamic dimension has a name. Inference runs once more on types with names, so that a result has those of its operands.
"""

from __future__ import annotations

from itertools import count
from typing import Any
from weakref import WeakKeyDictionary

from ..errors import Dy2stError
from ..ir.core import UNKNOWN, Block, Operation, Ref, Value, refs_unknown
from ..ir.types import Dim, TensorType, Type
from .registry import OPERATORS, infer_types

_count = count()  # whose `next` is one step for threads, as that of a generator isn't
_of_numbers: WeakKeyDictionary[Value, str] = WeakKeyDictionary()
_of_tensors: WeakKeyDictionary[Value, TensorType] = WeakKeyDictionary()  # types of which each dimension is a number or a name


def are_same(a: Value, b: Value) -> bool:
    """Whether two ints of a Program are one length, whatever that is."""
    return a is b or (_is_length(a) and _is_length(b) and _name(a) == _name(b))


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


def narrow_result(op: Operation) -> None:
    """Give the result of an operator the lengths that equal dynamic dimensions tell: `x.reshape([x.shape[0], -1])` keeps one."""
    for value in op.results:
        type_ = value.type
        if isinstance(type_, TensorType) and type_.shape is not None and None in type_.shape:
            found = _named(value).shape or ()
            value.type = TensorType(type_.dtype, tuple(n if isinstance(n, int) else own for n, own in zip(found, type_.shape)))


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


def _name(number: Value) -> Dim:
    """The name of an int; the one of a dimension where it is the length of that."""
    if _is_length(number):
        _named(number.owner.operands[0])  # type: ignore[union-attr]
    return _name_beside_tensors(number)


def _name_beside_tensors(number: Value) -> Dim:
    """The same, where the tensor has been given names."""
    op = number.owner
    if isinstance(op, Operation) and op.name == "py.dim" and (shape := _of_tensors[op.operands[0]].shape) is not None:
        return shape[op.attrs["axis"]]
    return _of_numbers.setdefault(number, _new_name())


def _new_name() -> str:
    return f"@{next(_count)}"


def _named(tensor: Value) -> TensorType:
    """The type of a tensor, with names of its dynamic dimensions."""
    pending = [tensor]
    while pending:
        value = pending[-1]
        unnamed = [] if value in _of_tensors else [x for x in _tensors_before(value) if x not in _of_tensors]
        pending += unnamed
        if not unnamed:
            pending.pop()
            if value not in _of_tensors:
                _of_tensors[value] = _with_names(value)
    return _of_tensors[tensor]


def _tensors_before(value: Value) -> list[Value]:
    """The tensors whose names have to be known first."""
    op, found = value.owner, []
    for x in op.operands if isinstance(op, Operation) and not op.blocks else ():
        if isinstance(x.type, TensorType):
            found.append(x)
        elif isinstance(x.owner, Operation) and x.owner.name == "py.dim":
            found.append(x.owner.operands[0])
    return found


def _with_names(value: Value) -> TensorType:
    """The type of a tensor with the names of its operands, and new ones for its other dynamic dimensions."""
    declared, shape = value.type, None
    assert isinstance(declared, TensorType)
    if declared.shape is not None:
        known = _inferred(value).shape or (None,) * len(declared.shape)
        shape = tuple(_new_name() if n is None else n for n in map(_narrower, declared.shape, known))
    return TensorType(declared.dtype, shape)


def _narrower(declared: Dim, inferred: Dim) -> Dim:
    return inferred if declared is None else declared


def _inferred(value: Value) -> TensorType:
    """The type of a tensor with those names that its operands have."""
    op = value.owner
    declared: Any = value.type
    if isinstance(op, Block) or op is None or op.blocks or op.name not in OPERATORS:
        return declared
    attrs, shape = refs_unknown(op.attrs), op.attrs.get("shape")
    if isinstance(shape, list | tuple):
        attrs["shape"] = [_dimension(op.operands[n.index]) if isinstance(n, Ref) else n for n in shape]
    try:
        found = infer_types(OPERATORS[op.name], [_type(x) for x in op.operands[: op.n_positional]], attrs)
    except Dy2stError:  # the operator raises when it runs, or reads a number that the Program computes
        return declared
    type_ = found[op.results.index(value)]
    return type_ if isinstance(type_, TensorType) and type_.rank == declared.rank else declared


def _type(x: Value) -> Type:
    return _of_tensors[x] if isinstance(x.type, TensorType) else x.type


def _dimension(number: Value) -> Any:
    """The name of an int in a shape; one that may be negative stands for another length, or none."""
    least = _least(number)
    return UNKNOWN if least is None or least < 0 else _name_beside_tensors(number)
