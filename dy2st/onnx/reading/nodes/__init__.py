# ruff: noqa: F401
"""The functions for ONNX's operators, a family per file; importing this fills the table."""

from . import activations, arithmetic, casts, control, indexing, joining, linear, reductions, sequences, shapes
