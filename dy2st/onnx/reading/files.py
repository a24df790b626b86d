"""Files of ONNX models, read as what they are: enemies until they are checked."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from ...errors import ModelFileError
from .. import packages


def read(source: Any) -> tuple[Any, str, Path | None]:
    """The ModelProto that a path, bytes or a ModelProto gives, with all tensors in it; what it is called; where it lies."""
    onnx = packages.onnx()
    if isinstance(source, onnx.ModelProto):
        model = onnx.ModelProto()
        model.CopyFrom(source)
        return _whole(model, None), model.graph.name or "model", None
    if isinstance(source, bytes | bytearray | memoryview):
        return _whole(decoded(onnx, bytes(source), "the data"), None), "model", None
    if not isinstance(source, str | os.PathLike):
        raise TypeError(f"onnx.load takes a path, bytes or an onnx.ModelProto, not {type(source).__name__}")
    path = Path(source)
    if not path.is_file():
        raise ModelFileError(f"{path} is no file")
    return _whole(decoded(onnx, path.read_bytes(), str(path)), path.parent), path.name, path


def decoded(onnx: Any, data: bytes, what: str) -> Any:
    """The ModelProto of a file's bytes, without tensors that lie outside. ModelFileError: it is none; `what` names the file."""
    from google.protobuf.message import DecodeError  # type: ignore[import-untyped]

    model = onnx.ModelProto()
    try:
        model.ParseFromString(data)
    except DecodeError:
        raise ModelFileError(f"{what} is no ONNX model, or is cut off") from None
    if not all(isinstance(text, str) for text in _texts(model)):
        raise ModelFileError(f"{what} is no ONNX model: a name in it is no text")
    return model


def _texts(message: Any) -> Iterator[Any]:
    """The names and other texts in a message, at any depth: bytes where they aren't UTF-8."""
    waiting = [message]
    while waiting:
        for field, value in waiting.pop().ListFields():
            if field.type in (field.TYPE_STRING, field.TYPE_MESSAGE):
                found = [value] if isinstance(value, str | bytes) or hasattr(value, "ListFields") else list(value)
                yield from found if field.type == field.TYPE_STRING else ()
                waiting += found if field.type == field.TYPE_MESSAGE else []


def _whole(model: Any, folder: Path | None) -> Any:
    """The model, with the tensors in it that lay in files beside it."""
    from onnx.external_data_helper import _get_all_tensors, uses_external_data

    for tensor in _get_all_tensors(model):
        if uses_external_data(tensor):
            _bring(tensor, folder)
    return model


def _bring(tensor: Any, folder: Path | None) -> None:
    """Put the elements of a tensor into it that lie in a file. ModelFileError: one outside of the folder, or too short."""
    from onnx import TensorProto, helper

    told = {entry.key: entry.value for entry in tensor.external_data}
    what = f"the tensor {tensor.name!r} lies in the file {told.get('location', '')!r}"
    if folder is None:
        raise ModelFileError(f"{what}, which only the path of the model leads to: load it by its path")
    place = _place(folder, told.get("location", ""), what)
    try:
        offset, length = int(told.get("offset", 0)), int(told["length"]) if "length" in told else None
        itemsize = helper.tensor_dtype_to_np_dtype(tensor.data_type).itemsize
    except (ValueError, KeyError) as error:
        raise ModelFileError(f"{what}, at no place: {error}") from None
    needed = itemsize * int(np.prod([*tensor.dims], dtype=object))
    size = place.stat().st_size
    if offset < 0 or needed < 0 or offset + needed > size or length not in (None, needed):
        raise ModelFileError(f"{what}, from {offset} on, where {needed} bytes are needed; it has {size} (length: {length})")
    with place.open("rb") as file:
        file.seek(offset)
        tensor.raw_data = file.read(needed)
    tensor.data_location = TensorProto.DEFAULT
    del tensor.external_data[:]


def _place(folder: Path, location: str, what: str) -> Path:
    """The file of this name in the folder of the model, or in one below it, and no link to one elsewhere."""
    inside = folder.resolve()
    place = (inside / location).resolve()
    if not location or Path(location).is_absolute() or not place.is_relative_to(inside):
        raise ModelFileError(f"{what}, which isn't in the folder of the model")
    if not place.is_file():
        raise ModelFileError(f"{what}, which isn't there")
    return place
