"""Products of matrices and vectors, and norms, under Paddle's names."""

from __future__ import annotations

from typing import Any

from ..errors import ShapeError
from ..ops import elementwise, linalg, reduce
from ..runtime.tensors.tensor import Tensor
from .checks import known_rank, need_tensor, operands
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

    x, y: tensors, dtypes are promoted. A vector counts as a row on the left and a column on the right, an axis that the result
    lacks. transpose_x, transpose_y: swap the last two axes of a factor first. ShapeError: shapes that don't fit.

    >>> dy2st.matmul(dy2st.to_tensor([[1, 2], [3, 4]]), dy2st.to_tensor([1, 1])).tolist()
    [3, 7]
    """
    return linalg.matmul(*_tensors("matmul", x, y), transpose_x=bool(transpose_x), transpose_y=bool(transpose_y))


@tensor_method()
def mm(input: Tensor, mat2: Tensor, name: str | None = None) -> Tensor:
    """The product of `input` [..., n, k] and `mat2` [..., k, m], of shape [..., n, m]: as `matmul` without transposes."""
    return matmul(input, mat2)


@tensor_method()
def bmm(x: Tensor, y: Tensor, name: str | None = None) -> Tensor:
    """The products of two stacks of matrices: x [b, n, k] and y [b, k, m] give [b, n, m]; dtypes are promoted.

    ShapeError: other numbers of axes, or lengths that don't fit.

    >>> dy2st.bmm(dy2st.ones([2, 1, 3]), dy2st.ones([2, 3, 4])).shape
    [2, 1, 4]
    """
    x, y = _tensors("bmm", x, y)
    _need_rank("bmm", x, 3)
    _need_rank("bmm", y, 3)
    return matmul(x, y)


@tensor_method()
def mv(x: Tensor, vec: Tensor, name: str | None = None) -> Tensor:
    """A matrix times a vector: x [n, k] and vec [k] give [n]; dtypes are promoted. ShapeError: other shapes.

    >>> dy2st.mv(dy2st.to_tensor([[1, 2], [3, 4]]), dy2st.to_tensor([1, 1])).tolist()
    [3, 7]
    """
    _need_rank("mv", need_tensor("mv", x), 2)
    _need_rank("mv", need_tensor("mv", vec, "vec"), 1)
    return matmul(x, vec)


@tensor_method()
def dot(x: Tensor, y: Tensor, name: str | None = None) -> Tensor:
    """The inner product of two vectors x and y [n], a 0-d tensor, or of each pair of rows of two matrices [m, n], a vector [m].

    Dtypes are promoted; sums of integers are int64. ShapeError: other shapes.

    >>> dy2st.dot(dy2st.to_tensor([1, 2]), dy2st.to_tensor([3, 4])).item()
    11
    """
    x, y = _tensors("dot", x, y)
    _need_rank("dot", x, 1, 2)
    _need_rank("dot", y, 1, 2)
    return reduce.reduce_sum(elementwise.multiply(x, y), axis=-1, keepdim=False)


@tensor_method()
def inner(x: Tensor, y: Tensor, name: str | None = None) -> Tensor:
    """The inner products over the last axes: x [..., k] and y [..., k] give [*x.shape[:-1], *y.shape[:-1]]; dtypes are promoted.

    A 0-d tensor is a factor of every element. ShapeError: last axes of different lengths.
    """
    x, y = _tensors("inner", x, y)
    ranks = known_rank("inner", x), known_rank("inner", y)
    if 0 in ranks:
        return elementwise.multiply(x, y)
    return (
        matmul(x, y, transpose_y=True)
        if ranks[1] < 3
        else matmul(x, y.flatten(0, -2), transpose_y=True).reshape([*x.shape[:-1], *y.shape[:-1]])
    )


@tensor_method()
def outer(x: Tensor, y: Tensor, name: str | None = None) -> Tensor:
    """Every element of x times every element of y: [n] and [m] give [n, m]; other shapes are flattened, dtypes are promoted.

    >>> dy2st.outer(dy2st.to_tensor([1, 2]), dy2st.to_tensor([3, 4])).tolist()
    [[3, 4], [6, 8]]
    """
    x, y = _tensors("outer", x, y)
    return elementwise.multiply(x.flatten().unsqueeze(-1), y.flatten().unsqueeze(0))


@tensor_method()
def addmm(input: Tensor, x: Tensor, y: Tensor, beta: float = 1.0, alpha: float = 1.0, name: str | None = None) -> Tensor:
    """beta * input + alpha * (x @ y): x [n, k], y [k, m], and `input`, which broadcasts to [n, m], give [n, m].

    beta, alpha: numbers. Dtypes are promoted. ShapeError: shapes that don't fit.
    """
    return need_tensor("addmm", input, "input") * beta + matmul(x, y) * alpha
