"""The dtypes of torch and those of dy2st, and which one a result has: torch's rules of promotion."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache, reduce
from typing import Any

from ..dtypes import get_default_dtype, set_default_dtype
from ..errors import DTypeError
from ..runtime.proxies import StagedScalar
from ..runtime.tensors.tensor import Tensor
from .packages import torch

_NAMES = "bool uint8 int8 int16 int32 int64 float16 bfloat16 float32 float64 complex64 complex128".split()
_KINDS = ("bool", "int", "float", "complex")
_PYTHON = {bool: "bool", int: "int", float: "float", complex: "complex"}  # a bool is an int, too
_DEFAULTS = {"bool": "bool", "int": "int64"}
_OF_CLASSES = {bool: "bool", int: "int64", float: "float64", complex: "complex128"}  # which torch takes for dtypes


@cache
def name_of(dtype: Any) -> str:
    """The name of a dtype of torch's, or of the one that it takes a class of numbers for. DTypeError: dy2st has none like it."""
    name = _OF_CLASSES.get(dtype) or str(dtype).removeprefix("torch.")
    if name not in _NAMES:
        raise DTypeError(f"{dtype} has no counterpart: the dtypes are {', '.join(_NAMES)}")
    return name


def of_name(name: str) -> Any:
    """The dtype of torch's that is called so."""
    return getattr(torch(), name)


def default_float() -> str:
    """The dtype of what is made of Python floats."""
    return name_of(torch().get_default_dtype())


@contextmanager
def default_of_torch() -> Iterator[None]:
    """In here the default dtype of dy2st's is that of torch's."""
    before, now = get_default_dtype(), default_float()
    if before == now:
        yield
        return
    set_default_dtype(now)
    try:
        yield
    finally:
        set_default_dtype(before)


def default_complex() -> str:
    """The dtype of what is made of Python complex numbers."""
    return "complex128" if default_float() == "float64" else "complex64"


def kind_of(name: str) -> str:
    """bool, int, float or complex."""
    return "bool" if name == "bool" else next((kind for kind in _KINDS[2:] if kind in name), "int")


def number_kind(value: Any) -> str:
    """The kind of a Python number, which only the Program may know."""
    if isinstance(value, StagedScalar):
        kind = str(value._value.type)
        if kind not in _KINDS:
            raise DTypeError("a number whose class follows the path; write float(x), so that it has one")
        return kind
    for cls, kind in _PYTHON.items():
        if isinstance(value, cls):
            return kind
    raise TypeError(f"a tensor or a number is asked for, not {type(value).__name__}")


def of_number(kind: str) -> str:
    """The dtype of a tensor made of a Python number."""
    return _DEFAULTS.get(kind) or (default_float() if kind == "float" else default_complex())


def promoted(*values: Any) -> str:
    """The dtype in which tensors and numbers meet: the highest kind's, by tensors with axes, then those without, then numbers.

    Source: "Type promotion" in the documentation of torch.Tensor attributes, and `combine_categories` in torch's TypeProperties.
    """
    with_axes = [x.type.dtype for x in values if isinstance(x, Tensor) and x.static_shape != ()]
    without = [x.type.dtype for x in values if isinstance(x, Tensor) and x.static_shape == ()]
    numbers = [of_number(number_kind(x)) for x in values if not isinstance(x, Tensor)]
    met = [_met(group) for group in (with_axes, without, numbers) if group]
    return reduce(lambda lower, higher: _over(higher, lower), reversed(met))


def complex_of(name: str) -> str:
    """The dtype of complex numbers with parts of a dtype; its own, where it is one. DTypeError: dy2st has none like it."""
    return name if kind_of(name) == "complex" else name_of(of_name(name).to_complex())


def real_of(name: str) -> str:
    """The dtype of the parts of complex numbers; any other stays."""
    return name_of(of_name(name).to_real()) if kind_of(name) == "complex" else name


def _over(higher: str, lower: str) -> str:
    """The dtype where one that counts for more meets one that counts for less."""
    if kind_of(higher) == "float" and kind_of(lower) == "complex":
        return complex_of(higher)
    counts = kind_of(higher) == "bool" or (kind_of(higher) == "int" and kind_of(lower) in ("float", "complex"))
    return _met([higher, lower]) if counts else higher


def _met(names: list[str]) -> str:
    met = of_name(names[0])
    for name in names[1:]:
        met = torch().promote_types(met, of_name(name))
    return name_of(met)
