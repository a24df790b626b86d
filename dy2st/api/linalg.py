"""Products of matrices and vectors, and norms, under Paddle's names."""

from __future__ import annotations

from typing import Any

from ..errors import ShapeError
from ..ops import elementwise, linalg, reduce
from ..runtime.tensors.tensor import Tensor
from .checks import need_tensor, operands
from .tensor_methods import tensor_method

__all__ = (  # fmt: skip
    "addmm",
    "bmm",
    "dot",
    "inner",
    "matmul",
    "mm",
    "mv",
    "outer",
)


def _tensors(op: str, x: Any, y: Any) -> tuple[Tensor, Tensor]:
    return operands(op, need_tensor(op, x), need_tensor(op, y, "y"))  # type: ignore[return-value]


def _need_rank(op: str, x: Tensor, *ranks: int) -> None:
    rank = x.type.rank
    if rank is not None and rank not in ranks:
        raise ShapeError(f"{op} takes tensors of {' or '.join(map(str, ranks))} axes, not {x.type}")


@tensor_method()
def matmul(x: Tensor, y: Tensor, transpose_x: bool = False, transpose_y: bool = False, name: str | None = None) -> Tensor:
    """The product of matrices, or of stacks of them: [..., n, k] and [..., k, m] give [..., n, m]; the other axes broadcast.

    A vector counts as a row on the left and a column on the right. The transposes swap the last two axes first.
    """
    return linalg.matmul(*_tensors("matmul", x, y), transpose_x=bool(transpose_x), transpose_y=bool(transpose_y))


@tensor_method()
def mm(input: Tensor, mat2: Tensor, name: str | None = None) -> Tensor:
    """`matmul` without transposes."""
    return matmul(input, mat2)


@tensor_method()
def bmm(x: Tensor, y: Tensor, name: str | None = None) -> Tensor:
    """The products of two stacks of matrices: [b, n, k] and [b, k, m] give [b, n, m]."""
    x, y = _tensors("bmm", x, y)
    _need_rank("bmm", x, 3)
    _need_rank("bmm", y, 3)
    return matmul(x, y)


@tensor_method()
def mv(x: Tensor, vec: Tensor, name: str | None = None) -> Tensor:
    """A matrix times a vector: [n, k] and [k] give [n]."""
    _need_rank("mv", need_tensor("mv", x), 2)
    _need_rank("mv", need_tensor("mv", vec, "vec"), 1)
    return matmul(x, vec)


@tensor_method()
def dot(x: Tensor, y: Tensor, name: str | None = None) -> Tensor:
    """The inner product of two vectors, or of each pair of rows of two matrices."""
    x, y = _tensors("dot", x, y)
    _need_rank("dot", x, 1, 2)
    _need_rank("dot", y, 1, 2)
    return reduce.reduce_sum(elementwise.multiply(x, y), axis=-1, keepdim=False)


@tensor_method()
def inner(x: Tensor, y: Tensor, name: str | None = None) -> Tensor:
    """The inner products over the last axes of x and y."""
    x, y = _tensors("inner", x, y)
    if x.type.rank == 0 or y.type.rank == 0:
        return elementwise.multiply(x, y)
    return (
        matmul(x, y, transpose_y=True)
        if (y.type.rank or 2) < 3
        else matmul(x, y.flatten(0, -2), transpose_y=True).reshape([*x.shape[:-1], *y.shape[:-1]])
    )


@tensor_method()
def outer(x: Tensor, y: Tensor, name: str | None = None) -> Tensor:
    """Every element of x times every element of y: [n] and [m] give [n, m]; other shapes are flattened."""
    x, y = _tensors("outer", x, y)
    return elementwise.multiply(x.flatten().unsqueeze(-1), y.flatten().unsqueeze(0))


@tensor_method()
def addmm(input: Tensor, x: Tensor, y: Tensor, beta: float = 1.0, alpha: float = 1.0, name: str | None = None) -> Tensor:
    """beta * input + alpha * (x @ y)."""
    return need_tensor("addmm", input, "input") * beta + matmul(x, y) * alpha
