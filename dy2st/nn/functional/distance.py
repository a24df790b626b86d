"""How far apart vectors are, as functions, under Paddle's names."""

from __future__ import annotations

from ...api.checks import need_tensor, operands, real_floating
from ...api.math import clip, sqrt
from ...ops.half import in_float32
from ...runtime.tensors.tensor import Tensor

__all__ = ["cosine_similarity", "pairwise_distance"]


@in_float32
def cosine_similarity(x1: Tensor, x2: Tensor, axis: int = 1, eps: float = 1e-8) -> Tensor:
    """The cosine of the angle between the vectors along `axis`; the product of their lengths counts as `eps` at least.

    x1, x2: tensors whose shapes broadcast and whose dtypes are promoted, integers to the default dtype. The result lacks the
    axis.

    >>> dy2st.nn.functional.cosine_similarity(dy2st.to_tensor([[1.0, 0.0]]), dy2st.to_tensor([[0.0, 2.0]])).tolist()
    [0.0]
    """
    op = "cosine_similarity"
    x1, x2 = operands(op, real_floating(op, x1), real_floating(op, x2))
    sizes = (x1 * x1).sum(axis) * (x2 * x2).sum(axis)
    return (x1 * x2).sum(axis) / sqrt(clip(sizes, min=eps * eps))


@in_float32
def pairwise_distance(
    x: Tensor, y: Tensor, p: float = 2.0, epsilon: float = 1e-6, keepdim: bool = False, name: str | None = None
) -> Tensor:
    """The p-norm of x - y + epsilon along the last axis.

    x, y: tensors whose shapes broadcast and whose dtypes are promoted, integers to the default dtype. p: a number, inf included.
    The result lacks the last axis; with `keepdim` it has length 1.
    """
    op = "pairwise_distance"
    x, y = operands(op, need_tensor(op, x), need_tensor(op, y, "y"), fractions=True)
    return (x - y + epsilon).norm(p=float(p), axis=-1, keepdim=keepdim)
