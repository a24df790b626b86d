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
from dy2st.onnx.lowering.program import Lowered, lower

NAMES = ("echo", *MODELS)


class Jobs:
    """A folder with the models and `jobs.json`, which has their calls."""

    def __init__(self, folder: Path):
        self.folder = folder
        self.lowered = {name: exported(name) for name in MODELS}
        jobs = [self._job("echo", echo.model(), echo.calls())]
        for name, lowered in self.lowered.items():
            jobs.append(self._job(name, lowered.model, [feeds(lowered, batch) for batch in MODELS[name].batches()]))
        (folder / "jobs.json").write_text(json.dumps(jobs))

    def _job(self, name: str, model: onnx.ModelProto, calls: list[dict[str, np.ndarray]]) -> dict[str, Any]:
        onnx.save(model, str(self.folder / f"{name}.onnx"))
        return {"name": name, "model": f"{name}.onnx", "calls": [{key: encoded(x) for key, x in call.items()} for call in calls]}

    def check(self, name: str, answers: Any) -> None:
        """The answers are what plain Python gives."""
        if name == "echo":
            return echo.check(answers)
        assert "error" not in answers, answers["error"]
        model, (port,) = MODELS[name].made(), self.lowered[name].outputs
        for batch, answer in zip(MODELS[name].batches(), answers, strict=True):
            given = rebuilt(port.type, [decoded(answer[leaf]) for leaf in port.leaves])
            expected = plain(model(*map(dy2st.to_tensor, batch)))
            assert_same(expected, given, f"{name} of {len(batch[0])}", rtol=1e-4, atol=1e-4)


def exported(name: str) -> Lowered:
    """A model as ONNX."""
    static = dy2st.jit.to_static(MODELS[name].made(), input_spec=[*MODELS[name].specs])
    function = static.forward if isinstance(static, dy2st.nn.Layer) else static
    return lower(function.concrete_program.main_program)


def feeds(lowered: Lowered, values: tuple[np.ndarray, ...]) -> dict[str, np.ndarray]:
    """The inputs of a call by name."""
    return {leaf: x for port, value in zip(lowered.inputs, values) for leaf, x in zip(port.leaves, flattened(port.type, value))}


def plain(x: Any) -> Any:
    """What a model returns with arrays in the place of tensors and numbers."""
    if isinstance(x, (list, tuple)):
        return type(x)(map(plain, x))
    return np.asarray(x)
