"""`dy2st.distributed.fleet.utils`: what a model's forward calls."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...api.checkpoint import between_checkpoints

__all__ = ["recompute"]
OPTIONS = ("preserve_rng_state", "use_reentrant")


def recompute(function: Callable, *args: Any, **kwargs: Any) -> Any:
    """function(*args, **kwargs): the same values, gradients and random numbers, with less memory in a static function.

    Its backward keeps the tensors among `args` and `kwargs`, and those in the result, a tensor or a tuple. It computes all
    values between again. Masks of dropout are kept. Outside of static functions everything is kept. `preserve_rng_state` and
    `use_reentrant` have no effect.

    >>> dy2st.distributed.fleet.recompute(lambda x: dy2st.tanh(x) * 2, dy2st.zeros([2])).numpy()
    array([0., 0.], dtype=float32)
    """
    for option in OPTIONS:
        kwargs.pop(option, None)
    return between_checkpoints(function, args, kwargs)
