"""Values of a graph, known by name and type: lowerings handle them in place of arrays."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

ELEMENTS = {  # dtype -> its number in TensorProto.DataType
    "float32": 1, "uint8": 2, "int8": 3, "uint16": 4, "int16": 5, "int32": 6, "int64": 7, "string": 8, "bool": 9, "float16": 10,
    "float64": 11, "uint32": 12, "uint64": 13, "complex64": 14, "complex128": 15, "bfloat16": 16,
}  # fmt: skip
DTYPE_NAMES = {number: name for name, number in ELEMENTS.items()}
Shape = tuple[int | str | None, ...]


class Array(NamedTuple):
    """The type of a tensor: `shape` is None where the number of axes isn't known."""

    dtype: str
    shape: Shape | None

    @property
    def is_fixed(self) -> bool:
        """Whether every length is known."""
        return self.shape is not None and all(isinstance(dim, int) for dim in self.shape)


class Sequence(NamedTuple):
    """The type of a sequence of tensors, as ONNX has them."""

    of: Array


GraphType = Array | Sequence


class GraphValue:
    """A value of the graph.

    name: unique in the model. type: an Array or a Sequence. array: its value, where it is a constant.
    is_number: it is a Python number of the Program, which takes the dtype of the tensor that it meets.
    """

    __slots__ = ("name", "type", "array", "is_number")

    def __init__(self, name: str, type: GraphType, array: np.ndarray | None = None, is_number: bool = False):
        self.name, self.type, self.array, self.is_number = name, type, array, is_number

    @property
    def dtype(self) -> str:
        """The name of the dtype, of a sequence that of its tensors."""
        return self.type.of.dtype if isinstance(self.type, Sequence) else self.type.dtype

    @property
    def shape(self) -> Shape | None:
        """The lengths; None where their number isn't known."""
        return self.type.of.shape if isinstance(self.type, Sequence) else self.type.shape

    @property
    def rank(self) -> int | None:
        """The number of axes, where it is known."""
        return None if self.shape is None else len(self.shape)

    @property
    def is_sequence(self) -> bool:
        """Whether it is a sequence of tensors."""
        return isinstance(self.type, Sequence)

    @property
    def item(self) -> Any:
        """The Python number of a constant with one element; None where it is no constant."""
        return None if self.array is None else self.array.reshape(()).item()

    def as_number(self) -> GraphValue:
        """The same value, as a Python number."""
        return self if self.is_number else GraphValue(self.name, self.type, self.array, True)

    def as_tensor(self) -> GraphValue:
        """The same value, as a tensor that keeps its dtype."""
        return GraphValue(self.name, self.type, self.array) if self.is_number else self

    def __repr__(self) -> str:
        return f"<GraphValue {self.name}: {self.type}>"


def is_floating(x: GraphValue) -> bool:
    """Whether the elements are numbers of floating point."""
    return x.dtype in ("float16", "bfloat16", "float32", "float64")
