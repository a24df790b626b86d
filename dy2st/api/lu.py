"""LU factors, under Paddle's names."""

from __future__ import annotations

from ..ops import lu as ops
from ..ops.creation import tril, triu
from ..ops.elementwise import add
from ..ops.linalg import matmul
from ..ops.solving import adjoint, solve, turned
from ..runtime.tensors.tensor import Tensor
from .checks import known_rank, need_tensor
from .tensor_methods import tensor_method

__all__ = (  # fmt: skip
    "lu",
    "lu_solve",
    "lu_unpack",
)


@tensor_method()
def lu(x: Tensor, pivot: bool = True, get_infos: bool = False, name: str | None = None) -> tuple:
    """(factors, pivots), and with `get_infos` the number of the first pivot that is 0, or 0: L and U of x in one matrix.

    x: [..., n, m], floats or complex numbers; the factors have its shape and dtype. pivots: int32 [..., min(n, m)], from 1 on;
    `lu_unpack` gives the matrices apart. ValueError: pivot=False is refused, as in Paddle on the CPU.

    >>> dy2st.linalg.lu(dy2st.to_tensor([[0.0, 1.0], [2.0, 0.0]]))[1].tolist()
    [2, 2]
    """
    if not pivot:
        raise ValueError("lu: without pivoting there is none on the CPU; leave pivot=True")
    factors, pivots, infos = ops.lu(need_tensor("lu", x))
    return (factors, pivots, infos) if get_infos else (factors, pivots)


@tensor_method()
def lu_unpack(
    x: Tensor, y: Tensor, unpack_ludata: bool = True, unpack_pivots: bool = True, name: str | None = None
) -> tuple:
    """(P, L, U) of the factors `x` [..., n, m] and the pivots `y` that `lu` gives: P @ L @ U is what was taken apart.

    They are tensors [..., n, n], [..., n, k], [..., k, m] of the dtype of x, k = min(n, m). Without `unpack_pivots` P is None,
    without `unpack_ludata` L and U are. ConversionError: the number of axes is unknown.
    """
    permutation = ops.permutation_of(x, need_tensor("lu_unpack", y, "y")) if unpack_pivots else None
    if not unpack_ludata:
        return permutation, None, None
    known_rank("lu_unpack", x)
    rows, columns = x.shape[-2], x.shape[-1]
    lower = add(tril(x, diagonal=-1), ops.unit_diagonal(x))
    return permutation, lower[..., :rows], triu(x, diagonal=0)[..., :columns, :]  # each no more than it has


@tensor_method()
def lu_solve(b: Tensor, lu: Tensor, pivots: Tensor, trans: str = "N", name: str | None = None) -> Tensor:
    """The X [..., n, k] of A X = b, for the factors `lu` and `pivots` that the function `lu` gives of A [..., n, n].

    b: [..., n, k], in the dtype of the factors, which the result has, too. trans: "T" for A transposed, "C" for that with
    conjugate numbers, "N" for A; ValueError for another.
    """
    if trans not in ("N", "T", "C"):
        raise ValueError(f"lu_solve: trans is 'N', 'T' or 'C', not {trans!r}")
    permutation, lower, upper = lu_unpack(lu, pivots)
    if trans == "N":
        return solve(upper, solve(lower, matmul(permutation, need_tensor("lu_solve", b), transpose_x=True)))
    other = adjoint if trans == "C" else turned
    return matmul(permutation, solve(other(lower), solve(other(upper), need_tensor("lu_solve", b))))
