"""The table: what stands for each function and method of torch's. A row is a function on Tensors, with torch's semantics.

    @row("softmax", "Tensor.softmax", "nn.functional.softmax")
    def softmax(input, dim=None, _stacklevel=3, dtype=None): ...

1. The names are those in the package torch; parameters have torch's names and defaults, so that a call fits or fails as there.
2. In a row a tensor is one of dy2st's: its methods are Paddle's, its dtype is told by `x.type.dtype`, its known lengths by
   `x.static_shape` (None where only the Program knows). Lengths from `x.shape` may be ints that only the Program knows.
3. `pointwise.met` brings tensors and numbers to the dtype in which torch lets them meet.
4. What a row can't do is refused in words, `raise refused("...")`; no argument is ignored that would change a result.
5. Each file of rows is one family; it is imported here.
"""

from __future__ import annotations

from typing import Any

from ..packages import torch
from . import (  # noqa: F401 - they fill ROWS
    activations,
    arithmetic,
    attention,
    bessel,
    bits,
    class_losses,
    comparisons,
    complex_numbers,
    constructors,
    conversions,
    convolutions,
    creation,
    decompositions,
    diagonals,
    distances,
    dropouts,
    embedding,
    fourier,
    fractional,
    functions,
    gradient_rules,
    grids,
    histograms,
    incomplete_gamma,
    indexing,
    joining,
    linear,
    linear_algebra,
    losses,
    neighbours,
    norms,
    padding,
    polynomials,
    pooling,
    random,
    recurrent,
    reductions,
    resizing,
    running,
    scattering,
    segments,
    shapes,
    shuffles,
    solving,
    sorting,
    special,
    splitting,
    statistics,
    strides,
    vector_norms,
    views,
    windows,
)
from .rows import ROWS, row

__all__ = ["ROWS", "function_of", "row"]


def function_of(name: str) -> Any:
    """The function of torch's that is called so."""
    found: Any = torch()
    for part in name.split("."):
        found = getattr(found, part)
    return found
