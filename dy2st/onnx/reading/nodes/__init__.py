# ruff: noqa: F401
"""The functions for ONNX's operators, a family per file; importing this fills the table."""

from . import (  # fmt: skip
    activations,
    arithmetic,
    casts,
    control,
    convolutions,
    detection,
    images,
    indexing,
    joining,
    linear,
    normalisations,
    poolings,
    quantization,
    random_numbers,
    recurrent,
    reductions,
    sampled,
    sequences,
    shape_arithmetic,
    shapes,
    spectra,
    text,
)
