"""`dy2st.distributed.fleet.utils`: what a model's forward calls."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...api.converted import converted

__all__ = ["recompute"]
OPTIONS = ("preserve_rng_state", "use_reentrant")


def recompute(function: Callable, *args: Any, **kwargs: Any) -> Any:
    """function(*args, **kwargs): the same values, gradients and random numbers.

    What lies between is kept for the backward, where Paddle computes it once more; `preserve_rng_state` and `use_reentrant`,
    which say how, have no effect.
    """
    for option in OPTIONS:
        kwargs.pop(option, None)
    return converted(function)(*args, **kwargs)
