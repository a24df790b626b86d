"""ONNX's own checker, with inference of shapes, on what `export` has made."""

from __future__ import annotations

from typing import Any

from ..errors import InternalError
from .packages import onnx


def check_model(model: Any) -> None:
    """InternalError: the model isn't valid, which is a fault of dy2st."""
    try:
        onnx().checker.check_model(model, full_check=True)
    except (onnx().checker.ValidationError, onnx().shape_inference.InferenceError) as error:
        raise InternalError(f"dy2st has made an ONNX model that ONNX's checker refuses; nothing is written: {error}") from None
