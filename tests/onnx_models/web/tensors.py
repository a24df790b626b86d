"""Arrays as JSON, in the form that `calls.mjs` takes and gives: {dtype, shape, data}."""

from __future__ import annotations

import base64
from typing import Any

import numpy as np


def encoded(x: np.ndarray) -> dict[str, Any]:
    """An array as JSON: its bytes in base64, or its texts."""
    if x.dtype == object:
        return {"dtype": "string", "shape": [*x.shape], "data": x.ravel().tolist()}
    return {"dtype": x.dtype.name, "shape": [*x.shape], "data": base64.b64encode(x.tobytes()).decode()}


def decoded(x: dict[str, Any]) -> np.ndarray:
    """The array of such JSON."""
    if x["dtype"] == "string":
        return np.asarray(x["data"], object).reshape(x["shape"])
    return np.frombuffer(base64.b64decode(x["data"]), x["dtype"]).reshape(x["shape"])
