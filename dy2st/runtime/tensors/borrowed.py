"""Tensors of other libraries, of which a call makes Tensors on the same memory (`dlpack.py`)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from ... import pytree
from .tensor import Tensor

_OWN: set[type] = {Tensor, np.ndarray, int, float, bool, str, type(None)}  # most of what is asked about


def is_foreign(value: Any) -> bool:
    """Whether a value is a tensor of another library, which gives its memory by DLPack."""
    cls = type(value)
    return cls not in _OWN and hasattr(cls, "__dlpack__") and not issubclass(cls, Tensor | np.ndarray)


def some_foreign(values: Iterable[Any]) -> bool:
    """Whether some of the values, or of what lists, tuples and dicts among them hold, are foreign: it is asked at each call."""
    pending, seen = [values], set()
    while pending:
        for value in pending.pop():
            cls = type(value)
            if cls in _OWN:
                continue
            if cls is list or cls is tuple or cls is dict:
                if id(value) not in seen:  # one may hold itself
                    seen.add(id(value))
                    pending.append(value.values() if cls is dict else value)
            elif is_foreign(value):
                return True
    return False


def named(value: Any) -> str:
    """`torch.Tensor`, `int`"""
    cls = type(value)
    library = cls.__module__.partition(".")[0]
    return cls.__name__ if library in ("builtins", "dy2st") else f"{library}.{cls.__name__}"


def taken(value: Any) -> Tensor:
    """A Tensor in the memory of a tensor of another library; errors as of `array_of`."""
    from .dlpack import array_of  # which only other libraries need

    return Tensor(array_of(value))


def own_arguments(args: tuple, kwargs: dict[str, Any]) -> tuple[tuple, dict[str, Any]]:
    """The arguments of a call, with Tensors in place of what other libraries made; errors as of `array_of`."""
    if not some_foreign(args) and not some_foreign(kwargs.values()):
        return args, kwargs
    return pytree.mapped((args, kwargs), is_foreign, taken)


def own(value: Any) -> Any:
    """A value, with Tensors in place of what other libraries made, at any depth; errors as of `array_of`."""
    return own_arguments((value,), {})[0][0]
