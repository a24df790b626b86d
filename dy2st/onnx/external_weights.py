"""Weights that stay in the safetensors file beside the model, so that one set of bytes serves both forms."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np

from ..errors import ModelFileError
from ..ir.core import Program
from ..saving.files import PARAMS
from ..saving.params import ParamsFile
from ..saving.writer import replacing
from .lowering.program import Lowered
from .lowering.protos import outside_proto


class ExternalWeights:
    """The parameters of a model as references into `<path>.params.safetensors`.

    ModelFileError: a file of that name has other bytes, and belongs to another model.
    """

    def __init__(self, target: str, program: Program, lowered: Lowered):
        self.path = Path(target.removesuffix(".onnx") + f".{PARAMS}")
        arrays = {name: np.asarray(parameter.data) for name, parameter in program.parameters.items()}
        self._file = ParamsFile(arrays)
        self._refuse_other()
        first = bytes(next(iter(self._file)))
        header, start = json.loads(first[8:]), len(first)
        aliases = json.loads(header.pop("__metadata__").get("dy2st.aliases", "{}"))
        names = {value: name for name, value in lowered.parameters.items()}
        for proto in lowered.model.graph.initializer:
            if proto.name in names:
                key = names[proto.name]
                offset = start + header[aliases.get(key, key)]["data_offsets"][0]
                proto.CopyFrom(outside_proto(proto.name, arrays[key], self.path.name, offset))

    def _refuse_other(self) -> None:
        if self.path.exists() and not self._is_same():
            raise ModelFileError(f"{self.path} holds other weights than this model: save the model to the same path first")

    def _is_same(self) -> bool:
        with self.path.open("rb") as file:
            return all(file.read(len(piece)) == piece for piece in self._file) and not file.read(1)

    def write(self) -> None:
        """Write the file where it isn't there."""
        if not self.path.exists():
            with replacing(self.path) as file:
                file.writelines(self._file)
