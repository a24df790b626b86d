"""Weights that stay in the safetensors file beside the model, so that one set of bytes serves both forms."""

from __future__ import annotations

import json
import os
from contextlib import suppress
from pathlib import Path

import numpy as np

from ..errors import ModelFileError
from ..ir.core import Program
from ..saving.files import INFO, PARAMS
from ..saving.params import ParamsFile
from ..saving.writer import replacing
from .lowering.program import Lowered
from .lowering.protos import outside_proto


class ExternalWeights:
    """The parameters of a model as references into a safetensors file beside it.

    That is `<path>.params.safetensors`. Where a model that `jit.save` wrote needs that file with other weights, it is
    `<path>.onnx.params.safetensors`. ModelFileError: a file of that name has other bytes, and no exported model beside it.
    """

    def __init__(self, target: str, program: Program, lowered: Lowered):
        arrays = {name: np.asarray(parameter.data) for name, parameter in program.parameters.items()}
        self._file = ParamsFile(arrays)
        self._target = Path(target)
        self.path = self._place()
        first = bytes(next(iter(self._file)))
        header, start = json.loads(first[8:]), len(first)
        aliases = json.loads(header.pop("__metadata__").get("dy2st.aliases", "{}"))
        names = {value: name for name, value in lowered.parameters.items()}
        for proto in lowered.model.graph.initializer:
            if proto.name in names:
                key = names[proto.name]
                offset = start + header[aliases.get(key, key)]["data_offsets"][0]
                proto.CopyFrom(outside_proto(proto.name, arrays[key], self.path.name, offset))

    def _place(self) -> Path:
        prefix = os.fspath(self._target).removesuffix(".onnx")
        shared = Path(f"{prefix}.{PARAMS}")
        if not os.path.lexists(shared) or self._is_in(shared):
            return shared
        if Path(f"{prefix}.{INFO}").exists():
            return self._own
        if not self._target.exists():
            why = "and no model beside it needs them: remove it, or choose another path"
            raise ModelFileError(f"{shared} holds other weights, {why}")
        return shared

    @property
    def _own(self) -> Path:
        """The file that no model of `jit.save` needs."""
        return Path(f"{self._target}.{PARAMS}")

    def _is_in(self, path: Path) -> bool:
        """Whether a file has just these weights."""
        if not path.is_file():
            return False
        with path.open("rb") as file:
            return all(file.read(len(piece)) == piece for piece in self._file) and not file.read(1)

    def write(self) -> None:
        """Write the file, where it isn't as it should be. What is mapped from an older file stays as it is."""
        if not self._is_in(self.path):
            with replacing(self.path) as file:
                file.writelines(self._file)

    def remove_unused(self) -> None:
        """Remove the file of an earlier export, which this one doesn't need."""
        if self.path != self._own:
            with suppress(OSError):  # Windows keeps a file that is mapped
                self._own.unlink()
