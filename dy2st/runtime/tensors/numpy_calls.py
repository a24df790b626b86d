"""NumPy's functions, called with Tensors: they run on the arrays, and give what NumPy gives."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ... import pytree
from .tensor import Tensor


def on_arrays(function: Callable, args: tuple, kwargs: dict[str, Any]) -> Any:
    """`function` of the arguments with arrays in place of the Tensors in them, at any depth.

    StagedValueError: one of them is known only when the Program runs. ValueError: the function would write into one.
    """
    use = f"np.{function.__name__}(x)"
    arrays, named = pytree.mapped((args, kwargs), _is_tensor, lambda x: _readable(x, use))
    return function(*arrays, **named)


def _is_tensor(value: Any) -> bool:
    return isinstance(value, Tensor)


def _readable(x: Tensor, use: str) -> np.ndarray:
    """The memory of a tensor, which the tape counts writes of, so that NumPy may not write there."""
    array = (x._array(use) if x.is_staged else np.asarray(x)).view()
    array.flags.writeable = False
    return array
