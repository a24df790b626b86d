"""A Program that has no model."""

from __future__ import annotations

from ...graphs.lowering.refusal import GraphError


class OnnxError(GraphError):
    """A Program that has no ONNX model: names the operator, the user's line and the alternative."""
