"""Operators that don't take every kind of element: their inference refuses the others, and so does a kernel that wouldn't."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..dtypes import DTYPES
from ..errors import DTypeError
from ..ir.types import TensorType

COMPLEX, BOOL = "complex", "bool"
_INSTEAD = {COMPLEX: "take x.real() or x.abs() first", BOOL: "cast it first, x.astype('int64')"}


def without(kinds: tuple[str, ...], name: str, infer: Callable, kernel: Callable) -> tuple[Callable, Callable]:
    """The inference and the kernel of the operator `name`, which refuse tensors of these kinds; a NumPy ufunc does by itself."""
    return _checked(kinds, name, infer), kernel if isinstance(kernel, np.ufunc) else _checked(kinds, name, kernel)


def _checked(kinds: tuple[str, ...], name: str, function: Callable) -> Callable:
    refused = frozenset(dtype for dtype in DTYPES if _kind(dtype) in kinds)

    def checked(*operands: Any, **attrs: Any) -> Any:
        for x in operands:
            if isinstance(x, np.ndarray | TensorType):
                dtype = x.dtype if isinstance(x, TensorType) else x.dtype.name
                if dtype in refused:
                    raise DTypeError(f"{name} takes no tensor of {dtype}: {_INSTEAD[_kind(dtype)]}")
                break  # the others have its dtype
        return function(*operands, **attrs)

    checked.__wrapped__ = function  # type: ignore[attr-defined]  # whose parameters it takes
    return checked


def _kind(dtype: str) -> str:
    return COMPLEX if DTYPES[dtype].is_complex else dtype
