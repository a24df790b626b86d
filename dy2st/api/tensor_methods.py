"""How the functions of this package become methods of Tensor."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from ..runtime.tensors.call_hook import observed
from ..runtime.tensors.tensor import Tensor

F = TypeVar("F", bound=Callable)


def tensor_method(*names: str) -> Callable[[F], F]:
    """Decorator: the function, whose first parameter is the tensor, is also a Tensor method of its own name, or of `names`."""

    def attach(function: F) -> F:
        for name in names or (function.__name__,):
            setattr(Tensor, name, observed(function, name))
        return function

    return attach


def tensor_property(name: str, setter: Callable[[Tensor, Any], None] | None = None) -> Callable[[F], F]:
    """Decorator: what the function gives of a tensor is an attribute `name` of Tensor; `setter` stores what is assigned."""

    def attach(function: F) -> F:
        setattr(Tensor, name, property(function, setter))
        return function

    return attach


def published(function: F, name: str, doc: str) -> F:
    """A function that was made for an operator, under its name, with its docstring, as a Tensor method, too."""
    function.__name__ = function.__qualname__ = name
    function.__doc__ = doc
    attach(function, name)
    return function


def attach(function: Callable, *names: str) -> None:
    """Make `function` a Tensor method under `names`."""
    for name in names:
        setattr(Tensor, name, observed(function, name))
