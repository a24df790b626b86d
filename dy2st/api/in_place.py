"""Functions that leave their result in their first operand, under Paddle's names: `x.sin_()` is x.sin(), written into x.

Where the result has another dtype (`x.less_than_`) or is a view (`x.reshape_`), x becomes another tensor under the same name.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from types import ModuleType
from typing import Any

from ..ops.cast import assign, assign_
from ..runtime.tensors import aliases
from ..runtime.tensors.tensor import Tensor
from . import compare as comparing
from . import creation, diagonals, gathering, linalg, manipulation, pairs, placing, products, reduce, special
from . import math as arithmetic
from .checks import need_tensor
from .known import of_shape
from .memory import check_renewable
from .tensor_methods import attach

IN_PLACE: dict[ModuleType, str] = {
    arithmetic: "acos asin atan cos erf expm1 log log10 log1p log2 sin sinh cosh square tan trunc cast",
    special: "acosh asinh atanh digamma erfinv frac lgamma logit multigammaln nan_to_num polygamma sinc",
    pairs: "bitwise_left_shift bitwise_right_shift copysign gcd hypot lcm ldexp lerp",
    comparing: (
        "bitwise_and bitwise_not bitwise_or bitwise_xor equal greater_equal greater_than less_equal less_than "
        "logical_and logical_not logical_or logical_xor not_equal"
    ),
    reduce: "cumprod cumsum",
    placing: "index_add index_fill index_put masked_scatter put_along_axis scatter_add",
    gathering: "masked_fill scatter",
    linalg: "addmm",
    products: "baddbmm renorm",
    creation: "tril triu",
    diagonals: "fill_diagonal_tensor",
}
RENEWING: dict[ModuleType, str] = {manipulation: "flatten reshape squeeze t transpose unsqueeze"}  # which give a view
INTO = """the result goes into the first tensor, which is returned; the other arguments are the same.

Where the result has another dtype, the tensor becomes that one under its name. ShapeError: the result has another shape.
RuntimeError: it is a leaf that gradients flow into. ConversionError: it would become another while recording, inside control
flow, or it is an input or a view."""
RENEWED = """the tensor, which is returned, gets the other shape and keeps its memory and history.

RuntimeError: it is a leaf that gradients flow into. ConversionError: while recording, inside control flow, or it is an input or
a view."""


def in_place(function: Callable[..., Tensor]) -> Callable[..., Tensor]:
    """`function`, whose result goes into its first operand, which is returned."""
    name = f"{function.__name__}_"

    def write(x: Tensor, *args: Any, **kwargs: Any) -> Tensor:
        before = assign(need_tensor(name, x))  # a copy, since gradients may need what x was
        made = function(before, *args, **kwargs)
        if made.dtype == before.dtype:
            assign_(x, made)
        else:
            of_shape(name, made, before, "the result has another shape than the tensor that it goes into")
            _renew(name, function, x, args, kwargs)
        return x

    return _dressed(write, name, function, f"`{function.__name__}` in place: {INTO}")


def _renewing(function: Callable[..., Tensor]) -> Callable[..., Tensor]:
    """The same for a function that gives a view."""
    name = f"{function.__name__}_"

    def write(x: Tensor, *args: Any, **kwargs: Any) -> Tensor:
        _renew(name, function, need_tensor(name, x), args, kwargs)
        return x

    return _dressed(write, name, function, f"`{function.__name__}` in place: {RENEWED}")


def _renew(name: str, function: Callable[..., Tensor], x: Tensor, args: tuple, kwargs: dict[str, Any]) -> None:
    if x.is_staged:
        check_renewable(name, x, f"x = x.{name[:-1]}(...)")
        x._data = function(x, *args, **kwargs)._data
    else:
        aliases.refuse_leaf(name, x)
        aliases.become(x, lambda before: function(before, *args, **kwargs))


def _dressed(write: Callable[..., Tensor], name: str, function: Callable[..., Tensor], doc: str) -> Callable[..., Tensor]:
    signature = inspect.signature(function)
    taken = [p for p in signature.parameters.values() if p.name != "out"]
    write.__signature__ = signature.replace(parameters=taken)  # type: ignore[attr-defined]
    write.__name__ = write.__qualname__ = name
    write.__doc__ = doc
    attach(write, name)
    return write


_made = {
    f"{name}_": make(getattr(module, name))
    for table, make in ((IN_PLACE, in_place), (RENEWING, _renewing))
    for module, names in table.items()
    for name in names.split()
}
_second = {"mul_": arithmetic.multiply_, "sub_": arithmetic.subtract_, "div_": arithmetic.divide_, "clamp_": arithmetic.clip_}
_second |= {"floor_mod_": arithmetic.remainder_, "bitwise_invert_": _made["bitwise_not_"]}
_second |= {"gammaln_": _made["lgamma_"], "less_": _made["less_than_"]}
for _name, _function in _second.items():
    attach(_function, _name)
globals().update(_made, **_second)
__all__ = [*_made, *_second]
