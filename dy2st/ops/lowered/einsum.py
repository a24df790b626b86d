"""einsum in ONNX, which onnxruntime's Einsum computes where all operands have elements."""

from __future__ import annotations

from typing import Any


def einsum(g: Any, *operands: Any, equation: str) -> Any:
    """Einsum; of operands without elements, for some of which onnxruntime ends the process, sums of products."""
    if all(x.shape is not None and all(isinstance(n, int) and n for n in x.shape) for x in operands):
        return g.Einsum(*operands, equation=equation)
    some = g.Greater(g.Min(*map(g.Size, operands)), 0)
    return g.branch(some, lambda: [g.Einsum(*operands, equation=equation)], lambda: [_sums(g, operands, equation)])[0]


def _sums(g: Any, operands: Any, equation: str) -> Any:
    """Sums of products that have no factors, or no terms: zeros, where the lengths fit."""
    left, result = equation.split("->")
    every = [*result, *dict.fromkeys(label for label in left if label not in f"{result},")]
    product = g.const(1.0, "float32")
    for labels, x in zip(left.split(","), operands):
        ordered = g.Transpose(g.cast(x, "float32"), perm=[labels.index(label) for label in every if label in labels])
        missing = [at for at, label in enumerate(every) if label not in labels]
        product = g.Mul(product, g.Unsqueeze(ordered, missing) if missing else ordered)
    summed = [*range(len(result), len(every))]
    return g.cast(g.reduce("ReduceSum", product, summed) if summed else product, operands[0].dtype)
