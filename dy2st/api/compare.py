"""Comparisons, logic and choice, element by element, under Paddle's names."""

from __future__ import annotations

from typing import Any

from ..dtypes import promote
from ..errors import DTypeError
from ..ops import compare, select, views
from ..ops.index import getitem
from ..ops.registry import OpDef
from ..runtime.tensors.call_hook import as_they_are
from ..runtime.tensors.tensor import Tensor
from .checks import describe, known_rank, need_tensor, operands, plain_number, refuse_positional_out, scalar_kind, to_dtype
from .family_docs import BITS, BY_NAME, FLAG, TO_BOOL
from .known import is_less, same_lengths
from .reduce import all
from .tensor_methods import attach, published, tensor_method

__all__ = (  # fmt: skip
    "allclose",
    "bitwise_and",
    "bitwise_not",
    "bitwise_or",
    "bitwise_xor",
    "equal",
    "equal_all",
    "greater_equal",
    "greater_than",
    "is_complex",
    "is_floating_point",
    "is_integer",
    "is_tensor",
    "isclose",
    "isfinite",
    "isinf",
    "isnan",
    "less",
    "less_equal",
    "less_than",
    "logical_and",
    "logical_not",
    "logical_or",
    "logical_xor",
    "not_equal",
    "where",
    "where_",
)


def _compare(definition: OpDef, sign: str):
    def function(x: Any, y: Any, name: str | None = None) -> Tensor:
        return definition(*operands(definition.name, x, y, weak=True))

    return published(function, definition.name, f"x {sign} y, element by element.\n\n{TO_BOOL}")


equal = _compare(compare.equal, "==")
not_equal = _compare(compare.not_equal, "!=")
less_than = _compare(compare.less_than, "<")
less_equal = _compare(compare.less_equal, "<=")
greater_than = _compare(compare.greater_than, ">")
greater_equal = _compare(compare.greater_equal, ">=")
less = less_than
attach(less, "less")


def _two(definition: OpDef, doc: str):
    def function(x: Any, y: Any, out: None = None, name: str | None = None) -> Tensor:
        refuse_positional_out(definition.name, out)
        return definition(*operands(definition.name, x, y, weak=logical))

    logical = definition.name.startswith("logical")
    return published(function, definition.name, f"{doc}\n\n{TO_BOOL if logical else BITS} {BY_NAME}")


def _one(definition: OpDef, doc: str):
    def function(x: Tensor, out: None = None, name: str | None = None) -> Tensor:
        refuse_positional_out(definition.name, out)
        return definition(need_tensor(definition.name, x))

    return published(function, definition.name, f"{doc} {BY_NAME}")


logical_and = _two(compare.logical_and, "Whether both x and y are true (not 0), element by element.")
logical_or = _two(compare.logical_or, "Whether x or y is true (not 0), element by element.")
logical_xor = _two(compare.logical_xor, "Whether just one of x and y is true (not 0), element by element.")
logical_not = _one(compare.logical_not, f"Whether x is false (0), element by element.\n\n{FLAG}")
bitwise_and = _two(compare.bitwise_and, "x & y, bit by bit.")
bitwise_or = _two(compare.bitwise_or, "x | y, bit by bit.")
bitwise_xor = _two(compare.bitwise_xor, "x ^ y, bit by bit.")
bitwise_not = _one(
    compare.bitwise_not,
    "~x, bit by bit.\n\nx: a tensor of integers or bools, of any shape; the result has its shape and dtype. DTypeError: others.",
)


def _flag(definition: OpDef, doc: str):
    def function(x: Tensor, name: str | None = None) -> Tensor:
        return definition(need_tensor(definition.name, x))

    return published(function, definition.name, f"{doc}\n\n{FLAG}")


isnan = _flag(compare.isnan, "Whether x is nan, element by element.")
isinf = _flag(compare.isinf, "Whether x is infinite, element by element.")
isfinite = _flag(compare.isfinite, "Whether x is neither infinite nor nan, element by element.")


@tensor_method()
def isclose(
    x: Tensor, y: Any, rtol: float = 1e-05, atol: float = 1e-08, equal_nan: bool = False, name: str | None = None
) -> Tensor:
    """Whether |x - y| <= atol + rtol * |y|, element by element: a bool tensor of the shape to which x and y broadcast.

    x, y: tensors, dtypes are promoted; y may be a number. rtol, atol: floats. equal_nan: whether nan is close to nan.
    """
    return compare.isclose(*operands("isclose", x, y), rtol=plain_number(rtol), atol=plain_number(atol), equal_nan=equal_nan)


@tensor_method()
def allclose(
    x: Tensor, y: Any, rtol: float = 1e-05, atol: float = 1e-08, equal_nan: bool = False, name: str | None = None
) -> Tensor:
    """Whether |x - y| <= atol + rtol * |y| for every element: a 0-d bool tensor. Arguments as in `isclose`.

    >>> bool(dy2st.allclose(dy2st.to_tensor([1.0]), dy2st.to_tensor([1.000001])))
    True
    """
    return all(isclose(x, y, rtol, atol, equal_nan))


@tensor_method()
def equal_all(x: Tensor, y: Tensor, name: str | None = None) -> Tensor:
    """Whether the tensors x and y, of any shapes and dtypes, have one shape and equal elements: a 0-d bool tensor."""
    need_tensor("equal_all", x)
    need_tensor("equal_all", y, "y")
    if same_lengths(x, y):
        return all(equal(x, y))
    if known_rank("equal_all", x) != known_rank("equal_all", y):
        return Tensor(compare.np.zeros((), bool))
    from .creation import full

    one: Any = 1  # where all lengths are the same, else 0: then nothing is left to compare
    for a, b in zip(x.shape, y.shape):
        one = one * (1 - is_less(a, b) - is_less(b, a))
    left, right = (_first(t, one) for t in (x, y))
    return logical_and(all(equal(left, right)), equal(full([], one, "int64"), 1))


def _first(x: Tensor, count: Any) -> Tensor:
    """All elements of x where `count` is 1, none where it is 0."""
    flat = views.reshape(x, shape=[-1])
    return getitem(flat, index=[{"slice": [None, flat.shape[0] * count, None]}])


@tensor_method()
def where(condition: Tensor, x: Any = None, y: Any = None, name: str | None = None) -> Any:
    """x where `condition` (bool) holds, y elsewhere; shapes broadcast, dtypes are promoted. With `condition` alone, as `nonzero`.

    x, y: tensors or numbers. The result has the broadcast shape; with `condition` alone it is a tuple of int64 vectors [n], one
    for each axis: where it holds. DTypeError: `condition` isn't bool. ValueError: one of x and y is missing. TypeError: they are
    no tensors or numbers.

    >>> dy2st.where(dy2st.to_tensor([True, False]), dy2st.to_tensor([1, 2]), 0).tolist()
    [1, 0]
    """
    if need_tensor("where", condition, "condition").dtype.name != "bool":
        raise DTypeError(f"where: condition must be a bool Tensor, not {condition.dtype.name}; compare it with something first")
    if x is None and y is None:
        from .gathering import nonzero

        return nonzero(condition, as_tuple=True)
    if x is None or y is None:
        raise ValueError("where takes both x and y, or neither")
    if not isinstance(x, Tensor) and not isinstance(y, Tensor):
        x = _numbers(x, y)
    return select.where(condition, *operands("where", x, y))


def _numbers(x: Any, y: Any) -> Tensor:
    """Where both values are numbers, the first as a 0-d tensor of the dtype in which they meet."""
    from .creation import to_tensor

    if scalar_kind(x) is None or scalar_kind(y) is None:
        raise TypeError(f"where: x and y must be Tensors or numbers, not {describe(x)} and {describe(y)}")
    tensor = to_tensor(x)
    return to_dtype(tensor, promote(tensor.dtype.name, to_tensor(y).dtype.name))


@tensor_method()
def where_(condition: Tensor, x: Tensor, y: Any, name: str | None = None) -> Tensor:
    """`where` in place: written into x, which keeps its shape and dtype and is returned; `condition` and y as there."""
    from .creation import assign

    return assign(where(condition, x, y), x)


@tensor_method()
@as_they_are
def is_tensor(x: Any) -> bool:
    """Whether x is a Tensor: a bool."""
    return isinstance(x, Tensor)


@tensor_method()
def is_floating_point(x: Tensor) -> bool:
    """Whether the dtype of x, of any shape, is float16, bfloat16, float32 or float64: a bool."""
    return need_tensor("is_floating_point", x).dtype.is_floating


@tensor_method()
def is_integer(x: Tensor) -> bool:
    """Whether the dtype of x, of any shape, is an integer one, bool being none: a bool."""
    return need_tensor("is_integer", x).dtype.is_integer


@tensor_method()
def is_complex(x: Tensor) -> bool:
    """Whether the dtype of x, of any shape, is complex64 or complex128: a bool."""
    return need_tensor("is_complex", x).dtype.is_complex
