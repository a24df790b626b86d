"""New tensors."""

from __future__ import annotations

from typing import Any

import dy2st as api

from ...runtime.tensors.tensor import Tensor
from ..dtypes import default_float, name_of, number_kind, of_number
from ..packages import torch
from .rows import both, row

IGNORED = {"device", "layout", "requires_grad", "pin_memory", "memory_format"}


def _sizes(size: tuple) -> list:
    """The lengths given one by one, or as one sequence."""
    return list(size[0]) if len(size) == 1 and isinstance(size[0], tuple | list) else list(size)


def _dtype(dtype: Any, default: str) -> str:
    return default if dtype is None else name_of(dtype)


def _filled(name: str, value: Any) -> None:
    def compute(*size: Any, size_: Any = None, dtype: Any = None, **options: Any) -> Any:
        return api.full(_sizes(size), value, dtype=_dtype(dtype, default_float()))

    def like(input: Any, *, dtype: Any = None, **options: Any) -> Any:
        return api.full_like(input, value, dtype=_dtype(dtype, input.type.dtype))

    def new(input: Any, *size: Any, dtype: Any = None, **options: Any) -> Any:
        return api.full(_sizes(size), value, dtype=_dtype(dtype, input.type.dtype))

    row(name)(compute)
    row(f"{name}_like")(like)
    row(f"Tensor.new_{name}")(new)


_filled("zeros", 0)
_filled("ones", 1)


@row("full")
def full(size: Any, fill_value: Any, *, dtype: Any = None, **options: Any) -> Any:
    """A tensor of one number."""
    return api.full(list(size), fill_value, dtype=_dtype(dtype, of_number(number_kind(fill_value))))


@row("full_like")
def full_like(input: Any, fill_value: Any, *, dtype: Any = None, **options: Any) -> Any:
    """A tensor of one number, of the shape of another."""
    return api.full_like(input, fill_value, dtype=_dtype(dtype, input.type.dtype))


@row("arange")
def arange(start: Any, end: Any = None, step: Any = 1, *, dtype: Any = None, **options: Any) -> Any:
    """Numbers from `start` up to `end`."""
    if end is None:
        start, end = 0, start
    kinds = {number_kind(x) for x in (start, end, step) if not isinstance(x, Tensor)}
    return api.arange(start, end, step, dtype=_dtype(dtype, default_float() if "float" in kinds else "int64"))


@row("tensor", "as_tensor")
def tensor(data: Any, *, dtype: Any = None, **options: Any) -> Any:
    """A tensor of numbers, or of tensors without axes in lists."""
    if isinstance(data, Tensor):
        return data.clone() if dtype is None else data.astype(name_of(dtype))
    if dtype is not None:
        return api.to_tensor(data, dtype=name_of(dtype))
    made = api.to_tensor(data)
    return made.astype(default_float()) if made.type.dtype == "float64" and default_float() != "float64" else made


@row("eye")
def eye(n: Any, m: Any = None, *, dtype: Any = None, **options: Any) -> Any:
    """Ones on the diagonal."""
    return api.eye(n, m, dtype=_dtype(dtype, default_float()))


@row("linspace")
def linspace(start: Any, end: Any, steps: Any, *, dtype: Any = None, **options: Any) -> Any:
    """Numbers at equal distances."""
    return api.linspace(start, end, steps, dtype=_dtype(dtype, default_float()))


for _name in ("tril", "triu"):
    both(_name, lambda input, diagonal=0, f=getattr(api, _name): f(input, diagonal))


def _drawn(name: str, draw: Any) -> None:
    def compute(*size: Any, dtype: Any = None, generator: Any = None, **options: Any) -> Any:
        return draw(_sizes(size), dtype=_dtype(dtype, default_float()))

    def like(input: Any, *, dtype: Any = None, **options: Any) -> Any:
        return draw(list(input.shape), dtype=_dtype(dtype, input.type.dtype))

    row(name)(compute)
    row(f"{name}_like")(like)


_drawn("rand", api.rand)
_drawn("randn", api.randn)
