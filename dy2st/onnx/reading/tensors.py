"""Tensors and types of ONNX as NumPy's arrays, dy2st's dtypes and specs of inputs."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...dtypes import DTYPES
from ...errors import ConversionError, ModelFileError
from ...ir.join import join_types
from ...ir.types import NONE, ListType, TensorType, Type
from ...runtime.tensors.spec import InputSpec, ValueSpec

DTYPE_NAMES = {
    "FLOAT": "float32", "UINT8": "uint8", "INT8": "int8", "INT16": "int16", "INT32": "int32", "INT64": "int64", "BOOL": "bool",
    "FLOAT16": "float16", "DOUBLE": "float64", "COMPLEX64": "complex64", "COMPLEX128": "complex128", "BFLOAT16": "bfloat16",
}  # fmt: skip


def dtype_of(code: int) -> str:
    """The name of a dtype that ONNX knows by a number.

    ConversionError: dy2st lacks it. ModelFileError: ONNX does. DTypeError: the package that NumPy has it from isn't installed.
    """
    from onnx import TensorProto

    if code not in TensorProto.DataType.values() or not code:
        raise ModelFileError(f"{code} is no element type of ONNX")
    name = TensorProto.DataType.Name(code)
    if name not in DTYPE_NAMES:
        raise ConversionError(f"tensors of {name} can't be loaded: dy2st has {', '.join(DTYPES)}")
    found = DTYPE_NAMES[name]
    DTYPES[found].numpy  # noqa: B018 - of bfloat16, what NumPy has of it is imported when it is first asked for
    return found


def code_of(dtype: str) -> int:
    """The number by which ONNX knows a dtype."""
    from onnx import TensorProto

    return TensorProto.DataType.Value({name: code for code, name in DTYPE_NAMES.items()}[dtype])


def array_of(tensor: Any) -> np.ndarray:
    """The elements of a TensorProto. Errors as in `dtype_of`; ModelFileError: another number of elements than its shape says."""
    from onnx import numpy_helper

    dtype = dtype_of(tensor.data_type)
    try:
        found = numpy_helper.to_array(tensor)
    except (ValueError, TypeError, OverflowError, MemoryError) as error:
        raise ModelFileError(f"the tensor {tensor.name!r} of shape {list(tensor.dims)}: {error}") from None
    return np.array(found, DTYPES[dtype].numpy)


def value_of(tensor: Any) -> np.ndarray | str:
    """What a TensorProto holds: an array, or a text, which has no axes. Errors as in `array_of`."""
    is_text = is_text_type(tensor.data_type) and not tensor.dims and len(tensor.string_data) == 1
    return text_of(tensor.string_data[0]) if is_text else array_of(tensor)


def is_text_type(code: int) -> bool:
    """Whether elements of this type are texts."""
    from onnx import TensorProto

    return code == TensorProto.STRING


def text_of(data: bytes) -> str:
    """A text of a file. ModelFileError: it is none."""
    try:
        return data.decode()
    except UnicodeDecodeError:
        raise ModelFileError(f"{data!r} is no text") from None


def spec_of(value: Any) -> InputSpec | ValueSpec:
    """What a graph says of an input, a ValueInfoProto."""
    found = type_of(value.type)
    if isinstance(found, TensorType) and found.shape is not None:
        return InputSpec(list(found.shape), found.dtype, value.name, stop_gradient=True)
    return ValueSpec(found, value.name)


def type_of(proto: Any) -> Type:
    """The type that a TypeProto tells; ConversionError for maps, sparse tensors and dtypes that dy2st lacks."""
    kind = proto.WhichOneof("value")
    if kind == "tensor_type":
        given = proto.tensor_type
        lengths = tuple(map(_length, given.shape.dim))
        return TensorType(dtype_of(given.elem_type), lengths if given.HasField("shape") else None)
    if kind == "sequence_type":
        return ListType(type_of(proto.sequence_type.elem_type))
    if kind == "optional_type":
        return join_types(type_of(proto.optional_type.elem_type), NONE)
    raise ConversionError(f"values of {kind or 'no type'} can't be loaded: tensors, sequences and optionals of them can")


def _length(dim: Any) -> int | None:
    """A length, None where any will do, which some write as -1. ModelFileError: another negative number."""
    if not dim.HasField("dim_value") or dim.dim_value == -1:
        return None
    if dim.dim_value < 0:
        raise ModelFileError(f"{dim.dim_value} is no length")
    return dim.dim_value


def proto_of(type_: Type) -> Any:
    """The TypeProto of a tensor's type, as far as it is known."""
    from onnx import helper

    assert isinstance(type_, TensorType)
    return helper.make_tensor_type_proto(code_of(type_.dtype), type_.shape)
