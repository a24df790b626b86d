"""Sums of products over axes, and distances, under Paddle's names."""

from __future__ import annotations

from string import ascii_letters
from typing import Any

from ..errors import ConversionError, ShapeError
from ..ops import complex_numbers, elementwise, reduce
from ..ops.einsum import einsum as _einsum
from ..ops.half import in_float32
from ..ops.index import gather
from ..ops.strided import diagonal
from ..runtime.tensors.tensor import Tensor
from .checks import floating, known_rank, listed_or_each, need_tensor
from .creation import arange, to_tensor
from .diagonals import triu_indices
from .known import known_length, need_known, of_length
from .linalg import _need_rank, _tensors, matmul
from .manipulation import reshape, swapaxes, unsqueeze
from .shape_args import axis_leaf, same_dtype
from .tensor_methods import tensor_method, tensor_property

__all__ = (  # fmt: skip
    "baddbmm",
    "cdist",
    "cross",
    "einsum",
    "kron",
    "matrix_transpose",
    "pdist",
    "renorm",
    "tensordot",
    "vander",
    "vecdot",
)


def einsum(equation: str, *operands: Any) -> Tensor:
    """The sum of products that `equation` says: a letter for each axis of each operand, "->", and those of the result.

    "ij,jk->ik" is the product of matrices. "..." stands for any axes in front; without "->", the letters that occur once remain.
    operands: tensors, or a list of them; their dtypes are promoted. ValueError: an equation that doesn't fit them.

    >>> dy2st.einsum("ij,jk->ik", dy2st.ones([2, 3]), dy2st.ones([3, 4])).shape
    [2, 4]
    """
    tensors = same_dtype("einsum", list(listed_or_each(operands)), "operands")
    labels, result = _labels(equation.replace(" ", ""), tensors)
    for at, (names, x) in enumerate(zip(labels, tensors)):
        labels[at], tensors[at] = _without_repeats(names, x)
    return _einsum(*tensors, equation=f"{','.join(labels)}->{result}")


def _labels(equation: str, tensors: list[Tensor]) -> tuple[list[str], str]:
    """A letter for each axis of each operand and of the result."""
    left, arrow, result = equation.partition("->")
    parts = left.split(",")
    if len(parts) != len(tensors):
        raise ValueError(f"einsum: {equation!r} is for {len(parts)} operands, not {len(tensors)}")
    free = [c for c in ascii_letters if c not in equation]
    extra = [max(known_rank("einsum", x) - len(p.replace("...", "")), 0) if "..." in p else 0 for p, x in zip(parts, tensors)]
    more = "".join(free[: max(extra)])
    labels = [p.replace("...", more[len(more) - n :]) for p, n in zip(parts, extra)]
    for names, x in zip(labels, tensors):
        if not names.isalpha() and names or len(names) != known_rank("einsum", x):
            raise ValueError(f"einsum: {equation!r} doesn't fit an operand of shape {x.type}")
    if not arrow:
        joined = "".join(labels)
        result = "..." + "".join(sorted(c for c in set(joined) if joined.count(c) == 1 and c not in more))
    unknown = set(result.replace("...", "")) - set("".join(labels))
    if unknown:
        raise ValueError(f"einsum: the result's {sorted(unknown)} are in no operand of {equation!r}")
    return labels, result.replace("...", more)


def _without_repeats(names: str, x: Tensor) -> tuple[str, Tensor]:
    """The diagonals of axes that have one letter."""
    for label in names:
        if names.count(label) > 1:
            first, second = (at for at, c in list(enumerate(names)) if c == label)
            rest = names[:first] + names[first + 1 : second] + names[second + 1 :]
            return _without_repeats(rest + label, diagonal(x, offset=0, axis1=first, axis2=second))
    return names, x


@tensor_method()
def tensordot(x: Tensor, y: Tensor, axes: Any = 2, name: str | None = None) -> Tensor:
    """The sum of products over the last `axes` axes of x and the first ones of y, or over the axes in a list, or in two lists.

    The result has the other axes of x, then those of y; dtypes are promoted. ShapeError: lengths that differ.

    >>> dy2st.tensordot(dy2st.ones([2, 3]), dy2st.ones([3, 4]), 1).shape
    [2, 4]
    """
    x, y = _tensors("tensordot", x, y)
    need_known("tensordot", axes=axes)
    over_x, over_y = _paired(axes, known_rank("tensordot", x), known_rank("tensordot", y))
    kept_x = [a for a in range(x.ndim) if a not in over_x]
    kept_y = [a for a in range(y.ndim) if a not in over_y]
    for a, b in zip(over_x, over_y):
        y = of_length("tensordot", y, b, x.shape[a], "axes that are summed over have other lengths in x")
    letters = dict(zip(over_x, ascii_letters))
    labels_x = "".join(letters[a] if a in letters else ascii_letters[len(over_x) + a] for a in range(x.ndim))
    letters_y = dict(zip(over_y, ascii_letters))
    start = len(over_x) + x.ndim
    labels_y = "".join(letters_y[b] if b in letters_y else ascii_letters[start + b] for b in range(y.ndim))
    result = "".join(labels_x[a] for a in kept_x) + "".join(labels_y[b] for b in kept_y)
    return _einsum(x, y, equation=f"{labels_x},{labels_y}->{result}")


def _paired(axes: Any, rank_x: int, rank_y: int) -> tuple[list[int], list[int]]:
    """The axes of x and those of y over which products are summed."""
    if isinstance(axes, Tensor):
        axes = axes._array("tensordot(axes=Tensor)").tolist()
    if isinstance(axes, int):
        return list(range(rank_x - axes, rank_x)), list(range(axes))
    if not any(isinstance(a, (list, tuple)) for a in axes):
        axes = [axes, axes]
    first, second = list(axes[0]), list(axes[1] if len(axes) > 1 else axes[0])
    second += first[len(second) :]
    first += second[len(first) :]
    return [axis_leaf("tensordot", a, rank_x) for a in first], [axis_leaf("tensordot", a, rank_y) for a in second]


@tensor_method()
def kron(x: Tensor, y: Tensor, name: str | None = None) -> Tensor:
    """The Kronecker product, each element of x times the whole of y: [n, m] and [k, l] give [n * k, m * l].

    Of any number of axes, the smaller shape getting 1s in front; dtypes are promoted.

    >>> dy2st.kron(dy2st.to_tensor([1, 10]), dy2st.to_tensor([1, 2])).tolist()
    [1, 2, 10, 20]
    """
    x, y = _tensors("kron", x, y)
    rank = max(known_rank("kron", x), known_rank("kron", y))
    a, b = ([1] * (rank - t.ndim) + t.shape for t in (x, y))
    wide = elementwise.multiply(reshape(x, [n for d in a for n in (d, 1)]), reshape(y, [n for d in b for n in (1, d)]))
    return reshape(wide, [n * m for n, m in zip(a, b)])


@tensor_method()
def cross(x: Tensor, y: Tensor, axis: int = 9, name: str | None = None) -> Tensor:
    """The cross product of the vectors of length 3 along `axis` of x and y; 9 stands for the first axis of that length.

    x, y: as many axes each; shapes broadcast, dtypes are promoted, and the result has both. ShapeError: no such axis.
    ConversionError: 9, and only the Program knows which axis has that length.

    >>> dy2st.cross(dy2st.to_tensor([1, 0, 0]), dy2st.to_tensor([0, 1, 0])).tolist()
    [0, 0, 1]
    """
    x, y = _tensors("cross", x, y)
    if axis == 9:
        axis = _first_of_three(x)
    if known_rank("cross", x) == 0 or known_rank("cross", y) != x.ndim:
        raise ShapeError(f"cross takes tensors of as many axes, one of length 3, not {x.type} and {y.type}")
    axis = axis_leaf("cross", axis, x.ndim)
    x, y = (of_length("cross", each, axis, 3, "the vectors have 3 numbers") for each in (x, y))
    after, before = to_tensor([1, 2, 0]), to_tensor([2, 0, 1])
    a1, b1 = gather(x, after, axis=axis), gather(y, after, axis=axis)
    a2, b2 = gather(x, before, axis=axis), gather(y, before, axis=axis)
    return elementwise.subtract(elementwise.multiply(a1, b2), elementwise.multiply(a2, b1))


def _first_of_three(x: Tensor) -> int:
    """The first axis of length 3, the last one where there is none; ConversionError where only the Program knows which it is."""
    for axis, length in enumerate(x.shape[: known_rank("cross", x)]):
        if not isinstance(length, int):
            raise ConversionError(
                f"cross: the first axis of length 3 of {x.type} is known only when the Program runs; give cross the axis"
            )
        if length == 3:
            return axis
    return -1


@tensor_method()
def vecdot(x: Tensor, y: Tensor, axis: int = -1, name: str | None = None) -> Tensor:
    """The inner products of the vectors along `axis` of x and y; shapes broadcast, dtypes are promoted.

    The result lacks the axis. Of complex numbers, those of x are conjugated.
    """
    x, y = _tensors("vecdot", x, y)
    x = complex_numbers.conj(x) if x.dtype.is_complex else x
    return reduce.reduce_sum(elementwise.multiply(x, y), axis=axis_leaf("vecdot", axis), keepdim=False)


@tensor_method()
def baddbmm(input: Tensor, x: Tensor, y: Tensor, beta: float = 1.0, alpha: float = 1.0, name: str | None = None) -> Tensor:
    """beta * input + alpha * (x @ y), for stacks of matrices: x [b, n, k] and y [b, k, m] give [b, n, m].

    input: a tensor that broadcasts to that shape; beta, alpha: numbers. Dtypes are promoted. ShapeError: other numbers of axes.
    """
    _need_rank("baddbmm", need_tensor("baddbmm", x), 3)
    _need_rank("baddbmm", need_tensor("baddbmm", y, "y"), 3)
    return need_tensor("baddbmm", input, "input") * beta + matmul(x, y) * alpha


@tensor_method()
def matrix_transpose(x: Tensor, name: str | None = None) -> Tensor:
    """x with its last two axes exchanged: a view [..., m, n] of [..., n, m], in the dtype of x."""
    return swapaxes(x, -1, -2)


@tensor_property("mT")
def _last_exchanged(x: Tensor) -> Tensor:
    """This tensor with its last two axes exchanged, as a view."""
    return x.swapaxes(-1, -2)


def _distance(difference: Tensor, p: float) -> Tensor:
    from .norms import vector_norm

    return vector_norm(difference, p, -1)


@tensor_method()
@in_float32
def cdist(
    x: Tensor,
    y: Tensor,
    p: float = 2.0,
    compute_mode: str = "use_mm_for_euclid_dist_if_necessary",
    name: str | None = None,
) -> Tensor:
    """The p-norm of the difference of each row of x [..., n, k] and each row of y [..., m, k]: a tensor [..., n, m].

    p: a number, inf included. Dtypes are promoted, integers cast to the default dtype. `compute_mode` has no effect.

    >>> dy2st.cdist(dy2st.to_tensor([[0.0, 0.0]]), dy2st.to_tensor([[3.0, 4.0]])).tolist()
    [[5.0]]
    """
    x, y = _tensors("cdist", x, y)
    return _distance(elementwise.subtract(unsqueeze(floating("cdist", x), -2), unsqueeze(floating("cdist", y), -3)), p)


@in_float32
def pdist(x: Tensor, p: float = 2.0, name: str | None = None) -> Tensor:
    """The p-norm of the difference of each row of a matrix x [n, k] and each row below it: a vector [n * (n - 1) / 2].

    p: a number. x is float. ShapeError: no matrix. ConversionError: a number of rows that is unknown while staging.
    """
    _need_rank("pdist", need_tensor("pdist", x), 2)
    pairs = triu_indices(known_length("pdist", x, 0), offset=1)
    return _distance(elementwise.subtract(gather(x, pairs[0], axis=0), gather(x, pairs[1], axis=0)), p)


@tensor_method()
def vander(x: Tensor, n: int | None = None, increasing: bool = False, name: str | None = None) -> Tensor:
    """The matrix [length, n] whose columns are the powers n - 1 ... 0 of a vector x, or 0 ... n - 1 where `increasing`.

    n: the length where None; ValueError where negative. The result has the dtype of x. ShapeError: x is no vector.

    >>> dy2st.vander(dy2st.to_tensor([2, 3])).tolist()
    [[2, 1], [3, 1]]
    """
    _need_rank("vander", need_tensor("vander", x), 1)
    need_known("vander", n=n)
    count = x.shape[0] if n is None else n
    if n is not None and (not isinstance(n, int) or n < 0):
        raise ValueError(f"vander: n must be an int that isn't negative, not {n!r}")
    powers = (arange(0, count) if increasing else arange(count - 1, -1, -1)).astype(x.dtype)
    return elementwise.power(unsqueeze(x, -1), powers)


@tensor_method()
@in_float32
def renorm(x: Tensor, p: float, axis: int, max_norm: float) -> Tensor:
    """x with its slices along `axis` whose p-norm is above `max_norm` made shorter, to that norm.

    x: a tensor of floats; the result has its shape and dtype. p, max_norm: numbers. ShapeError: an axis out of range.
    """
    from .norms import vector_norm

    axis = axis_leaf("renorm", axis, known_rank("renorm", x))
    lengths = vector_norm(x, p, [a for a in range(x.ndim) if a != axis], keepdim=True)
    return x * (lengths > max_norm).where(max_norm / (lengths + 1e-7), lengths.ones_like())
