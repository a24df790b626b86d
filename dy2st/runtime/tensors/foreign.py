"""Tensors of other libraries, such as PyTorch's, that lie in attributes, lists and the like: which array shares their memory."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

_ARRAYS: dict[type, Callable[[Any], Any]] = {}


def note_library(cls: type, array_of: Callable[[Any], Any]) -> None:
    """Tensors of another library are objects of `cls`; `array_of` gives the array that shares memory with one."""
    _ARRAYS[cls] = array_of


def array_of(value: object) -> Any:
    """The array that shares memory with a tensor of another library; None for anything else, whatever class it says it is of."""
    for cls, find in _ARRAYS.items():
        if issubclass(type(value), cls):
            return find(value)
    return None
