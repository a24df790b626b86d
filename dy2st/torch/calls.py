"""Calls of torch's functions while PyTorch code is staged: each is one of operators of the registry, by the table."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import contextmanager
from functools import cache, partial
from typing import Any

from ..errors import ConversionError
from ..ops.dispatch import recorder_of_mode
from ..runtime.tensors.tensor import Tensor
from ..runtime.where.faults import as_the_user
from .face import Face, Size, complete
from .packages import torch
from .policy import TorchPolicy


def policy() -> TorchPolicy:
    """The rules of the recording."""
    return recorder_of_mode().facts.policy


@cache
def table() -> dict[Any, Callable]:
    """What stands for each function and method of torch's."""
    from .table import ROWS, functions_of

    found: dict[Any, Callable] = {}
    methods: dict[str, Any] = {}
    for name, row in ROWS.items():
        for function in functions_of(name):
            found[function] = row
        if name.startswith("Tensor."):
            methods[name.removeprefix("Tensor.")] = _method(row)
    complete(methods)
    return found


def _method(row: Callable) -> Callable:
    def method(self: Any, *args: Any, **kwargs: Any) -> Any:
        return mapped(row, (self, *args), kwargs)

    method.__name__ = row.__name__
    return method


def call(function: Any, args: tuple, kwargs: dict) -> Any:
    """A function or method of torch's on placeholders and real tensors. ConversionError: it has no row in the table."""
    row = table().get(function)
    if row is not None:
        return mapped(row, args, kwargs)
    if not _holds(args, Face) and not _holds(kwargs, Face) and is_question(function):
        return function(*args, **kwargs)
    name = getattr(function, "__qualname__", None) or getattr(function, "__name__", repr(function))
    raise ConversionError(f"torch's {name} isn't mapped to operators: dy2st.torch.register adds it")


def mapped(row: Callable, args: tuple, kwargs: dict) -> Any:
    """The row of a function, on Tensors that behave as dy2st's; what it gives has torch's face again."""
    if kwargs.pop("out", None) is not None:
        raise ConversionError(f"{row.__name__}(out=...) isn't mapped: assign what it gives")
    with policy().plain(), torch()._C.DisableTorchFunction():
        found = as_the_user(row, *_mapped(plain, args), **_mapped(plain, kwargs))
    return _mapped(faced, found)


def plain(value: Any) -> Any:
    """A Tensor of dy2st's for one with torch's face, and for a real one of torch's."""
    if type(value) is Face:
        made = Tensor(value._data, value.stop_gradient)
        return made
    if isinstance(value, torch().Tensor):
        return policy().lifted(value)
    return tuple(value) if isinstance(value, Size) else value


def faced(value: Any) -> Any:
    """A Tensor with torch's face."""
    if type(value) is Tensor or (isinstance(value, Tensor) and type(value) is not Face):
        return policy().faced(value)
    return value


def _mapped(change: Callable, value: Any) -> Any:
    if type(value) in (tuple, list):
        return type(value)(_mapped(change, x) for x in value)
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return type(value)(*(_mapped(change, x) for x in value))
    if type(value) is dict:
        return {key: _mapped(change, x) for key, x in value.items()}
    if isinstance(value, slice):
        return slice(*(_mapped(change, x) for x in (value.start, value.stop, value.step)))
    return change(value)


def _holds(value: Any, cls: type) -> bool:
    if isinstance(value, tuple | list):
        return any(_holds(x, cls) for x in value)
    if isinstance(value, dict):
        return any(_holds(x, cls) for x in value.values())
    return type(value) is cls


_QUESTIONS = "shape dtype device requires_grad is_cuda ndim layout is_sparse is_quantized is_nested is_meta is_leaf".split()


@cache
def _questions() -> frozenset:
    cls = torch().Tensor
    getters = [getattr(cls, name).__get__ for name in _QUESTIONS]
    methods = [getattr(cls, name) for name in "size dim numel is_floating_point is_complex __len__ stride is_contiguous".split()]
    return frozenset([*getters, *methods, torch().is_floating_point, torch().is_complex, torch().numel])


def is_question(function: Any) -> bool:
    """Whether a function of torch's tells something of a tensor that its elements don't change."""
    return function in _questions()


@contextmanager
def recording_calls():
    """While PyTorch code is staged, calls in code that isn't converted are recorded, those without placeholders too."""

    class Mode(torch().overrides.TorchFunctionMode):
        def __torch_function__(self, func: Any, types: Any, args: tuple = (), kwargs: dict | None = None) -> Any:
            return call(func, args, kwargs or {})

    with Mode():
        yield


def replaced(function: Any) -> Callable | None:
    """What to call in place of a function of torch's in converted code; None: it is converted or called as it is."""
    try:
        row = table().get(function)
    except TypeError:
        return None
    return None if row is None else partial(mapped_call, row)


def mapped_call(row: Callable, *args: Any, **kwargs: Any) -> Any:
    """`mapped`, called as the function is."""
    return mapped(row, args, kwargs)
