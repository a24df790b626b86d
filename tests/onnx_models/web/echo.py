"""A model that gives back what it is given, in each dtype: whether arrays reach JavaScript, and come back, bit for bit."""

from __future__ import annotations

from typing import Any

import numpy as np
import onnx
from onnx_models.web.tensors import encoded

DTYPES = {
    "BOOL": bool,
    "INT8": np.int8,
    "UINT8": np.uint8,
    "INT32": np.int32,
    "INT64": np.int64,
    "FLOAT16": np.float16,
    "FLOAT": np.float32,
    "DOUBLE": np.float64,
    "STRING": object,
}


def model() -> onnx.ModelProto:
    """The model: an input and an output for each dtype."""
    helper, kinds = onnx.helper, onnx.TensorProto
    inputs = [helper.make_tensor_value_info(name, getattr(kinds, name), [None]) for name in DTYPES]
    outputs = [helper.make_tensor_value_info(f"{name}.out", getattr(kinds, name), [None]) for name in DTYPES]
    nodes = [helper.make_node("Identity", [name], [f"{name}.out"]) for name in DTYPES]
    graph = helper.make_graph(nodes, "echo", inputs, outputs)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=8)


def calls() -> list[dict[str, np.ndarray]]:
    """Calls with extremes, and with nothing."""
    full = {name: np.asarray(_extremes(dtype), dtype) for name, dtype in DTYPES.items()}
    return [full, {name: x[:0] for name, x in full.items()}]


def _extremes(dtype: Any) -> list[Any]:
    if dtype is object:
        return ["", "naïve 数"]
    if dtype is bool:
        return [True, False]
    if np.issubdtype(dtype, np.floating):
        return [np.nan, -0.0, np.inf, np.finfo(dtype).tiny, np.finfo(dtype).max]
    return [np.iinfo(dtype).min, np.iinfo(dtype).max]


def check(answers: Any) -> None:
    """What came back is what went in."""
    assert "error" not in answers, answers["error"]
    for call, answer in zip(calls(), answers, strict=True):
        for name, x in call.items():
            assert answer[f"{name}.out"] == encoded(x), name
