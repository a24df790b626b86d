"""New tensors."""

from __future__ import annotations

from typing import Any

import dy2st as api

from ...ir.core import Operation
from ...runtime.proxies import StagedInt
from ...runtime.tensors.tensor import Tensor
from ..dtypes import default_float, kind_of, name_of, number_kind, of_number
from ..packages import torch
from .axes import known
from .conversions import converted
from .pointwise import as_dtype, flat
from .rows import demanded, refused, row

OPTIONS = {"device", "layout", "requires_grad", "pin_memory", "memory_format", "names"}


def sizes(size: tuple) -> list:
    """The lengths given one by one, or as one sequence."""
    return list(size[0]) if len(size) == 1 and isinstance(size[0], tuple | list) else list(size)


_sizes = sizes


def checked(options: dict[str, Any]) -> None:
    """Refuse what tensors of the CPU in rows of numbers don't have."""
    if unknown := set(options) - OPTIONS:
        raise TypeError(f"unexpected keyword arguments: {', '.join(sorted(unknown))}")
    if options.get("device") is not None and torch().device(options["device"]).type != "cpu":
        raise refused(f"device={str(options['device'])!r}: tensors live on the CPU")
    if options.get("layout") not in (None, torch().strided):
        raise refused(f"layout={options['layout']}: tensors are strided")
    if options.get("names"):
        raise refused("named axes aren't mapped to operators")


def dtype_of(dtype: Any, default: str) -> str:
    """The dtype that is asked for, or the default."""
    return default if dtype is None else name_of(dtype)


def filled(shape: Any, value: Any, dtype: str) -> Any:
    """A tensor of one number, or of one element."""
    if isinstance(value, Tensor):
        return api.expand(converted(value.reshape([]), dtype), list(shape)).clone()
    if isinstance(value, complex):
        return api.zeros(list(shape), dtype=dtype) + as_dtype(value, dtype)
    if kind_of(dtype) == "int" and number_kind(value) == "float":
        return api.expand(as_dtype(value, dtype), list(shape)).clone()
    return api.full(list(shape), value, dtype=dtype)


def _filled(name: str, value: Any) -> None:
    def compute(*args: Any, size: Any = None, dtype: Any = None, **options: Any) -> Any:
        checked(options)
        return filled(sizes(args) if size is None else size, value, dtype_of(dtype, default_float()))

    def like(input: Any, *, dtype: Any = None, **options: Any) -> Any:
        checked(options)
        return filled(input.shape, value, dtype_of(dtype, input.type.dtype))

    def new(input: Any, *args: Any, size: Any = None, dtype: Any = None, **options: Any) -> Any:
        checked(options)
        return filled(sizes(args) if size is None else size, value, dtype_of(dtype, input.type.dtype))

    row(name)(compute)
    row(f"{name}_like")(like)
    row(f"Tensor.new_{name}")(new)


_filled("zeros", 0)
_filled("ones", 1)
_filled("empty", 0)


@row("full")
def full(size: Any, fill_value: Any, *, dtype: Any = None, **options: Any) -> Any:
    """A tensor of one number."""
    checked(options)
    own = fill_value.type.dtype if isinstance(fill_value, Tensor) else of_number(number_kind(fill_value))
    return filled(size, fill_value, dtype_of(dtype, own))


@row("full_like")
def full_like(input: Any, fill_value: Any, *, dtype: Any = None, **options: Any) -> Any:
    """A tensor of one number, of the shape of another."""
    checked(options)
    return filled(input.shape, fill_value, dtype_of(dtype, input.type.dtype))


@row("Tensor.new_full")
def new_full(input: Any, size: Any, fill_value: Any, *, dtype: Any = None, **options: Any) -> Any:
    """A tensor of one number, of the dtype of another."""
    checked(options)
    return filled(size, fill_value, dtype_of(dtype, input.type.dtype))


@row("empty_strided")
def empty_strided(size: Any, stride: Any, *, dtype: Any = None, **options: Any) -> Any:
    """Zeros in row-major order, whatever the strides."""
    checked(options)
    return filled(size, 0, dtype_of(dtype, default_float()))


@row("Tensor.new_empty_strided")
def new_empty_strided(input: Any, size: Any, stride: Any, dtype: Any = None, **options: Any) -> Any:
    """Zeros in row-major order, of the dtype of another."""
    checked(options)
    return filled(size, 0, dtype_of(dtype, input.type.dtype))


@row("empty_permuted")
def empty_permuted(size: Any, physical_layout: Any, *, dtype: Any = None, **options: Any) -> Any:
    """Zeros in row-major order, whatever the layout."""
    checked(options)
    return filled(size, 0, dtype_of(dtype, default_float()))


@row("arange")
def arange(*args: Any, start: Any = 0, end: Any = None, step: Any = 1, dtype: Any = None, **options: Any) -> Any:
    """Numbers from `start` up to `end`."""
    checked(options)
    given = dict(zip(["end"] if len(args) == 1 and end is None else ["start", "end", "step"], args))
    start, end, step = (given.get(name, value) for name, value in (("start", start), ("end", end), ("step", step)))
    kinds = [number_kind(x) if not isinstance(x, Tensor) else kind_of(x.type.dtype) for x in (start, end, step)]
    made = dtype_of(dtype, default_float() if "float" in kinds else "int64")
    if made == "int64" and "float" in kinds:  # the ends are cut off first
        start, end, step = (_whole(x) if kind == "float" else x for x, kind in zip((start, end, step), kinds))
    elif kind_of(made) == "int" and "float" in kinds:
        raise refused(f"arange of floats as {made}; write torch.arange(...).to(torch.{made})")
    found = api.arange(start, end, step, dtype=made)
    if type(start) is int and start == 0 and type(step) is int and step == 1 and _is_length(end):
        return found
    holds = (end - start) * step >= 0
    return demanded(found, holds, "upper bound and lower bound inconsistent with step sign")


def _is_length(x: Any) -> bool:
    """Whether a number of the Program is a length of a tensor, which is never negative."""
    return isinstance(x, StagedInt) and isinstance(owner := x._value.owner, Operation) and owner.name == "py.dim"


def _whole(x: Any) -> Any:
    return x.astype("int64") if isinstance(x, Tensor) else int(x)


@row("range")
def range_(start: Any = 0, end: Any = None, step: Any = 1, *, dtype: Any = None, **options: Any) -> Any:
    """Numbers from `start` up to `end` and with it."""
    raise refused("torch.range is deprecated by torch; write torch.arange(start, end + step, step)")


@row("eye")
def eye(n: Any, m: Any = None, *, dtype: Any = None, **options: Any) -> Any:
    """Ones on the diagonal."""
    checked(options)
    return api.eye(n, m, dtype=dtype_of(dtype, default_float()))


def _ends(start: Any, end: Any, dtype: Any) -> tuple[Any, Any, str]:
    """The ends of a range in float64 or complex128, and the dtype of its numbers."""
    kinds = [kind_of(x.type.dtype) if isinstance(x, Tensor) else number_kind(x) for x in (start, end)]
    of_ends = of_number("complex") if "complex" in kinds else default_float()
    found = dtype_of(dtype, of_ends)
    wide = "complex128" if kind_of(found) == "complex" or "complex" in kinds else "float64"
    start, end = (as_dtype(x, wide).reshape([]).detach() for x in (start, end))
    return start, end, found


def _spaced(start: Any, end: Any, steps: Any, dtype: str) -> Any:
    """Numbers at equal distances, in float64 or complex128: from the start to the middle, and from the end back to it.

    For integers the ends are cut off first, unless there is one number only.
    """
    places, count = api.arange(0, steps, dtype="int64"), as_dtype(steps, "int64")
    is_single: Any = count == 1
    if kind_of(dtype) == "int":
        start, end = (api.where(is_single, x, api.trunc(x)) for x in (start, end))
    wide = start.type.dtype
    step = (end - start) / api.maximum(count - 1, api.ones_like(count)).astype(wide)
    low, high = start + step * places.astype(wide), end - step * (count - 1 - places).astype(wide)
    return api.where((places < count // 2) | (places == 0), low, high)


@row("linspace")
def linspace(start: Any, end: Any, steps: Any, *, dtype: Any = None, **options: Any) -> Any:
    """Numbers at equal distances."""
    checked(options)
    low, high, found = _ends(start, end, dtype)
    return converted(_spaced(low, high, steps, found), found)


@row("logspace")
def logspace(start: Any, end: Any, steps: Any, base: float = 10.0, *, dtype: Any = None, **options: Any) -> Any:
    """Powers of the base, whose exponents are at equal distances."""
    checked(options)
    low, high, found = _ends(start, end, dtype)
    return converted(api.pow(as_dtype(base, low.type.dtype), _spaced(low, high, steps, found)), found)


def _triangle(name: str, function: Any) -> None:
    def compute(row: Any, col: Any, offset: int = 0, *, dtype: Any = None, **options: Any) -> Any:
        checked(options)
        counts = [known(x, which) for which, x in (("row", row), ("col", col), ("offset", offset))]
        return function(*counts).astype(dtype_of(dtype, "int64"))

    compute.__name__ = name
    row(name)(compute)


_triangle("tril_indices", api.tril_indices)
_triangle("triu_indices", api.triu_indices)


def _refilled(input: Any, value: Any) -> Any:
    return flat(filled(input.shape, value, input.type.dtype), input)


row("fill")(_refilled)


@row("Tensor.fill_", "fill_")
def fill_(input: Any, value: Any) -> Any:
    """The tensor, with one number in all its elements."""
    input[...] = _refilled(input, value)
    return input


row("Tensor.zero_", "zero_")(lambda input: fill_(input, 0))
