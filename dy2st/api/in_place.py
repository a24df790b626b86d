"""Functions that leave their result in their first operand, under Paddle's names: `x.sin_()` is x.sin(), written into x.

Where the result has another shape or dtype (`x.reshape_`, `x.less_than_`), x becomes another tensor under the same name.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

from ..ops.cast import assign, assign_
from ..runtime.tensors import aliases
from ..runtime.tensors.tensor import Tensor
from . import compare as comparing
from . import creation, diagonals, gathering, linalg, manipulation, pairs, placing, products, reduce, special
from . import math as arithmetic
from .checks import need_tensor
from .memory import check_renewable
from .tensor_methods import attach

__all__ = (  # fmt: skip
    "acos_",
    "acosh_",
    "addmm_",
    "asin_",
    "asinh_",
    "atan_",
    "atanh_",
    "baddbmm_",
    "bitwise_and_",
    "bitwise_invert_",
    "bitwise_left_shift_",
    "bitwise_not_",
    "bitwise_or_",
    "bitwise_right_shift_",
    "bitwise_xor_",
    "cast_",
    "clamp_",
    "copysign_",
    "cos_",
    "cosh_",
    "cumprod_",
    "cumsum_",
    "digamma_",
    "div_",
    "equal_",
    "erf_",
    "erfinv_",
    "expm1_",
    "fill_diagonal_tensor_",
    "flatten_",
    "floor_mod_",
    "frac_",
    "gammaln_",
    "gcd_",
    "greater_equal_",
    "greater_than_",
    "hypot_",
    "index_add_",
    "index_fill_",
    "index_put_",
    "lcm_",
    "ldexp_",
    "lerp_",
    "less_",
    "less_equal_",
    "less_than_",
    "lgamma_",
    "log10_",
    "log1p_",
    "log2_",
    "log_",
    "logical_and_",
    "logical_not_",
    "logical_or_",
    "logical_xor_",
    "logit_",
    "masked_fill_",
    "masked_scatter_",
    "mul_",
    "multigammaln_",
    "nan_to_num_",
    "not_equal_",
    "polygamma_",
    "put_along_axis_",
    "renorm_",
    "reshape_",
    "scatter_",
    "scatter_add_",
    "sin_",
    "sinc_",
    "sinh_",
    "square_",
    "squeeze_",
    "sub_",
    "t_",
    "tan_",
    "transpose_",
    "tril_",
    "triu_",
    "trunc_",
    "unsqueeze_",
)


INTO = """the result goes into the first tensor, which is returned; the other arguments are the same.

Where the result has another shape or dtype, the tensor becomes that one under its name. RuntimeError: it is a leaf that gradients
flow into. ConversionError: it would become another while recording, inside control flow, or it is an input or a view."""
RENEWED = """the tensor, which is returned, gets the other shape and keeps its memory and history.

RuntimeError: it is a leaf that gradients flow into. ConversionError: while recording, inside control flow, or it is an input or
a view."""


def _in_place(function: Callable[..., Tensor]) -> Callable[..., Tensor]:
    """`function`, whose result goes into its first operand, which is returned."""
    name = f"{function.__name__}_"

    def write(x: Tensor, *args: Any, **kwargs: Any) -> Tensor:
        before = need_tensor(name, x).type
        made = function(assign(x), *args, **kwargs)  # of a copy, since gradients may need what x was
        if made.type == before:
            assign_(x, made)
        else:
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
    parameters = inspect.signature(function).parameters.values()
    taken = [p for p in parameters if p.name != "out"]
    write.__signature__ = inspect.Signature(taken)  # type: ignore[attr-defined]
    write.__name__ = write.__qualname__ = name
    write.__doc__ = doc
    attach(write, name)
    return write


acos_ = _in_place(arithmetic.acos)
asin_ = _in_place(arithmetic.asin)
atan_ = _in_place(arithmetic.atan)
cos_ = _in_place(arithmetic.cos)
erf_ = _in_place(arithmetic.erf)
expm1_ = _in_place(arithmetic.expm1)
log_ = _in_place(arithmetic.log)
log10_ = _in_place(arithmetic.log10)
log1p_ = _in_place(arithmetic.log1p)
log2_ = _in_place(arithmetic.log2)
sin_ = _in_place(arithmetic.sin)
sinh_ = _in_place(arithmetic.sinh)
cosh_ = _in_place(arithmetic.cosh)
square_ = _in_place(arithmetic.square)
tan_ = _in_place(arithmetic.tan)
trunc_ = _in_place(arithmetic.trunc)
cast_ = _in_place(arithmetic.cast)

acosh_ = _in_place(special.acosh)
asinh_ = _in_place(special.asinh)
atanh_ = _in_place(special.atanh)
digamma_ = _in_place(special.digamma)
erfinv_ = _in_place(special.erfinv)
frac_ = _in_place(special.frac)
lgamma_ = _in_place(special.lgamma)
logit_ = _in_place(special.logit)
multigammaln_ = _in_place(special.multigammaln)
nan_to_num_ = _in_place(special.nan_to_num)
polygamma_ = _in_place(special.polygamma)
sinc_ = _in_place(special.sinc)

bitwise_left_shift_ = _in_place(pairs.bitwise_left_shift)
bitwise_right_shift_ = _in_place(pairs.bitwise_right_shift)
copysign_ = _in_place(pairs.copysign)
gcd_ = _in_place(pairs.gcd)
hypot_ = _in_place(pairs.hypot)
lcm_ = _in_place(pairs.lcm)
ldexp_ = _in_place(pairs.ldexp)
lerp_ = _in_place(pairs.lerp)

bitwise_and_ = _in_place(comparing.bitwise_and)
bitwise_not_ = _in_place(comparing.bitwise_not)
bitwise_or_ = _in_place(comparing.bitwise_or)
bitwise_xor_ = _in_place(comparing.bitwise_xor)
equal_ = _in_place(comparing.equal)
greater_equal_ = _in_place(comparing.greater_equal)
greater_than_ = _in_place(comparing.greater_than)
less_equal_ = _in_place(comparing.less_equal)
less_than_ = _in_place(comparing.less_than)
logical_and_ = _in_place(comparing.logical_and)
logical_not_ = _in_place(comparing.logical_not)
logical_or_ = _in_place(comparing.logical_or)
logical_xor_ = _in_place(comparing.logical_xor)
not_equal_ = _in_place(comparing.not_equal)

cumprod_ = _in_place(reduce.cumprod)
cumsum_ = _in_place(reduce.cumsum)

index_add_ = _in_place(placing.index_add)
index_fill_ = _in_place(placing.index_fill)
index_put_ = _in_place(placing.index_put)
masked_scatter_ = _in_place(placing.masked_scatter)
put_along_axis_ = _in_place(placing.put_along_axis)
scatter_add_ = _in_place(placing.scatter_add)

masked_fill_ = _in_place(gathering.masked_fill)
scatter_ = _in_place(gathering.scatter)

addmm_ = _in_place(linalg.addmm)

baddbmm_ = _in_place(products.baddbmm)
renorm_ = _in_place(products.renorm)

tril_ = _in_place(creation.tril)
triu_ = _in_place(creation.triu)

fill_diagonal_tensor_ = _in_place(diagonals.fill_diagonal_tensor)

flatten_ = _renewing(manipulation.flatten)
reshape_ = _renewing(manipulation.reshape)
squeeze_ = _renewing(manipulation.squeeze)
t_ = _renewing(manipulation.t)
transpose_ = _renewing(manipulation.transpose)
unsqueeze_ = _renewing(manipulation.unsqueeze)

mul_, sub_, div_, floor_mod_ = arithmetic.multiply_, arithmetic.subtract_, arithmetic.divide_, arithmetic.remainder_
clamp_, bitwise_invert_, gammaln_, less_ = arithmetic.clip_, bitwise_not_, lgamma_, less_than_
for _name in ("mul_", "sub_", "div_", "floor_mod_", "clamp_", "bitwise_invert_", "gammaln_", "less_"):
    attach(globals()[_name], _name)
