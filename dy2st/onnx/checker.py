"""ONNX's own checker, with inference of shapes, on what `export` has made."""

from __future__ import annotations

from typing import Any

from ..errors import InternalError
from .packages import onnx


def check_model(model: Any) -> None:
    """InternalError: the model isn't valid, which is a fault of dy2st."""
    try:
        onnx().checker.check_model(_without_weights(model), full_check=True)
    except (onnx().checker.ValidationError, onnx().shape_inference.InferenceError) as error:
        raise InternalError(f"dy2st has made an ONNX model that ONNX's checker refuses; nothing is written: {error}") from None


def _without_weights(model: Any) -> Any:
    """The model, with inputs for the weights that lie outside of it: the checker would look for their file."""
    outside = [proto for proto in model.graph.initializer if proto.data_location == proto.EXTERNAL]
    if not outside:
        return model
    found = onnx().ModelProto()
    found.CopyFrom(model)
    del found.graph.initializer[:]
    found.graph.initializer.extend(proto for proto in model.graph.initializer if proto.data_location != proto.EXTERNAL)
    make = onnx().helper.make_tensor_value_info
    found.graph.input.extend(make(proto.name, proto.data_type, proto.dims) for proto in outside)
    return found
