"""Products of vectors and matrices."""

from __future__ import annotations

from typing import Any

import dy2st as api

from ...runtime.tensors.tensor import Tensor
from ..dtypes import kind_of
from .axes import axis_of, known, lengths_of, listed, rank_of
from .pointwise import as_dtype, met
from .rows import demanded, in_place, refused, row
from .views import at_least_1d, reshaped


def _alike(name: str, *tensors: Any) -> str:
    """The dtype of tensors, which torch wants to be one."""
    dtypes = {x.type.dtype for x in tensors}
    if len(dtypes) > 1:
        raise RuntimeError(f"{name}: expected tensors of one dtype, but got {' and '.join(sorted(dtypes))}")
    return dtypes.pop()


def product(x: Any, y: Any) -> Any:
    """x @ y, in the dtype of both."""
    dtype = _alike("matmul", x, y)
    found = api.matmul(x, y)
    return found if found.type.dtype == dtype else found.astype(dtype)


def _need_ranks(name: str, wanted: tuple[int, ...], *tensors: Any) -> None:
    ranks = tuple(map(rank_of, tensors))
    if ranks != wanted:
        raise RuntimeError(f"{name}: expected tensors of {wanted} axes, but got {ranks}")


@row("matmul", "Tensor.matmul", "Tensor.__matmul__", "linalg.matmul")
def matmul(input: Any, other: Any) -> Any:
    """The product of matrices, vectors and stacks of matrices."""
    if 0 in (rank_of(input), rank_of(other)):
        raise RuntimeError("both arguments to matmul need to be at least 1D")
    return product(input, other)


row("Tensor.__rmatmul__")(lambda self, other: matmul(other, self))


@row("mm", "Tensor.mm")
def mm(input: Any, mat2: Any) -> Any:
    """The product of two matrices."""
    _need_ranks("mm", (2, 2), input, mat2)
    return product(input, mat2)


@row("bmm", "Tensor.bmm")
def bmm(input: Any, mat2: Any) -> Any:
    """The products of two rows of matrices."""
    _need_ranks("bmm", (3, 3), input, mat2)
    return product(input, mat2)


@row("mv", "Tensor.mv")
def mv(input: Any, vec: Any) -> Any:
    """A matrix times a vector."""
    _need_ranks("mv", (2, 1), input, vec)
    return product(input, vec)


@row("dot", "Tensor.dot")
def dot(input: Any, tensor: Any) -> Any:
    """The inner product of two vectors."""
    _need_ranks("dot", (1, 1), input, tensor)
    return product(input, tensor)


@row("vdot", "Tensor.vdot")
def vdot(input: Any, other: Any) -> Any:
    """The inner product of the conjugate of a vector and another."""
    return dot(api.conj(input) if kind_of(input.type.dtype) == "complex" else input, other)


@row("outer", "Tensor.outer", "ger", "Tensor.ger")
def outer(input: Any, vec2: Any) -> Any:
    """Each element of one vector times each of another."""
    _need_ranks("outer", (1, 1), input, vec2)
    return _outer(input, vec2)


def _outer(x: Any, y: Any) -> Any:
    a, b = api.unsqueeze(x, 1), api.unsqueeze(y, 0)
    return _times(*met(a, b))


def _times(a: Any, b: Any) -> Any:
    return a & b if a.type.dtype == "bool" else a * b


def weighted(input: Any, product: Any, beta: Any, alpha: Any) -> Any:
    """beta * input + alpha * product; an input times 0 isn't read."""
    dtype = product.type.dtype
    if not _is(alpha, 1):
        product = _times(product, as_dtype(alpha, dtype))
    if _is(beta, 0):
        return product
    if input.type.dtype != dtype:
        raise RuntimeError(f"expected tensors of one dtype, but got {input.type.dtype} and {dtype}")
    input = api.expand(input if _is(beta, 1) else _times(input, as_dtype(beta, dtype)), list(product.shape))
    return input | product if dtype == "bool" else input + product


def _is(value: Any, number: int) -> bool:
    return isinstance(value, int | float | complex) and value == number


@row("addmm", "Tensor.addmm")
def addmm(input: Any, mat1: Any, mat2: Any, *, beta: Any = 1, alpha: Any = 1) -> Any:
    """beta * input + alpha * (mat1 @ mat2)."""
    _need_ranks("addmm", (2, 2), mat1, mat2)
    return weighted(input, product(mat1, mat2), beta, alpha)


@row("_addmm_activation")
def _addmm_activation(input: Any, mat1: Any, mat2: Any, *, beta: Any = 1, alpha: Any = 1, use_gelu: bool = False) -> Any:
    found = addmm(input, mat1, mat2, beta=beta, alpha=alpha)
    return api.nn.functional.gelu(found, approximate=True) if use_gelu else api.nn.functional.relu(found)


@row("addmv", "Tensor.addmv")
def addmv(input: Any, mat: Any, vec: Any, *, beta: Any = 1, alpha: Any = 1) -> Any:
    """beta * input + alpha * (mat @ vec)."""
    _need_ranks("addmv", (2, 1), mat, vec)
    return weighted(input, product(mat, vec), beta, alpha)


@row("addr", "Tensor.addr")
def addr(input: Any, vec1: Any, vec2: Any, *, beta: Any = 1, alpha: Any = 1) -> Any:
    """beta * input + alpha * (vec1 ⊗ vec2)."""
    _need_ranks("addr", (1, 1), vec1, vec2)
    a, b = met(input, _outer(vec1, vec2))
    return weighted(a, b, beta, alpha)


@row("baddbmm", "Tensor.baddbmm")
def baddbmm(input: Any, batch1: Any, batch2: Any, *, beta: Any = 1, alpha: Any = 1) -> Any:
    """beta * input + alpha * (batch1 @ batch2)."""
    _need_ranks("baddbmm", (3, 3), batch1, batch2)
    return weighted(input, product(batch1, batch2), beta, alpha)


@row("addbmm", "Tensor.addbmm")
def addbmm(input: Any, batch1: Any, batch2: Any, *, beta: Any = 1, alpha: Any = 1) -> Any:
    """beta * input + alpha * the sum of batch1 @ batch2."""
    _need_ranks("addbmm", (3, 3), batch1, batch2)
    found = product(batch1, batch2)
    return weighted(input, as_dtype(api.sum(found, axis=0), found.type.dtype), beta, alpha)


for _function in (addmm, addmv, addr, baddbmm, addbmm):
    in_place(_function.__name__, _function)


@row("inner", "Tensor.inner")
def inner(input: Any, other: Any) -> Any:
    """The products over the last axes."""
    dtype = _alike("inner", input, other)
    return as_dtype(_times(input, other) if 0 in (rank_of(input), rank_of(other)) else api.inner(input, other), dtype)


@row("einsum")
def einsum(*args: Any) -> Any:
    """Products and sums over axes that letters name."""
    equation, *operands = args
    if not isinstance(equation, str):
        equation, operands = _spelled(args)
    given = listed(operands)
    dtype = _alike("einsum", *given)
    return as_dtype(api.einsum(equation, *given), dtype)


def _spelled(args: tuple) -> tuple[str, list]:
    """The equation of einsum(x, [0, 1], y, [1, 2], [0, 2])."""
    spell = lambda axes: "".join("..." if a is Ellipsis else chr(ord("A") + a + (6 if a > 25 else 0)) for a in axes)  # noqa: E731
    pairs = len(args) // 2
    left = ",".join(spell(args[2 * k + 1]) for k in range(pairs))
    return left + (f"->{spell(args[-1])}" if len(args) % 2 else ""), [args[2 * k] for k in range(pairs)]


@row("tensordot")
def tensordot(a: Any, b: Any, dims: Any = 2) -> Any:
    """The sum of products over pairs of axes."""
    if isinstance(dims, Tensor):
        dims = dims.tolist() if rank_of(dims) else dims.item()
    if isinstance(dims, tuple | list):
        pairs = [[axis_of(d, rank_of(x)) for d in axes] for x, axes in zip((a, b), dims)]
    else:
        count = known(dims, "dims")
        pairs = [list(range(rank_of(a) - count, rank_of(a))), list(range(count))]
    dtype = _alike("tensordot", a, b)
    for i, j in zip(*pairs):  # an axis of length 1 meets any, which is summed
        if lengths_of(a)[i] == 1 != lengths_of(b)[j]:
            b = as_dtype(api.sum(b, axis=j, keepdim=True), dtype)
        elif lengths_of(b)[j] == 1 != lengths_of(a)[i]:
            a = as_dtype(api.sum(a, axis=i, keepdim=True), dtype)
    return as_dtype(api.tensordot(a, b, pairs), dtype)


@row("kron", "Tensor.kron")
def kron(input: Any, other: Any) -> Any:
    """Each element of the first times all of the second."""
    a, b = met(input, other)
    rank = max(rank_of(a), rank_of(b))
    lengths = [[1] * (rank - rank_of(x)) + list(x.shape) for x in (a, b)]
    rows = reshaped(a, [n for length in lengths[0] for n in (length, 1)])
    columns = reshaped(b, [n for length in lengths[1] for n in (1, length)])
    return reshaped(_times(rows, columns), [n * m for n, m in zip(*lengths)])


@row("chain_matmul")
def chain_matmul(*matrices: Any) -> Any:
    """The product of several matrices."""
    return multi_dot(listed(matrices))


@row("linalg.multi_dot")
def multi_dot(tensors: Any) -> Any:
    """The product of several matrices; the first and the last may be vectors."""
    _alike("multi_dot", *tensors)
    return tensors[0].clone() if len(tensors) == 1 else api.linalg.multi_dot(list(tensors))


@row("linalg.vecdot")
def vecdot(x: Any, y: Any, *, dim: int = -1) -> Any:
    """Inner products along an axis, of the conjugate x."""
    dtype = _alike("vecdot", x, y)
    x = api.conj(x) if kind_of(dtype) == "complex" else x
    return as_dtype(api.sum(x * y, axis=axis_of(dim, max(rank_of(x), rank_of(y)))), dtype)


@row("linalg.cross")
def cross_along(input: Any, other: Any, *, dim: int = -1) -> Any:
    """Vectors perpendicular to two others, along an axis of length 3."""
    _alike("cross", input, other)
    x, y = api.broadcast_tensors([input, other])
    return api.cross(x, y, axis_of(dim, rank_of(x)))


@row("cross", "Tensor.cross")
def cross(input: Any, other: Any, dim: Any = None) -> Any:
    """Vectors perpendicular to two others, along the first axis of length 3."""
    if dim is None:
        lengths = lengths_of(input)
        dim = next((axis for axis, n in enumerate(lengths) if n == 3 or not isinstance(n, int)), None)
        if dim is None:
            raise RuntimeError("no dimension of size 3 in input")
        if lengths[dim] != 3:
            raise refused("cross without dim takes the first axis of length 3, which only the Program knows here; give it dim")
    return cross_along(input, other, dim=dim)


@row("renorm", "Tensor.renorm")
def renorm(input: Any, p: Any, dim: int, maxnorm: Any) -> Any:
    """Slices scaled down to a norm."""
    return api.renorm(input, p, axis_of(dim, rank_of(input)), maxnorm)


in_place("renorm", renorm)


@row("linalg.matrix_power", "matrix_power", "Tensor.matrix_power")
def matrix_power(input: Any, n: int) -> Any:
    """Square matrices times themselves."""
    input = demanded(input, input.shape[-1] == input.shape[-2], "linalg.matrix_power: A must be batches of square matrices")
    return api.linalg.matrix_power(input, known(n, "n"))


@row("linalg.vander")
def rising_powers(x: Any, *, N: Any = None) -> Any:
    """The powers 0, 1 ... of each element along a new last axis."""
    x = at_least_1d(x.astype("int64") if kind_of(x.type.dtype) == "bool" else x)
    count = x.shape[-1] if N is None else known(N, "N")
    return x.unsqueeze(-1) ** api.arange(0, count, dtype=x.type.dtype if kind_of(x.type.dtype) != "complex" else "float32")


@row("vander")
def vander(x: Any, N: Any = None, increasing: bool = False) -> Any:
    """The same of a vector, where the highest power comes first unless they are `increasing`."""
    found = rising_powers(x, N=N)
    return found if increasing else api.flip(found, -1)
