"""Errors of torch's functions are torch's own: a call that fails while staging is made again of torch, on tensors of zeros."""

from __future__ import annotations

import warnings
from typing import Any

from ..errors import ConversionError
from ..ops.dispatch import recorder_of_mode
from ..ops.torch_errors import in_torch, kind_of
from ..runtime.engine.exceptions import of_torch
from ..runtime.proxies import Staged
from .dtypes import of_name
from .face import Face, Size
from .packages import torch
from .values import leaves, mapped

_MANY = 1 << 22  # elements: from here on a stand-in has no memory
_OPEN = 2  # stands for a length that only the Program knows


def torchs(function: Any, args: tuple, kwargs: dict, error: Exception) -> Exception:
    """What torch raises for a call of `function`, whose row in the table has raised `error`.

    Where torch raises nothing, that is refused. Where only the Program knows all of the call, the error has torch's class.
    """
    given = leaves((args, kwargs))
    is_staged = any(isinstance(x, Staged) for x in given)
    told = None if is_staged else _raised(function, args, kwargs)
    if told is not None:
        return told
    if is_staged or any(type(x) is Face and None in _lengths(x) for x in given):
        return of_torch(error, in_torch("", {}, True, kind)) if (kind := kind_of(error)) else error
    return ConversionError(f"{recorder_of_mode().here()}: torch takes this, and dy2st can't: {error}")


def _raised(function: Any, args: tuple, kwargs: dict) -> Exception | None:
    """What torch raises for such a call; None where it raises nothing."""
    with torch().no_grad(), torch().random.fork_rng([]), torch()._C.DisableTorchFunction(), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            function(*mapped(_stand_in, args), **mapped(_stand_in, kwargs))
        except Exception as error:
            return error.with_traceback(None)
    return None


def _stand_in(value: Any) -> Any:
    """A tensor of zeros for a placeholder, another one for a real tensor, of which nothing is written."""
    if isinstance(value, Size):
        return torch().Size([*value])
    if type(value) is not Face:
        return value.detach().clone() if isinstance(value, torch().Tensor) else value
    lengths = [_OPEN if length is None else length for length in _lengths(value)]
    count = 1
    for length in lengths:
        count *= length
    return torch().zeros(lengths, dtype=of_name(value.type.dtype), device="meta" if count > _MANY else "cpu")


def _lengths(x: Face) -> list[int | None]:
    shape = x.static_shape
    return [None] if shape is None else [length if type(length) is int else None for length in shape]
