"""The exported models with their calls, in files that `calls.mjs` runs, and what plain Python says of the answers."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from onnx_models.running import assert_same
from onnx_models.web import echo
from onnx_models.web.models import MODELS
from onnx_models.web.tensors import decoded, encoded

import dy2st
from dy2st.onnx.lowering.natives import flattened, rebuilt
from dy2st.onnx.metadata import KEY, Metadata

NAMES = ("echo", *MODELS)


class Jobs:
    """A folder with the models and `jobs.json`, which has their calls."""

    def __init__(self, folder: Path):
        onnx.save(echo.model(), str(folder / "echo.onnx"))
        jobs = [job("echo", echo.calls())]
        self.metadata: dict[str, Metadata] = {}
        for name, model in MODELS.items():
            file = dy2st.onnx.export(model.made(), folder / name, [*model.specs])
            self.metadata[name] = metadata_of(file)
            jobs.append(job(name, [feeds(self.metadata[name], batch) for batch in model.batches()]))
        self.folder = folder
        (folder / "jobs.json").write_text(json.dumps(jobs))

    def check(self, name: str, answers: Any) -> None:
        """The answers are what plain Python gives."""
        if name == "echo":
            return echo.check(answers)
        assert "error" not in answers, answers["error"]
        model, (port,) = MODELS[name].made(), self.metadata[name].outputs
        for batch, answer in zip(MODELS[name].batches(), answers, strict=True):
            given = rebuilt(port.type, [decoded(answer[leaf]) for leaf in port.leaves])
            expected = plain(model(*map(dy2st.to_tensor, batch)))
            assert_same(expected, given, f"{name} of {len(batch[0])}", rtol=1e-4, atol=1e-4)


def job(name: str, calls: list[dict[str, np.ndarray]]) -> dict[str, Any]:
    """What `calls.mjs` does with one model."""
    return {"name": name, "model": f"{name}.onnx", "calls": [{key: encoded(x) for key, x in call.items()} for call in calls]}


def metadata_of(file: str) -> Metadata:
    """What an exported file says of its inputs and outputs."""
    props = {prop.key: prop.value for prop in onnx.load(file).metadata_props}
    return Metadata.of_json(props[KEY])


def feeds(metadata: Metadata, values: tuple[np.ndarray, ...]) -> dict[str, np.ndarray]:
    """The inputs of a call by name."""
    return {leaf: x for port, value in zip(metadata.inputs, values) for leaf, x in zip(port.leaves, flattened(port.type, value))}


def plain(x: Any) -> Any:
    """What a model returns with arrays in the place of tensors and numbers."""
    if isinstance(x, (list, tuple)):
        return type(x)(map(plain, x))
    return np.asarray(x)
