"""Matrices taken apart, and what follows from that, under Paddle's names."""

from __future__ import annotations

from typing import Any

from ..ops import compare, complex_numbers, elementwise, factors, reduce, select, spectra, unary
from ..ops.cast import cast
from ..ops.index import getitem
from ..ops.solving import adjoint
from ..runtime.tensors.tensor import Tensor
from .checks import known_rank, need_tensor, real_floating, to_dtype
from .creation import eye, tril, zeros
from .known import is_less, known_length, larger
from .limits import finfo
from .linalg import _tensors, matmul
from .manipulation import unsqueeze
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
    """Q [..., n, k] with orthogonal columns and the upper triangular R [..., k, m] with x [..., n, m] = Q @ R, k = min(n, m).

    x: floats or complex numbers; Q and R have its dtype. mode: "complete" gives square Q, "r" R alone; ValueError for another.

    >>> [part.shape for part in dy2st.linalg.qr(dy2st.ones([3, 2]))]
    [[3, 2], [2, 2]]
    """
    if mode not in ("reduced", "complete", "r"):
        raise ValueError(f'qr: mode is "reduced", "complete" or "r", not {mode!r}')
    found = factors.qr(need_tensor("qr", x), complete=mode == "complete")
    return found[1] if mode == "r" else found


def svd(x: Tensor, full_matrices: bool = False, name: str | None = None) -> tuple[Tensor, Tensor, Tensor]:
    """U [..., n, k], S [..., k] and VH [..., k, m] with x [..., n, m] = U * S @ VH, k = min(n, m): S in descending order.

    x: floats or complex numbers; the results U and VH have its dtype, S is real. With `full_matrices`, U is [..., n, n] and VH
    [..., m, m].

    >>> [part.shape for part in dy2st.linalg.svd(dy2st.ones([3, 2]))]
    [[3, 2], [2], [2, 2]]
    """
    return factors.svd(need_tensor("svd", x), full=bool(full_matrices))


def svdvals(x: Tensor, name: str | None = None) -> Tensor:
    """The singular values of x [..., n, m], floats or complex numbers, in descending order.

    The result is a tensor [..., min(n, m)] of real numbers.
    """
    return spectra.svdvals(need_tensor("svdvals", x))


def _upper(op: str, UPLO: str) -> bool:
    if UPLO not in ("L", "U"):
        raise ValueError(f'{op}: UPLO is "L" or "U", not {UPLO!r}')
    return UPLO == "U"


def eigh(x: Tensor, UPLO: str = "L", name: str | None = None) -> tuple[Tensor, Tensor]:
    """The eigenvalues of symmetric or Hermitian matrices in ascending order, and the eigenvectors as columns.

    x: [..., n, n], floats or complex numbers; the results are the real eigenvalues [..., n], and [..., n, n] in its dtype. UPLO:
    which triangle is read, "L" or "U"; ValueError for another.

    >>> dy2st.linalg.eigh(dy2st.to_tensor([[2.0, 0.0], [0.0, 1.0]]))[0].tolist()
    [1.0, 2.0]
    """
    return factors.eigh(need_tensor("eigh", x), upper=_upper("eigh", UPLO))


@tensor_method()
def eigvalsh(x: Tensor, UPLO: str = "L", name: str | None = None) -> Tensor:
    """The eigenvalues of symmetric matrices in ascending order. As `eigh`: x, UPLO; the result is the first of its two."""
    return spectra.eigvalsh(need_tensor("eigvalsh", x), upper=_upper("eigvalsh", UPLO))


@tensor_method()
def eig(x: Tensor, name: str | None = None) -> tuple[Tensor, Tensor]:
    """The eigenvalues [..., n] and, as columns, the eigenvectors [..., n, n] of square matrices x [..., n, n]; complex.

    x: floats or complex numbers; the results are complex64 or complex128.
    """
    return factors.eig(need_tensor("eig", x))


@tensor_method()
def eigvals(x: Tensor, name: str | None = None) -> Tensor:
    """The eigenvalues of square matrices x. As `eig`, whose first result it is."""
    return factors.eig(need_tensor("eigvals", x))[0]


@tensor_method()
def pinv(x: Tensor, rcond: Any = 1e-15, hermitian: bool = False, name: str | None = None) -> Tensor:
    """The pseudo-inverse [..., m, n] of x [..., n, m]: singular values up to `rcond` times the largest count as 0.

    x: floats or complex numbers; the result has its dtype. `hermitian` has no effect.
    """
    u, s, vh = factors.svd(need_tensor("pinv", x))
    limit = elementwise.multiply(reduce.reduce_amax(s, axis=-1, keepdim=True), rcond)
    kept = compare.greater_than(s, limit)
    inverted = cast(select.where(kept, elementwise.divide(1.0, select.where(kept, s, 1.0)), 0.0), dtype=x.dtype.name)
    return matmul(elementwise.multiply(adjoint(vh), unsqueeze(inverted, -2)), adjoint(u))


def matrix_rank(
    x: Tensor,
    tol: Any = None,
    hermitian: bool = False,
    atol: Any = None,
    rtol: Any = None,
    name: str | None = None,
) -> Tensor:
    """How many singular values are above `tol`, or above the larger of `atol` and `rtol` times the largest of them.

    x: [..., n, m], floats or complex numbers. tol, atol, rtol: numbers or tensors [...]. Where nothing is given, rtol is the
    number of rows or columns, whichever is larger, times the dtype's precision. `hermitian` has no effect. The result is int64
    [...].

    >>> dy2st.linalg.matrix_rank(dy2st.ones([2, 2])).item()
    1
    """
    sizes = spectra.svdvals(need_tensor("matrix_rank", x))
    largest = reduce.reduce_amax(sizes, axis=-1, keepdim=True)
    if rtol is None and tol is None and atol is None:
        limit = elementwise.multiply(elementwise.multiply(largest, finfo(sizes.dtype).eps), larger(*x.shape[-2:]))
    else:
        limit = elementwise.multiply(largest, 0.0 if rtol is None else rtol)
    floor = tol if tol is not None else atol
    if floor is not None:
        floor = unsqueeze(to_dtype(floor, sizes.dtype.name), -1) if isinstance(floor, Tensor) else floor
        limit = elementwise.maximum(limit, floor)
    return sum(cast(compare.greater_than(sizes, limit), dtype="int64"), -1)


@tensor_method()
def lstsq(
    x: Tensor, y: Tensor, rcond: float | None = None, driver: str | None = None, name: str | None = None
) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """The z for which x @ z is nearest to y, the squared errors, the rank, the singular values.

    x [..., n, m], y [..., n, k]: floats or complex numbers, dtypes are promoted. rcond: singular values up to it times the
    largest count as 0. The results are z [..., m, k], errors [..., k], the rank as int32 [...], singular values [..., min(n, m)].
    The driver says which are told: gelsy (the default) no errors, gelsd and gelss the singular values; what isn't told is empty.
    """
    x, y = _tensors("lstsq", x, y)
    rows, columns = x.shape[-2:]
    precision = rcond if rcond is not None else larger(rows, columns) * 2.0**-23
    found = matmul(pinv(x, precision), y)
    error = elementwise.subtract(matmul(x, found), y)
    told = driver not in (None, "gelsy")
    squares = unary.square(unary.absolute(error))
    residuals = _where_tall(x, sum(squares, -2)) if told else zeros([0], squares.dtype)
    values = svdvals(x) if driver in ("gelsd", "gelss") else zeros([0], squares.dtype)
    return found, residuals, matrix_rank(x, rtol=precision).astype("int32"), values


def _where_tall(x: Tensor, errors: Tensor) -> Tensor:
    """The errors [..., k] where the matrices x have more rows than columns, else none: [0]."""
    if known_rank("lstsq", x) == 2:
        rows, columns = x.shape
        return getitem(errors, index=[{"slice": [None, errors.shape[0] * is_less(columns, rows), None]}])
    is_tall = known_length("lstsq", x, -2) > known_length("lstsq", x, -1)
    return errors if is_tall else zeros([0], errors.dtype)


@tensor_method()
def householder_product(x: Tensor, tau: Tensor, name: str | None = None) -> Tensor:
    """The first columns of the product of the reflections I - tau[i] * v[i] @ v[i].T, v[i] column i of x below its 1.

    x [..., n, m] and tau [..., k] of floats or complex numbers give [..., n, m], in the dtype of x. The transposed one is
    conjugated.
    """
    rows, columns = x.shape[-2:]
    lower = tril(x, -1)
    product = eye(rows, columns, x.dtype)
    below = elementwise.add(lower, eye(rows, columns, x.dtype))
    for i in range(known_length("householder_product", tau, -1) - 1, -1, -1):
        v = below[..., :, i : i + 1]
        row = complex_numbers.conj(v) if v.dtype.is_complex else v
        part = matmul(v, matmul(row, product, transpose_x=True))
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

    x: a matrix [n, observations] of floats, or a vector, one row. Over observations - 1 where `ddof`, else over all of them.
    `fweights`, integers [observations], says how often each counts, `aweights`, floats, how much. The result is [n, n], 0-d for
    one row, in the dtype of x.

    >>> dy2st.linalg.cov(dy2st.to_tensor([[0.0, 1.0, 2.0], [2.0, 1.0, 0.0]])).tolist()
    [[1.0, -1.0], [-1.0, 1.0]]
    """
    return _covariance(x, rowvar, ddof, fweights, aweights).squeeze()  # what has length 0 or 2 stays


def _covariance(x: Tensor, rowvar: bool, ddof: bool, fweights: Tensor | None = None, aweights: Tensor | None = None) -> Tensor:
    """What `cov` gives; of one row, too, a matrix."""
    x = real_floating("cov", x)
    x = x.unsqueeze(0) if x.type.rank == 1 else x if rowvar else x.t()
    weights = [w.astype(x.dtype) for w in (fweights, aweights) if w is not None]
    if not weights:
        centred = elementwise.subtract(x, mean(x, -1, keepdim=True))
        product, count = matmul(centred, centred, transpose_y=True), x.shape[-1] - int(ddof)
        return product / count
    weight = weights[0] if len(weights) == 1 else elementwise.multiply(*weights)
    total = sum(weight)
    centred = elementwise.subtract(x, elementwise.divide(sum(elementwise.multiply(x, weight), -1, keepdim=True), total))
    lost = (sum(weight * aweights.astype(x.dtype)) / total if aweights is not None else 1.0) if ddof else 0.0
    return (matmul(elementwise.multiply(centred, weight), centred, transpose_y=True) / (total - lost))


@tensor_method()
def corrcoef(x: Tensor, rowvar: bool = True, name: str | None = None) -> Tensor:
    """The covariances of x divided by the standard deviations, so that they lie in [-1, 1]. As `cov`: x, rowvar, the result."""
    found = _covariance(x, rowvar, True)
    deviation = unary.sqrt(found.diagonal())
    return (found / deviation.unsqueeze(-1) / deviation).clip(-1.0, 1.0).squeeze()
