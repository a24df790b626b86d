"""Files of ONNX models, read as what they are: enemies until they are checked."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ...errors import ModelFileError
from ...saving.altered import crlf_problem, refuse_lfs_pointer
from ...saving.params import Buffer, map_file
from .. import packages


def read(source: Any) -> tuple[Any, str, Path | None]:
    """The ModelProto that a path, bytes or a ModelProto gives; the name of the model; its path, if it is a file."""
    onnx = packages.onnx()
    if isinstance(source, onnx.ModelProto):
        model = onnx.ModelProto()
        model.CopyFrom(source)
        return model, model.graph.name or "model", None
    if isinstance(source, bytes | bytearray | memoryview):
        return decoded(onnx, memoryview(source), "the data"), "model", None
    if not isinstance(source, str | os.PathLike):
        raise TypeError(f"onnx.load takes a path, bytes or an onnx.ModelProto, not {type(source).__name__}")
    path = Path(source)
    return decoded(onnx, map_file(path), str(path)), path.name, path


def decoded(onnx: Any, data: Buffer, what: str) -> Any:
    """The ModelProto of a file's bytes. ModelFileError: they are none; `what` names the file."""
    from google.protobuf.message import DecodeError  # type: ignore[import-untyped]

    model = onnx.ModelProto()
    try:
        model.ParseFromString(memoryview(data))
    except DecodeError:
        refuse_lfs_pointer(data, what)
        raise ModelFileError(crlf_problem(data, what) or f"{what} is no ONNX model, or is cut off") from None
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
