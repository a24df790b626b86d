"""Functions element by element: how their operands meet, and how rows of them are written."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import dy2st as api

from ...ops import integers
from ...ops.slopes import with_slope
from ...runtime.proxies import StagedScalar
from ...runtime.tensors.tensor import Tensor
from ..dtypes import default_float, kind_of, number_kind, of_name, promoted
from ..packages import torch
from .rows import demanded, everywhere, may_flow, refused, row, writing


def met(*values: Any, floats: bool = False) -> list[Any]:
    """Tensors of the dtype in which the values meet. floats: integers become floats."""
    dtype = promoted(*values)
    if floats and kind_of(dtype) in ("bool", "int"):
        dtype = default_float()
    return [as_dtype(x, dtype) for x in values]


def as_dtype(x: Any, dtype: str) -> Tensor:
    """A tensor or number as a tensor of a dtype."""
    if not isinstance(x, Tensor):
        return api.to_tensor(x, dtype=dtype) if kind_of(dtype) != "int" else _whole(x, dtype)
    return x if x.type.dtype == dtype else x.astype(dtype)


def _whole(x: Any, dtype: str) -> Tensor:
    """A number in a dtype of integers. RuntimeError, as in torch: a float is NaN, or not within the dtype."""
    if number_kind(x) != "float":
        return api.to_tensor(x, dtype=dtype)
    if not isinstance(x, StagedScalar):
        torch().empty([], dtype=of_name(dtype)).fill_(x)
        return api.to_tensor(int(x), dtype="int64").astype(dtype)
    limits, wide = torch().iinfo(of_name(dtype)), api.to_tensor(x, dtype="float64")
    holds = (wide <= limits.max) & (wide >= (limits.min or -limits.max))
    return demanded(wide, holds, f"value cannot be converted to type {dtype} without overflow").astype(dtype)


def with_history(value: Tensor, x: Tensor) -> Tensor:
    """A value that takes part in the gradient of `x`, of its shape, though it doesn't follow it: by 0, as torch has it."""
    return with_slope(value, x, api.zeros([], x.type.dtype))


def kind(x: Tensor) -> str:
    """bool, int, float or complex."""
    return kind_of(x.type.dtype)


def unary(name: str, function: Callable, *others: str, floats: bool = False) -> None:
    """Rows for a function of one tensor, by all its names. floats: integers become floats."""

    def compute(input: Any) -> Any:
        return function(met(input, floats=True)[0] if floats else input)

    compute.__name__ = name
    everywhere(compute, name, *others)


ALL = "bool int float complex"


def need(name: str, *operands: Any, kinds: str = ALL, numbers: bool = True) -> None:
    """Refuse operands of other kinds than these, and Python numbers where there may be none."""
    for x in operands:
        if not isinstance(x, Tensor) and not numbers:
            raise refused(f"{name} takes tensors, not a number; write torch.tensor({x!r})")
        found = kind(x) if isinstance(x, Tensor) else number_kind(x)
        if found not in kinds.split():
            raise refused(f"{name} takes {', '.join(kinds.split())} tensors or numbers, not {found}; cast them first")


def sloped(found: Tensor, x: Any, slope: Callable[[], Any]) -> Tensor:
    """found, to whose gradient by x `slope()` is added where it may be asked for."""
    if not isinstance(x, Tensor) or not may_flow(x):
        return found
    return with_slope(found, x, as_dtype(slope(), found.type.dtype))


def flat(found: Tensor, *operands: Any) -> Tensor:
    """found, which doesn't change where its operands change a little: the gradient by each of them is 0."""
    for x in operands:
        found = sloped(found, x, lambda: 0.0)
    return found


def maximum(a: Tensor, b: Tensor) -> Tensor:
    """The greater one; of two equal elements each has half of the gradient."""
    return _chosen(past(api.maximum(a, b)), a, b, api.less_than)


def minimum(a: Tensor, b: Tensor) -> Tensor:
    """The smaller one; of two equal elements each has half of the gradient."""
    return _chosen(past(api.minimum(a, b)), a, b, api.greater_than)


def _chosen(found: Tensor, a: Tensor, b: Tensor, loses: Callable) -> Tensor:
    """Next to NaN, as in torch, both have all of the gradient."""

    def share(x: Tensor, y: Tensor) -> Tensor:
        return as_dtype(~loses(x, y), found.type.dtype) - as_dtype(x == y, found.type.dtype) * 0.5

    return sloped(sloped(found, a, lambda: share(a, b)), b, lambda: share(b, a))


def kept_between(x: Tensor, low: Any = None, high: Any = None) -> Tensor:
    """x, no less than `low` and no more than `high`, tensors of its dtype. At the bounds its own gradient passes, too."""

    def is_inside() -> Tensor:
        parts = ([] if low is None else [x >= low]) + ([] if high is None else [x <= high])
        return parts[0] & parts[1] if len(parts) > 1 else parts[0]

    def is_below() -> Tensor:
        return x < low if high is None else (x < low) & (low < high)

    def is_above() -> Tensor:
        return x > high if low is None else (x > high) | (high < low)

    found = x if low is None else api.maximum(x, low)
    found = found if high is None else api.minimum(found, high)
    return sloped(sloped(sloped(past(found), x, is_inside), low, is_below), high, is_above)


def past(found: Tensor) -> Tensor:
    """found without its history."""
    return found.detach() if may_flow(found) else found


def checked_divisor(given: Any, dividend: Tensor, divisor: Tensor) -> Tensor:
    """A divisor, `given` in its dtype; of integers a RuntimeError, as torch has it, where one is 0."""
    is_known = not isinstance(given, Tensor | StagedScalar) and given != 0
    return divisor if is_known or kind(divisor) != "int" else integers.divisor(divisor, dividend)


def binary(
    name: str,
    function: Callable,
    *others: str,
    special: str = "",
    floats: bool = False,
    kinds: str = ALL,
    numbers: bool = True,
    divides: bool = False,
) -> None:
    """Rows for a function of two tensors or numbers that meet, in these kinds. special: of Python's operator.

    divides: the second one is a divisor.
    """

    def compute(input: Any, other: Any) -> Any:
        need(name, input, other, numbers=numbers)
        a, b = met(input, other, floats=floats)
        need(name, a, b, kinds=kinds)
        return function(a, checked_divisor(other, a, b) if divides else b)

    compute.__name__ = name
    everywhere(compute, name, *others)
    if special:
        operator(name, compute, special)


def operator(name: str, function: Callable, special: str) -> None:
    """Rows for Python's operator: x + y, y + x, x += y."""
    row(f"Tensor.__{special}__")(function)
    row(f"Tensor.__r{special}__")(swapped(function))
    row(f"Tensor.__i{special}__")(writing(name, function))


def swapped(function: Callable) -> Callable:
    """The function with its two operands exchanged."""

    def compute(input: Any, other: Any) -> Any:
        return function(other, input)

    compute.__name__ = f"r{function.__name__}"
    return compute
