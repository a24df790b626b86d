"""Products of matrices in ONNX."""

from __future__ import annotations

from typing import Any

_OF_GEMM = ("float32", "float64")

def matmul(g: Any, x: Any, y: Any, transpose_x: bool = False, transpose_y: bool = False) -> Any:
    """MatMul, or Gemm, which transposes two matrices by itself."""
    if (transpose_x or transpose_y) and g.rank_of(x) == g.rank_of(y) == 2 and x.dtype in _OF_GEMM:
        return g.Gemm(x, y, transA=int(transpose_x), transB=int(transpose_y))
    return g.MatMul(turned(g, x) if transpose_x else x, turned(g, y) if transpose_y else y)


def turned(g: Any, x: Any) -> Any:
    """The transposes of matrices; a vector is its own."""
    rank = g.rank_of(x)
    return x if rank < 2 else g.Transpose(x, perm=[*range(rank - 2), rank - 1, rank - 2])


def linear(g: Any, x: Any, weight: Any, bias: Any, transpose_x: bool = False, transpose_y: bool = False) -> Any:
    """Gemm of two matrices, else MatMul and Add."""
    if x.rank == weight.rank == 2 and x.dtype in _OF_GEMM:
        return g.Gemm(x, weight, bias, transA=int(transpose_x), transB=int(transpose_y))
    return g.Add(matmul(g, x, weight, transpose_x, transpose_y), bias)
