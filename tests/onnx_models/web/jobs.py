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
from dy2st.graphs.calls import GraphCall
from dy2st.graphs.exceptions import raised
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
            jobs.append(job(name, [self.call(name).feeds(batch, {}, {}) for batch in model.batches()]))
        self.folder = folder
        (folder / "jobs.json").write_text(json.dumps(jobs))

    def call(self, name: str) -> GraphCall:
        """What the inputs and outputs of a model stand for."""
        return GraphCall(self.metadata[name].inputs, self.metadata[name].outputs)

    def check(self, name: str, answers: Any) -> None:
        """The answers are what plain Python gives."""
        if name == "echo":
            return echo.check(answers)
        assert "error" not in answers, answers["error"]
        model, call = MODELS[name].made(), self.call(name)
        for batch, arrays in zip(MODELS[name].batches(), answers, strict=True):
            answer = call.answer(decoded(arrays[leaf]) for leaf in call.names)
            try:
                expected = plain(model(*map(dy2st.to_tensor, batch)))
            except ValueError as error:
                assert repr(raised(self.metadata[name].errors[answer.error - 1], answer.details)) == repr(error)
            else:
                assert answer.error == 0
                assert_same(expected, answer.result, f"{name} of {len(batch[0])}", rtol=1e-4, atol=1e-4)


def job(name: str, calls: list[dict[str, np.ndarray]]) -> dict[str, Any]:
    """What `calls.mjs` does with one model."""
    return {"name": name, "model": f"{name}.onnx", "calls": [{key: encoded(x) for key, x in call.items()} for call in calls]}


def metadata_of(file: str) -> Metadata:
    """What an exported file says of its inputs and outputs."""
    props = {prop.key: prop.value for prop in onnx.load(file).metadata_props}
    return Metadata.of_json(props[KEY])


def plain(x: Any) -> Any:
    """What a model returns with arrays in the place of tensors and numbers."""
    if isinstance(x, (list, tuple)):
        return type(x)(map(plain, x))
    return np.asarray(x)
