# ruff: noqa: F401
"""The functions for ONNX's operators, a family per file; importing this fills the table."""

from . import (  # fmt: skip
    activations, arithmetic, casts, control, convolutions, indexing, joining, linear, normalisations, poolings, quantization,
    reductions, sequences, shapes,
)
