"""The state of the one random generator."""

from __future__ import annotations

import copy
from typing import Any

from ...errors import StagedValueError
from ...ops import dispatch
from ...ops.random import GENERATOR, RandomSource


def seed(seed: int) -> RandomSource:
    """Make every random number from now on repeatable; gives the generator.

    seed: an int; TypeError for another kind, ValueError where negative. StagedValueError in a static function.
    """
    if (rec := dispatch.current_mode().rec) is not None:
        raise StagedValueError(f"{rec.here()}: paddle.seed in a static function would act once, while staging; call it outside")
    if isinstance(seed, bool) or not isinstance(seed, int):
        raise TypeError(f"seed takes an int, not {type(seed).__name__}")
    if seed < 0:
        raise ValueError(f"seed takes a non-negative int, not {seed}")
    GENERATOR.seed(seed)
    return GENERATOR


def get_rng_state() -> dict[str, Any]:
    """Where the generator stands, for `set_rng_state`."""
    return copy.deepcopy(GENERATOR.state)


def set_rng_state(state: dict[str, Any]) -> None:
    """Bring the generator back to where `get_rng_state` found it: `state` is what that gave."""
    GENERATOR.state = copy.deepcopy(state)
