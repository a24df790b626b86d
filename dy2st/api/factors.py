"""Matrices taken apart, and what follows from that, under Paddle's names."""

from __future__ import annotations

from typing import Any

from ..ops import compare, elementwise, factors, reduce, select, unary
from ..ops.cast import cast
from ..runtime.tensors.tensor import Tensor
from .checks import need_tensor, to_dtype
from .creation import eye, tril, zeros
from .limits import finfo
from .linalg import _tensors, matmul
from .manipulation import swapaxes, unsqueeze
from .reduce import mean, sum
from .tensor_methods import tensor_method

__all__ = (  # fmt: skip
    "corrcoef",
    "cov",
    "eig",
    "eigh",
    "eigvals",
    "eigvalsh",
    "householder_product",
    "lstsq",
    "matrix_rank",
    "pinv",
    "qr",
    "svd",
    "svdvals",
)


@tensor_method()
def qr(x: Tensor, mode: str = "reduced", name: str | None = None) -> Any:
    """Q with orthogonal columns and the upper triangular R with x = Q @ R; mode "complete" gives square Q, "r" R alone."""
    if mode not in ("reduced", "complete", "r"):
        raise ValueError(f'qr: mode is "reduced", "complete" or "r", not {mode!r}')
    found = factors.qr(need_tensor("qr", x), complete=mode == "complete")
    return found[1] if mode == "r" else found


def svd(x: Tensor, full_matrices: bool = False, name: str | None = None) -> tuple[Tensor, Tensor, Tensor]:
    """U, S and VH with x = U * S @ VH: the singular values S in descending order."""
    return factors.svd(need_tensor("svd", x), full=bool(full_matrices))


def svdvals(x: Tensor, name: str | None = None) -> Tensor:
    """The singular values in descending order."""
    return factors.svd(need_tensor("svdvals", x))[1]


def _upper(op: str, UPLO: str) -> bool:
    if UPLO not in ("L", "U"):
        raise ValueError(f'{op}: UPLO is "L" or "U", not {UPLO!r}')
    return UPLO == "U"


def eigh(x: Tensor, UPLO: str = "L", name: str | None = None) -> tuple[Tensor, Tensor]:
    """The eigenvalues of symmetric matrices in ascending order, and the eigenvectors as columns."""
    return factors.eigh(need_tensor("eigh", x), upper=_upper("eigh", UPLO))


@tensor_method()
def eigvalsh(x: Tensor, UPLO: str = "L", name: str | None = None) -> Tensor:
    """The eigenvalues of symmetric matrices in ascending order."""
    return factors.eigh(need_tensor("eigvalsh", x), upper=_upper("eigvalsh", UPLO))[0]


@tensor_method()
def eig(x: Tensor, name: str | None = None) -> tuple[Tensor, Tensor]:
    """The eigenvalues and, as columns, the eigenvectors of square matrices; complex."""
    return factors.eig(need_tensor("eig", x))


@tensor_method()
def eigvals(x: Tensor, name: str | None = None) -> Tensor:
    """The eigenvalues of square matrices; complex."""
    return factors.eig(need_tensor("eigvals", x))[0]


@tensor_method()
def pinv(x: Tensor, rcond: Any = 1e-15, hermitian: bool = False, name: str | None = None) -> Tensor:
    """The pseudo-inverse: singular values up to `rcond` times the largest count as 0."""
    u, s, vh = factors.svd(need_tensor("pinv", x))
    limit = elementwise.multiply(reduce.reduce_amax(s, axis=-1, keepdim=True), rcond)
    kept = compare.greater_than(s, limit)
    inverted = select.where(kept, elementwise.divide(1.0, select.where(kept, s, 1.0)), 0.0)
    return matmul(elementwise.multiply(swapaxes(vh, -1, -2), unsqueeze(inverted, -2)), u, transpose_y=True)


def matrix_rank(
    x: Tensor,
    tol: Any = None,
    hermitian: bool = False,
    atol: Any = None,
    rtol: Any = None,
    name: str | None = None,
) -> Tensor:
    """How many singular values are above `tol`, or above the larger of `atol` and `rtol` times the largest of them.

    Where nothing is given, rtol is the number of rows or columns, whichever is larger, times the dtype's precision.
    """
    sizes = factors.svd(need_tensor("matrix_rank", x))[1]
    largest = reduce.reduce_amax(sizes, axis=-1, keepdim=True)
    if rtol is None:
        rtol = max(x.shape[-2:]) * finfo(x.dtype).eps if tol is None and atol is None else 0.0
    limit = elementwise.multiply(largest, rtol)
    floor = tol if tol is not None else atol
    if floor is not None:
        floor = unsqueeze(to_dtype(floor, x.dtype.name), -1) if isinstance(floor, Tensor) else floor
        limit = elementwise.maximum(limit, floor)
    return sum(cast(compare.greater_than(sizes, limit), dtype="int64"), -1)


@tensor_method()
def lstsq(
    x: Tensor, y: Tensor, rcond: float | None = None, driver: str | None = None, name: str | None = None
) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """The z for which x @ z is nearest to y, the squared errors, the rank, the singular values.

    The driver says which of these are told: gelsy (the default) no errors, gelsd and gelss the singular values.
    """
    x, y = _tensors("lstsq", x, y)
    rows, columns = x.shape[-2:]
    precision = rcond if rcond is not None else max(rows, columns) * 2.0**-23
    found = matmul(pinv(x, precision), y)
    error = elementwise.subtract(matmul(x, found), y)
    told = driver not in (None, "gelsy")
    residuals = sum(unary.square(error), -2) if rows > columns and told else zeros([0], x.dtype)
    values = svdvals(x) if driver in ("gelsd", "gelss") else zeros([0], x.dtype)
    return found, residuals, matrix_rank(x, rtol=precision).astype("int32"), values


@tensor_method()
def householder_product(x: Tensor, tau: Tensor, name: str | None = None) -> Tensor:
    """The first columns of the product of the reflections I - tau[i] * v[i] @ v[i].T, v[i] column i of x below its 1."""
    rows, columns = x.shape[-2:]
    lower = tril(x, -1)
    product = eye(rows, columns, x.dtype)
    below = elementwise.add(lower, eye(rows, columns, x.dtype))
    for i in range(tau.shape[-1] - 1, -1, -1):
        v = below[..., :, i : i + 1]
        part = matmul(v, matmul(v, product, transpose_x=True))
        product = elementwise.subtract(product, elementwise.multiply(part, tau[..., i : i + 1].unsqueeze(-1)))
    return product


@tensor_method()
def cov(
    x: Tensor,
    rowvar: bool = True,
    ddof: bool = True,
    fweights: Tensor | None = None,
    aweights: Tensor | None = None,
    name: str | None = None,
) -> Tensor:
    """How the rows of x (columns where not `rowvar`) vary together: the mean product of their distances from their means.

    Over n - 1 where `ddof`, else over n. `fweights` says how often each observation counts, `aweights` how much.
    """
    x = x.unsqueeze(0) if x.type.rank == 1 else x if rowvar else x.t()
    weights = [w.astype(x.dtype) for w in (fweights, aweights) if w is not None]
    if not weights:
        centred = elementwise.subtract(x, mean(x, -1, keepdim=True))
        product, count = matmul(centred, centred, transpose_y=True), x.shape[-1] - int(ddof)
        return (product / count).squeeze() if x.shape[0] == 1 else product / count
    weight = weights[0] if len(weights) == 1 else elementwise.multiply(*weights)
    total = sum(weight)
    centred = elementwise.subtract(x, elementwise.divide(sum(elementwise.multiply(x, weight), -1, keepdim=True), total))
    lost = (sum(weight * aweights.astype(x.dtype)) / total if aweights is not None else 1.0) if ddof else 0.0
    return (matmul(elementwise.multiply(centred, weight), centred, transpose_y=True) / (total - lost)).squeeze()


@tensor_method()
def corrcoef(x: Tensor, rowvar: bool = True, name: str | None = None) -> Tensor:
    """`cov` divided by the standard deviations, so that it lies in [-1, 1]."""
    found = cov(x, rowvar)
    if found.type.rank == 0:
        return elementwise.divide(found, found)
    deviation = unary.sqrt(found.diagonal())
    return (found / deviation.unsqueeze(-1) / deviation).clip(-1.0, 1.0)
