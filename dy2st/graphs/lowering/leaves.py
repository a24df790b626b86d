"""Leaves of a value of the Program: the tensors that it is in a graph.

| type | leaves |
|---|---|
| tensor; int, float, bool, str | one: itself; `int64[]`, `float64[]`, `bool[]`, `string[]` |
| tensor of complex numbers | the real and the imaginary part |
| number | which kind it is (0 bool, 1 int, 2 float), as int, as float |
| none, atom, unbound | none |
| tuple | those of its items, one after the other |
| sum | the tag, then those of every alternative; of the others than the tag says they are blank |
| sequence | a column for each leaf of its items, or its length, where they have none |

A column of leaves of one fixed shape is one tensor, `[n, ...]`; tensors of open shapes are a sequence. Of sequences in a
sequence, the columns of all items lie one behind the other, and before them stands how long each is.
"""

from __future__ import annotations

from typing import NamedTuple

from ...ir.spoken import spoken_type
from ...ir.types import (
    BOOL,
    FLOAT,
    INT,
    NEVER,
    NONE,
    NUMBER,
    STR,
    UNBOUND,
    AtomType,
    SequenceType,
    SumType,
    TensorType,
    TupleType,
    Type,
)
from ...ops.rules import REAL_OF
from .refusal import InexpressibleError
from .values import Array, GraphType, Sequence

_SCALARS: dict[Type, str] = {INT: "int64", FLOAT: "float64", BOOL: "bool", STR: "string"}

_NOTHING = (NONE, UNBOUND, NEVER)


class Leaf(NamedTuple):
    """One tensor of a value.

    type: its type. is_column: whether it holds a row for each item of a sequence, as many as a run tells.
    """

    type: GraphType
    is_column: bool = False

    @property
    def row(self) -> Array:
        """The type of one row of a column."""
        if isinstance(self.type, Sequence):
            return self.type.of
        assert self.type.shape is not None
        return Array(self.type.dtype, self.type.shape[1:])


def leaves_of(type_: Type) -> tuple[Leaf, ...]:
    """The leaves of a value of a type. InexpressibleError: such a value has no form in a graph."""
    if isinstance(type_, TensorType):
        part = Leaf(Array(REAL_OF.get(type_.dtype, type_.dtype), None if type_.shape is None else tuple(type_.shape)))
        return (part, part) if is_complex(type_) else (part,)
    if type_ in _SCALARS:
        return (Leaf(Array(_SCALARS[type_], ())),)
    if type_ == NUMBER:
        return (Leaf(Array("int64", ())), Leaf(Array("int64", ())), Leaf(Array("float64", ())))
    if type_ in _NOTHING or isinstance(type_, AtomType):
        return ()
    if isinstance(type_, TupleType):
        return tuple(leaf for elem in type_.elems for leaf in leaves_of(elem))
    if isinstance(type_, SumType):
        return (Leaf(Array("int64", ())), *(leaf for part in type_.alternatives for leaf in leaves_of(part)))
    if isinstance(type_, SequenceType):
        columns = tuple(column for leaf in leaves_of(type_.elem) for column in columns_of(leaf))
        return columns or (Leaf(Array("int64", ())),)
    raise InexpressibleError(f"{spoken_type(type_)} is no tensor and not made of tensors")


def columns_of(leaf: Leaf) -> tuple[Leaf, ...]:
    """The columns of a sequence for one leaf of its items: one column, or the lengths and all columns in a row."""
    if leaf.is_column:
        return (Leaf(Array("int64", (None,)), True), leaf)
    assert isinstance(leaf.type, Array)
    if leaf.type.is_fixed:
        return (Leaf(Array(leaf.type.dtype, (None, *leaf.type.shape)), True),)  # type: ignore[misc]
    if leaf.type.dtype == "bfloat16":
        raise InexpressibleError(
            "ONNX has no sequences of bfloat16, as which items of open lengths would travel: cast them to float32 before they go "
            "into the list, or give them a fixed shape"
        )
    return (Leaf(Sequence(leaf.type), True),)


def is_single(type_: Type) -> bool:
    """Whether a value of a type is exactly one tensor, which operators take as it is."""
    return isinstance(type_, TensorType) and not is_complex(type_) or type_ in _SCALARS


def holds_complex(type_: Type) -> bool:
    """Whether values of a type have complex numbers in them."""
    return is_complex(type_) or any(map(holds_complex, type_.parts()))


def is_complex(type_: Type) -> bool:
    """Whether it is a tensor of complex numbers."""
    return isinstance(type_, TensorType) and type_.dtype in REAL_OF
