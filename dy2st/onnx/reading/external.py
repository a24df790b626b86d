"""Tensors of an ONNX model whose elements lie in files beside it: each file is mapped once, and no element is copied."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from ...dtypes import DTYPES
from ...saving.params import Buffer, map_file
from ...saving.untrusted import brief
from ..file_checks import FilesBeside, count_elements, place_beside
from .tensors import dtype_of, value_of


class ExternalData:
    """The files beside a model. folder: of the model; None where the model was no file, so that nothing may lie beside it."""

    def __init__(self, folder: Path | None):
        self._files = None if folder is None else FilesBeside(folder)
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
        where = f"the tensor {brief(tensor.name)}"
        dtype, count = np.dtype(DTYPES[dtype_of(tensor.data_type)].numpy), count_elements(tensor.dims, where)
        place, offset = place_beside(tensor, count * dtype.itemsize, self._files, where)
        found = np.frombuffer(self._data(place), dtype, count, offset) if count else np.empty(0, dtype)
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
