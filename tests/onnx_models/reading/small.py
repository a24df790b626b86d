"""Small ONNX models, written in ONNX's own text: `model("(float[N, 2] x) => (float[N, 2] y)", "y = Relu(x)")`."""

from __future__ import annotations

from typing import Any

import numpy as np


def model(signature: str, body: str, opset: int = 18, functions: str = "", **initialisers: Any) -> Any:
    """A ModelProto. functions: texts of functions of the domain `own`, after the graph. initialisers: arrays by name."""
    from onnx import numpy_helper, parser

    imports = f'"": {opset}' + (', "own": 1' if functions else "")
    text = f"<ir_version: 9, opset_import: [{imports}]> small {signature} {{ {body} }} {functions}"
    made = parser.parse_model(text)
    for name, array in initialisers.items():
        made.graph.initializer.append(numpy_helper.from_array(np.asarray(array), name.replace("__", ".")))
    return made


def session(made: Any) -> Any:
    """The model in onnxruntime, as a function of arrays by name that gives a list of arrays."""
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    found = onnxruntime.InferenceSession(made.SerializeToString(), options, providers=["CPUExecutionProvider"])
    return lambda **inputs: found.run(None, inputs)
