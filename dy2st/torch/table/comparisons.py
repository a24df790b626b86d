"""Comparisons, questions of each element, and what is chosen by them."""

from __future__ import annotations

from typing import Any

import dy2st as api

from ...runtime.convert.operations.ifelse import convert_ifelse
from ...runtime.convert.operations.logical import convert_logical_and
from ...runtime.tensors.tensor import Tensor
from ..dtypes import default_float, kind_of, promoted
from .indexing import nonzero
from .pointwise import as_dtype, binary, kept_between, kind, maximum, met, minimum, need, unary
from .rows import both, everywhere, in_place, refused, row

_ORDERED = "bool int float"


def _compared(name: str, function: Any, *others: str, kinds: str = _ORDERED) -> None:
    def compute(input: Any, other: Any) -> Any:
        need(name, input, other, kinds=kinds)
        return function(*met(input, other))

    compute.__name__ = name
    everywhere(compute, name, *others)
    row(f"Tensor.__{name}__")(compute)


_compared("eq", api.equal, kinds="bool int float complex")
_compared("ne", api.not_equal, "not_equal", kinds="bool int float complex")
_compared("lt", api.less_than, "less")
_compared("le", api.less_equal, "less_equal")
_compared("gt", api.greater_than, "greater")
_compared("ge", api.greater_equal, "greater_equal")


@row("equal", "Tensor.equal")
def equal(input: Any, other: Any) -> Any:
    """Whether two tensors have one shape and equal elements, as a bool."""
    def elements() -> Any:
        return api.all(api.equal(*met(input, other))).item()

    if len(input.static_shape) != len(other.static_shape):
        return False
    alike = True
    for mine, theirs in zip(input.shape, other.shape):
        alike = convert_logical_and(alike, lambda mine=mine, theirs=theirs: mine == theirs)  # type: ignore[misc]
    return convert_ifelse(alike, elements, lambda: False)


def _close(x: Any, y: Any, rtol: float, atol: float, equal_nan: bool) -> Any:
    found = x == y
    if kind(x) in ("bool", "int"):
        if not rtol and not atol:
            return found
        x, y = as_dtype(x, default_float()), as_dtype(y, default_float())
    near = api.abs(x - y) <= atol + api.abs(y) * rtol
    found = found | (api.isfinite(x - y) & api.isfinite(y) & near)
    return found | (api.isnan(x) & api.isnan(y)) if equal_nan else found


@row("isclose", "Tensor.isclose")
def isclose(input: Any, other: Any, rtol: float = 1e-05, atol: float = 1e-08, equal_nan: bool = False) -> Any:
    """Whether elements differ by no more than atol + rtol * |other|."""
    if input.type.dtype != other.type.dtype:
        raise refused("isclose takes two tensors of one dtype")
    return _close(input, other, rtol, atol, equal_nan)


@row("allclose", "Tensor.allclose")
def allclose(input: Any, other: Any, rtol: float = 1e-05, atol: float = 1e-08, equal_nan: bool = False) -> Any:
    """Whether all elements are close, as a bool."""
    return api.all(isclose(input, other, rtol, atol, equal_nan)).item()


def _question(name: str, function: Any, of_others: bool) -> None:
    """A row for a question of floats. of_others: the answer for each bool and int."""

    def compute(input: Any) -> Any:
        if kind(input) in ("bool", "int"):
            return api.full_like(input, of_others, dtype="bool")
        return function(input)

    compute.__name__ = name
    both(name, compute)


def _of_parts(function: Any, join: Any) -> Any:
    return lambda x: join(function(x.real()), function(x.imag())) if kind(x) == "complex" else function(x)


_question("isnan", _of_parts(api.isnan, lambda a, b: a | b), False)
_question("isinf", _of_parts(api.isinf, lambda a, b: a | b), False)
_question("isfinite", _of_parts(api.isfinite, lambda a, b: a & b), True)
_question("isposinf", api.isposinf, False)
_question("isneginf", api.isneginf, False)
_question("isreal", lambda x: x.imag() == 0 if kind(x) == "complex" else api.full_like(x, True, dtype="bool"), True)
unary("signbit", lambda x: api.zeros_like(x) if kind(x) == "bool" else api.signbit(x))
unary("logical_not", lambda x: api.logical_not(as_dtype(x, "bool")))


def _logical(name: str, function: Any, input: Any, other: Any) -> Any:
    need(name, input, other, numbers=False)
    return function(as_dtype(input, "bool"), as_dtype(other, "bool"))


for _name in ("logical_and", "logical_or", "logical_xor"):
    _function = getattr(api, _name)
    everywhere(lambda input, other, n=_name, f=_function: _logical(n, f, input, other), _name)


@row("isin")
def isin(elements: Any, test_elements: Any, *, assume_unique: bool = False, invert: bool = False) -> Any:
    """Whether each element is among others."""
    x, among = met(elements, test_elements)
    found = api.isin(x, among.reshape([-1]))
    found = found & ~api.isnan(x) if kind(x) == "float" else found  # NaN equals nothing
    return ~found if invert else found


_EXTREMES: dict[str, Any] = {"maximum": maximum, "minimum": minimum, "fmax": api.fmax, "fmin": api.fmin}
for _name, _function in _EXTREMES.items():
    binary(_name, _function, kinds=_ORDERED, numbers=False)


def clamp(input: Any, min: Any = None, max: Any = None) -> Any:
    """Elements not below `min`, nor above `max`."""
    if min is None and max is None:
        raise refused("clamp takes min, or max, or both")
    bounds = [x for x in (min, max) if x is not None]
    dtype = promoted(input, *bounds)
    if kind_of(dtype) == "complex":
        raise refused("clamp takes no complex numbers")
    return kept_between(as_dtype(input, dtype), *(x if x is None else as_dtype(x, dtype) for x in (min, max)))


everywhere(clamp, "clamp", "clip")
everywhere(lambda input, min: clamp(input, min), "clamp_min")
everywhere(lambda input, max: clamp(input, max=max), "clamp_max")


@row("where")
def where(condition: Any, input: Any = None, other: Any = None) -> Any:
    """`input` where the condition holds, `other` elsewhere; alone, the places where it holds, a tensor for each axis."""
    if input is None and other is None:
        return nonzero(condition, as_tuple=True)
    return api.where(as_dtype(condition, "bool"), *met(input, other))


row("Tensor.where")(lambda self, condition, other: where(condition, self, other))


@row("masked_fill", "Tensor.masked_fill")
def masked_fill(input: Any, mask: Any, value: Any) -> Any:
    """`value` where the mask holds."""
    if isinstance(value, Tensor) and value.static_shape not in ((), None):
        raise refused("masked_fill takes a number or a tensor without axes; write torch.where(mask, value, x)")
    if kind_of(promoted(input, value)) == "complex" != kind(input):
        raise refused(f"masked_fill of a tensor of {input.type.dtype} with a complex number: cast it first")
    return api.where(mask, as_dtype(value, input.type.dtype), input)


in_place("masked_fill", masked_fill)


@row("nan_to_num", "Tensor.nan_to_num")
def nan_to_num(input: Any, nan: Any = None, posinf: Any = None, neginf: Any = None) -> Any:
    """Numbers in place of nan and of infinities."""
    if kind(input) in ("bool", "int"):
        return input.clone()
    if kind(input) == "complex":
        return api.complex(*[nan_to_num(x, nan, posinf, neginf) for x in (input.real(), input.imag())])
    return api.nan_to_num(input, 0.0 if nan is None else nan, posinf, neginf)


in_place("nan_to_num", nan_to_num)
row("Tensor.__contains__")(lambda self, element: api.any(api.equal(*met(self, element))).item())
row("is_nonzero", "Tensor.is_nonzero")(lambda input: input.astype("bool").item())
