"""Tensors of an ONNX model whose elements lie in files beside it: each file is mapped once, and no element is copied."""

from __future__ import annotations

from math import prod
from pathlib import Path
from typing import Any

import numpy as np

from ...dtypes import DTYPES
from ...errors import ModelFileError
from ...saving.params import Buffer, map_file
from ...saving.untrusted import brief
from .tensors import dtype_of, value_of


class ExternalData:
    """The files beside a model. folder: of the model; None where the model was no file, so that nothing may lie beside it."""

    def __init__(self, folder: Path | None):
        self._folder = folder
        self._mapped: dict[Path, Buffer] = {}

    def check(self, model: Any) -> None:
        """ModelFileError where elements of a model lie in no file, or outside of it, as in `array`."""
        from onnx.external_data_helper import _get_all_tensors

        for tensor in filter(is_external, _get_all_tensors(model)):
            self.array(tensor)

    def array(self, tensor: Any) -> np.ndarray:
        """The elements of a TensorProto that lie in a file, as a read-only view of it.

        ModelFileError: there are none, they lie in no regular file in the folder of the model, or the file is too short.
        """
        entries = {entry.key: entry.value for entry in tensor.external_data}
        what = f"the tensor {brief(tensor.name)} lies in the file {brief(entries.get('location', ''))}"
        if self._folder is None:
            raise ModelFileError(f"{what}, which only the path of the model leads to: load it by its path")
        dtype, needed, offset = DTYPES[dtype_of(tensor.data_type)].numpy, prod(tensor.dims), 0
        needed *= np.dtype(dtype).itemsize
        try:
            offset, length = int(entries.get("offset", 0)), int(entries["length"]) if "length" in entries else None
        except ValueError as error:
            raise ModelFileError(f"{what}, at no place: {error}") from None
        data = self._data(_place(self._folder, entries.get("location", ""), what))
        if min(offset, *tensor.dims, 0) < 0 or offset + needed > len(data) or length not in (None, needed):
            raise ModelFileError(
                f"{what}, from {offset} on, where {needed} bytes are needed; it has {len(data)} (length: {length})"
            )
        found = np.frombuffer(data, dtype, prod(tensor.dims), offset) if needed else np.empty(0, dtype)
        return found.reshape(tensor.dims)

    def value(self, tensor: Any) -> np.ndarray | str:
        """The array or text that a TensorProto holds, wherever its elements lie. Errors as in `array` and `tensors.array_of`."""
        return self.array(tensor) if is_external(tensor) else value_of(tensor)

    def _data(self, place: Path) -> Buffer:
        if place not in self._mapped:
            self._mapped[place] = map_file(place)
        return self._mapped[place]


def is_external(tensor: Any) -> bool:
    """Whether the elements of a TensorProto lie in a file beside the model."""
    return tensor.data_location == tensor.EXTERNAL


def _place(folder: Path, location: str, what: str) -> Path:
    """The file of this name in the folder of the model, or in one below it, and no link to one elsewhere."""
    inside = folder.resolve()
    try:
        place = (inside / location).resolve()
    except (OSError, ValueError, RuntimeError) as error:  # a zero byte, a name that is too long, a circle of links
        raise ModelFileError(f"{what}, which is no name of a file: {getattr(error, 'strerror', error)}") from None
    if not location or Path(location).is_absolute() or not place.is_relative_to(inside):
        raise ModelFileError(f"{what}, which isn't in the folder of the model")
    return place
