"""Functions element by element: how their operands meet, and how rows of them are written."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import dy2st as api

from ...runtime.proxies import StagedScalar
from ...runtime.tensors.tensor import Tensor
from ..dtypes import default_float, kind_of, number_kind, promoted
from .rows import everywhere, in_place, raise_where, refused, row


def met(*values: Any, floats: bool = False) -> list[Any]:
    """Tensors of the dtype in which the values meet. floats: integers become floats."""
    dtype = promoted(*values)
    if floats and kind_of(dtype) in ("bool", "int"):
        dtype = default_float()
    return [as_dtype(x, dtype) for x in values]


def as_dtype(x: Any, dtype: str) -> Tensor:
    """A tensor or number as a tensor of a dtype."""
    if not isinstance(x, Tensor):
        return api.to_tensor(x, dtype=dtype)
    return x if x.type.dtype == dtype else x.astype(dtype)


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


def need_divisor(given: Any, dividend: Tensor, divisor: Tensor) -> None:
    """RuntimeError, as torch has it, where integers are divided by 0: by `given`, which is `divisor` in their dtype."""
    if kind(divisor) == "int" and (isinstance(given, Tensor | StagedScalar) or given == 0):
        raise_where(api.any((divisor == 0) & (dividend == dividend)), RuntimeError("ZeroDivisionError"))


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
        given = met(input, other, floats=floats)
        need(name, *given, kinds=kinds)
        if divides:
            need_divisor(other, *given)
        return function(*given)

    compute.__name__ = name
    everywhere(compute, name, *others)
    if special:
        operator(name, compute, special)


def operator(name: str, function: Callable, special: str) -> None:
    """Rows for Python's operator: x + y, y + x, x += y."""
    row(f"Tensor.__{special}__")(function)
    row(f"Tensor.__r{special}__")(swapped(function))
    in_place(name, function, f"Tensor.__i{special}__")


def swapped(function: Callable) -> Callable:
    """The function with its two operands exchanged."""

    def compute(input: Any, other: Any) -> Any:
        return function(other, input)

    compute.__name__ = f"r{function.__name__}"
    return compute
