"""Types and arrays in the words of ONNX's protocol buffers, there and back."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...graphs.lowering.values import DTYPE_NAMES, ELEMENTS, Array, GraphType, Sequence, Shape
from ..packages import onnx

LARGEST = (1 << 31) - (1 << 26)  # bytes of weights in one file: a message of protobuf's has 2 GiB, and names and nodes take some


def type_proto(type_: GraphType) -> Any:
    """A type as a TypeProto."""
    helper = onnx().helper
    if isinstance(type_, Sequence):
        return helper.make_sequence_type_proto(type_proto(type_.of))
    return helper.make_tensor_type_proto(ELEMENTS[type_.dtype], type_.shape)


def type_of(proto: Any) -> GraphType:
    """The type that a TypeProto tells."""
    if proto.HasField("sequence_type"):
        inner = type_of(proto.sequence_type.elem_type)
        assert isinstance(inner, Array)
        return Sequence(inner)
    tensor = proto.tensor_type
    shape = tuple(map(_dim, tensor.shape.dim)) if tensor.HasField("shape") else None
    return Array(DTYPE_NAMES[tensor.elem_type], shape)


def _dim(dim: Any) -> int | str | None:
    if dim.HasField("dim_value"):
        return dim.dim_value
    return dim.dim_param or None


def value_info(name: str, type_: GraphType) -> Any:
    """A named type, as inputs and outputs have it."""
    return onnx().helper.make_value_info(name, type_proto(type_))


def tensor_proto(name: str, array: np.ndarray) -> Any:
    """A constant with its bytes."""
    return onnx().numpy_helper.from_array(np.ascontiguousarray(array).reshape(array.shape), name)  # which makes 1 axis of none


def array_type(array: np.ndarray, dtype: str) -> Array:
    """The type of a constant."""
    return Array(dtype, array.shape)


def merged(types: list[GraphType]) -> GraphType:
    """The type of a value that is of either type: lengths that agree stay."""
    first = types[0]
    if isinstance(first, Sequence):
        inner = merged([type_.of for type_ in types])  # type: ignore[union-attr]
        assert isinstance(inner, Array)
        return Sequence(inner)
    assert all(isinstance(type_, Array) and type_.dtype == first.dtype for type_ in types), types
    return Array(first.dtype, _merged_shape([type_.shape for type_ in types]))  # type: ignore[union-attr]


def _merged_shape(shapes: list[Shape | None]) -> Shape | None:
    if any(shape is None or len(shape) != len(shapes[0] or ()) for shape in shapes):
        return None
    return tuple(dims[0] if len(set(dims)) == 1 else None for dims in zip(*shapes))  # type: ignore[arg-type]


def outside_proto(name: str, array: np.ndarray, location: str, offset: int | None = None) -> Any:
    """A constant whose bytes lie outside of the model: in a file, from `offset` on, or where a session is told."""
    proto = onnx().TensorProto(name=name, data_type=onnx().helper.np_dtype_to_tensor_dtype(array.dtype), dims=array.shape)
    proto.data_location = onnx().TensorProto.EXTERNAL
    places = {"location": location} | ({} if offset is None else {"offset": offset, "length": array.nbytes})
    for key, value in places.items():
        place = proto.external_data.add()
        place.key, place.value = key, str(value)
    return proto


def weight_proto(name: str, array: np.ndarray) -> Any:
    """A weight as a constant; without its bytes, which nothing but a file beside the model holds, where they are too many."""
    return tensor_proto(name, array) if array.nbytes <= LARGEST else outside_proto(name, array, name)
