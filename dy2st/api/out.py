"""`out=`: the result of a function goes into a tensor that the caller has, which is given back."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

from ..ops.cast import assign_
from ..pytree import rebuilt
from ..runtime.tensors import aliases
from ..runtime.tensors.call_hook import TAKES_OUT
from ..runtime.tensors.tensor import Tensor
from .checks import describe
from .memory import check_renewable

NAMES = (
    "abs acos acosh add all amax amin any atanh bitwise_and bitwise_left_shift bitwise_not bitwise_or bitwise_right_shift "
    "bitwise_xor bmm bucketize ceil clamp clip complex concat cos cosh cumsum diff div divide dot equal exp expm1 fft fft2 "
    "fftn floor floor_divide floor_mod frac gather greater_equal greater_than hfft hfft2 hfftn ifft ifft2 ifftn ihfft ihfft2 "
    "ihfftn index_add index_select irfft irfft2 irfftn less_equal less_than log log10 log1p log2 logical_and logical_not "
    "logical_or logical_xor logsumexp masked_select matmul maximum median minimum mod msort multinomial multiply nonzero "
    "normal normalize not_equal outer polar pow prod quantile remainder rfft rfft2 rfftn round rsqrt scatter sigmoid sign sin "
    "sinh softmax solve sqrt stack subtract sum svd take_along_axis tanh topk tril triu vector_norm where "
).split()  # of Paddle's functions, those that take it by keyword

_ANNOTATION = "Tensor | tuple[Tensor, ...] | None"


def give_out(package: dict[str, Any]) -> None:
    """Let the functions of NAMES in the modules of a package, whose namespace this is, take `out`."""
    for module in list(package.values()):
        for name in getattr(module, "__all__", ()):
            function = getattr(module, name)
            if name in NAMES and inspect.isfunction(function) and not hasattr(function, TAKES_OUT):
                setattr(function, TAKES_OUT, write_into)
                _show(function)


def _show(function: Callable) -> None:
    """The signature with `out`, by keyword, at its end."""
    signature = inspect.signature(function)
    if function.__name__.startswith("bitwise_"):  # as in Paddle, it has its place among the others
        return
    parameters = [p for p in signature.parameters.values() if p.name != "out"]
    out = inspect.Parameter("out", inspect.Parameter.KEYWORD_ONLY, default=None, annotation=_ANNOTATION)
    function.__signature__ = signature.replace(parameters=[*parameters, out])  # type: ignore[attr-defined]


def write_into(name: str, out: Any, made: Any) -> Any:
    """Let `out` be the result of the function `name`: its memory keeps it where shape and dtype fit, as in `x.sin_()`.

    Several results go into a tuple of as many. RuntimeError for a leaf that gradients are asked for.
    """
    if isinstance(made, tuple):
        if not isinstance(out, (tuple, list)) or len(out) != len(made):
            raise ValueError(f"{name} gives {len(made)} tensors: out is a tuple of as many, not {describe(out)}")
        return rebuilt(made, [_write_one(name, one, result) for one, result in zip(out, made)])
    return _write_one(name, out, made)


def _write_one(name: str, out: Any, made: Tensor) -> Tensor:
    if not isinstance(out, Tensor):
        raise TypeError(f"{name}: out is a Tensor, not {describe(out)}")
    if out.type == made.type:
        assign_(out, made)
    elif out.is_staged:
        check_renewable(name, out, f"out = {name}(...)")
        out._data = made._data
    else:
        aliases.refuse_leaf(name, out)
        aliases.become(out, lambda before: made)
    return out
